package io.github.trainer4j.client.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.RuntimeNotFoundException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.RuntimeCatalog;
import io.github.trainer4j.api.spi.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sources that need no network: built-in, files, directories; and what they are together. */
class RuntimeSourcesTest {
    @TempDir
    Path directory;

    @Test
    void someRuntimesAreBuiltIn() {
        RuntimeCatalog catalog = catalog(Map.of());
        assertThat(catalog.list())
                .extracting(TrainingRuntime::name)
                .containsExactlyInAnyOrder(
                        "torch-distributed",
                        "jax-distributed",
                        "xgboost-distributed",
                        "deepspeed-distributed",
                        "mlx-distributed",
                        "torchtune-llama3.2-1b",
                        "torchtune-llama3.2-3b",
                        "torchtune-qwen2.5-1.5b");
        assertThat(catalog.list()).allSatisfy(runtime -> {
            assertThat(runtime.image()).isPresent();
            assertThat(runtime.source()).isEqualTo("built-in");
            assertThat(runtime.initializerImages().isEmpty()).isNotEqualTo(runtime.isBuiltin());
            assertThat(catalog.get(runtime.name())).isEqualTo(runtime);
        });
        assertThat(catalog.get(catalog.defaultName()).image())
                .contains("pytorch/pytorch:2.7.1-cuda12.8-cudnn9-runtime");
    }

    @Test
    void anUnknownNameIsToldWithNearOnes() {
        assertThatExceptionOfType(RuntimeNotFoundException.class)
                .isThrownBy(() -> catalog(Map.of()).get("torch-distributd"))
                .withMessageContainingAll("did you mean torch-distributed?", "mlx-distributed")
                .satisfies(e -> assertThat(e.available()).hasSize(8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "../x", "ä"})
    void whatIsNoNameIsNotFound(String name) {
        assertThatExceptionOfType(RuntimeNotFoundException.class)
                .isThrownBy(() -> catalog(Map.of()).get(name));
    }

    @Test
    void theDefaultIsConfigured() {
        assertThat(catalog(Map.of("default-runtime", " mine ")).defaultName()).isEqualTo("mine");
    }

    @Test
    void theEarlierSourceWins() throws IOException {
        Path file = write("mine.yaml", RuntimeYamlTest.minimal("torch-distributed"));
        RuntimeCatalog mineFirst = catalog(Map.of("runtimes.sources", file + ",builtin"));
        assertThat(mineFirst.get("torch-distributed").image()).contains("registry.test/torch:1");
        assertThat(mineFirst.get("torch-distributed").source()).isEqualTo(file.toString());
        assertThat(mineFirst.list()).hasSize(8).contains(mineFirst.get("torch-distributed"));
        assertThat(catalog(Map.of("runtimes.sources", "builtin, " + file))
                        .get("torch-distributed")
                        .source())
                .isEqualTo("built-in");
    }

    @Test
    void aDirectoryIsReadInTheOrderOfNamesAndNothingElseInIt() throws IOException {
        write("many/b.yaml", RuntimeYamlTest.minimal("two"));
        write("many/a.yml", RuntimeYamlTest.minimal("one"));
        write("many/kustomization.yaml", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n");
        write("many/.a.yaml", "broken: [");
        write("many/readme.txt", "broken: [");
        write("many/deeper/c.yaml", RuntimeYamlTest.minimal("three"));
        Files.createDirectories(directory.resolve("many/folder.yaml"));
        assertThat(catalog(Map.of("runtimes.sources", "many")).list())
                .extracting(TrainingRuntime::name)
                .containsExactly("one", "two");
    }

    @Test
    void pathsStartAtHomeOrTheCurrentDirectory() throws IOException {
        write("home/r.yaml", RuntimeYamlTest.minimal("home"));
        write("r.yaml", RuntimeYamlTest.minimal("here"));
        assertThat(catalog(Map.of("runtimes.sources", "~/r.yaml,./r.yaml")).list())
                .extracting(TrainingRuntime::name)
                .containsExactly("home", "here");
    }

    @Test
    void oneNameTwiceInOneSourceIsAnError() throws IOException {
        write("many/a.yaml", RuntimeYamlTest.minimal("twin"));
        write("many/b.yaml", RuntimeYamlTest.minimal("twin"));
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> catalog(Map.of("runtimes.sources", "many")).list())
                .withMessageContainingAll("'twin'", "a.yaml", "b.yaml");
    }

    @Test
    void aSourceThatIsNotThereOrHoldsNothingIsAnError() throws IOException {
        Files.createDirectories(directory.resolve("empty"));
        write("nothing.yaml", "");
        for (String source : new String[] {"missing.yaml", "empty", "nothing.yaml"}) {
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(
                            () -> catalog(Map.of("runtimes.sources", source)).get("x"))
                    .withMessageContaining(directory.resolve(source).toString());
        }
    }

    @Test
    void aSourceBehindTheOneThatHasTheRuntimeIsNotRead() {
        assertThat(catalog(Map.of("runtimes.sources", "builtin,missing.yaml"))
                        .get("jax-distributed")
                        .source())
                .isEqualTo("built-in");
    }

    @Test
    void anOptionalSourceMayFail() {
        assertThat(catalog(Map.of("runtimes.sources", "optional:missing.yaml,optional: builtin"))
                        .list())
                .hasSize(8);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            runtimes.sources | ftp://host/x.yaml           | ftp://host/x.yaml' is no source; write builtin, a file
            runtimes.sources | optional:                   | is no source; write builtin
            runtimes.sources | builtin,builtin             | a source is given twice
            runtimes.sources | https://                    | an address is malformed
            runtimes.sources | https://me:secret@host/x    | an address is malformed or has a user or password in it
            runtimes.sources | https://a b/x               | an address is malformed
            runtimes.sources | github:owner                | write github:owner/repository/path
            runtimes.sources | github:owner/repo@/x        | write github:owner/repository/path
            runtimes.sources | github:owner/repo/../x      | write the path without . and ..
            runtimes.cache-ttl | soon                      | soon' is not a duration
            runtimes.timeout | 0s                          | give a duration above zero
            runtimes.timeout | 2h                          | give a duration above zero and of at most an hour
            runtimes.github-api-url | file:///x            | write an http:// or https:// address
            runtimes.github-raw-url | https://h/x?token=y  | write an http:// or https:// address
            runtimes.source  | builtin                     | did you mean runtimes.sources?
            """)
    void aSettingThatIsWrongIsTold(String key, String value, String message) {
        Settings settings = Settings.of(Map.of(key, value));
        RuntimeSources.of(settings, directory, directory, directory, Clock.systemUTC());
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(settings::check)
                .withMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
    }

    @Test
    void aPathThatIsNoneIsTold() {
        Settings settings = Settings.of(Map.of("runtimes.sources", "a\0b"));
        RuntimeSources.of(settings, directory, directory, directory, Clock.systemUTC());
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(settings::check)
                .withMessageContaining("a path is malformed");
    }

    private RuntimeCatalog catalog(Map<String, String> values) {
        Settings settings = Settings.of(values);
        RuntimeCatalog catalog = RuntimeSources.of(
                settings, directory.resolve("home"), directory, directory.resolve("work"), Clock.systemUTC());
        settings.check();
        return catalog;
    }

    private Path write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }
}
