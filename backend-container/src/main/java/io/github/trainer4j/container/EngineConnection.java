package io.github.trainer4j.container;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.transport.DockerHttpClient;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.container.EngineException.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The way to one engine. Calls run on threads of their own, so that whoever called can give up on an engine that hangs: its
 * connection is closed then, which ends the thread, too.
 */
final class EngineConnection implements AutoCloseable {
    private final EngineAddress address;
    private final Duration callLimit;
    private final RegistryCredentials credentials;
    private final DockerClient client;
    private final DockerHttpClient http;
    private final ExecutorService workers;

    EngineConnection(EngineAddress address, Duration callLimit, String threadPrefix) {
        this(address, callLimit, threadPrefix, RegistryCredentials.NONE);
    }

    EngineConnection(EngineAddress address, Duration callLimit, String threadPrefix, RegistryCredentials credentials) {
        this.address = address;
        this.callLimit = callLimit;
        this.credentials = credentials;
        Optional<SSLContext> tls = address.certificates().map(directory -> new TlsFiles(directory).context());
        this.http = new EngineHttp(address, tls);
        this.client = DockerClientImpl.getInstance(new LibrarySettings(address.uri()), http);
        AtomicInteger count = new AtomicInteger();
        this.workers = Executors.newCachedThreadPool(body -> {
            Thread thread = new Thread(body, threadPrefix + "call-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    RegistryCredentials credentials() {
        return credentials;
    }

    EngineAddress address() {
        return address;
    }

    DockerClient client() {
        return client;
    }

    /** Does a call, within the usual limit. An interrupt ends it at once. */
    <T extends @Nullable Object> T call(String what, Callable<T> body) {
        return call(what, callLimit, body);
    }

    /** Does a call, within a limit. An interrupt ends it at once. */
    <T extends @Nullable Object> T call(String what, Duration limit, Callable<T> body) {
        Pending<T> pending = submit(what, body);
        try {
            return await(what, limit, pending);
        } catch (InterruptedException e) {
            pending.giveUp();
            Thread.currentThread().interrupt();
            throw new EngineException(Kind.INTERRUPTED, "interrupted while the engine was asked to " + what, e);
        }
    }

    /**
     * Does a call that makes something. An interrupt does not end it: the engine would go on, and nobody would know of
     * what it made. The interrupt is kept for the caller to see.
     */
    <T> T complete(String what, Callable<T> body) {
        Pending<T> pending = submit(what, body);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return await(what, callLimit, pending);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** A call that a thread is doing. */
    private final class Pending<T extends @Nullable Object> {
        private final List<Closeable> connections = new ArrayList<>();
        private final Future<T> future;
        private boolean givenUp;

        Pending(Callable<T> body) {
            this.future = workers.submit(() -> {
                EngineHttp.watch(this::opened);
                try {
                    return body.call();
                } finally {
                    EngineHttp.watch(null);
                }
            });
        }

        private synchronized void opened(Closeable connection) {
            connections.add(connection);
            if (givenUp) {
                close(connection);
            }
        }

        synchronized void giveUp() {
            givenUp = true;
            future.cancel(true);
            connections.forEach(EngineConnection::close);
        }
    }

    private static void close(Closeable connection) {
        try {
            connection.close();
        } catch (IOException e) {
            // It is being thrown away.
            return;
        }
    }

    private <T extends @Nullable Object> Pending<T> submit(String what, Callable<T> body) {
        try {
            return new Pending<>(body);
        } catch (RejectedExecutionException e) {
            throw new EngineException(Kind.LOST, "the backend is closed and can " + what + " no more", e);
        }
    }

    private <T extends @Nullable Object> T await(String what, Duration limit, Pending<T> pending)
            throws InterruptedException {
        try {
            return pending.future.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            pending.giveUp();
            throw new EngineException(
                    Kind.TIMEOUT,
                    "the engine at " + address + " did not " + what + " within " + limit.toSeconds()
                            + " s; it may hang: look at its log, or restart it",
                    e);
        } catch (ExecutionException e) {
            throw translate(what, e.getCause() == null ? e : e.getCause());
        }
    }

    /** Asks for a sign of life, and returns who gave it, if that is told. An interrupt ends it at once. */
    Optional<EngineVersion> ping(Duration limit) {
        return call("answer a ping", limit, () -> {
            try (DockerHttpClient.Response response = stream("answer a ping", "GET", "/_ping")) {
                return EngineVersion.of(response.getHeaders());
            }
        });
    }

    /**
     * Asks for something that streams. The response is the caller's to close, which ends the stream from any thread. Blocks
     * until the engine sends the head of its answer.
     */
    DockerHttpClient.Response stream(String what, String method, String path) {
        return stream(what, method, path, Map.of());
    }

    /** Asks for something that streams, with further headers. */
    DockerHttpClient.Response stream(String what, String method, String path, Map<String, String> headers) {
        DockerHttpClient.Response response;
        try {
            response = http.execute(DockerHttpClient.Request.builder()
                    .method(method)
                    .path(path)
                    .putAllHeaders(headers)
                    .build());
        } catch (RuntimeException e) {
            throw translate(what, e);
        }
        if (response.getStatusCode() / 100 != 2) {
            try (response) {
                throw refused(what, response.getStatusCode(), body(response));
            }
        }
        return response;
    }

    /** Gets a JSON object. */
    Map<String, @Nullable Object> get(String what, String path) {
        try (DockerHttpClient.Response response = stream(what, "GET", path)) {
            return Json.parseObject(new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException | RuntimeException e) {
            throw translate(what, e);
        }
    }

    /** Puts a tar archive, of whatever length, somewhere. */
    void put(String what, String path, InputStream tar) {
        DockerHttpClient.Request request = DockerHttpClient.Request.builder()
                .method("PUT")
                .path(path)
                .putAllHeaders(Map.of("Content-Type", "application/x-tar"))
                .body(tar)
                .build();
        try (DockerHttpClient.Response response = http.execute(request)) {
            if (response.getStatusCode() / 100 != 2) {
                throw refused(what, response.getStatusCode(), body(response));
            }
        } catch (RuntimeException e) {
            throw translate(what, e);
        }
    }

    /** Posts a JSON object and returns the one that the engine answers. */
    Map<String, @Nullable Object> post(String what, String path, Map<String, ?> json) {
        DockerHttpClient.Request request = DockerHttpClient.Request.builder()
                .method("POST")
                .path(path)
                .putAllHeaders(Map.of("Content-Type", "application/json"))
                .bodyBytes(Json.write(json).getBytes(StandardCharsets.UTF_8))
                .build();
        try (DockerHttpClient.Response response = http.execute(request)) {
            if (response.getStatusCode() / 100 != 2) {
                throw refused(what, response.getStatusCode(), body(response));
            }
            return Json.parseObject(new String(response.getBody().readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException | RuntimeException e) {
            throw translate(what, e);
        }
    }

    private static String body(DockerHttpClient.Response response) {
        try {
            return new String(response.getBody().readNBytes(1 << 16), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private EngineException refused(String what, int status, String body) {
        String message = message(body);
        Kind kind = Dialect.isConflict(status, message)
                ? Kind.CONFLICT
                : status == 404 ? Kind.NOT_FOUND : status / 100 == 4 ? Kind.REFUSED : Kind.FAILED;
        return new EngineException(kind, "the engine could not " + what + ": " + message, null);
    }

    /** Returns what an engine's error says, without the JSON around it. */
    static String message(String body) {
        int start = body.indexOf('{');
        if (start >= 0) {
            try {
                Map<String, @Nullable Object> json =
                        Json.parseObject(body.substring(start).strip());
                Object cause = json.get("cause");
                if (json.get("message") instanceof String message) {
                    return cause instanceof String text && !message.contains(text)
                            ? message.strip() + ": " + text.strip()
                            : message.strip();
                }
            } catch (Json.MalformedJsonException e) {
                return body.strip();
            }
        }
        return body.strip();
    }

    EngineException translate(String what, Throwable e) {
        if (e instanceof EngineException known) {
            return known;
        }
        if (e instanceof DockerException docker) {
            return refused(what, docker.getHttpStatus(), String.valueOf(docker.getMessage()));
        }
        if (e instanceof Error error) {
            throw error;
        }
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException || cause instanceof UncheckedIOException) {
                return new EngineException(
                        Kind.LOST,
                        "contact to the engine at " + address + " was lost, asking it to " + what + ": "
                                + cause.getMessage(),
                        e);
            }
        }
        if (e instanceof IllegalStateException) {
            return new EngineException(
                    Kind.LOST, "the connection to the engine at " + address + " is closed; it cannot " + what, e);
        }
        return new EngineException(Kind.FAILED, "the engine could not " + what + ": " + e, e);
    }

    @Override
    public void close() {
        workers.shutdownNow();
        try {
            client.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
