package io.github.trainer4j.container;

import com.github.dockerjava.transport.DockerHttpClient;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.container.EngineException.Kind;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an engine answers bit by bit: logs, events, the end of a container. It is read as it comes on the wire, because the
 * library's own reader joins and cuts the pieces, and with them the time that stands in front of each.
 */
final class EngineStreams {
    private static final Duration PULL_LIMIT = Duration.ofHours(12);
    /** How long one wait may last: what lies between may drop a connection that is idle, and tell nobody. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    private final EngineConnection connection;

    EngineStreams(EngineConnection connection) {
        this.connection = connection;
    }

    /**
     * Which pieces of a log are wanted.
     *
     * @param follow whether to go on until the container ends
     * @param since only pieces written at this time or later
     * @param tail only so many last pieces
     */
    record LogRange(boolean follow, Optional<Instant> since, OptionalInt tail) {
        static final LogRange ALL = new LogRange(false, Optional.empty(), OptionalInt.empty());
    }

    /** Opens a container's log, with the time in front of each piece. Blocks until the engine answers. */
    LogFrames logs(String id, LogRange range) {
        StringBuilder path =
                new StringBuilder("/containers/").append(id).append("/logs?stdout=1&stderr=1&timestamps=1");
        if (range.follow()) {
            path.append("&follow=1");
        }
        range.since()
                .ifPresent(since -> path.append("&since=")
                        .append(since.getEpochSecond())
                        .append('.')
                        .append(String.format("%09d", since.getNano())));
        range.tail().ifPresent(tail -> path.append("&tail=").append(tail));
        String what = "read the log of the container " + id;
        DockerHttpClient.Response response =
                connection.call(what, () -> connection.stream(what, "GET", path.toString()));
        return new LogFrames(new BufferedInputStream(response.getBody(), 1 << 16), response, what, connection);
    }

    /**
     * Waits until a container has ended, however often the connection is cut meanwhile, and returns what is known of it
     * then; empty if it is gone.
     *
     * @param limit how long at most
     * @throws EngineException of kind TIMEOUT when that is over, of kind LOST when the engine stays away
     */
    Optional<ContainerFacts> awaitEnd(Engine engine, String id, Duration limit) {
        long end = System.nanoTime() + nanos(limit);
        Patience patience = new Patience();
        while (true) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new EngineException(
                        Kind.TIMEOUT, "the container " + id + " did not end within " + limit.toMillis() + " ms", null);
            }
            try {
                Optional<ContainerFacts> facts = engine.inspect(id);
                patience.reset();
                if (facts.isEmpty() || facts.get().state() == ContainerFacts.State.EXITED) {
                    return facts;
                }
                long once = Math.min(left, LONGEST_WAIT.toNanos());
                connection.call("wait for the container " + id, Duration.ofNanos(once), () -> awaitOnce(id));
            } catch (EngineException e) {
                if (e.kind() == Kind.INTERRUPTED || !patience.lasts(e)) {
                    throw e;
                }
            }
        }
    }

    private boolean awaitOnce(String id) throws IOException {
        // Without a condition: some versions of podman refuse each one.
        try (DockerHttpClient.Response response =
                connection.stream("wait for the container " + id, "POST", "/containers/" + id + "/wait")) {
            response.getBody().readAllBytes();
            return true;
        }
    }

    /** Opens the stream of what happens to containers with a label, from some time on. */
    Events events(String label, Instant since) {
        String filters = URLEncoder.encode(
                Json.write(Map.of("label", List.of(label), "type", List.of("container"))), StandardCharsets.UTF_8);
        String path = "/events?since=" + since.getEpochSecond() + "&filters=" + filters;
        DockerHttpClient.Response response = connection.stream("tell its events", "GET", path);
        return new Events(response);
    }

    /** The engine's events, one after the other. */
    static final class Events implements Closeable {
        private final DockerHttpClient.Response response;
        private final BufferedReader reader;

        Events(DockerHttpClient.Response response) {
            this.response = response;
            InputStream body = response.getBody();
            this.reader = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        }

        /** Returns the job that the next event is about; empty at the end of the stream. */
        Optional<String> next() throws IOException {
            String line = reader.readLine();
            if (line == null) {
                return Optional.empty();
            }
            Map<String, @Nullable Object> event;
            try {
                event = Json.parseObject(line);
            } catch (Json.MalformedJsonException e) {
                throw new IOException("an event of the engine is no JSON", e);
            }
            Object job = event.get("Actor") instanceof Map<?, ?> actor
                            && actor.get("Attributes") instanceof Map<?, ?> attributes
                    ? attributes.get(Labels.JOB)
                    : null;
            return Optional.of(job instanceof String name ? name : "");
        }

        @Override
        public void close() {
            response.close();
        }
    }

    /**
     * Pulls an image, with what this machine knows of its registry's users, and returns when it is there. An interrupt
     * ends the pull.
     *
     * @param progress is told how far it is
     * @throws EngineException if the image is not there in the end, with what the registry said
     */
    void pull(String image, Consumer<ImagePull.Progress> progress) {
        String what = "pull the image " + image;
        String path = "/images/create?fromImage=" + URLEncoder.encode(withTag(image), StandardCharsets.UTF_8);
        RegistryCredentials.Answer known = connection.credentials().find(image);
        Map<String, String> headers = known.login()
                .map(login -> Map.of("X-Registry-Auth", login.header()))
                .orElse(Map.of());
        try {
            pull(what, path, headers, progress);
        } catch (EngineException e) {
            if (e.kind() == Kind.INTERRUPTED || e.isLostContact()) {
                throw e;
            }
            throw new EngineException(
                    e.kind(), String.valueOf(e.getMessage()) + "; " + known.advice(connection.address()), e);
        }
    }

    private void pull(String what, String path, Map<String, String> headers, Consumer<ImagePull.Progress> progress) {
        connection.call(what, PULL_LIMIT, () -> {
            try (DockerHttpClient.Response response = connection.stream(what, "POST", path, headers);
                    BufferedReader reader =
                            new BufferedReader(new InputStreamReader(response.getBody(), StandardCharsets.UTF_8))) {
                ImagePull.read(reader, progress);
                return true;
            }
        });
    }

    /** Without a tag an engine would pull all there are. */
    static String withTag(String image) {
        int name = image.lastIndexOf('/') + 1;
        return image.indexOf('@') < 0 && image.indexOf(':', name) < 0 ? image + ":latest" : image;
    }

    private static long nanos(Duration duration) {
        try {
            return Math.min(duration.toNanos(), Long.MAX_VALUE / 4);
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE / 4;
        }
    }
}
