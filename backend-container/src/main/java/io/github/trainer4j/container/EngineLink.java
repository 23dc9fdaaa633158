package io.github.trainer4j.container;

import io.github.trainer4j.api.BackendUnavailableException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way to the engine: found when it is first needed, and again after a failure to find it. Safe for several threads. */
final class EngineLink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EngineLink.class);
    /** For an engine that somebody named, which may be slow. */
    private static final Duration PATIENT = Duration.ofSeconds(20);
    /** For a socket that happens to be there: the next one is to be tried soon if its engine hangs. */
    private static final Duration SHORT = Duration.ofSeconds(5);

    private final Product product;
    private final Supplier<List<EngineCandidate>> search;
    private final RegistryCredentials credentials;
    private final Duration callLimit;
    private final String threadPrefix;
    private volatile @Nullable Engine engine;
    private boolean closed;

    EngineLink(
            Product product,
            Supplier<List<EngineCandidate>> search,
            RegistryCredentials credentials,
            Duration callLimit,
            String threadPrefix) {
        this.product = product;
        this.search = search;
        this.credentials = credentials;
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
        List<EngineCandidate> candidates = search.get();
        List<String> attempts = new ArrayList<>();
        RuntimeException last = null;
        boolean chosen = false;
        for (EngineCandidate candidate : candidates) {
            if (candidate instanceof EngineCandidate.Listed listed) {
                chosen = listed.chosen();
                Optional<String> objection = objection(listed.address());
                if (objection.isPresent()) {
                    attempts.add(listed.address() + ": " + objection.get());
                    continue;
                }
                try {
                    Engine found = open(listed);
                    LOG.info("backend {}: {} at {}", product.backend(), found.version(), listed.address());
                    engine = found;
                    return found;
                } catch (EngineException e) {
                    if (e.kind() == EngineException.Kind.INTERRUPTED) {
                        throw e;
                    }
                    attempts.add(listed.address() + ": " + explained(listed.address(), e));
                    last = e;
                }
            } else if (candidate instanceof EngineCandidate.Unusable unusable) {
                attempts.add(unusable.source() + ": " + unusable.obstacle());
            }
        }
        throw new BackendUnavailableException(
                "backend " + product.backend()
                        + " reaches no engine; start one, or say where it listens with the setting " + product.backend()
                        + ".host or the environment variable " + product.hostVariable()
                        + (chosen ? " (where one is named, no other is looked for)" : ""),
                attempts,
                last);
    }

    private static Optional<String> objection(EngineAddress address) {
        return address.isLocal() ? SocketFile.objection(Path.of(address.uri().getPath())) : Optional.empty();
    }

    private Engine open(EngineCandidate.Listed listed) {
        EngineConnection connection = new EngineConnection(listed.address(), callLimit, threadPrefix, credentials);
        return Engine.open(connection, listed.chosen() ? PATIENT : SHORT);
    }

    private static String explained(EngineAddress address, EngineException e) {
        String message = String.valueOf(e.getMessage());
        if (address.certificates().isPresent()) {
            return new TlsFiles(address.certificates().get())
                    .advice(e)
                    .map(advice -> message + "; " + advice)
                    .orElse(message);
        }
        return address.isLocal() || e.kind() == EngineException.Kind.TIMEOUT
                ? message
                : message
                        + " (without TLS; if the engine wants it, set tls-verify to true and cert-path to the directory"
                        + " with ca.pem, cert.pem and key.pem)";
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
