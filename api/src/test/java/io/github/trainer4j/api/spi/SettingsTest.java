package io.github.trainer4j.api.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.ImagePullPolicy;
import io.github.trainer4j.api.spi.Settings.Value;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    private static final Path HOME = Path.of("/home/ada");

    @Test
    void valuesAreReadByTheirKinds() {
        Settings settings = Settings.of(Map.of(
                "text", "words of any kind ",
                "flag", "TRUE",
                "number", " 3 ",
                "duration", "2h",
                "path", "~/work",
                "list", "a, b,,c ,",
                "choice", "if-not-present"));

        assertThat(settings.text("text")).contains("words of any kind ");
        assertThat(settings.flag("flag", false)).isTrue();
        assertThat(settings.number("number", 1, 1)).isEqualTo(3);
        assertThat(settings.duration("duration", Duration.ZERO)).isEqualTo(Duration.ofHours(2));
        assertThat(settings.path("path", HOME)).contains(Path.of("/home/ada/work"));
        assertThat(settings.list("list")).containsExactly("a", "b", "c");
        assertThat(settings.choice("choice", ImagePullPolicy.NEVER)).isEqualTo(ImagePullPolicy.IF_NOT_PRESENT);
        assertThatCode(settings::check).doesNotThrowAnyException();
    }

    @Test
    void whatWasAskedForIsKnown() {
        Settings settings = Settings.of(Map.of("level.flag", "true", "level.other", "1"));
        Settings level = settings.under("level");
        level.map("env");
        level.flag("flag", false);
        level.text("flag");
        level.list("some-list");
        settings.text("above");

        assertThat(level.asked()).containsExactly("flag", "some-list", "env.*");
        assertThat(settings.asked()).containsExactly("level.flag", "level.some-list", "above", "level.env.*");
    }

    @Test
    void whatIsNotConfiguredHasItsDefault() {
        Settings settings = Settings.of(Map.of());

        assertThat(settings.text("text")).isEmpty();
        assertThat(settings.text("text", "else")).isEqualTo("else");
        assertThat(settings.flag("flag", true)).isTrue();
        assertThat(settings.number("number", 7, 1)).isEqualTo(7);
        assertThat(settings.duration("duration", Duration.ofDays(1))).isEqualTo(Duration.ofDays(1));
        assertThat(settings.path("path", HOME)).isEmpty();
        assertThat(settings.list("list")).isEmpty();
        assertThat(settings.map("map")).isEmpty();
        assertThat(settings.choice("choice", ImagePullPolicy.NEVER)).isEqualTo(ImagePullPolicy.NEVER);
        assertThat(settings.source("text")).isEqualTo("default");
        assertThatCode(settings::check).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "30s, PT30S",
        "10m, PT10M",
        "2h, PT2H",
        "1d, PT24H",
        "0s, PT0S",
        "1h30m, PT1H30M",
        "PT10M, PT10M",
        "pt1h, PT1H"
    })
    void durationsAreShortOrIso(String text, Duration expected) {
        Settings settings = Settings.of(Map.of("d", text));

        assertThat(settings.duration("d", Duration.ofDays(9))).isEqualTo(expected);
        settings.check();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5",
                "5 s",
                "-5s",
                "PT-5M",
                "1h-5m",
                "1h 5m",
                "five",
                "99999999999999999999d",
                "9223372036854775807d",
                "٥s"
            })
    void otherDurationsAreProblems(String text) {
        Settings settings = Settings.of(Map.of("d", text));

        assertThat(settings.duration("d", Duration.ofDays(9))).isEqualTo(Duration.ofDays(9));
        assertThat(problems(settings))
                .singleElement()
                .asString()
                .startsWith("d (code): '" + text + "' is not a duration");
    }

    @Test
    void everythingThatIsWrongIsToldAtOnceWithItsSource() {
        Settings settings = Settings.of(List.of(
                new Value("LOCAL_GRACE_PERIOD", "soon", "environment variable TRAINER4J_LOCAL_GRACE_PERIOD"),
                new Value("local.strict", "maybe", "./trainer4j.yaml"),
                new Value("local.nodes", "0", "./trainer4j.yaml"),
                new Value("local.python", "a\0b", "system property trainer4j.local.python"),
                new Value("local.pull", "sometimes", "/home/ada/trainer4j.yaml"),
                new Value("local.gracePeriod", "1s", "/home/ada/trainer4j.yaml"),
                new Value("docker.host", "x", "/home/ada/trainer4j.yaml")));
        Settings local = settings.under("local");
        assertThat(local.duration("grace-period", Duration.ofSeconds(5))).isEqualTo(Duration.ofSeconds(5));
        assertThat(local.flag("strict", false)).isFalse();
        assertThat(local.number("nodes", 1, 1)).isEqualTo(1);
        assertThat(local.path("python", HOME)).isEmpty();
        assertThat(local.choice("pull", ImagePullPolicy.ALWAYS)).isEqualTo(ImagePullPolicy.ALWAYS);
        local.problem("work", "the directory does not exist");

        assertThat(problems(settings))
                .containsExactly(
                        "local.grace-period (environment variable TRAINER4J_LOCAL_GRACE_PERIOD): 'soon' is not a duration such"
                                + " as 500ms, 30s, 10m, 1h30m or PT10M",
                        "local.strict (./trainer4j.yaml): 'maybe' is not true or false",
                        "local.nodes (./trainer4j.yaml): '0' is not a whole number of at least 1",
                        "local.python (system property trainer4j.local.python): 'a\0b' is not a path",
                        "local.pull (/home/ada/trainer4j.yaml): 'sometimes' is not one of if-not-present, always, never",
                        "local.work (default): the directory does not exist",
                        "unknown key 'local.gracePeriod' (/home/ada/trainer4j.yaml); did you mean local.grace-period?",
                        "unknown key 'docker.host' (/home/ada/trainer4j.yaml)");
    }

    @Test
    void oneProblemIsToldInOneLine() {
        Settings settings = Settings.of(Map.of("bakend", "local"));
        settings.text("backend");

        assertThatThrownBy(settings::check)
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("the configuration is wrong: unknown key 'bakend' (code); did you mean backend?");
    }

    @Test
    void severalProblemsAreToldInAsManyLines() {
        Settings settings = Settings.of(List.of(new Value("a", "1", "file"), new Value("b", "2", "file")));

        assertThatThrownBy(settings::check)
                .hasMessage("the configuration has 2 problems:\n  unknown key 'a' (file)\n  unknown key 'b' (file)");
    }

    @Test
    void aProblemIsToldOnceThoughItsKeyIsReadTwice() {
        Settings settings = Settings.of(Map.of("n", "x"));
        settings.number("n", 1, 1);
        settings.number("n", 1, 1);

        assertThat(problems(settings)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"local.grace-period", "LOCAL_GRACE_PERIOD", "local.grace.period", "Local.Grace_Period"})
    void aKeyIsTheSameHoweverItsWordsAreJoined(String written) {
        Settings settings = Settings.of(List.of(new Value(written, "1s", "somewhere")));

        assertThat(settings.under("local").duration("grace-period", Duration.ZERO))
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.under("local").source("grace-period")).isEqualTo("somewhere");
        settings.check();
    }

    @Test
    void ofTwoValuesForOneKeyTheFirstCounts() {
        Settings settings = Settings.of(List.of(
                new Value("LOCAL_STRICT", "true", "environment variable TRAINER4J_LOCAL_STRICT"),
                new Value("local.strict", "maybe", "./trainer4j.yaml")));

        assertThat(settings.under("local").flag("strict", false)).isTrue();
        settings.check();
    }

    @Test
    void aMapTakesAllKeysBelowItAsTheyWereWritten() {
        Settings settings = Settings.of(List.of(
                new Value("local.env.HF_HOME", "/hf", "file"),
                new Value("LOCAL_ENV_OTHER", "1", "environment"),
                new Value("local.environment", "x", "file")));

        assertThat(settings.under("local").map("env")).isEqualTo(Map.of("HF_HOME", "/hf", "OTHER", "1"));
        assertThat(problems(settings)).containsExactly("unknown key 'local.environment' (file)");
    }

    @Test
    void levelsNest() {
        Settings settings = Settings.of(Map.of("a.b.c", "1"));

        assertThat(settings.under("a").under("b").number("c", 0, 0)).isEqualTo(1);
        settings.under("a").under("b").check();
    }

    @Test
    void aHomeDirectoryIsOnlyAtTheStartOfAPath() {
        Settings settings = Settings.of(Map.of("a", "~", "b", "~bob/x", "c", "/tmp/~/x", "d", " ", "e", "relative"));

        assertThat(settings.path("a", HOME)).contains(HOME);
        assertThat(settings.path("b", HOME)).contains(Path.of("~bob/x"));
        assertThat(settings.path("c", HOME)).contains(Path.of("/tmp/~/x"));
        assertThat(settings.path("d", HOME)).isEmpty();
        assertThat(settings.path("e", HOME)).contains(Path.of("relative"));
        assertThat(problems(settings)).containsExactly("d (code): ' ' is not a path");
    }

    private static List<String> problems(Settings settings) {
        return catchThrowableOfType(ConfigurationException.class, settings::check)
                .problems();
    }
}
