package io.github.trainer4j.container;

import io.github.trainer4j.api.spi.Settings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What can be configured about the way to the engine.
 *
 * @param host the engine's address
 * @param tlsVerify whether TLS is spoken to a {@code tcp} address, which includes that the engine's certificate is verified
 * @param certificates the directory with {@code ca.pem}, {@code cert.pem} and {@code key.pem}
 */
record EngineSettings(Optional<String> host, Optional<Boolean> tlsVerify, Optional<Path> certificates) {
    static final EngineSettings NONE = new EngineSettings(Optional.empty(), Optional.empty(), Optional.empty());

    static EngineSettings read(Settings settings, Path home) {
        Optional<Boolean> tls = settings.text("tls-verify").map(text -> settings.flag("tls-verify", true));
        Optional<Path> certificates = settings.path("cert-path", home);
        if (certificates.isPresent() && tls.isPresent() && !tls.get()) {
            settings.problem("cert-path", "tls-verify is false, so that no certificate is used; leave one of them out");
        }
        Optional<String> host = settings.text("host");
        if (host.isPresent() && host.get().strip().startsWith("unix:")) {
            if (certificates.isPresent()) {
                settings.problem("cert-path", "host is a Unix socket, which has no TLS; leave cert-path out");
            } else if (tls.orElse(false)) {
                settings.problem("tls-verify", "host is a Unix socket, which has no TLS; leave tls-verify out");
            }
        }
        return new EngineSettings(host, tls, certificates);
    }
}
