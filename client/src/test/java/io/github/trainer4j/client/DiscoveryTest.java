package io.github.trainer4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.InitializerProvider;
import io.github.trainer4j.client.ProviderReport.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plug-ins in real jars: what is found, and how little a broken one can do to the others. */
class DiscoveryTest {
    @TempDir
    Path directory;

    private Path good;

    @BeforeEach
    void aGoodPlugin() throws IOException {
        good = new PluginJar().backend("org.good.Provider", "good").in(directory, "good.jar");
    }

    @Test
    void aBackendInAJarIsFoundAndTheOnlyOneIsTaken() throws IOException {
        try (PluginLoader plugins = new PluginLoader(good);
                TrainerClient client = builder().build()) {
            assertThat(client.backend()).isEqualTo("good");
            assertThat(client.list()).isEmpty();
            assertThat(client.diagnostics().providers())
                    .contains(new ProviderReport(
                            "backend",
                            Optional.of("good"),
                            Optional.of("org.good.Provider"),
                            good.toString(),
                            State.USABLE,
                            Optional.empty()));
            assertThat(client.diagnostics().problems()).isEmpty();
        }
    }

    @Test
    void aConstructorThatThrowsIsToldWithItsJarAndHidesNoOther() throws IOException {
        assertBroken(
                new PluginJar()
                        .backend(
                                "org.bad.Provider",
                                "public Provider() { throw new IllegalStateException(\"no licence\"); } "
                                        + "public String name() { return \"bad\"; }",
                                PluginJar.BACKEND),
                "org.bad.Provider",
                "java.lang.IllegalStateException: no licence");
    }

    @Test
    void aStaticInitializerThatThrowsIsTold() throws IOException {
        assertBroken(
                new PluginJar()
                        .backend(
                                "org.bad.Provider",
                                "static final int N = Integer.parseInt(\"x\"); "
                                        + "public String name() { return \"bad\"; }",
                                PluginJar.BACKEND),
                "org.bad.Provider",
                "ExceptionInInitializerError");
    }

    @Test
    void aClassThatDoesNotExistIsTold() throws IOException {
        assertBroken(
                new PluginJar().service(BackendProvider.class, "org.bad.Nowhere"),
                "org.bad.Nowhere",
                "there is no such class");
    }

    @Test
    void aClassWhoseSuperclassIsMissingIsTold() throws IOException {
        assertBroken(
                new PluginJar()
                        .type("org.missing.Base", "")
                        .type(
                                "org.bad.Provider extends org.missing.Base implements BackendProvider",
                                "public String name() { return \"bad\"; }"
                                        + "public Backend create(Settings s, BackendContext c) { return null; }")
                        .service(BackendProvider.class, "org.bad.Provider")
                        .leavingOut("org.missing.Base"),
                "org.bad.Provider",
                "NoClassDefFoundError: org/missing/Base");
    }

    @Test
    void aClassThatIsNoProviderIsTold() throws IOException {
        assertBroken(
                new PluginJar().type("org.bad.Other", "").service(BackendProvider.class, "org.bad.Other"),
                "org.bad.Other",
                "does not implement io.github.trainer4j.api.spi.BackendProvider");
    }

    @Test
    void aProviderWithoutAConstructorForAllIsTold() throws IOException {
        assertBroken(
                new PluginJar()
                        .backend(
                                "org.bad.Provider",
                                "private Provider() {} public String name() { return \"bad\"; }",
                                PluginJar.BACKEND),
                "org.bad.Provider",
                "public constructor without parameters");
    }

    @Test
    void aServicesFileThatIsNoneIsTold() throws IOException {
        Path bad = new PluginJar()
                .service(BackendProvider.class, "two words")
                .service(BackendProvider.class, "org.bad.Nowhere")
                .in(directory, "bad.jar");
        try (PluginLoader plugins = new PluginLoader(bad, good);
                TrainerClient client = builder().backend("good").build()) {
            assertThat(client.diagnostics().problems())
                    .anySatisfy(report -> assertThat(report.toString()).contains(bad.toString()));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "\"\"",
                "\" \"",
                "\"Big\"",
                "\"a b\"",
                "\"a.b\"",
                "\"ä\"",
                "\"../x\"",
                "\"9\"",
                "\"work\""
            })
    void aNameThatIsNoneIsTold(String expression) throws IOException {
        assertBroken(
                new PluginJar()
                        .backend(
                                "org.bad.Provider",
                                "public String name() { return " + expression + "; }",
                                PluginJar.BACKEND),
                "org.bad.Provider",
                "its name");
    }

    @Test
    void aNameThatThrowsIsTold() throws IOException {
        assertBroken(
                new PluginJar()
                        .backend(
                                "org.bad.Provider",
                                "public String name() { throw new NullPointerException(\"oops\"); }",
                                PluginJar.BACKEND),
                "org.bad.Provider",
                "oops");
    }

    @Test
    void aNameThatThrowsAnErrorIsTold() throws IOException {
        assertBroken(
                new PluginJar()
                        .backend(
                                "org.bad.Provider",
                                "public String name() { throw new AssertionError(\"oops\"); }",
                                PluginJar.BACKEND),
                "org.bad.Provider",
                "oops");
    }

    @Test
    void aClassThatSeveralLoadersSeeIsFoundAndToldOnceAndTheFirstLoadersCounts() throws IOException {
        Path bad = new PluginJar()
                .service(BackendProvider.class, "org.bad.Nowhere")
                .backend("org.bad.Provider", "public String name() { return null; }", PluginJar.BACKEND)
                .in(directory, "bad.jar");
        try (PluginLoader plugins = new PluginLoader(good, bad);
                PluginLoader more = new PluginLoader(good, bad)) {
            ProviderScan<BackendProvider> scan =
                    ProviderScan.of(ProviderKind.BACKEND, List.of(more.loader(), plugins.loader(), more.loader()));
            assertThat(scan.candidates()).singleElement().satisfies(found -> {
                assertThat(found.name()).isEqualTo("good");
                assertThat(found.provider().getClass().getClassLoader()).isSameAs(more.loader());
            });
            assertThat(scan.broken()).hasSize(2);
        }
    }

    @Test
    void twoPluginsOfOneNameAreAnErrorForWhoeverUsesTheName() throws IOException {
        Path first = new PluginJar().backend("org.one.Provider", "twin").in(directory, "one.jar");
        Path second = new PluginJar().backend("org.two.Provider", "twin").in(directory, "two.jar");
        try (PluginLoader plugins = new PluginLoader(first, second, good)) {
            assertThatThrownBy(() -> builder().backend("twin").build())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContainingAll("'twin'", first.toString(), second.toString(), "remove");
            try (TrainerClient client = builder().backend("good").build()) {
                assertThat(client.diagnostics().problems())
                        .extracting(ProviderReport::state)
                        .containsExactly(State.AMBIGUOUS, State.AMBIGUOUS);
                assertThat(client.diagnostics().problems().get(0).toString()).contains(second.toString());
            }
        }
    }

    @Test
    void aPluginDoesNotHideABackendOfThisProduct() throws IOException {
        Path own = new PluginJar()
                .backend("io.github.trainer4j.fake.Provider", "local")
                .in(directory, "own.jar");
        Path intruder = new PluginJar().backend("org.evil.Provider", "local").in(directory, "evil.jar");
        try (PluginLoader plugins = new PluginLoader(intruder, own);
                TrainerClient client = builder().backend("local").build()) {
            assertThat(client.diagnostics().problems()).singleElement().satisfies(report -> {
                assertThat(report.state()).isEqualTo(State.HIDDEN);
                assertThat(report.toString()).contains(intruder.toString(), own.toString());
            });
        }
    }

    @Test
    void aProviderThatCannotMakeItsBackendIsNamedWithItsJar() throws IOException {
        Path bad = new PluginJar()
                .backend(
                        "org.bad.Provider",
                        "public String name() { return \"bad\"; }",
                        "throw new ClassCastException(\"inside\");")
                .in(directory, "bad.jar");
        try (PluginLoader plugins = new PluginLoader(bad)) {
            assertThatThrownBy(() -> builder().build())
                    .isInstanceOf(io.github.trainer4j.api.BackendUnavailableException.class)
                    .hasMessageContainingAll("'bad'", bad.toString(), "inside");
        }
    }

    @Test
    void anInitializerInAJarServesItsScheme() throws IOException {
        Path demo = new PluginJar().initializer("org.demo.Provider", "demo").in(directory, "demo.jar");
        try (PluginLoader plugins = new PluginLoader(demo)) {
            assertThat(initializers()
                            .create(InitializerSpec.dataset("demo://x"))
                            .plan()
                            .environment())
                    .containsExactlyInAnyOrderEntriesOf(
                            Map.of("STORAGE_URI", "demo://x", "MADE_BY", "org.demo.Provider"));
        }
    }

    @Test
    void anUnknownSchemeIsToldWithTheKnownOnesAndHowToAddOne() throws IOException {
        Path demo = new PluginJar().initializer("org.demo.Provider", "demo").in(directory, "demo.jar");
        Path bad = new PluginJar()
                .service(InitializerProvider.class, "org.bad.Nowhere")
                .in(directory, "bad.jar");
        try (PluginLoader plugins = new PluginLoader(demo, bad)) {
            assertThatThrownBy(() -> initializers().create(InitializerSpec.model("dem://x?signature=canary")))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContainingAll(
                            "model-initializer", "'dem'", "did you mean demo", "InitializerProvider", bad.toString())
                    .hasMessageNotContaining("canary");
        }
    }

    @Test
    void twoInitializersOfOneSchemeAreAnErrorThatNamesBothJars() throws IOException {
        Path first = new PluginJar().initializer("org.one.Provider", "twin").in(directory, "one.jar");
        Path second = new PluginJar().initializer("org.two.Provider", "twin").in(directory, "two.jar");
        try (PluginLoader plugins = new PluginLoader(first, second)) {
            assertThatThrownBy(() -> initializers().create(InitializerSpec.model("twin://x")))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContainingAll(first.toString(), second.toString());
        }
    }

    @Test
    void anInitializerThatFailsIsToldWithItsJarAndRecordedOnce() throws IOException {
        Path bad = new PluginJar()
                .initializer("org.bad.Provider", "bad", "throw new IllegalStateException(\"inside\");")
                .initializer("org.bad.Empty", "empty", "return null;")
                .initializer("org.bad.Picky", "picky", "throw new InvalidJobException(\"no such option\");")
                .in(directory, "bad.jar");
        try (PluginLoader plugins = new PluginLoader(bad)) {
            ProviderRegistry<InitializerProvider> registry =
                    new ProviderRegistry<>(ProviderKind.INITIALIZER, ProviderScan.loaders());
            InitializerProviders initializers = new InitializerProviders(registry);
            for (String scheme : List.of("bad", "bad", "empty")) {
                assertThatThrownBy(() -> initializers.create(InitializerSpec.model(scheme + "://x")))
                        .isInstanceOf(InitializerException.class)
                        .hasMessageContaining(bad.toString());
            }
            assertThatThrownBy(() -> initializers.create(InitializerSpec.model("picky://x")))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessage("no such option");
            assertThat(registry.reports().stream()
                            .filter(report -> report.location().equals(bad.toString())))
                    .extracting(report -> report.name().orElse("") + " " + report.state())
                    .containsExactlyInAnyOrder("bad BROKEN", "empty BROKEN", "picky USABLE");
        }
    }

    private void assertBroken(PluginJar plugin, String className, String problem) throws IOException {
        Path bad = plugin.in(directory, "bad.jar");
        try (PluginLoader plugins = new PluginLoader(bad, good);
                TrainerClient client = builder().build()) {
            assertThat(client.backend()).isEqualTo("good");
            assertThat(client.diagnostics().problems()).singleElement().satisfies(report -> {
                assertThat(report.state()).isEqualTo(State.BROKEN);
                assertThat(report.className()).contains(className);
                assertThat(report.location()).isEqualTo(bad.toString());
                assertThat(report.problem().orElse("")).contains(problem);
            });
        }
    }

    private TrainerClientBuilder builder() throws IOException {
        return TrainerClient.builder()
                .home(directory)
                .currentDirectory(Files.createDirectories(directory.resolve("here")))
                .environment(Map.of())
                .systemProperties(Map.of());
    }

    private static InitializerProviders initializers() {
        return new InitializerProviders(new ProviderRegistry<>(ProviderKind.INITIALIZER, ProviderScan.loaders()));
    }
}
