package io.github.trainer4j.container;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** One connection to an engine. Any thread may close it, which ends whatever another does with it. */
final class EngineSocket implements Closeable {
    private static final int CONNECT_MILLIS = 20_000;
    private static final int BUFFER = 1 << 16;

    private final EngineAddress address;
    private final Optional<SSLContext> tls;
    private final Consumer<EngineSocket> whenClosed;
    private @Nullable Closeable connection;
    private boolean closed;
    private @Nullable InputStream in;
    private @Nullable OutputStream out;

    EngineSocket(EngineAddress address, Optional<SSLContext> tls, Consumer<EngineSocket> whenClosed) {
        this.address = address;
        this.tls = tls;
        this.whenClosed = whenClosed;
    }

    void connect() throws IOException {
        if (address.isLocal()) {
            connectLocal(Path.of(address.uri().getPath()));
        } else {
            connectRemote(address.uri().getHost(), address.uri().getPort());
        }
    }

    private void connectLocal(Path path) throws IOException {
        SocketChannel channel = SocketChannel.open(java.net.StandardProtocolFamily.UNIX);
        own(channel);
        channel.connect(UnixDomainSocketAddress.of(path));
        in = new BufferedInputStream(Channels.newInputStream(channel), BUFFER);
        out = Channels.newOutputStream(channel);
    }

    private void connectRemote(String host, int port) throws IOException {
        InetSocketAddress target = new InetSocketAddress(host, port);
        if (target.isUnresolved()) {
            throw new UnknownHostException("nobody knows the host " + host);
        }
        Socket socket = new Socket();
        own(socket);
        socket.connect(target, CONNECT_MILLIS);
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        Socket spoken = socket;
        if (tls.isPresent()) {
            SSLSocket secured = (SSLSocket) tls.get().getSocketFactory().createSocket(socket, host, port, true);
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secured.setSSLParameters(parameters);
            secured.startHandshake();
            spoken = secured;
        }
        in = new BufferedInputStream(spoken.getInputStream(), BUFFER);
        out = spoken.getOutputStream();
    }

    /** Has the connection closed with this; at once, if this is closed already. */
    private synchronized void own(Closeable made) throws IOException {
        connection = made;
        if (closed) {
            made.close();
            throw new AsynchronousCloseException();
        }
    }

    InputStream in() {
        return connected(in);
    }

    OutputStream out() {
        return connected(out);
    }

    private static <T> T connected(@Nullable T stream) {
        if (stream == null) {
            throw new IllegalStateException("not connected");
        }
        return stream;
    }

    /** Closes the plain connection, not the TLS on it: saying farewell could wait for the very thread that is to be freed. */
    @Override
    public void close() {
        whenClosed.accept(this);
        synchronized (this) {
            closed = true;
            if (connection != null) {
                try {
                    connection.close();
                } catch (IOException e) {
                    // What is thrown away need not end well.
                    return;
                }
            }
        }
    }
}
