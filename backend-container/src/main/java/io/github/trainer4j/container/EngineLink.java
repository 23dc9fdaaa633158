package io.github.trainer4j.container;

import io.github.trainer4j.api.BackendUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The way to the engine: found when it is first needed, and again after a failure to find it. Safe for several threads. */
final class EngineLink implements AutoCloseable {
    private final Product product;
    private final EngineLocator locator;
    private final Duration callLimit;
    private final String threadPrefix;
    private volatile @Nullable Engine engine;
    private boolean closed;

    EngineLink(Product product, EngineLocator locator, Duration callLimit, String threadPrefix) {
        this.product = product;
        this.locator = locator;
        this.callLimit = callLimit;
        this.threadPrefix = threadPrefix;
    }

    /**
     * Returns the engine.
     *
     * @throws BackendUnavailableException if none answers; it tells all that was tried
     */
    Engine engine() {
        Engine known = engine;
        return known != null ? known : connect();
    }

    private synchronized Engine connect() {
        Engine known = engine;
        if (known != null) {
            return known;
        }
        if (closed) {
            throw new BackendUnavailableException(
                    "backend " + product.backend() + " is closed; make another client", List.of(), null);
        }
        List<String> attempts = new ArrayList<>();
        EngineException last = null;
        for (EngineAddress address : locator.candidates()) {
            try {
                Engine found = Engine.open(new EngineConnection(address, callLimit, threadPrefix));
                engine = found;
                return found;
            } catch (EngineException e) {
                attempts.add(address + ": " + e.getMessage());
                last = e;
            }
        }
        throw new BackendUnavailableException(
                "backend " + product.backend()
                        + " reaches no engine; start one, or say where it listens with the setting " + product.backend()
                        + ".host or the environment variable " + product.hostVariable(),
                attempts,
                last);
    }

    @Override
    public synchronized void close() {
        closed = true;
        Engine known = engine;
        if (known != null) {
            known.close();
        }
    }
}
