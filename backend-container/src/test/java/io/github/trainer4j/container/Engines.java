package io.github.trainer4j.container;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.testkit.BackendUnderTest;
import io.github.trainer4j.testkit.Feature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What tests on real engines have in common. */
final class Engines {
    static final String BUSYBOX = "trainer4j-test/busybox:1";
    static final String TORCH = "trainer4j-test/torch:1";
    static final String INITIALIZER = "trainer4j-test/initializer:1";

    private Engines() {}

    /** Tells the contract about a backend on the engine at the address that a variable has. */
    static BackendUnderTest underTest(BackendProvider provider, String variable) {
        String host = System.getenv(variable);
        return BackendUnderTest.of(provider)
                .setting("host", host)
                .setting("grace-period", "5s")
                .image(TORCH)
                .initializers(
                        (target, actions) -> InitializerSpec.of(target, "hf://test/" + actions.text())
                                .image(INITIALIZER),
                        new StandInInitializerProvider())
                .without(Feature.JAVA, Feature.INITIALIZER_PROGRESS)
                .slower(3)
                .processes(Engines::commandLines)
                .traces(job -> traces(host, job));
    }

    /** The command lines as they were given; those of ProcessHandle have busybox in place of the program's name. */
    private static List<String> commandLines() {
        List<String> lines = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                try {
                    lines.add(Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                            .replace('\0', ' '));
                } catch (IOException e) {
                    // It has ended meanwhile.
                }
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what an engine has of a job. */
    static List<String> traces(String host, String job) {
        EngineAddress address = new EngineAddress(URI.create(host), Optional.empty(), "test");
        try (Engine engine =
                Engine.open(new EngineConnection(address, Duration.ofSeconds(60), "traces-"), Duration.ofSeconds(60))) {
            List<String> traces = new ArrayList<>(engine.containerNames(job + "-"));
            engine.networks(Labels.JOB + "=" + job).forEach(network -> traces.add(network.name()));
            return traces;
        }
    }
}
