package io.github.trainer4j.transfer;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern as Python's {@code fnmatch} has them. Matching takes at most pattern times path steps, however many stars
 * there are.
 */
final class Glob {
    private static final Token STAR = c -> true;

    private final List<Token> tokens = new ArrayList<>();

    /** What one place of a pattern takes: one character, or any number of them for {@link #STAR}. */
    @FunctionalInterface
    private interface Token {
        boolean takes(int c);
    }

    Glob(String pattern) {
        int[] chars =
                (pattern.endsWith("/") ? pattern + "*" : pattern).codePoints().toArray();
        int i = 0;
        while (i < chars.length) {
            int c = chars[i++];
            int closing = c == '[' ? closing(chars, i) : -1;
            if (c == '*') {
                tokens.add(STAR);
            } else if (c == '?') {
                tokens.add(any -> true);
            } else if (closing >= 0) {
                tokens.add(set(chars, i, closing));
                i = closing + 1;
            } else {
                tokens.add(other -> other == c);
            }
        }
    }

    /** Finds the bracket that closes a set; one that stands first in it is a member. Without one, '[' is plain. */
    private static int closing(int[] chars, int start) {
        int first = start < chars.length && chars[start] == '!' ? start + 1 : start;
        for (int i = first + 1; i < chars.length; i++) {
            if (chars[i] == ']') {
                return i;
            }
        }
        return -1;
    }

    private static Token set(int[] chars, int start, int end) {
        boolean not = chars[start] == '!';
        BitSet members = new BitSet();
        for (int i = not ? start + 1 : start; i < end; i++) {
            if (i + 2 < end && chars[i + 1] == '-') {
                if (chars[i] <= chars[i + 2]) {
                    members.set(chars[i], chars[i + 2] + 1);
                }
                i += 2;
            } else {
                members.set(chars[i]);
            }
        }
        return c -> members.get(c) != not;
    }

    /** Returns whether the whole path matches. */
    boolean matches(String path) {
        int[] chars = path.codePoints().toArray();
        int token = 0;
        int at = 0;
        int star = -1;
        int starAt = 0;
        while (at < chars.length) {
            Token next = token < tokens.size() ? tokens.get(token) : null;
            if (next == STAR) {
                star = token++;
                starAt = at;
            } else if (takes(next, chars[at])) {
                token++;
                at++;
            } else if (star >= 0) {
                // The last star takes one character more; earlier ones need never take more than they did.
                token = star + 1;
                at = ++starAt;
            } else {
                return false;
            }
        }
        while (token < tokens.size() && tokens.get(token) == STAR) {
            token++;
        }
        return token == tokens.size();
    }

    private static boolean takes(@Nullable Token token, int c) {
        return token != null && token.takes(c);
    }
}
