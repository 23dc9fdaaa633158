package io.github.trainer4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.spi.BackendContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is configured reaches the backend, from whatever source, and whatever is wrong is told with its source. */
class ConfigurationTest {
    @TempDir
    Path directory;

    private Path here;
    private Path home;
    private final Map<String, String> environment = new HashMap<>();
    private final Map<String, String> properties = new HashMap<>();
    private final Map<String, String> code = new LinkedHashMap<>();
    private PluginLoader plugins;

    @BeforeEach
    void backends() throws IOException {
        FakeBackendProvider.MADE.clear();
        here = Files.createDirectories(directory.resolve("here"));
        home = Files.createDirectories(directory.resolve("home"));
        Path other = new PluginJar().backend("org.other.Provider", "other").in(directory, "other.jar");
        plugins = new PluginLoader(FakeBackendProvider.jar(directory), other);
    }

    @AfterEach
    void close() throws IOException {
        plugins.close();
    }

    @Test
    void theStrongestSourceWins() throws IOException {
        code.put("backend", "fake");
        write(home.resolve(".config/trainer4j/config.yaml"), "fake: {color: user}");
        assertThat(made().color()).isEqualTo("user");
        write(here.resolve("trainer4j.yaml"), "fake:\n  color: file");
        assertThat(made().color()).isEqualTo("file");
        environment.put("TRAINER4J_FAKE_COLOR", "variable");
        assertThat(made().color()).isEqualTo("variable");
        properties.put("trainer4j.fake.color", "property");
        assertThat(made().color()).isEqualTo("property");
        code.put("fake.color", "code");
        assertThat(made().color()).isEqualTo("code");
    }

    @Test
    void theUsersFileMayLieWhereXdgSays() throws IOException {
        write(directory.resolve("xdg/trainer4j/config.yaml"), "backend: fake\nfake.color: xdg");
        write(home.resolve(".config/trainer4j/config.yaml"), "backend: fake\nfake.color: home");
        environment.put("XDG_CONFIG_HOME", directory.resolve("xdg").toString());
        assertThat(made().color()).isEqualTo("xdg");
        environment.put("XDG_CONFIG_HOME", "relative");
        assertThat(made().color()).isEqualTo("home");
    }

    @Test
    void emptyVariablesAndEmptySectionsAreNone() throws IOException {
        write(here.resolve("trainer4j.yaml"), "backend: fake\nother:\nfake:\n  color: ~\n  size: []\n");
        environment.put("TRAINER4J_FAKE_COLOR", " ");
        environment.put("TRAINER4J_", "");
        assertThat(made().color()).isEqualTo("red");
    }

    @Test
    void variablesForTestsOfThisProductAreNone() {
        code.put("backend", "fake");
        environment.put("TRAINER4J_TEST_DOCKER", "unix:///x");
        environment.put("TRAINER4JX", "x");
        properties.put("trainer4j.test.engines", "x");
        properties.put("trainer4j-x", "x");
        assertThat(made().color()).isEqualTo("red");
    }

    @Test
    void listsAreJoinedAndKeysMayBeWrittenInOneOrInLevels() throws IOException {
        write(
                here.resolve("trainer4j.yaml"),
                "backend: fake\nfake:\n  color: [a, b]\n  env:\n    Some_Key: x\nfake.size: 3\n");
        FakeBackendProvider.Made made = made();
        assertThat(made.color()).isEqualTo("a,b");
        assertThat(made.size()).isEqualTo(3);
        assertThat(made.env()).containsExactly(Map.entry("Some_Key", "x"));
    }

    @Test
    void theBackendIsGivenItsSurroundings() {
        code.put("backend", "fake");
        environment.put("A", "b");
        environment.put("DEFAULT_TRAINING_RUNTIME", "jax-distributed");
        Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
        builder().clock(clock).build().close();
        BackendContext context = last().context();
        assertThat(context.home()).isEqualTo(home);
        assertThat(context.workDirectory()).isEqualTo(home.resolve(".kubeflow/trainer"));
        assertThat(context.environment()).containsEntry("A", "b");
        assertThat(context.clock()).isEqualTo(clock);
        assertThat(context.runtimes().defaultName()).isEqualTo("jax-distributed");
        assertThat(context.runtimes().get("torch-distributed").source()).isEqualTo("built-in");
        environment.put("TRAINER4J_DEFAULT_RUNTIME", "mlx-distributed");
        assertThat(made().context().runtimes().defaultName()).isEqualTo("mlx-distributed");
        environment.clear();
        assertThat(made().context().runtimes().defaultName()).isEqualTo("torch-distributed");
    }

    @ParameterizedTest
    @CsvSource({"~/w, home/w", "w/x/../y, here/w/y", "~, home"})
    void theWorkDirectoryIsFoundFromHomeOrTheCurrentDirectory(String text, String expected) {
        code.put("backend", "fake");
        code.put("work-directory", text);
        assertThat(made().context().workDirectory()).isEqualTo(directory.resolve(expected));
        assertThat(home).isEmptyDirectory();
    }

    @Test
    void theHomeIsTheVariablesElseTheSystems() {
        TrainerClientBuilder builder = TrainerClient.builder()
                .currentDirectory(here)
                .backend("fake")
                .systemProperties(Map.of("user.home", directory.resolve("jvm").toString()));
        builder.environment(Map.of()).build().close();
        assertThat(last().context().home()).isEqualTo(directory.resolve("jvm"));
        builder.environment(Map.of("HOME", home.toString())).build().close();
        assertThat(last().context().home()).isEqualTo(home);
        builder.environment(Map.of("HOME", "relative")).build().close();
        assertThat(last().context().home()).isEqualTo(directory.resolve("jvm"));
    }

    @Test
    void withSeveralBackendsOneMustBeChosen() {
        assertProblems("no backend is chosen and there are several: fake, other; choose one, for example with"
                + " 'backend: fake' in trainer4j.yaml or the variable TRAINER4J_BACKEND");
    }

    @Test
    void withoutABackendOnTheClassPathItIsToldWhatToAdd() throws IOException {
        try (PluginLoader none = new PluginLoader()) {
            Thread.currentThread().setContextClassLoader(ConfigurationTest.class.getClassLoader());
            assertProblems(
                    "there is no backend on the class path; add the jar of one, such as trainer4j-backend-local");
        }
    }

    @Test
    void aWrongBackendIsToldWithItsSourceAndTheRightNames() {
        environment.put("TRAINER4J_BACKEND", "fkae");
        code.put("fkae.size", "1");
        assertProblems("there is no backend 'fkae' (environment variable TRAINER4J_BACKEND); did you mean fake?;"
                + " backends on the class path: fake, other");
    }

    @Test
    void settingsOfABackendThatIsNotChosenAreNoMistake() {
        code.put("backend", "fake");
        code.put("other.anything", "x");
        environment.put("TRAINER4J_OTHER_MORE", "x");
        assertThat(made().color()).isEqualTo("red");
    }

    @Test
    void everythingThatIsWrongIsToldAtOnceAndTheBackendIsClosed() throws IOException {
        write(home.resolve(".config/trainer4j/config.yaml"), "bakend: fake\n");
        write(here.resolve("trainer4j.yaml"), "backend: fake\nfake:\n  colour: red\n  size: many\n");
        environment.put("TRAINER4J_FAKE_GRACE_PERIOD", "soon");
        environment.put("TRAINER4J_FAKE_GRACE_PERIODS", "1s");
        properties.put("trainer4j.nothing.like-it", "x");
        properties.put("trainer4j.runtimes.timeout", "0s");
        code.put("fake.color", "mauve");
        assertProblems(
                "runtimes.timeout (system property trainer4j.runtimes.timeout): give a duration above zero and of at most"
                        + " an hour",
                "fake.size (./trainer4j.yaml line 4): 'many' is not a whole number of at least 1",
                "fake.grace-period (environment variable TRAINER4J_FAKE_GRACE_PERIOD): 'soon' is not a duration",
                "fake.color (code): nobody can see that",
                "unknown key 'nothing.like-it' (system property trainer4j.nothing.like-it)",
                "unknown key 'FAKE_GRACE_PERIODS' (environment variable TRAINER4J_FAKE_GRACE_PERIODS); did you mean"
                        + " fake.grace-period?",
                "unknown key 'fake.colour' (./trainer4j.yaml line 3); did you mean fake.color?",
                "unknown key 'bakend' (" + home.resolve(".config/trainer4j/config.yaml")
                        + " line 1); did you mean backend?");
        assertThat(last().backend().calls).containsExactly("close");
    }

    @Test
    void whatTheBackendThrowsIsToldTogetherWithTheRest() {
        code.put("backend", "fake");
        code.put("fake.color", "clash");
        code.put("fake.shape", "round");
        assertProblems("fake.color (code) clashes", "unknown key 'fake.shape' (code)");
    }

    @Test
    void aMistakeInTheConfigurationIsToldBeforeACrashThatMayComeOfIt() {
        code.put("backend", "fake");
        code.put("fake.color", "crash");
        assertThatExceptionOfType(BackendUnavailableException.class)
                .isThrownBy(() -> builder().build())
                .withMessageContaining("crashed");
        code.put("fake.shape", "round");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> builder().build())
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'a: [1'                         | ./trainer4j.yaml line 1 column 6: while parsing a flow sequence
            'fake: {color: a, color: b}'    | ./trainer4j.yaml line 1 column 18: the key 'color' stands twice
            'fake.size: 1\\nfake: {size: 2}'| fake.size (./trainer4j.yaml line 2) is the same key as in ./trainer4j.yaml line 1; give it once
            'a_b: 1\\na-b: 2'               | a-b (./trainer4j.yaml line 2) is the same key as in ./trainer4j.yaml line 1; give it once
            'fake.color: \"\"'              | fake.color (./trainer4j.yaml line 1) is blank; give a value or leave it out
            '\"\": x'                       | a key is blank (./trainer4j.yaml line 1); name a setting
            'fake.color: [a, [b]]'          | fake.color (./trainer4j.yaml line 1): the element in line 1 is no plain text
            'fake.color: [\"a,b\"]'         | fake.color (./trainer4j.yaml line 1): the element in line 1 is no plain text
            'local'                         | ./trainer4j.yaml line 1: keys and values are expected, as in backend: local
            '- a'                           | ./trainer4j.yaml line 1: keys and values are expected, as in backend: local
            'a: 1\\n---\\nb: 2'             | ./trainer4j.yaml line 3: a second document; keep one
            """)
    void aFileThatIsWrongIsToldWithTheLine(String text, String problem) throws IOException {
        write(here.resolve("trainer4j.yaml"), text.replace("\\n", "\n").replace("\\\"", "\""));
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> builder().build())
                .satisfies(
                        e -> assertThat(e.problems()).singleElement().asString().startsWith(problem));
    }

    @Test
    void filesThatCannotBeReadAreTold() throws IOException {
        Files.write(here.resolve("trainer4j.yaml"), "a: ä".getBytes(StandardCharsets.ISO_8859_1));
        Path userFile = Files.createDirectories(home.resolve(".config/trainer4j/config.yaml"));
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> builder().build())
                .satisfies(e -> assertThat(e.problems())
                        .satisfiesExactly(
                                problem -> assertThat(problem).isEqualTo("./trainer4j.yaml is not UTF-8 text"),
                                problem -> assertThat(problem).startsWith(userFile + " is a directory")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n"})
    void blankValuesInCodeAndPropertiesAreTold(String blank) {
        code.put("backend", blank);
        properties.put("trainer4j.fake.color", blank);
        properties.put("trainer4j.", "x");
        assertProblems(
                "backend (code) is blank; give a value or leave it out",
                "a key is blank (system property trainer4j.); name a setting",
                "fake.color (system property trainer4j.fake.color) is blank; give a value or leave it out");
    }

    @Test
    void oneKeyWrittenInTwoWaysIsToldAndInCodeTheLastCounts() {
        environment.put("TRAINER4J_FAKE_COLOR", "a");
        environment.put("TRAINER4J_fake_color", "b");
        properties.put("trainer4j.fake.grace-period", "1s");
        properties.put("trainer4j.fake.grace.period", "2s");
        assertProblems(
                "fake.grace.period (system property trainer4j.fake.grace.period) is the same key as in system property"
                        + " trainer4j.fake.grace-period; give it once",
                "fake_color (environment variable TRAINER4J_fake_color) is the same key as in environment variable"
                        + " TRAINER4J_FAKE_COLOR; give it once");
        environment.clear();
        properties.clear();
        builder()
                .backend("fake")
                .set("fake.color", "a")
                .set("FAKE_COLOR", "b")
                .build()
                .close();
        assertThat(last().color()).isEqualTo("b");
    }

    @Test
    void nullIsToldAtOnce() {
        List<org.assertj.core.api.ThrowableAssert.ThrowingCallable> calls = List.of(
                () -> builder().backend(null),
                () -> builder().set(null, "x"),
                () -> builder().set("x", null),
                () -> builder().workDirectory(null),
                () -> builder().home(null),
                () -> builder().currentDirectory(null),
                () -> builder().environment(null),
                () -> builder().systemProperties(null),
                () -> builder().clock(null));
        assertThat(calls)
                .allSatisfy(call -> assertThatExceptionOfType(ConfigurationException.class)
                        .isThrownBy(call)
                        .withMessageContaining("is null"));
    }

    @Test
    void aWorkDirectoryThatIsNoPathIsTold() {
        code.put("backend", "fake");
        code.put("work-directory", "a\0b");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> builder().build())
                .withMessageContaining("work-directory (code): ")
                .withMessageContaining("is not a path");
    }

    @Test
    void aBuilderThatGoesOnDoesNotChangeItsClients() {
        TrainerClientBuilder builder = builder().backend("fake");
        TrainerClient first = builder.build();
        builder.backend("other");
        try (first;
                TrainerClient second = builder.build()) {
            assertThat(first.backend()).isEqualTo("fake");
            assertThat(second.backend()).isEqualTo("other");
        }
    }

    private void assertProblems(String... starts) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> builder().build())
                .satisfies(e -> {
                    assertThat(e.problems()).hasSameSizeAs(starts);
                    for (String start : starts) {
                        assertThat(e.problems())
                                .anySatisfy(problem -> assertThat(problem).startsWith(start));
                    }
                });
    }

    private FakeBackendProvider.Made made() {
        builder().build().close();
        return last();
    }

    private static FakeBackendProvider.Made last() {
        return FakeBackendProvider.MADE.get(FakeBackendProvider.MADE.size() - 1);
    }

    private TrainerClientBuilder builder() {
        TrainerClientBuilder builder = TrainerClient.builder()
                .home(home)
                .currentDirectory(here)
                .environment(environment)
                .systemProperties(properties);
        code.forEach(builder::set);
        return builder;
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
