package io.github.trainer4j.testkit.hub;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A request that a {@link FakeHub} got, and the status it answered.
 *
 * @param origin which listener got it
 * @param method in upper case, as sent
 * @param target path and query exactly as sent, still percent-encoded
 * @param headers every header with its values, looked up in any case
 * @param nanoTime when its head had been read, on {@link System#nanoTime()}'s clock
 * @param status the status of the answer, or 0 where the connection was closed without one
 */
public record RecordedRequest(
        Origin origin, String method, String target, Map<String, List<String>> headers, long nanoTime, int status) {

    /** Copies the headers. */
    public RecordedRequest {
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(method, "method");
        Objects.requireNonNull(target, "target");
        Map<String, List<String>> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> copy.put(name, List.copyOf(values)));
        headers = Collections.unmodifiableMap(copy);
    }

    RecordedRequest withStatus(int answered) {
        return new RecordedRequest(origin, method, target, headers, nanoTime, answered);
    }

    /**
     * The path without its query, percent-decoded.
     *
     * @return for example {@code /org/base/resolve/main/model card.md}; as sent, if it is not properly encoded
     */
    public String path() {
        try {
            return decodePath(rawPath());
        } catch (IllegalArgumentException e) {
            return rawPath();
        }
    }

    /**
     * The value of a query parameter, decoded.
     *
     * @param name of the parameter
     * @return the first value; empty if there is none
     * @throws IllegalArgumentException if the query is not properly encoded
     */
    public Optional<String> query(String name) {
        int mark = target.indexOf('?');
        if (mark < 0) {
            return Optional.empty();
        }
        for (String pair : target.substring(mark + 1).split("&", -1)) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? pair : pair.substring(0, equals);
            if (URLDecoder.decode(key, UTF_8).equals(name)) {
                return Optional.of(equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), UTF_8));
            }
        }
        return Optional.empty();
    }

    /**
     * The first value of a header.
     *
     * @param name in any case
     * @return empty if the header was not sent
     */
    public Optional<String> header(String name) {
        return headers.getOrDefault(name, List.of()).stream().findFirst();
    }

    /**
     * The {@code Range} header, if one was sent.
     *
     * @return for example {@code bytes=100-}
     */
    public Optional<String> range() {
        return header("Range");
    }

    /**
     * Time from an earlier request to this one.
     *
     * @param earlier another request to the same hub
     * @return negative if the other one came later
     */
    public Duration since(RecordedRequest earlier) {
        return Duration.ofNanos(nanoTime - earlier.nanoTime);
    }

    /** Shows method, origin, target, range and status, and never a credential. */
    @Override
    public String toString() {
        return method + " " + origin + " " + target
                + range().map(r -> " (" + r + ")").orElse("") + " -> " + status;
    }

    String rawPath() {
        int mark = target.indexOf('?');
        return mark < 0 ? target : target.substring(0, mark);
    }

    /**
     * The segments of the path, split before they are decoded: a revision may hold an encoded slash.
     *
     * @throws IllegalArgumentException if the path is not properly encoded
     */
    List<String> segments() {
        List<String> segments = new ArrayList<>();
        for (String raw : rawPath().substring(1).split("/", -1)) {
            segments.add(decodePath(raw));
        }
        return segments;
    }

    private static String decodePath(String raw) {
        // The decoder is one for forms, where a plus is a space; in a path it is a plus.
        return URLDecoder.decode(raw.replace("+", "%2B"), UTF_8);
    }
}
