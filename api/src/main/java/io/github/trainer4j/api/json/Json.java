package io.github.trainer4j.api.json;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes JSON (RFC 8259) as plain Java values: {@link Map} for objects, {@link List} for arrays,
 * {@link String}, {@link BigDecimal}, {@link Boolean} and null. Strict: what the grammar does not allow is an error with
 * its position. Of a key that stands twice in an object the last counts.
 *
 * <p>Texts of any origin are safe to read: time and memory grow with their length, and numbers stay below 10 to the power
 * of 1000, so that calculating with one stays cheap.
 */
public final class Json {
    private static final int DEEPEST = 512;
    private static final int MOST_DIGITS = 1000;

    private final String text;
    private int position;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** Is thrown for a text that is not JSON; the message has line and column. */
    public static final class MalformedJsonException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        MalformedJsonException(String message) {
            super(message);
        }
    }

    /**
     * Reads one value; nothing but white space may surround it.
     *
     * @throws MalformedJsonException if the text is not JSON, is nested deeper than 512 levels, or has a number of more
     *     than 1000 digits or an exponent beyond 1000
     */
    public static @Nullable Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.space();
        if (json.position < text.length()) {
            throw json.malformed("something after the end");
        }
        return value;
    }

    /**
     * Reads an object.
     *
     * @throws MalformedJsonException if the text is not a JSON object
     */
    @SuppressWarnings("unchecked") // parse() makes maps with strings as keys only
    public static Map<String, @Nullable Object> parseObject(String text) {
        if (parse(text) instanceof Map<?, ?> map) {
            return (Map<String, @Nullable Object>) map;
        }
        throw new MalformedJsonException("not an object");
    }

    /**
     * Writes a value in one line.
     *
     * @throws IllegalArgumentException if it has something other than maps with string keys, iterables, strings, numbers,
     *     booleans and nulls, or a number that is not finite
     */
    public static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        if (value == null || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof String string) {
            quote(string, out);
        } else if (value instanceof Number number) {
            if ((number instanceof Double d && !Double.isFinite(d))
                    || (number instanceof Float f && !Float.isFinite(f))) {
                throw new IllegalArgumentException("JSON has no number " + number);
            }
            out.append(number);
        } else if (value instanceof Map<?, ?> map) {
            char separator = '{';
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                if (!(entry.getKey() instanceof String key)) {
                    throw new IllegalArgumentException("a key of a JSON object must be a string: " + entry.getKey());
                }
                out.append(separator);
                quote(key, out);
                out.append(':');
                write(entry.getValue(), out);
                separator = ',';
            }
            out.append(separator == '{' ? "{}" : "}");
        } else if (value instanceof Iterable<?> list) {
            char separator = '[';
            for (Object element : list) {
                out.append(separator);
                write(element, out);
                separator = ',';
            }
            out.append(separator == '[' ? "[]" : "]");
        } else {
            throw new IllegalArgumentException(
                    "JSON cannot hold a " + value.getClass().getName());
        }
    }

    private static void quote(String string, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (c < 0x20 || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029') {
                        out.append(String.format("\\u%04x", (int) c));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        out.append('"');
    }

    private @Nullable Object value() {
        space();
        if (position == text.length()) {
            throw malformed("the end where a value should be");
        }
        char c = text.charAt(position);
        return switch (c) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        enter();
        if (!next('}')) {
            do {
                space();
                String key = string();
                expect(':');
                map.put(key, value());
            } while (next(','));
            expect('}');
        }
        depth--;
        return map;
    }

    private List<@Nullable Object> array() {
        List<@Nullable Object> list = new ArrayList<>();
        enter();
        if (!next(']')) {
            do {
                list.add(value());
            } while (next(','));
            expect(']');
        }
        depth--;
        return list;
    }

    private void enter() {
        position++;
        if (++depth > DEEPEST) {
            throw malformed("more than " + DEEPEST + " levels");
        }
    }

    private String string() {
        if (position == text.length() || text.charAt(position) != '"') {
            throw malformed("no string where one should be");
        }
        position++;
        int start = position;
        while (true) {
            char c = character();
            if (c == '"') {
                return text.substring(start, position - 1);
            }
            if (c == '\\') {
                return stringWithEscapes(start);
            }
        }
    }

    private String stringWithEscapes(int start) {
        StringBuilder out = new StringBuilder(text.substring(start, position - 1)).append(escaped());
        while (true) {
            char c = character();
            if (c == '"') {
                return out.toString();
            }
            out.append(c == '\\' ? escaped() : c);
        }
    }

    /** Takes the next character of a string. */
    private char character() {
        if (position == text.length()) {
            throw malformed("a string without end");
        }
        char c = text.charAt(position++);
        if (c < 0x20) {
            throw malformed("a control character in a string");
        }
        return c;
    }

    private char escaped() {
        char c = character();
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw malformed("an unknown escape \\" + c);
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            int digit = position < text.length() ? "0123456789abcdef".indexOf(lower(text.charAt(position))) : -1;
            if (digit < 0) {
                throw malformed("an escape \\u without four digits");
            }
            code = code * 16 + digit;
            position++;
        }
        return (char) code;
    }

    /** Of ASCII letters only: others may have digits among them, which JSON does not take for such. */
    private static char lower(char c) {
        return c >= 'A' && c <= 'F' ? (char) (c + ('a' - 'A')) : c;
    }

    private BigDecimal number() {
        int start = position;
        next('-', false);
        if (!next('0', false)) {
            digits();
        }
        if (next('.', false)) {
            digits();
        }
        if (next('e', false) || next('E', false)) {
            if (!next('+', false)) {
                next('-', false);
            }
            digits();
        }
        // Checked before and after: a million digits take long to convert, and 1e999999999 is short until it is used.
        if (position - start > MOST_DIGITS) {
            throw malformed("a number that is too long");
        }
        try {
            BigDecimal number = new BigDecimal(text.substring(start, position));
            if (Math.abs((long) number.precision() - number.scale()) <= MOST_DIGITS) {
                return number;
            }
        } catch (NumberFormatException e) {
            // An exponent beyond an int, which is refused like every other that is too large.
        }
        throw malformed("a number that is too large or too small");
    }

    private void digits() {
        int start = position;
        while (position < text.length() && text.charAt(position) >= '0' && text.charAt(position) <= '9') {
            position++;
        }
        if (position == start) {
            throw malformed("no value where one should be");
        }
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, position)) {
            throw malformed("no value where one should be");
        }
        position += word.length();
        return value;
    }

    private boolean next(char c) {
        return next(c, true);
    }

    private boolean next(char c, boolean spaceBefore) {
        if (spaceBefore) {
            space();
        }
        if (position < text.length() && text.charAt(position) == c) {
            position++;
            return true;
        }
        return false;
    }

    private void expect(char c) {
        if (!next(c)) {
            throw malformed("no '" + c + "' where one should be");
        }
    }

    private void space() {
        while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
    }

    private MalformedJsonException malformed(String what) {
        String before = text.substring(0, Math.min(position, text.length()));
        long line = before.chars().filter(c -> c == '\n').count() + 1;
        int column = before.length() - before.lastIndexOf('\n');
        return new MalformedJsonException("not JSON: " + what + ", line " + line + ", column " + column);
    }
}
