package io.github.trainer4j.huggingface;

/** Makes foreign text fit for one line of a message. */
final class Text {
    private static final int LONGEST = 300;

    private Text() {}

    static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(LONGEST).forEach(c -> {
            if (Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE) {
                shown.append(String.format("\\u%04x", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown + (text.codePointCount(0, text.length()) > LONGEST ? "…" : "");
    }
}
