package io.github.trainer4j.api;

import java.util.OptionalLong;

/**
 * How far a step is.
 *
 * @param step the step
 * @param bytesDone the bytes done so far
 * @param bytesTotal the bytes in all, if known
 */
public record ProgressEvent(String step, long bytesDone, OptionalLong bytesTotal) {
    /**
     * Checks the parts.
     *
     * @throws InvalidJobException if one is null or negative
     */
    public ProgressEvent {
        Check.text(step, "the step");
        if (bytesDone < 0 || Check.present(bytesTotal, "bytesTotal").orElse(0) < 0) {
            throw new InvalidJobException("a number of bytes is negative: " + bytesDone + " of " + bytesTotal);
        }
    }
}
