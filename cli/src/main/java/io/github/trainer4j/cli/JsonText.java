package io.github.trainer4j.cli;

import io.github.trainer4j.api.json.Json;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Writes JSON in lines, for people who read it too. */
final class JsonText {
    private final StringBuilder out = new StringBuilder();

    private JsonText() {}

    static String write(Object value) {
        JsonText text = new JsonText();
        text.value(value, "\n");
        return text.out.toString();
    }

    private void value(Object value, String margin) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
            out.append('{');
            while (entries.hasNext()) {
                Map.Entry<?, ?> entry = entries.next();
                out.append(margin)
                        .append("  ")
                        .append(Json.write(entry.getKey()))
                        .append(": ");
                value(entry.getValue(), margin + "  ");
                out.append(entries.hasNext() ? "," : margin + "}");
            }
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            Iterator<?> elements = list.iterator();
            out.append('[');
            while (elements.hasNext()) {
                out.append(margin).append("  ");
                value(elements.next(), margin + "  ");
                out.append(elements.hasNext() ? "," : margin + "]");
            }
        } else {
            out.append(Json.write(value));
        }
    }
}
