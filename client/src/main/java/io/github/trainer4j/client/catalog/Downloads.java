package io.github.trainer4j.client.catalog;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.TrainerException;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets texts from web servers and keeps them. A copy is used as it is for a while; then the server is asked whether it has
 * a newer one; when it cannot be reached the copy goes on to serve. Safe for several threads, which wait for one another,
 * so that nothing is downloaded twice.
 */
final class Downloads {
    private static final Logger LOG = LoggerFactory.getLogger(Downloads.class);
    /** How long a server that failed is left alone while there is a copy: each failure may take the whole timeout. */
    private static final Duration PAUSE = Duration.ofMinutes(1);

    private final DownloadCache cache;
    private final Duration timeToLive;
    private final Duration timeout;
    private final Clock clock;
    private final Map<URI, Instant> failures = new HashMap<>();

    Downloads(DownloadCache cache, Duration timeToLive, Duration timeout, Clock clock) {
        this.cache = cache;
        this.timeToLive = timeToLive;
        this.timeout = timeout;
        this.clock = clock;
    }

    /**
     * Returns what a reader makes of the text at an address. Only a text that the reader takes is kept.
     *
     * @param reader makes something of the text, or throws a {@link TrainerException} that tells what is wrong with it
     * @throws ConfigurationException if there is no such text, or it is not given to us
     * @throws TrainerException if the server cannot be reached, and there is no copy; or what the reader throws
     */
    synchronized <T> T get(URI address, Function<String, T> reader) {
        Instant now = clock.instant();
        Optional<Copy<T>> copy = copy(address, reader);
        if (copy.isPresent()
                && (isWithin(copy.get().entry().checked(), timeToLive, now)
                        || isWithin(failures.getOrDefault(address, Instant.MIN), PAUSE, now))) {
            return copy.get().value();
        }
        HttpAnswer answer;
        try {
            answer = HttpAnswer.get(address, copy.flatMap(c -> c.entry().etag()).orElse(null), timeout);
        } catch (IOException e) {
            return stale(address, copy, e.toString(), e);
        }
        if (answer.status() == 304 && copy.isPresent()) {
            keep(address, copy.get().entry().text(), copy.get().entry().etag(), now);
            return copy.get().value();
        }
        if (answer.status() == 200) {
            T value = reader.apply(answer.text());
            keep(address, answer.text(), answer.etag(), now);
            return value;
        }
        if (answer.status() >= 500 || answer.status() == 408 || answer.limited()) {
            return stale(address, copy, "it answered with status " + answer.status(), null);
        }
        throw new ConfigurationException(List.of("runtimes.sources: " + shown(address) + " answered with status "
                + answer.status() + "; check the address"));
    }

    private record Copy<T>(DownloadCache.Entry entry, T value) {}

    /** A copy that its reader does not take is damaged. */
    private <T> Optional<Copy<T>> copy(URI address, Function<String, T> reader) {
        return cache.get(address).flatMap(entry -> {
            try {
                return Optional.of(new Copy<>(entry, reader.apply(entry.text())));
            } catch (TrainerException e) {
                LOG.warn("the copy of {} is damaged and is got again: {}", shown(address), e.getMessage());
                return Optional.empty();
            }
        });
    }

    /** Returns an address for people: what may hold a token is left out. */
    static String shown(URI address) {
        String text = address.toString();
        int end = text.indexOf('?');
        return end < 0 ? text : text.substring(0, end);
    }

    private void keep(URI address, String text, Optional<String> etag, Instant now) {
        failures.remove(address);
        cache.put(address, new DownloadCache.Entry(text, etag, now));
    }

    private <T> T stale(URI address, Optional<Copy<T>> copy, String failure, @Nullable IOException cause) {
        if (copy.isEmpty()) {
            throw new TrainerException(
                    "the runtimes at " + shown(address) + " cannot be got: " + failure
                            + "; check the network, take the source out of runtimes.sources, or write optional: before it",
                    cause,
                    null,
                    null,
                    "RuntimeSourceUnavailable");
        }
        failures.put(address, clock.instant());
        LOG.warn(
                "the runtimes at {} cannot be got ({}); those of {} are used",
                shown(address),
                failure,
                copy.get().entry().checked());
        return copy.get().value();
    }

    /** A time to come is not within: a clock that was set back must not make a copy live for years. */
    private static boolean isWithin(Instant start, Duration duration, Instant now) {
        return !now.isBefore(start) && Duration.between(start, now).compareTo(duration) < 0;
    }
}
