package io.github.trainer4j.api.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    @Test
    void everyKindOfValueIsRead() {
        Map<String, Object> read =
                Json.parseObject(" {\"text\": \"a\", \"number\": -1.5e+2, \"yes\":true,\n\t\"no\": false,"
                        + "\"nothing\" :null, \"list\": [ 1 , [ ] , { } ], \"empty\": \"\"}\r\n");

        Map<String, Object> expected = new LinkedHashMap<>();
        expected.put("text", "a");
        expected.put("number", new BigDecimal("-1.5e+2"));
        expected.put("yes", true);
        expected.put("no", false);
        expected.put("nothing", null);
        expected.put("list", List.of(BigDecimal.ONE, List.of(), Map.of()));
        expected.put("empty", "");
        assertThat(read).isEqualTo(expected);
        assertThat(read.keySet()).containsExactlyElementsOf(expected.keySet());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0", "-0", "0.5", "10", "1E5", "1e-5", "123456789012345678901234567890", "1e999", "-1e-999"})
    void numbersKeepTheirValue(String number) {
        assertThat(Json.parse(number)).isEqualTo(new BigDecimal(number));
    }

    @Test
    void stringsAreUnescaped() {
        assertThat(Json.parse("\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u00E9z\"")).isEqualTo("a\"\\/\b\f\n\r\tééz");
        assertThat(Json.parse("\"Zürich 東京 😀\"")).isEqualTo("Zürich 東京 😀");
        assertThat(Json.parse("\"\\ud83d\\ude00\"")).isEqualTo("😀");
    }

    @Test
    void halfASurrogatePairIsKeptAndWrittenAsAnEscape() {
        Object half = Json.parse("\"\\ud83d\"");

        assertThat(half).isEqualTo("\ud83d");
        assertThat(Json.write(half)).isEqualTo("\"\\ud83d\"");
    }

    @Test
    void ofAKeyThatStandsTwiceTheLastCounts() {
        assertThat(Json.parseObject("{\"a\":1,\"b\":2,\"a\":3}"))
                .isEqualTo(Map.of("a", new BigDecimal(3), "b", new BigDecimal(2)));
    }

    @Test
    void depthIsBounded() {
        assertThat(Json.parse("[".repeat(512) + "]".repeat(512))).isInstanceOf(List.class);
        assertThatThrownBy(() -> Json.parse("[".repeat(513) + "]".repeat(513)))
                .isInstanceOf(Json.MalformedJsonException.class)
                .hasMessageContaining("more than 512 levels");
        assertThatThrownBy(() -> Json.parse("{\"a\":".repeat(100_000)))
                .isInstanceOf(Json.MalformedJsonException.class)
                .hasMessageContaining("more than 512 levels");
    }

    @Test
    void siblingsAreNotDepth() {
        assertThat((List<?>) Json.parse("[" + "[],".repeat(1_000) + "{}]")).hasSize(1_001);
    }

    static List<String> absurdNumbers() {
        return List.of(
                "1e999999999",
                "1e-999999999",
                "1e99999999999999999999",
                "-1e1000",
                "0e999999999",
                "1" + "0".repeat(1_000),
                "9".repeat(1_000_000));
    }

    @ParameterizedTest
    @MethodSource("absurdNumbers")
    @Timeout(60)
    void numbersThatWouldFillTheMemoryAreRefused(String number) {
        assertThatThrownBy(() -> Json.parse(number))
                .isInstanceOf(Json.MalformedJsonException.class)
                .hasMessageContaining("a number that is too");
    }

    static List<String> malformedTexts() {
        return List.of(
                "",
                " ",
                "\uFEFF{}",
                "{",
                "}",
                "[",
                "]",
                "[1",
                "[1,",
                "[1,]",
                "[,1]",
                "[1 2]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{,}",
                "{a:1}",
                "{'a':1}",
                "{1:1}",
                "{\"a\":1 \"b\":2}",
                "{\"a\":1}}",
                "[] []",
                "tru",
                "True",
                "nulll",
                "NaN",
                "Infinity",
                "-",
                "+1",
                "01",
                "-01",
                "1.",
                ".5",
                "1e",
                "1e+",
                "0x10",
                "1_000",
                "١",
                "\"",
                "\"a",
                "\"a\\\"",
                "\"\\",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\\u００４１\"",
                "\"\\u",
                "\"tab\there\"",
                "\"\\ntab\there\"",
                "\"line\nbreak\"",
                "\"\0\"",
                "'a'",
                "// comment\n1",
                "1 // comment",
                "\u00a01",
                "<html>");
    }

    @ParameterizedTest
    @MethodSource("malformedTexts")
    void whatTheGrammarDoesNotAllowIsRefusedWithItsPlace(String text) {
        assertThatThrownBy(() -> Json.parse(text))
                .isInstanceOf(Json.MalformedJsonException.class)
                .hasMessageMatching("(?s)not JSON: .+, line [12], column \\d+");
    }

    @Test
    void theMessageHasLineAndColumn() {
        assertThatThrownBy(() -> Json.parse("{\n  \"a\": 1,\n  \"b\": x\n}"))
                .hasMessage("not JSON: no value where one should be, line 3, column 8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "1", "\"{}\"", "null"})
    void anObjectIsAskedForWhereOneIsNeeded(String text) {
        assertThatThrownBy(() -> Json.parseObject(text))
                .isInstanceOf(Json.MalformedJsonException.class)
                .hasMessage("not an object");
    }

    @Test
    void whatIsWrittenIsReadBack() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("text \"\\/\b\f\n\r\t\u0001\u2028\u007f é 😀", "");
        value.put("list", Arrays.asList(new BigDecimal("1.50"), true, null, List.of(), Map.of()));

        String text = Json.write(value);

        assertThat(text).doesNotContain("\n").doesNotContain("\u2028");
        assertThat(Json.parse(text)).isEqualTo(value);
    }

    @Test
    void numbersOfAllKindsAreWritten() {
        assertThat(Json.write(List.of(1, 2L, 1.5, 1.5f, new BigDecimal("1E+3"))))
                .isEqualTo("[1,2,1.5,1.5,1E+3]");
        assertThat(Json.write(Set.of(1))).isEqualTo("[1]");
    }

    static List<Object> whatJsonCannotHold() {
        return List.of(
                Double.NaN,
                Double.NEGATIVE_INFINITY,
                Float.POSITIVE_INFINITY,
                Map.of(1, "a"),
                new Object(),
                'c',
                new int[] {1},
                List.of(Map.of("a", Double.NaN)));
    }

    @ParameterizedTest
    @MethodSource("whatJsonCannotHold")
    void whatJsonCannotHoldIsRefused(Object value) {
        assertThatThrownBy(() -> Json.write(value)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Timeout(60)
    void timeGrowsWithTheLengthOfTheTextAndNotWithItsSquare() {
        // 16 MB without a single backslash: searching the rest for one at each string would take hours.
        String text = "[" + "\"a\",".repeat(4_000_000) + "\"a\"]";

        assertThat((List<?>) Json.parse(text)).hasSize(4_000_001);
    }
}
