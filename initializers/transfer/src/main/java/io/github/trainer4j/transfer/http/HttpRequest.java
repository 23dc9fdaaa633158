package io.github.trainer4j.transfer.http;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.Secret;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A {@code GET}.
 *
 * @param uri what to get; http or https, with a host; path and query are sent as they stand in it
 * @param headers further headers, without a secret; they stand in for those that the client would send by itself, such as
 *     {@code Host}
 * @param authorization the value of the header {@code Authorization}; sent to the origin of {@code uri} and to no other
 */
public record HttpRequest(URI uri, Map<String, String> headers, Optional<Secret> authorization) {
    /**
     * Copies and checks everything.
     *
     * @throws InitializerException if a header cannot be sent, or the URI is not http(s) with a host; the message has no
     *     header's value
     */
    public HttpRequest {
        Origin.of(uri);
        Map<String, String> copy = new LinkedHashMap<>();
        headers.forEach((name, value) -> {
            if (name.isEmpty() || !name.chars().allMatch(c -> (Character.isLetterOrDigit(c) && c < 128) || c == '-')) {
                throw new InitializerException("'" + name + "' is no name of a header", "BadHeader", null);
            }
            copy.put(name, sendable(value, name));
        });
        headers = java.util.Collections.unmodifiableMap(copy);
        Objects.requireNonNull(authorization, "authorization");
        authorization.ifPresent(secret -> sendable(secret.reveal(), "Authorization"));
    }

    /** Returns a plain request. */
    public static HttpRequest get(URI uri) {
        return new HttpRequest(uri, Map.of(), Optional.empty());
    }

    /** Returns a copy with one more header. */
    public HttpRequest header(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new HttpRequest(uri, more, authorization);
    }

    /** Returns a copy with this value of {@code Authorization}, or without one. */
    public HttpRequest authorization(Optional<Secret> authorization) {
        return new HttpRequest(uri, headers, authorization);
    }

    /** Returns a copy that asks for bytes {@code from} to {@code end} - 1. */
    public HttpRequest range(long from, long end) {
        return header("Range", "bytes=" + from + "-" + (end - 1));
    }

    HttpRequest to(URI other) {
        boolean same = Origin.of(other).equals(Origin.of(uri));
        return new HttpRequest(other, headers, same ? authorization : Optional.empty());
    }

    private static String sendable(String value, String name) {
        if (!value.chars().allMatch(c -> c >= 0x20 && c < 0x7f)) {
            throw new InitializerException(
                    "the header " + name
                            + " has a character that cannot be sent, such as a line break or a letter beyond"
                            + " ASCII; check where its value comes from",
                    "BadHeader",
                    null);
        }
        return value;
    }
}
