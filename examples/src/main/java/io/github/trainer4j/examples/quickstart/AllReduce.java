package io.github.trainer4j.examples.quickstart;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sums vectors over all nodes: each sends its own to node 0 and gets the sum back. Nodes find one another by the variables
 * that a cluster gives every training process.
 */
final class AllReduce implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final int rank;
    private final List<Socket> peers;

    private AllReduce(int rank, List<Socket> peers) {
        this.rank = rank;
        this.peers = peers;
    }

    static AllReduce connect(int rank, int nodes, String masterAddress, int masterPort)
            throws IOException, InterruptedException {
        List<Socket> peers = new ArrayList<>();
        if (rank == 0) {
            try (ServerSocket server = new ServerSocket()) {
                server.setReuseAddress(true);
                server.bind(new InetSocketAddress(InetAddress.getByName(masterAddress), masterPort));
                server.setSoTimeout(Math.toIntExact(PATIENCE.toMillis()));
                while (peers.size() < nodes - 1) {
                    peers.add(server.accept());
                }
            }
        } else {
            peers.add(dial(masterAddress, masterPort));
        }
        return new AllReduce(rank, peers);
    }

    /** Node 0 may start later than the others, so they try until it listens. */
    private static Socket dial(String address, int port) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return new Socket(address, port);
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw new IOException("node 0 did not answer at " + address + ":" + port, e);
                }
                Thread.sleep(50);
            }
        }
    }

    /** Replaces the vector's values by their sums over all nodes. */
    void sum(float[] vector) throws IOException {
        if (rank > 0) {
            send(peers.get(0), vector);
            System.arraycopy(receive(peers.get(0), vector.length), 0, vector, 0, vector.length);
            return;
        }
        for (Socket peer : peers) {
            float[] other = receive(peer, vector.length);
            for (int i = 0; i < vector.length; i++) {
                vector[i] += other[i];
            }
        }
        for (Socket peer : peers) {
            send(peer, vector);
        }
    }

    private static void send(Socket peer, float[] vector) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(vector.length * Float.BYTES);
        bytes.asFloatBuffer().put(vector);
        peer.getOutputStream().write(bytes.array());
    }

    private static float[] receive(Socket peer, int length) throws IOException {
        byte[] bytes = new byte[length * Float.BYTES];
        new DataInputStream(peer.getInputStream()).readFully(bytes);
        float[] vector = new float[length];
        ByteBuffer.wrap(bytes).asFloatBuffer().get(vector);
        return vector;
    }

    @Override
    public void close() throws IOException {
        for (Socket peer : peers) {
            peer.close();
        }
    }
}
