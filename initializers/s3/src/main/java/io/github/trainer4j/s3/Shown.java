package io.github.trainer4j.s3;

import org.jspecify.annotations.Nullable;

/** Text of others, made fit for one line of a message. */
final class Shown {
    private static final int LONGEST = 200;

    private Shown() {}

    /** Shortens and escapes, so that a hostile name or answer cannot take part in the layout of a log. */
    static String text(@Nullable String text) {
        if (text == null) {
            return "";
        }
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(LONGEST).forEach(c -> {
            if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                shown.append(String.format("\\u%04x", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown + (text.codePointCount(0, text.length()) > LONGEST ? "…" : "");
    }
}
