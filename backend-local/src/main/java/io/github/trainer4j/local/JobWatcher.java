package io.github.trainer4j.local;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls back when the files of a job's state change: one thread for all jobs, started when somebody watches. */
final class JobWatcher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JobWatcher.class);

    private final Map<WatchKey, List<Runnable>> callbacks = new HashMap<>();
    private @Nullable WatchService service;
    private @Nullable Thread thread;
    private boolean closed;

    /** Calls back until the returned object is closed. Where the system cannot watch, it never calls. */
    AutoCloseable watch(Path directory, Runnable changed) throws NoSuchFileException {
        // An object of its own, so that one callback can be registered twice.
        Runnable callback = () -> changed.run();
        try {
            register(directory, callback);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException | ClosedWatchServiceException e) {
            LOG.debug("{} cannot be watched; callers look at the job now and then anyway", directory, e);
        }
        return () -> unregister(callback);
    }

    private synchronized void register(Path directory, Runnable callback) throws IOException {
        if (closed) {
            return;
        }
        WatchService watching = service;
        if (watching == null) {
            watching = FileSystems.getDefault().newWatchService();
            service = watching;
            start(watching);
        }
        WatchKey key = directory.register(
                watching,
                StandardWatchEventKinds.ENTRY_CREATE,
                StandardWatchEventKinds.ENTRY_MODIFY,
                StandardWatchEventKinds.ENTRY_DELETE);
        callbacks.computeIfAbsent(key, any -> new ArrayList<>()).add(callback);
    }

    private void start(WatchService watching) {
        Thread started = new Thread(() -> run(watching), "trainer4j-local-watch");
        started.setDaemon(true);
        started.start();
        thread = started;
    }

    private synchronized void unregister(Runnable callback) {
        callbacks.entrySet().removeIf(entry -> {
            boolean last = entry.getValue().remove(callback) && entry.getValue().isEmpty();
            if (last) {
                entry.getKey().cancel();
            }
            return last;
        });
    }

    private void run(WatchService watching) {
        try {
            while (true) {
                WatchKey key = watching.take();
                key.pollEvents();
                List<Runnable> waiting = callbacks(key);
                if (!key.reset()) {
                    // The directory is gone, and so the job: that is a change too, and the last one.
                    forget(key);
                }
                waiting.forEach(JobWatcher::call);
            }
        } catch (InterruptedException | ClosedWatchServiceException e) {
            LOG.trace("the watching ends", e);
        }
    }

    private synchronized List<Runnable> callbacks(WatchKey key) {
        return List.copyOf(callbacks.getOrDefault(key, List.of()));
    }

    private synchronized void forget(WatchKey key) {
        callbacks.remove(key);
    }

    private static void call(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException e) {
            LOG.warn("a callback about a job failed", e);
        }
    }

    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            closed = true;
            callbacks.clear();
            running = thread;
            if (service != null) {
                try {
                    service.close();
                } catch (IOException e) {
                    LOG.debug("the watch service cannot be closed", e);
                }
            }
        }
        if (running != null && running != Thread.currentThread()) {
            boolean interrupted = Thread.interrupted();
            try {
                running.join(5_000);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
