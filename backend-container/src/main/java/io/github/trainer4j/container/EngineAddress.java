package io.github.trainer4j.container;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where an engine may listen.
 *
 * @param uri a {@code unix} or {@code tcp} address
 * @param certificates the directory with {@code ca.pem}, {@code cert.pem} and {@code key.pem}, where TLS is spoken
 * @param source who said so, for people
 */
record EngineAddress(URI uri, Optional<Path> certificates, String source) {
    /** Whether the engine runs on this machine, so that it sees the same files. */
    boolean isLocal() {
        return uri.getScheme().equals("unix");
    }

    @Override
    public String toString() {
        return uri + " (" + source + ")";
    }
}
