package io.github.trainer4j.container;

import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks an engine again for what it could not do because of something that passes. */
final class Retry {
    private static final Logger LOG = LoggerFactory.getLogger(Retry.class);
    private static final int ATTEMPTS = 10;
    private static final Duration PAUSE = Duration.ofMillis(200);

    private Retry() {}

    static <T> T ofPassing(Dialect dialect, Supplier<T> body) {
        for (int attempt = 1; true; attempt++) {
            try {
                return body.get();
            } catch (EngineException e) {
                if (attempt == ATTEMPTS || !dialect.isPassing(e)) {
                    throw e;
                }
                LOG.debug("attempt {} failed", attempt, e);
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            // Whoever asked for it sees it when this is done.
            Thread.currentThread().interrupt();
        }
    }
}
