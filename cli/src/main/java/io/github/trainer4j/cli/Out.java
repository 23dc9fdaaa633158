package io.github.trainer4j.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Standard output or standard error: text in UTF-8, whatever the locale says, as logs are passed on as they are. Unlike a
 * {@link java.io.PrintStream} it does not swallow that nobody reads any more. Safe for several threads.
 */
final class Out {
    private final OutputStream stream;

    Out(OutputStream stream) {
        this.stream = new BufferedOutputStream(stream);
    }

    /** Is thrown when the reader at the other end is gone. */
    static final class ClosedException extends UncheckedIOException {
        private static final long serialVersionUID = 1L;

        ClosedException(IOException cause) {
            super(cause);
        }
    }

    synchronized void line(String text) {
        print(text + "\n");
    }

    synchronized void print(String text) {
        try {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw broken(e);
        }
    }

    synchronized void flush() {
        try {
            stream.flush();
        } catch (IOException e) {
            throw broken(e);
        }
    }

    private static UncheckedIOException broken(IOException e) {
        // The JDK has no type for it, and the words of the system.
        String words = String.valueOf(e.getMessage());
        boolean gone =
                words.contains("Broken pipe") || words.contains("Bad file descriptor") || words.contains("closed");
        return gone ? new ClosedException(e) : new UncheckedIOException(words, e);
    }
}
