package io.github.trainer4j.client.yaml;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Writes plain values as YAML that every reader takes for the same: what could be mistaken is quoted. */
public final class YamlText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_/][-A-Za-z0-9_./]*");
    /** Words that some reader, of YAML 1.1 or 1.2, takes for something other than text. */
    private static final Set<String> WORDS =
            Set.of("true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf");

    private static final Pattern BLOCK_LINE = Pattern.compile("[\\x20-\\x7E\\u00A0-\\uD7FF]*");

    private final StringBuilder out = new StringBuilder();

    private YamlText() {}

    /**
     * Returns one document, which ends with a line break.
     *
     * @param value maps with string keys, lists, strings, numbers, booleans
     * @throws IllegalArgumentException if it has something else
     */
    public static String write(Object value) {
        YamlText text = new YamlText();
        text.value(value, 0, "");
        return text.out.toString();
    }

    /** Writes a value after a key, a dash, or at the start of a line. */
    private void value(Object value, int indent, String before) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            entries(map, indent, before);
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            if (!before.isEmpty()) {
                out.append('\n');
            }
            for (Object element : list) {
                out.append(" ".repeat(indent)).append("- ");
                element(element, indent + 2);
            }
        } else {
            out.append(before).append(scalar(value, indent)).append('\n');
        }
    }

    private void entries(Map<?, ?> map, int indent, String before) {
        if (!before.isEmpty()) {
            out.append('\n');
        }
        map.forEach((key, value) -> {
            out.append(" ".repeat(indent));
            entry(key, value, indent);
        });
    }

    private void entry(Object key, Object value, int indent) {
        out.append(quoted(String.valueOf(key))).append(':');
        boolean deeper = value instanceof Map<?, ?> map && !map.isEmpty();
        value(value, deeper ? indent + 2 : indent, " ");
    }

    private void element(Object element, int indent) {
        if (element instanceof Map<?, ?> map && !map.isEmpty()) {
            boolean first = true;
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(first ? "" : " ".repeat(indent));
                entry(entry.getKey(), entry.getValue(), indent);
                first = false;
            }
        } else if (element instanceof List<?> list && !list.isEmpty()) {
            out.append('\n');
            value(element, indent, "");
        } else {
            out.append(scalar(element, indent)).append('\n');
        }
    }

    private static String scalar(Object value, int indent) {
        if (value instanceof Map) {
            return "{}";
        }
        if (value instanceof List) {
            return "[]";
        }
        if (value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        if (value instanceof String text) {
            return isBlock(text) ? block(text, indent) : quoted(text);
        }
        throw new IllegalArgumentException("YAML is written of maps, lists, strings, numbers and booleans only");
    }

    private static String quoted(String text) {
        if (PLAIN.matcher(text).matches() && !WORDS.contains(text.toLowerCase(Locale.ROOT))) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (Character.isISOControl(c) || c == 0xFEFF || c == 0x2028 || c == 0x2029 || isSurrogate(c)) {
                        quoted.append(String.format(Locale.ROOT, "\\u%04x", c));
                    } else {
                        quoted.appendCodePoint(c);
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }

    private static boolean isSurrogate(int c) {
        return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }

    /** Scripts are read by people; a block shows their lines. It must not start with a blank, nor end with several breaks. */
    private static boolean isBlock(String text) {
        String body = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        return body.indexOf('\n') > 0
                && !body.startsWith(" ")
                && !body.endsWith("\n")
                && body.lines().allMatch(line -> BLOCK_LINE.matcher(line).matches() && !line.endsWith(" "))
                && text.indexOf('\r') < 0;
    }

    private static String block(String text, int indent) {
        StringBuilder block = new StringBuilder(text.endsWith("\n") ? "|" : "|-");
        String margin = " ".repeat(indent + 2);
        text.lines()
                .forEach(line ->
                        block.append('\n').append(line.isEmpty() ? "" : margin).append(line));
        return block.toString();
    }
}
