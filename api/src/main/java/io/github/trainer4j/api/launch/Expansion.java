package io.github.trainer4j.api.launch;

import java.util.Map;
import java.util.function.Predicate;

/**
 * The references {@code $(NAME)} that Kubernetes puts values in place of, in commands, arguments and variables; {@code $$}
 * stands for a dollar there. What names no variable stays as it is: shells have the same sign for commands.
 */
public final class Expansion {
    private Expansion() {}

    /** Returns a text from which a cluster makes the given one. */
    public static String escape(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            char next = i + 1 < text.length() ? text.charAt(i + 1) : ' ';
            out.append(c == '$' && (next == '$' || next == '(') ? "$$" : c);
        }
        return out.toString();
    }

    /**
     * Returns what a cluster makes of a text.
     *
     * @param known the variables that references are replaced by
     * @param stays is asked of every other reference, and returns whether it is left as it is
     */
    public static String expand(String text, Map<String, String> known, Predicate<String> stays) {
        StringBuilder out = new StringBuilder();
        int position = 0;
        while (position < text.length()) {
            char c = text.charAt(position);
            if (c == '$' && text.startsWith("$$", position)) {
                out.append('$');
                position += 2;
                continue;
            }
            int end = c == '$' && text.startsWith("$(", position) ? text.indexOf(')', position) : -1;
            if (end < 0) {
                out.append(c);
                position++;
                continue;
            }
            String name = text.substring(position + 2, end);
            if (known.containsKey(name)) {
                out.append(known.get(name));
            } else if (stays.test(name)) {
                out.append("$(").append(name).append(')');
            }
            position = end + 1;
        }
        return out.toString();
    }
}
