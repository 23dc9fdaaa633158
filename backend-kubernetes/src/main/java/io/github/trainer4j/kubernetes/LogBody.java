package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What an API server answers, as it comes. No more is fetched than is read. A reading fails when nothing comes for long: a
 * connection that was dropped on the way looks like one on which nothing is said. Closing it from another thread ends a
 * waiting reading.
 */
final class LogBody extends InputStream {
    /** Stands in the queue for the end. */
    private static final List<ByteBuffer> END = List.of();

    private final Duration silence;
    private final BlockingQueue<List<ByteBuffer>> coming = new LinkedBlockingQueue<>();
    private final Deque<ByteBuffer> come = new ArrayDeque<>();
    private volatile @Nullable AsyncBody body;
    private volatile @Nullable Throwable failure;
    private volatile boolean closed;
    private boolean ended;

    LogBody(Duration silence) {
        this.silence = silence;
    }

    /** Takes what has come; more is asked for when it was read. */
    void take(List<ByteBuffer> buffers) {
        if (!buffers.isEmpty()) {
            coming.add(buffers);
        }
    }

    /** Begins to fetch. */
    void fetch(AsyncBody from) {
        body = from;
        if (closed) {
            from.cancel();
            return;
        }
        var unused = from.done().whenComplete((done, error) -> {
            failure = error;
            coming.add(END);
        });
        from.consume();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        while (come.isEmpty()) {
            if (ended) {
                return -1;
            }
            await();
        }
        ByteBuffer first = come.element();
        int count = Math.min(length, first.remaining());
        first.get(bytes, from, count);
        if (!first.hasRemaining()) {
            come.remove();
            AsyncBody more = body;
            if (come.isEmpty() && more != null) {
                more.consume();
            }
        }
        return count;
    }

    private void await() throws IOException {
        List<ByteBuffer> next;
        try {
            next = coming.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a log was read");
        }
        if (closed) {
            throw new IOException("closed");
        }
        if (next == null) {
            close();
            throw new SocketTimeoutException("nothing came for " + silence);
        }
        if (next.isEmpty()) {
            ended = true;
            if (failure != null) {
                throw new IOException(String.valueOf(failure.getMessage()), failure);
            }
            return;
        }
        next.stream().filter(ByteBuffer::hasRemaining).forEach(come::add);
        AsyncBody more = body;
        if (come.isEmpty() && more != null) {
            more.consume();
        }
    }

    @Override
    public void close() {
        closed = true;
        AsyncBody open = body;
        if (open != null) {
            open.cancel();
        }
        coming.add(END);
    }
}
