package io.github.trainer4j.transfer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A source in memory that does what a test says: honest at first, with faults for the next requests. */
final class MemorySource implements Source {
    final List<Request> requests = Collections.synchronizedList(new ArrayList<>());
    final AtomicInteger listings = new AtomicInteger();
    final AtomicInteger openNow = new AtomicInteger();
    final AtomicInteger mostOpen = new AtomicInteger();
    volatile String identity = "memory://source";
    volatile String revision = "r1";
    volatile boolean aborted;

    private final Map<String, Entry> files = new LinkedHashMap<>();
    private final List<Fault> faults = new CopyOnWriteArrayList<>();

    record Request(String path, long from, long end, long nanoTime) {}

    private static final class Entry {
        final RemoteFile file;
        final byte[] bytes;

        Entry(RemoteFile file, byte[] bytes) {
            this.file = file;
            this.bytes = bytes;
        }

        RemoteFile file() {
            return file;
        }
    }

    /** Answers a request in its own way, or returns null to leave it to others. */
    @FunctionalInterface
    interface Fault {
        RemoteBody answer(MemorySource source, RemoteFile file, long from, long end)
                throws IOException, InterruptedException;
    }

    MemorySource file(String path, byte[] bytes) {
        return put(path, bytes, Optional.of(sha256(bytes)), Optional.empty());
    }

    MemorySource file(String path, String text) {
        return file(path, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A file that no digest is known of, as in most buckets. */
    MemorySource versioned(String path, String text, String version) {
        return put(path, text.getBytes(StandardCharsets.UTF_8), Optional.empty(), Optional.of(version));
    }

    MemorySource put(String path, byte[] bytes, Optional<Digest> digest, Optional<String> version) {
        synchronized (files) {
            files.put(path, new Entry(new RemoteFile(path, "key:" + path, bytes.length, digest, version), bytes));
        }
        return this;
    }

    MemorySource remove(String path) {
        synchronized (files) {
            files.remove(path);
        }
        return this;
    }

    /** Lets a fault answer all requests from now on. */
    MemorySource always(Fault fault) {
        faults.add(fault);
        return this;
    }

    /** Lets a fault answer so many requests. */
    MemorySource times(int times, Fault fault) {
        AtomicInteger left = new AtomicInteger(times);
        return always((source, file, from, end) ->
                left.getAndUpdate(n -> Math.max(0, n - 1)) > 0 ? fault.answer(source, file, from, end) : null);
    }

    static Fault failing(java.util.function.Supplier<? extends IOException> failure) {
        return (source, file, from, end) -> {
            throw failure.get();
        };
    }

    /** Ends each answer after so many bytes. */
    static Fault cutAfter(int bytes) {
        return (source, file, from, end) ->
                source.body(file, from, Math.min(end, from + bytes), from, OptionalLong.of(file.size()));
    }

    /** Sends the whole file whatever the range. */
    static Fault ignoringRanges() {
        return (source, file, from, end) -> source.body(file, 0, file.size(), 0, OptionalLong.empty());
    }

    /** Sends so many bytes and then nothing until it is aborted. */
    static Fault stallAfter(int bytes) {
        return (source, file, from, end) -> {
            CountDownLatch aborted = new CountDownLatch(1);
            InputStream some = new ByteArrayInputStream(source.bytes(file), (int) from, bytes);
            InputStream stream = new InputStream() {
                @Override
                public int read() throws IOException {
                    throw new IOException("not used");
                }

                @Override
                public int read(byte[] buffer, int offset, int length) throws IOException {
                    int read = some.read(buffer, offset, length);
                    if (read > 0) {
                        return read;
                    }
                    // As a read from a socket does, it takes no notice of an interrupt.
                    boolean interrupted = false;
                    while (true) {
                        try {
                            aborted.await();
                            break;
                        } catch (InterruptedException e) {
                            interrupted = true;
                        }
                    }
                    if (interrupted) {
                        Thread.currentThread().interrupt();
                    }
                    throw new IOException("socket closed");
                }
            };
            return new RemoteBody(stream, from, OptionalLong.of(file.size()), aborted::countDown);
        };
    }

    /** Changes one byte of what it sends. */
    static Fault corrupting(int at) {
        return (source, file, from, end) -> {
            byte[] bytes = source.bytes(file).clone();
            bytes[at] ^= 1;
            return new RemoteBody(
                    new ByteArrayInputStream(bytes, (int) from, (int) (end - from)),
                    from,
                    OptionalLong.empty(),
                    () -> {});
        };
    }

    RemoteBody body(RemoteFile file, long from, long to, long saidStart, OptionalLong total) {
        openNow.incrementAndGet();
        mostOpen.accumulateAndGet(openNow.get(), Math::max);
        InputStream stream = new ByteArrayInputStream(bytes(file), (int) from, (int) (to - from)) {
            @Override
            public void close() {
                openNow.decrementAndGet();
            }
        };
        return new RemoteBody(stream, saidStart, total, () -> {});
    }

    byte[] bytes(RemoteFile file) {
        synchronized (files) {
            return files.get(file.path()).bytes;
        }
    }

    @Override
    public String identity() {
        return identity;
    }

    @Override
    public Snapshot resolve(Attempts attempts) throws IOException, InterruptedException {
        listings.incrementAndGet();
        String fixed = revision;
        List<RemoteFile> listed;
        synchronized (files) {
            listed = files.values().stream().map(Entry::file).toList();
        }
        return new Snapshot() {
            @Override
            public String revision() {
                return fixed;
            }

            @Override
            public List<RemoteFile> files() {
                return listed;
            }

            @Override
            public RemoteBody open(RemoteFile file, long from, long end) throws IOException, InterruptedException {
                requests.add(new Request(file.path(), from, end, System.nanoTime()));
                for (Fault fault : faults) {
                    RemoteBody body = fault.answer(MemorySource.this, file, from, end);
                    if (body != null) {
                        return body;
                    }
                }
                return body(file, from, end, from, OptionalLong.of(bytes(file).length));
            }
        };
    }

    @Override
    public void abort() {
        aborted = true;
    }

    List<Request> requests(String path) {
        synchronized (requests) {
            return requests.stream()
                    .filter(request -> request.path.equals(path))
                    .toList();
        }
    }

    long bytesRequested() {
        synchronized (requests) {
            return requests.stream()
                    .mapToLong(request -> request.end - request.from)
                    .sum();
        }
    }

    static Digest sha256(byte[] bytes) {
        var digest = Digest.Algorithm.SHA256.start(bytes.length);
        digest.update(bytes);
        return new Digest(Digest.Algorithm.SHA256, Digest.hex(digest));
    }

    static byte[] random(int size) {
        byte[] bytes = new byte[size];
        new Random(Arrays.hashCode(new int[] {size})).nextBytes(bytes);
        return bytes;
    }
}
