package io.github.trainer4j.transfer.http;

import io.github.trainer4j.transfer.RemoteBody;
import io.github.trainer4j.transfer.SourceException;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the statuses and headers of HTTP mean to a download. */
public final class HttpAnswers {
    private static final Pattern CONTENT_RANGE =
            Pattern.compile("bytes\\s+(\\d{1,18})-(\\d{1,18})/(\\d{1,18}|\\*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern RESETS_IN = Pattern.compile("(?:^|[;,\\s])t=(\\d{1,9})");

    private HttpAnswers() {}

    /**
     * Takes an answer with status 200 or 206 as a range of a file. Where it starts is believed of its
     * {@code Content-Range}, whatever its status; without that header status 200 means the beginning.
     *
     * @param from where the range that was asked for starts
     * @throws IOException if it is compressed, in parts, or of another status; the answer is closed then
     */
    public static RemoteBody range(HttpResponse response, long from) throws IOException {
        String type = response.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        String encoding = response.header("Content-Encoding").orElse("identity");
        Optional<String> header = response.header("Content-Range");
        Matcher range = CONTENT_RANGE.matcher(header.orElse("").strip());
        String fault = response.status() != 200 && response.status() != 206
                ? "has status " + response.status()
                : !encoding.equalsIgnoreCase("identity")
                        ? "is compressed (" + encoding + "), which was not asked for"
                        : type.startsWith("multipart/byteranges")
                                ? "comes in several parts, which were not asked for"
                                : header.isPresent() && !range.matches()
                                        ? "has a Content-Range that makes no sense"
                                        : "";
        if (!fault.isEmpty()) {
            response.close();
            throw new IOException("the answer of " + Origin.withoutQuery(response.uri()) + " " + fault);
        }
        if (header.isEmpty()) {
            return new RemoteBody(
                    response.body(), response.status() == 206 ? from : 0, OptionalLong.empty(), response::abort);
        }
        OptionalLong total =
                range.group(3).equals("*") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(range.group(3)));
        return new RemoteBody(response.body(), Long.parseLong(range.group(1)), total, response::abort);
    }

    /**
     * Returns the error for a status after which another try may work, or after which the source must be listed again:
     * 408, 412, 416, 425, 429 and most of 500 and above.
     */
    public static Optional<SourceException> failure(HttpResponse response) {
        String what = Origin.withoutQuery(response.uri()) + " answers with status " + response.status();
        Optional<Duration> wait = retryAfter(response);
        return switch (response.status()) {
            case 429 -> Optional.of(SourceException.rateLimited(what, wait));
            case 503 ->
                Optional.of(
                        wait.isPresent()
                                ? SourceException.rateLimited(what, wait)
                                : SourceException.retry(what, Optional.empty()));
            case 412 -> Optional.of(SourceException.changed(what));
            case 416 -> Optional.of(SourceException.unsatisfiable(what));
            case 408, 425 -> Optional.of(SourceException.retry(what, wait));
            case 501, 505, 511 -> Optional.empty();
            default -> response.status() >= 500 ? Optional.of(SourceException.retry(what, wait)) : Optional.empty();
        };
    }

    /** Returns how long the server wants to be left alone: by {@code Retry-After}, else by {@code RateLimit}. */
    public static Optional<Duration> retryAfter(HttpResponse response) {
        Optional<Duration> asked = response.header("Retry-After").flatMap(HttpAnswers::delay);
        return asked.isPresent() || response.status() != 429
                ? asked
                : response.header("RateLimit").flatMap(value -> {
                    Matcher seconds = RESETS_IN.matcher(value);
                    return seconds.find()
                            ? Optional.of(Duration.ofSeconds(Long.parseLong(seconds.group(1))))
                            : Optional.empty();
                });
    }

    private static Optional<Duration> delay(String value) {
        if (value.matches("\\d{1,9}")) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(value)));
        }
        try {
            Duration until =
                    Duration.between(Instant.now(), Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value)));
            return Optional.of(until.isNegative() ? Duration.ZERO : until);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
