package io.github.trainer4j.testkit.hub;

import io.github.trainer4j.testkit.hub.Answer.Framing;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;

/** What a fault does to an answer, and the question whether that would change it. */
record Effect(String name, BiPredicate<RecordedRequest, Answer> concerns, BiConsumer<RecordedRequest, Answer> change) {

    static Effect cutAfter(long bytes) {
        return body("cut after " + bytes + " bytes", bytes, (request, answer) -> answer.wire.cutAfter = bytes);
    }

    static Effect resetAfter(long bytes) {
        return body("reset after " + bytes + " bytes", bytes, (request, answer) -> {
            answer.wire.cutAfter = bytes;
            answer.wire.reset = true;
        });
    }

    static Effect stallAfter(long bytes) {
        return body("stall after " + bytes + " bytes", bytes, (request, answer) -> answer.wire.stallAfter = bytes);
    }

    static Effect hangUp() {
        return any("hang up", (request, answer) -> answer.wire.hangUp = true);
    }

    static Effect delay(Duration time) {
        Objects.requireNonNull(time, "time");
        return any("delay of " + time, (request, answer) -> answer.wire.delay = time);
    }

    static Effect bytesPerSecond(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("A rate is at least one byte per second, not " + bytes);
        }
        return body(bytes + " bytes per second", 0, (request, answer) -> answer.wire.bytesPerSecond = bytes);
    }

    static Effect corruptByteAt(long offset) {
        return of(
                "corrupt byte " + offset,
                (request, answer) ->
                        answer.isFile() && hasBody(request, answer) && offset >= answer.from() && offset < answer.to(),
                (request, answer) -> answer.wire.corruptAt = offset);
    }

    static Effect contentLength(long bytes) {
        return of(
                "Content-Length " + bytes,
                (request, answer) -> !answer.isRedirect(),
                (request, answer) -> answer.wire.declaredLength = Optional.of(bytes));
    }

    static Effect chunked() {
        return body("chunked", -1, (request, answer) -> answer.wire.framing = Framing.CHUNKED);
    }

    static Effect untilClose() {
        return body("until close", -1, (request, answer) -> answer.wire.framing = Framing.UNTIL_CLOSE);
    }

    static Effect gzip() {
        return of(
                "gzip",
                (request, answer) -> hasBody(request, answer)
                        && request.range().isEmpty()
                        && request.header("Accept-Encoding").orElse("").contains("gzip"),
                (request, answer) -> answer.gzip());
    }

    static Effect status(int status) {
        return any("status " + status, (request, answer) -> answer.become(page(status)));
    }

    static Effect error(int status, String code, String message) {
        return any(
                "error " + status + " " + code,
                (request, answer) -> answer.become(Answer.error(status, code, message)));
    }

    static Effect tooManyRequests(int seconds) {
        return any(
                "429, retry after " + seconds + " s",
                (request, answer) -> answer.become(page(429).header("Retry-After", String.valueOf(seconds))));
    }

    static Effect tooManyRequests(Instant time) {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(time.atOffset(ZoneOffset.UTC));
        return any(
                "429, retry after " + date,
                (request, answer) -> answer.become(page(429).header("Retry-After", date)));
    }

    static Effect rateLimited(int seconds) {
        return any(
                "429, rate limit resets in " + seconds + " s",
                (request, answer) -> answer.become(page(429)
                        .header("RateLimit", "\"resolvers\";r=0;t=" + seconds)
                        .header("RateLimit-Policy", "\"fixed window\";\"resolvers\";q=3000;w=300")));
    }

    static Effect instead(String contentType, String text) {
        return any("another body", (request, answer) -> answer.become(Answer.of(200, contentType, text)));
    }

    static Effect redirect(int status, String location) {
        return any(
                "redirect " + status + " to " + location,
                (request, answer) ->
                        answer.become(Answer.redirect(status, location.replace("{target}", request.target()))));
    }

    static Effect header(String header, String value) {
        return any(header + ": " + value, (request, answer) -> answer.header(header, value));
    }

    static Effect withoutHeaders(String... headers) {
        List<String> dropped = List.of(headers);
        return of(
                "without " + dropped,
                (request, answer) -> dropped.stream()
                        .anyMatch(header -> answer.header(header).isPresent()),
                (request, answer) -> dropped.forEach(answer::dropHeader));
    }

    static Effect nextPageAt(URI origin) {
        return of(
                "next page at " + origin,
                (request, answer) -> answer.header("Link").isPresent(),
                (request, answer) -> answer.header(
                        "Link", answer.header("Link").orElseThrow().replaceFirst("<https?://[^/]*", "<" + origin)));
    }

    static Effect ignoringRange() {
        return of("ignoring the range", Effect::isPartial, (request, answer) -> answer.serveWhole());
    }

    static Effect rangeFrom(long first) {
        return of(
                "range from " + first,
                (request, answer) -> isPartial(request, answer) && first < answer.to(),
                (request, answer) -> answer.serveRange(first, answer.to()));
    }

    static Effect contentRange(String value) {
        return of(
                "Content-Range " + value,
                Effect::isPartial,
                (request, answer) -> answer.header("Content-Range", value));
    }

    static Effect rangeNotSatisfiable() {
        return of(
                "416",
                (request, answer) -> answer.isFile() && request.range().isPresent(),
                (request, answer) -> ByteRange.notSatisfiable(answer));
    }

    static Effect running(Runnable task) {
        return any("running a task", (request, answer) -> task.run());
    }

    private static Effect of(
            String name, BiPredicate<RecordedRequest, Answer> concerns, BiConsumer<RecordedRequest, Answer> change) {
        return new Effect(name, concerns, change);
    }

    private static Effect any(String name, BiConsumer<RecordedRequest, Answer> change) {
        return of(name, (request, answer) -> true, change);
    }

    private static Effect body(String name, long longerThan, BiConsumer<RecordedRequest, Answer> change) {
        return of(name, (request, answer) -> hasBody(request, answer) && answer.length() > longerThan, change);
    }

    private static boolean hasBody(RecordedRequest request, Answer answer) {
        return !request.method().equals("HEAD") && !answer.isRedirect();
    }

    private static boolean isPartial(RecordedRequest request, Answer answer) {
        return answer.status() == 206;
    }

    private static Answer page(int status) {
        return Answer.of(status, "text/html", "<html><body><h1>" + status + "</h1></body></html>");
    }
}
