package io.github.trainer4j.transfer.http;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How an {@link HttpClient} goes about it.
 *
 * @param connectTimeout how long the attempt to connect to one address may take
 * @param readTimeout how long the wait for the next byte may take
 * @param userAgent what it calls itself
 * @param environment where proxies may stand: {@code HTTPS_PROXY}, {@code http_proxy}, {@code ALL_PROXY} and
 *     {@code NO_PROXY}, unless the JVM's own proxy settings name one
 */
public record HttpSettings(
        Duration connectTimeout, Duration readTimeout, String userAgent, Map<String, String> environment) {
    /**
     * Copies and checks everything.
     *
     * @throws IllegalArgumentException if a timeout is not positive
     */
    public HttpSettings {
        if (connectTimeout.toMillis() <= 0 || readTimeout.toMillis() <= 0) {
            throw new IllegalArgumentException("a timeout must be at least a millisecond");
        }
        Objects.requireNonNull(userAgent, "userAgent");
        environment = Map.copyOf(environment);
    }

    /** Returns the usual: 10 s to connect, this long for each wait for a byte, proxies from this environment. */
    public static HttpSettings of(Duration readTimeout, Map<String, String> environment) {
        String version = Optional.ofNullable(HttpSettings.class.getPackage().getImplementationVersion())
                .map(number -> "/" + number)
                .orElse("");
        return new HttpSettings(Duration.ofSeconds(10), readTimeout, "trainer4j" + version, environment);
    }
}
