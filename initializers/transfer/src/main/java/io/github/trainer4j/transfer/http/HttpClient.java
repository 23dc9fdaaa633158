package io.github.trainer4j.transfer.http;

import io.github.trainer4j.api.InitializerException;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sends {@code GET} requests, over connections that are used again. HTTP/1.1, plain or TLS, through proxies, with
 * {@code Accept-Encoding: identity}. It repeats nothing, but for a connection that turns out to have died while it was
 * idle. Safe for several threads.
 */
public final class HttpClient implements Closeable {
    private static final int MOST_REDIRECTS = 10;
    private static final long LONGEST_IDLE = TimeUnit.SECONDS.toNanos(30);

    private final HttpSettings settings;
    private final Supplier<SSLSocketFactory> tls;
    private final Routes routes;
    private final Map<Origin, Deque<Connection>> idle = new HashMap<>();
    private final Set<Connection> all = new HashSet<>();
    private boolean closed;

    /** Makes a client. It connects when it has to. */
    public HttpClient(HttpSettings settings) {
        // Not before it is needed: it reads the trust store, which takes its time.
        this(settings, () -> (SSLSocketFactory) SSLSocketFactory.getDefault());
    }

    /** Makes a client that trusts whom this factory trusts. */
    HttpClient(HttpSettings settings, Supplier<SSLSocketFactory> tls) {
        this.settings = settings;
        this.tls = tls;
        this.routes = new Routes(settings.environment());
    }

    /**
     * Sends a request and follows redirects: at most ten, never from https to http, and without the request's
     * authorization from the first one on that leads to another origin.
     *
     * @return the first answer that is no redirect, with what it was redirected by
     * @throws InitializerException if a redirect is one that must not be followed
     * @throws IOException if a connection fails
     */
    public HttpResponse follow(HttpRequest request) throws IOException {
        List<HttpResponse.Redirect> redirects = new ArrayList<>();
        HttpRequest next = request;
        while (true) {
            HttpResponse response = send(next, redirects);
            if (!response.isRedirect()) {
                return response;
            }
            response.close();
            URI location = response.redirectsTo();
            String from = Origin.withoutQuery(next.uri());
            if (Origin.of(next.uri()).secure() && !Origin.of(location).secure()) {
                throw new InitializerException(
                        from + " redirects from https to http, which is not followed; check the endpoint",
                        "UnsafeRedirect",
                        null);
            }
            redirects.add(response.asRedirect());
            if (redirects.size() > MOST_REDIRECTS) {
                throw new InitializerException(
                        from + " redirects more than " + MOST_REDIRECTS + " times; check the endpoint",
                        "UnsafeRedirect",
                        null);
            }
            next = next.to(location);
        }
    }

    /**
     * Sends a request and returns its answer, also when it is a redirect.
     *
     * @throws IOException if the connection fails
     */
    public HttpResponse send(HttpRequest request) throws IOException {
        return send(request, List.of());
    }

    private HttpResponse send(HttpRequest request, List<HttpResponse.Redirect> redirects) throws IOException {
        Origin origin = Origin.of(request.uri());
        while (true) {
            Connection used = takeIdle(origin);
            Connection connection = used == null ? connect(origin) : used;
            try {
                Head head = connection.exchange(request, settings);
                return new HttpResponse(request.uri(), head, Body.of(head, connection), redirects);
            } catch (IOException | RuntimeException e) {
                boolean died = used != null
                        && !(e instanceof SocketTimeoutException)
                        && !connection.wire().sawBytes();
                connection.abort();
                if (!died || isClosed()) {
                    throw e;
                }
            }
        }
    }

    private Connection connect(Origin origin) throws IOException {
        Connection connection = new Connection(origin, this);
        synchronized (this) {
            if (closed) {
                throw new IOException("the client is closed");
            }
            all.add(connection);
        }
        try {
            connection.open(routes.to(origin), settings, tls);
            return connection;
        } catch (IOException | RuntimeException e) {
            connection.abort();
            throw e;
        }
    }

    private synchronized @Nullable Connection takeIdle(Origin origin) {
        Deque<Connection> connections = idle.get(origin);
        while (connections != null && !connections.isEmpty()) {
            Connection connection = connections.pop();
            if (!connection.isIdleFor(LONGEST_IDLE)) {
                return connection;
            }
            connection.abort();
        }
        return null;
    }

    void giveBack(Connection connection) {
        boolean keep;
        synchronized (this) {
            keep = !closed && all.contains(connection);
            if (keep) {
                idle.computeIfAbsent(connection.origin(), origin -> new ArrayDeque<>())
                        .push(connection);
            }
        }
        if (!keep) {
            connection.abort();
        }
    }

    synchronized void forget(Connection connection) {
        all.remove(connection);
        Deque<Connection> connections = idle.get(connection.origin());
        if (connections != null) {
            connections.remove(connection);
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Ends all connections at once, also those that other threads wait for. They get an {@link IOException}. */
    @Override
    public void close() {
        List<Connection> open;
        synchronized (this) {
            closed = true;
            open = new ArrayList<>(all);
        }
        open.forEach(Connection::abort);
    }
}
