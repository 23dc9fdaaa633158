package io.github.trainer4j.container;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.testkit.BackendUnderTest;
import io.github.trainer4j.testkit.Feature;
import io.github.trainer4j.testkit.StandInInitializerProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What tests on real engines have in common. */
final class Engines {
    static final String BUSYBOX = "trainer4j-test/busybox:1";
    static final String TORCH = "trainer4j-test/torch:1";
    static final String INITIALIZER = "trainer4j-test/initializer:1";
    static final String JVM = "trainer4j-test/jvm:1";

    private Engines() {}

    /** Tells the contract about a backend on the engine at the address that a variable has. */
    static BackendUnderTest underTest(BackendProvider provider, String variable) {
        EngineAddress address = address(variable);
        BackendUnderTest backend = BackendUnderTest.of(provider)
                .setting("host", address.uri().toString())
                .gracePeriod("grace-period")
                .image(TORCH)
                .javaImage(JVM)
                .initializers(
                        (target, actions) -> InitializerSpec.of(target, "hf://test/" + actions.text())
                                .image(INITIALIZER),
                        new StandInInitializerProvider())
                // A container tells nobody how far it is.
                .without(Feature.INITIALIZER_PROGRESS)
                .slower(3)
                .traces(job -> traces(address, job));
        address.certificates()
                .ifPresent(
                        directory -> backend.setting("tls-verify", "true").setting("cert-path", directory.toString()));
        return backend;
    }

    /** Returns the address that a variable has; where certificates are needed, a second one says where they are. */
    static EngineAddress address(String variable) {
        return new EngineAddress(
                URI.create(System.getenv(variable)),
                Optional.ofNullable(System.getenv(variable + "_CERTS")).map(Path::of),
                "test");
    }

    /**
     * Lets other users come as far as the workspaces of jobs below a directory of this user. An engine without the rights
     * of root mounts only what its own user can reach, which is this user everywhere but in a test that root runs.
     */
    static void letPass(Path work) throws IOException {
        Path containers = Files.createDirectories(work.resolve("state/containers"));
        for (Path directory = containers; !directory.equals(work.getParent()); directory = directory.getParent()) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        }
    }

    /** Returns what an engine has of a job. */
    static List<String> traces(String host, String job) {
        return traces(new EngineAddress(URI.create(host), Optional.empty(), "test"), job);
    }

    private static List<String> traces(EngineAddress address, String job) {
        try (Engine engine =
                Engine.open(new EngineConnection(address, Duration.ofSeconds(60), "traces-"), Duration.ofSeconds(60))) {
            List<String> traces = new ArrayList<>(engine.containerNames(job + "-"));
            engine.networks(Labels.JOB + "=" + job).forEach(network -> traces.add(network.name()));
            return traces;
        }
    }
}
