package io.github.trainer4j.transfer;

import io.github.trainer4j.transfer.Retries.StalledException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The answers that are being read, and the watch over them. Safe for several threads. */
final class Flows {
    private static final long CUTTING_MILLIS = 500;

    private final Duration stallTimeout;
    private final Set<Flow> open = ConcurrentHashMap.newKeySet();

    Flows(Duration stallTimeout) {
        this.stallTimeout = stallTimeout;
    }

    /** An answer that one thread reads. */
    final class Flow implements AutoCloseable {
        private final RemoteBody body;
        private volatile long lastByte = System.nanoTime();
        private volatile boolean stalled;

        private Flow(RemoteBody body) {
            this.body = body;
        }

        /**
         * Reads some bytes.
         *
         * @throws StalledException if there were none for too long
         */
        int read(byte[] buffer, int most) throws IOException {
            int length;
            try {
                length = body.stream().read(buffer, 0, most);
            } catch (IOException e) {
                if (stalled) {
                    StalledException stall = new StalledException(stallTimeout);
                    stall.initCause(e);
                    throw stall;
                }
                throw e;
            }
            if (length < 0 && stalled) {
                throw new StalledException(stallTimeout);
            }
            lastByte = System.nanoTime();
            return length;
        }

        @Override
        public void close() {
            open.remove(this);
        }
    }

    Flow watch(RemoteBody body) {
        Flow flow = new Flow(body);
        open.add(flow);
        return flow;
    }

    /** Cuts off every answer that had no byte for too long. */
    void cutStalled() {
        long now = System.nanoTime();
        for (Flow flow : open) {
            if (now - flow.lastByte > stallTimeout.toNanos() && !flow.stalled) {
                flow.stalled = true;
                cut(flow);
            }
        }
    }

    /** Cuts off every answer. */
    void cutAll() {
        List<Thread> cutting = open.stream().map(Flows::cut).toList();
        Crew.join(cutting, CUTTING_MILLIS);
    }

    /** On a thread of its own: not every source's way to abort keeps the promise not to block. */
    private static Thread cut(Flow flow) {
        Thread thread = new Thread(flow.body::abort, "trainer4j-transfer-abort");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
