package io.github.trainer4j.testkit.hub;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Something that goes wrong with answers of a {@link FakeHub}, which ones, and how often.
 *
 * <pre>{@code
 * hub.inject(Fault.cutAfter(600).on("*big.bin").times(1));
 * hub.inject(Fault.tooManyRequests(1).on("/api/*").times(3));
 * hub.inject(Fault.delay(Duration.ofMillis(200)).and(Fault.bytesPerSecond(10_000)).at(Origin.CDN));
 * }</pre>
 *
 * <p>A factory says what goes wrong, always and with every answer; the methods narrow that down. A fault takes part,
 * and counts, only where it changes the answer: one that touches the bytes of a body passes over redirects, over
 * {@code HEAD}, and over bodies that end before it; one about ranges passes over requests without one. So
 * {@code cutAfter(600).times(1)} cuts the first answer that has more than 600 bytes of body. Of several faults for one
 * request all take part, in the order in which they were injected, each on what the one before made of the answer.
 * Immutable; the same fault may be injected several times.
 */
public final class Fault {

    private final List<Effect> effects;
    private final Target target;

    private Fault(List<Effect> effects, Target target) {
        this.effects = effects;
        this.target = target;
    }

    private static Fault of(Effect effect) {
        return new Fault(List.of(effect), Target.ALL);
    }

    /**
     * Ends the connection in an orderly way after that much of a longer body.
     *
     * @param bytes of the body that are sent
     * @return the fault
     */
    public static Fault cutAfter(long bytes) {
        return of(Effect.cutAfter(bytes));
    }

    /**
     * Resets the connection (RST) after that much of a longer body; the client may have got less.
     *
     * @param bytes of the body that are sent
     * @return the fault
     */
    public static Fault resetAfter(long bytes) {
        return of(Effect.resetAfter(bytes));
    }

    /**
     * Sends that much of a longer body, then nothing more, and keeps the connection open until
     * {@link FakeHub#releaseStalls()}, the end of the hub, or the client closes it.
     *
     * @param bytes of the body that are sent first
     * @return the fault
     */
    public static Fault stallAfter(long bytes) {
        return of(Effect.stallAfter(bytes));
    }

    /**
     * Closes the connection without an answer.
     *
     * @return the fault
     */
    public static Fault hangUp() {
        return of(Effect.hangUp());
    }

    /**
     * Waits before the first byte of the answer.
     *
     * @param time to wait
     * @return the fault
     */
    public static Fault delay(Duration time) {
        return of(Effect.delay(time));
    }

    /**
     * Sends bodies no faster than this on each connection.
     *
     * @param bytes in a second, at least 1
     * @return the fault
     */
    public static Fault bytesPerSecond(long bytes) {
        return of(Effect.bytesPerSecond(bytes));
    }

    /**
     * Flips a bit of one byte of a file; ranges without that byte are right.
     *
     * @param offset of the byte in the whole file
     * @return the fault
     */
    public static Fault corruptByteAt(long offset) {
        return of(Effect.corruptByteAt(offset));
    }

    /**
     * Declares another length than is sent, to {@code HEAD} too, and closes the connection after the body.
     *
     * @param bytes declared in {@code Content-Length}
     * @return the fault
     */
    public static Fault contentLength(long bytes) {
        return of(Effect.contentLength(bytes));
    }

    /**
     * Sends bodies in chunks, without a {@code Content-Length}.
     *
     * @return the fault
     */
    public static Fault chunked() {
        return of(Effect.chunked());
    }

    /**
     * Sends bodies without any length; they end with the connection, so a cut looks like a good end.
     *
     * @return the fault
     */
    public static Fault untilClose() {
        return of(Effect.untilClose());
    }

    /**
     * Compresses bodies, in memory, for a client that says it accepts gzip and asks for no range.
     *
     * @return the fault
     */
    public static Fault gzip() {
        return of(Effect.gzip());
    }

    /**
     * Answers with this status and a page that is not JSON, as proxies do.
     *
     * @param status for example 500 or 503
     * @return the fault
     */
    public static Fault status(int status) {
        return of(Effect.status(status));
    }

    /**
     * Refuses in the Hub's own way.
     *
     * @param status for example 403
     * @param code for {@code X-Error-Code}, as {@code GatedRepo}; empty for none
     * @param message for {@code X-Error-Message} and the body
     * @return the fault
     */
    public static Fault error(int status, String code, String message) {
        return of(Effect.error(status, code, message));
    }

    /**
     * Answers 429 with a {@code Retry-After} in seconds.
     *
     * @param seconds to wait
     * @return the fault
     */
    public static Fault tooManyRequests(int seconds) {
        return of(Effect.tooManyRequests(seconds));
    }

    /**
     * Answers 429 with a {@code Retry-After} that is a date, which has whole seconds.
     *
     * @param time from when to try again
     * @return the fault
     */
    public static Fault tooManyRequests(Instant time) {
        return of(Effect.tooManyRequests(time));
    }

    /**
     * Answers 429 without {@code Retry-After}, with the {@code RateLimit} headers of which the Hub tells its windows.
     *
     * @param seconds until the window resets
     * @return the fault
     */
    public static Fault rateLimited(int seconds) {
        return of(Effect.rateLimited(seconds));
    }

    /**
     * Answers 200 with something else, like the log-in page of a captive portal.
     *
     * @param contentType of the answer
     * @param text of the body
     * @return the fault
     */
    public static Fault instead(String contentType, String text) {
        return of(Effect.instead(contentType, text));
    }

    /**
     * Redirects. In the location, <code>{target}</code> stands for path and query of the request: <code>{target}</code>
     * alone is a relative redirect to the same place, <code>hub.cdn() + "{target}"</code> one to the other origin.
     *
     * @param status 301, 302, 303, 307 or 308
     * @param location absolute or relative
     * @return the fault
     */
    public static Fault redirect(int status, String location) {
        return of(Effect.redirect(status, location));
    }

    /**
     * Sets a header.
     *
     * @param header to set
     * @param value of it
     * @return the fault
     */
    public static Fault header(String header, String value) {
        return of(Effect.header(header, value));
    }

    /**
     * Leaves headers out where they would be sent. For the length of a body see {@link #chunked()}.
     *
     * @param headers to leave out
     * @return the fault
     */
    public static Fault withoutHeaders(String... headers) {
        return of(Effect.withoutHeaders(headers));
    }

    /**
     * Leaves out every header that is the Hub's own, and the entity tag, as some mirrors do.
     *
     * @return the fault
     */
    public static Fault withoutHubHeaders() {
        return withoutHeaders(
                "X-Repo-Commit", "X-Linked-Size", "X-Linked-Etag", "ETag", "X-Error-Code", "X-Error-Message");
    }

    /**
     * Lets the link to the next page of a listing point at another origin.
     *
     * @param origin scheme, host and port
     * @return the fault
     */
    public static Fault nextPageAt(URI origin) {
        return of(Effect.nextPageAt(origin));
    }

    /**
     * Answers a range with 200 and the whole file.
     *
     * @return the fault
     */
    public static Fault ignoringRange() {
        return of(Effect.ignoringRange());
    }

    /**
     * Answers a range with another one, from this offset, and says so in {@code Content-Range}.
     *
     * @param first offset in the file
     * @return the fault
     */
    public static Fault rangeFrom(long first) {
        return of(Effect.rangeFrom(first));
    }

    /**
     * Answers a range rightly but for its {@code Content-Range}.
     *
     * @param value for example {@code bytes 0-9/10}
     * @return the fault
     */
    public static Fault contentRange(String value) {
        return of(Effect.contentRange(value));
    }

    /**
     * Answers a range with 416.
     *
     * @return the fault
     */
    public static Fault rangeNotSatisfiable() {
        return of(Effect.rangeNotSatisfiable());
    }

    /**
     * Runs a task when the answer is decided but not yet sent: what it changes is seen by later requests only.
     *
     * @param task run on a thread of the hub
     * @return the fault
     */
    public static Fault running(Runnable task) {
        return of(Effect.running(task));
    }

    /**
     * Only for paths that match, decoded, as a whole; {@code *} is any characters, slashes too. On either listener the
     * path of a file ends in its name.
     *
     * @param pattern for example {@code /api/*}
     * @return a narrower fault
     */
    public Fault on(String pattern) {
        PathPattern paths = PathPattern.of(pattern);
        return narrowed(" on " + pattern, request -> paths.matches(request.path()));
    }

    /**
     * Only for requests with this method.
     *
     * @param method for example {@code HEAD}
     * @return a narrower fault
     */
    public Fault method(String method) {
        return narrowed(" for " + method, request -> request.method().equals(method));
    }

    /**
     * Only on this listener.
     *
     * @param origin the listener
     * @return a narrower fault
     */
    public Fault at(Origin origin) {
        return narrowed(" at " + origin, request -> request.origin() == origin);
    }

    /**
     * Only for requests that the condition accepts.
     *
     * @param condition on the request; its status is not known yet
     * @return a narrower fault
     */
    public Fault when(Predicate<RecordedRequest> condition) {
        return narrowed(" on a condition", condition);
    }

    private Fault narrowed(String how, Predicate<RecordedRequest> filter) {
        return new Fault(effects, target.narrowed(how, filter));
    }

    /**
     * Passes over the first answers that it would change.
     *
     * @param answers to leave alone
     * @return a narrower fault
     */
    public Fault skip(int answers) {
        return new Fault(effects, target.skipping(answers));
    }

    /**
     * Changes only so many answers.
     *
     * @param answers to change, at least 1
     * @return a narrower fault
     */
    public Fault times(int answers) {
        return new Fault(effects, target.limited(answers));
    }

    /**
     * Does what the other fault does too, to the same answers; takes part only where both change the answer.
     *
     * @param other whose own narrowing is not used
     * @return a fault with both effects
     */
    public Fault and(Fault other) {
        return new Fault(Stream.concat(effects.stream(), other.effects.stream()).toList(), target);
    }

    Target target() {
        return target;
    }

    List<Effect> effects() {
        return effects;
    }

    @Override
    public String toString() {
        return effects.stream().map(Effect::name).collect(Collectors.joining(" and ")) + target.text();
    }
}
