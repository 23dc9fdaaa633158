package io.github.trainer4j.s3;

import io.github.trainer4j.transfer.http.HttpAnswers;
import io.github.trainer4j.transfer.http.HttpResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;

/**
 * What a store answers when it does not give what was asked for.
 *
 * @param status the HTTP status
 * @param code S3's code, such as {@code NoSuchBucket}; empty if the answer has none
 * @param message what the store says about it; may be empty
 * @param region the region that the store says the bucket is in, if it does
 * @param retryAfter how long the store wants to be left alone, if it says so
 */
record Refusal(int status, String code, String message, Optional<String> region, Optional<Duration> retryAfter) {
    /** So much of an answer is looked at. */
    private static final int MOST = 64 << 10;

    private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,63}");

    /** Reads an answer; one that is no XML, or is cut off, counts for what its status says. */
    static Refusal of(HttpResponse answer) {
        Map<String, String> texts = new HashMap<>();
        try {
            byte[] body = answer.body().readNBytes(MOST);
            XmlAnswer.read(new ByteArrayInputStream(body), texts::put, path -> {});
        } catch (IOException | XMLStreamException e) {
            // What was read before counts; the status is told in any case.
        }
        return new Refusal(
                answer.status(),
                Shown.text(texts.getOrDefault("Error/Code", "").strip()),
                Shown.text(texts.getOrDefault("Error/Message", "").strip()),
                answer.header("x-amz-bucket-region").or(() -> Optional.ofNullable(texts.get("Error/Region"))),
                HttpAnswers.retryAfter(answer));
    }

    /** Returns code, status and the store's own words in one line. */
    String describe() {
        return (code.isEmpty() ? "HTTP " + status : code + ", HTTP " + status)
                + (message.isEmpty() ? "" : ": " + message);
    }

    /** Returns the region that the bucket is in, if the answer says that it is not this one. */
    Optional<String> otherRegion(String asked) {
        return status == 301 || status == 307 || status == 400
                ? region.map(String::strip).filter(told -> REGION.matcher(told).matches() && !told.equals(asked))
                : Optional.empty();
    }

    /** Returns a copy in which these keys do not stand, in case the store repeats what it was sent. */
    Refusal without(Optional<AwsCredentials> keys) {
        if (keys.isEmpty()) {
            return this;
        }
        String clean = message.replace(keys.get().secretAccessKey(), "…")
                .replace(keys.get().accessKeyId(), "…");
        if (keys.get() instanceof AwsSessionCredentials session) {
            clean = clean.replace(session.sessionToken(), "…");
        }
        return new Refusal(status, code, clean, region, retryAfter);
    }
}
