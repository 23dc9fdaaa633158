package io.github.trainer4j.client.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.client.yaml.YamlValue.Mapping;
import io.github.trainer4j.client.yaml.YamlValue.Null;
import io.github.trainer4j.client.yaml.YamlValue.Scalar;
import io.github.trainer4j.client.yaml.YamlValue.Sequence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlTest {
    @Test
    void valuesHaveTheirLines() {
        assertThat(Yaml.documents("a: 1\nb:\n  - x\n  - {c: y}\nd:\n", "f"))
                .containsExactly(new Mapping(
                        Map.of(
                                "a",
                                new Scalar("1", YamlValue.Type.NUMBER, 1),
                                "b",
                                new Sequence(
                                        List.of(
                                                new Scalar("x", YamlValue.Type.TEXT, 3),
                                                new Mapping(Map.of("c", new Scalar("y", YamlValue.Type.TEXT, 4)), 4)),
                                        3),
                                "d",
                                new Null(5)),
                        1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"010", "0x1F", "1_000", "1.10", "yes", "2026-01-01", "1e3", "-.5", "a b", "ä"})
    void scalarsKeepTheirText(String text) {
        assertThat(scalar("a: " + text).text()).isEqualTo(text);
        assertThat(scalar("a: \"" + text + "\"")).isEqualTo(new Scalar(text, YamlValue.Type.TEXT, 1));
    }

    @ParameterizedTest
    @CsvSource({"1, NUMBER", "-1.5, NUMBER", "true, BOOLEAN", "False, BOOLEAN", "x1, TEXT", "\"1\", TEXT"})
    void scalarsKnowWhatTheyMean(String text, YamlValue.Type type) {
        assertThat(scalar("a: " + text).type()).isEqualTo(type);
    }

    private static Scalar scalar(String text) {
        return (Scalar) ((Mapping) Yaml.documents(text, "f").get(0)).entries().get("a");
    }

    @Test
    void emptyDocumentsAreLeftOut() {
        assertThat(Yaml.documents("", "f")).isEmpty();
        assertThat(Yaml.documents("# nothing\n---\n---\na: 1\n---\n~\n", "f")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a: [1                    | f line 1 column 6: while parsing a flow sequence, expected ',' or ']'
            a: 'x                    | f line 1 column 2: while scanning a quoted scalar, found unexpected end of stream
            a: b: c                  | f line 1 column 5: mapping values are not allowed here
            'a: 1\\nb: 2\\na: 3'     | f line 3 column 1: the key 'a' stands twice, first in line 1
            'b: {a: 1, a: 2}'        | f line 1 column 11: the key 'a' stands twice, first in line 1
            'b: *x'                  | f line 1 column 4: there is no anchor &x before the alias *x
            'a: &x [*x]'             | f line 1 column 8: there is no anchor &x before the alias *x
            'a: &x 1\\n---\\nb: *x' | f line 3 column 4: there is no anchor &x before the alias *x
            '&x a: 1\\n*x : 2'       | f line 2
            'a: &x 1\\n<<: *x'       | f line 2 column 7: what is merged at '<<' is no mapping, nor a list of mappings
            '<<: [{a: 1}, 2]'        | what is merged at '<<' is no mapping, nor a list of mappings
            '? [a]\\n: b'            | f line 1
            'a: \\x00'               | f line 1
            """)
    void whatIsWrongIsToldWithLineAndColumn(String text, String message) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> Yaml.documents(text.replace("\\n", "\n").replace("\\x00", "\0"), "f"))
                .withMessageContaining(message);
    }

    @Test
    void aliasesCannotMakeASmallTextHuge() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("a%d: &a%d [%s]\n".formatted(i, i, ("*a" + (i - 1) + ", ").repeat(9)));
        }
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> Yaml.documents(bomb.toString(), "f"))
                .withMessageMatching(
                        ".*: f line \\d+ column \\d+: the aliases stand for more than 100000 values; write fewer");
    }

    @Test
    void aliasesCannotMakeAValueDeep() {
        StringBuilder deep = new StringBuilder("a0: &a0 []\n");
        for (int i = 1; i < 10_000; i++) {
            deep.append("a%d: &a%d [*a%d]\n".formatted(i, i, i - 1));
        }
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> Yaml.documents(deep.toString(), "f"))
                .withMessageContaining("f line 101 column 14: more than 100 levels within one another");
    }

    @Test
    void anAliasIsReadAsTheValueItStandsFor() {
        Scalar one = new Scalar("1", YamlValue.Type.NUMBER, 1);
        assertThat(entries("a: &x 1\nb: *x\nc: &y [*x, &z {d: *x}]\ne: *y\nf: *z"))
                .containsEntry("b", one)
                .containsEntry("e", new Sequence(List.of(one, new Mapping(Map.of("d", one), 3)), 3))
                .containsEntry("f", new Mapping(Map.of("d", one), 3));
        assertThat(entries("a: &x 1\nb: &x 2\nc: *x")).containsEntry("c", new Scalar("2", YamlValue.Type.NUMBER, 2));
    }

    @Test
    void theOwnKeysOfAMappingWinOverThoseMergedIntoIt() {
        String text = "x: &x {a: 1, b: 1}\ny: &y {b: 2, c: 2}\n";
        assertThat(texts(text + "z: {<<: *x, a: 3}")).isEqualTo(Map.of("a", "3", "b", "1"));
        assertThat(texts(text + "z: {<<: [*y, *x], a: 3}")).isEqualTo(Map.of("a", "3", "b", "2", "c", "2"));
    }

    private static Map<String, String> texts(String text) {
        Map<String, String> texts = new HashMap<>();
        ((Mapping) entries(text).get("z")).entries().forEach((key, value) -> texts.put(key, ((Scalar) value).text()));
        return texts;
    }

    private static Map<String, YamlValue> entries(String text) {
        return ((Mapping) Yaml.documents(text, "f").get(0)).entries();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- "})
    void depthIsBounded(String open) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> Yaml.documents(open.repeat(100_000), "f"))
                .withMessageContaining("f line 1");
    }

    @Test
    void aHugeTextIsRefused() {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> Yaml.documents("#".repeat(Yaml.LONGEST + 1), "f"))
                .withMessageContaining("1048577 characters; at most 1048576");
        assertThat(Yaml.documents("#".repeat(Yaml.LONGEST), "f")).isEmpty();
    }

    @Test
    void aFileIsReadAndItsFaultsAreTold(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("x.yaml");
        Files.writeString(file, "a: ä");
        assertThat(Yaml.documents(file, "x"))
                .containsExactly(new Mapping(Map.of("a", new Scalar("ä", YamlValue.Type.TEXT, 1)), 1));
        Files.write(file, "a: ä".getBytes(StandardCharsets.ISO_8859_1));
        assertWrong(file, "x is not UTF-8 text");
        Files.write(file, new byte[Yaml.LONGEST + 1]);
        assertWrong(file, "x has 1048577 bytes");
        assertWrong(directory.resolve("missing.yaml"), "there is no file x");
        assertWrong(directory, "x is a directory; name a file in it");
    }

    private static void assertWrong(Path file, String message) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> Yaml.documents(file, "x"))
                .withMessageContaining(message);
    }
}
