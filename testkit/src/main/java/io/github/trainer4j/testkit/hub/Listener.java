package io.github.trainer4j.testkit.hub;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Accepts connections on a free loopback port; each has a thread of its own. */
final class Listener {

    private static final int BACKLOG = 256;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ServerSocket server;
    private final Origin origin;
    private final FakeHub hub;
    private final Holds holds;
    private final Thread acceptor;
    private final Map<Socket, Thread> connections = new HashMap<>();
    private boolean closed;

    Listener(Origin origin, FakeHub hub, Holds holds) {
        this.origin = origin;
        this.hub = hub;
        this.holds = holds;
        try {
            server = new ServerSocket(0, BACKLOG, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        } catch (IOException e) {
            throw new UncheckedIOException("No free port on 127.0.0.1 for a fake Hub", e);
        }
        acceptor = daemon(this::accept, "accept");
    }

    void start() {
        acceptor.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    private Thread daemon(Runnable task, String role) {
        Thread thread = new Thread(task, "fake-hub-" + server.getLocalPort() + "-" + role);
        thread.setDaemon(true);
        return thread;
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                Connection connection = new Connection(socket, origin, hub, holds);
                Thread thread = daemon(() -> handle(socket, connection), "connection-" + socket.getPort());
                if (!register(socket, thread)) {
                    socket.close();
                }
            }
        } catch (IOException e) {
            // The server socket was closed, which is how a hub ends.
        }
    }

    private synchronized boolean register(Socket socket, Thread thread) {
        if (closed) {
            return false;
        }
        connections.put(socket, thread);
        thread.start();
        return true;
    }

    private void handle(Socket socket, Connection connection) {
        try {
            connection.run();
        } finally {
            synchronized (this) {
                connections.remove(socket);
            }
        }
    }

    synchronized int connections() {
        return connections.size();
    }

    /** Closes every socket and waits for every thread; the holds must have been closed before. */
    void close() {
        Map<Socket, Thread> open;
        synchronized (this) {
            closed = true;
            open = Map.copyOf(connections);
        }
        try {
            server.close();
            for (Socket socket : open.keySet()) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<Thread> threads = new ArrayList<>(open.values());
        threads.add(acceptor);
        // A fault may close the hub from a thread of the hub, which must not wait for itself.
        threads.remove(Thread.currentThread());
        threads.forEach(Thread::interrupt);
        join(threads);
    }

    private static void join(List<Thread> threads) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive() && System.nanoTime() < end) {
                try {
                    TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, end - System.nanoTime()));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (thread.isAlive()) {
                throw new IllegalStateException(thread.getName() + " did not end within " + PATIENCE.toSeconds()
                        + " s; does a task given to Fault.running block?");
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
