package io.github.trainer4j.local;

import io.github.trainer4j.api.json.Fields;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A process that a later one with the same number is never taken for.
 *
 * @param pid its number
 * @param boot which start of the operating system it belongs to; empty where the system has no name for it
 * @param start when it started: clock ticks since that start on Linux, else milliseconds since 1970
 */
record ProcessIdentity(long pid, String boot, long start) {
    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("pid", pid);
        json.put("boot", boot);
        json.put("start", start);
        return json;
    }

    static ProcessIdentity fromJson(Fields fields) {
        return new ProcessIdentity(
                fields.number("pid").orElse(0),
                fields.need("boot"),
                fields.number("start").orElse(0));
    }
}
