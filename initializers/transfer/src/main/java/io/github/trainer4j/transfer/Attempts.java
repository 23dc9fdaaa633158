package io.github.trainer4j.transfer;

import java.io.IOException;

/** Repeats requests that fail for a while, with the back-off, the pauses and the budgets of the whole download. */
public interface Attempts {
    /**
     * One try at a request.
     *
     * @param <T> what the answer is made into
     */
    @FunctionalInterface
    interface Request<T> {
        /**
         * Asks and reads the whole answer.
         *
         * @throws SourceException if the source can say what is the matter
         * @throws IOException if the connection fails
         * @throws InterruptedException if the thread is interrupted
         */
        T send() throws IOException, InterruptedException;
    }

    /**
     * Sends a request until it succeeds or the budget is spent.
     *
     * @param what names the request in the log and in errors, without a secret: "the listing of s3://bucket/prefix"
     * @throws io.github.trainer4j.api.InitializerException if the budget is spent, with the reason; or as thrown by the
     *     request
     * @throws SourceException if it says that something changed
     * @throws InterruptedException if the thread is interrupted
     */
    <T> T of(String what, Request<T> request) throws IOException, InterruptedException;
}
