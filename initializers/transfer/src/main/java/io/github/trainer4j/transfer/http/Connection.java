package io.github.trainer4j.transfer.http;

import io.github.trainer4j.transfer.http.Routes.Route;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** A connection to an origin. One thread speaks over it; any thread may cut it off. */
final class Connection {
    private final Origin origin;
    private final HttpClient client;
    private Route route = Route.DIRECT;
    private volatile Socket raw = new Socket();
    private volatile boolean aborted;
    private @Nullable OutputStream out;
    private @Nullable Wire wire;
    private long idleSince;

    Connection(Origin origin, HttpClient client) {
        this.origin = origin;
        this.client = client;
    }

    Origin origin() {
        return origin;
    }

    /** Connects to the first address that answers, through a proxy where there is one, and shakes hands. */
    void open(Route route, HttpSettings settings, Supplier<SSLSocketFactory> tls) throws IOException {
        this.route = route;
        connect(settings);
        Socket socket = raw;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) settings.readTimeout().toMillis());
        if (origin.secure()) {
            if (route.isHttpProxy()) {
                tunnel(socket, settings);
            }
            // Closing the outer socket of the two may wait for the one who reads, so abort() closes the inner one.
            SSLSocket secured = (SSLSocket) tls.get().createSocket(socket, origin.host(), origin.port(), true);
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secured.setSSLParameters(parameters);
            secured.startHandshake();
            socket = secured;
        }
        out = socket.getOutputStream();
        wire = new Wire(socket.getInputStream());
    }

    private void connect(HttpSettings settings) throws IOException {
        int timeout = (int) settings.connectTimeout().toMillis();
        if (route.isSocksProxy()) {
            attempt(new Socket(new Proxy(Proxy.Type.SOCKS, route.address())))
                    .connect(InetSocketAddress.createUnresolved(origin.host(), origin.port()), timeout);
            return;
        }
        String host = route.isHttpProxy() ? route.host() : origin.host();
        int port = route.isHttpProxy() ? route.port() : origin.port();
        IOException last = new UnknownHostException(host);
        for (InetAddress address : addresses(host)) {
            Socket socket = attempt(new Socket(Proxy.NO_PROXY));
            try {
                socket.connect(new InetSocketAddress(address, port), timeout);
                return;
            } catch (IOException e) {
                socket.close();
                last = e;
            }
        }
        throw new IOException("cannot connect to " + host + ":" + port + ": " + last.getMessage(), last);
    }

    private static InetAddress[] addresses(String host) throws IOException {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new IOException("the host " + host + " is not known", e);
        }
    }

    /** Makes a socket the one that abort() closes. */
    private Socket attempt(Socket socket) throws IOException {
        raw = socket;
        if (aborted) {
            socket.close();
            throw new IOException("the connection was cut off");
        }
        return socket;
    }

    private void tunnel(Socket socket, HttpSettings settings) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append("CONNECT ").append(origin.authority(true)).append(" HTTP/1.1\r\nHost: ");
        text.append(origin.authority(true))
                .append("\r\nUser-Agent: ")
                .append(settings.userAgent())
                .append("\r\n");
        route.authorization()
                .ifPresent(secret -> text.append("Proxy-Authorization: ")
                        .append(secret.reveal())
                        .append("\r\n"));
        socket.getOutputStream().write(text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        Wire answer = new Wire(socket.getInputStream());
        Head head = Head.read(answer);
        if (head.status() != 200) {
            throw new IOException("the proxy " + route + " refuses to connect to " + origin + ": status "
                    + head.status() + (head.status() == 407 ? "; give its user and password in HTTPS_PROXY" : ""));
        }
    }

    /** Sends a request and reads the head of its answer. */
    Head exchange(HttpRequest request, HttpSettings settings) throws IOException {
        StringBuilder text = new StringBuilder("GET ");
        boolean plainProxy = route.isHttpProxy() && !origin.secure();
        text.append(plainProxy ? origin.toString() : "").append(target(request)).append(" HTTP/1.1\r\n");
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Host", origin.authority(false));
        headers.put("User-Agent", settings.userAgent());
        headers.put("Accept", "*/*");
        headers.put("Accept-Encoding", "identity");
        headers.putAll(request.headers());
        headers.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
        request.authorization()
                .ifPresent(secret ->
                        text.append("Authorization: ").append(secret.reveal()).append("\r\n"));
        if (plainProxy) {
            route.authorization()
                    .ifPresent(secret -> text.append("Proxy-Authorization: ")
                            .append(secret.reveal())
                            .append("\r\n"));
        }
        wire().startHead();
        OutputStream to = connected(out);
        to.write(text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        to.flush();
        return Head.read(wire());
    }

    private static String target(HttpRequest request) {
        String path = Optional.ofNullable(request.uri().getRawPath())
                .filter(some -> !some.isEmpty())
                .orElse("/");
        return path
                + Optional.ofNullable(request.uri().getRawQuery())
                        .map(query -> "?" + query)
                        .orElse("");
    }

    Wire wire() {
        return connected(wire);
    }

    private static <T> T connected(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not connected");
        }
        return part;
    }

    /** Leaves the connection to the next request. */
    void giveBack() {
        idleSince = System.nanoTime();
        client.giveBack(this);
    }

    boolean isIdleFor(long nanos) {
        return System.nanoTime() - idleSince > nanos;
    }

    /** Ends the connection at once. What another thread reads from it fails. */
    void abort() {
        aborted = true;
        client.forget(this);
        try {
            raw.close();
        } catch (IOException e) {
            // It is of no use any more either way.
        }
    }
}
