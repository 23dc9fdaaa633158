package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.client.Watch;
import io.github.trainer4j.api.TrainerException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches all jobs of the namespace while somebody wants to know of one: two connections, however many jobs there are. */
final class Monitor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Monitor.class);
    private static final long PAUSE_MILLIS = 500;
    private static final long LONGEST_PAUSE_MILLIS = 30_000;

    private final Cluster cluster;
    private final String threadName;
    private final Map<String, List<Runnable>> watchers = new ConcurrentHashMap<>();
    private @Nullable Thread thread;
    private boolean ended;
    private boolean closed;

    Monitor(Cluster cluster, String threadName) {
        this.cluster = cluster;
        this.threadName = threadName;
    }

    /** Calls back soon after something about a job may have changed, until the returned object is closed. */
    AutoCloseable watch(String job, Runnable changed) {
        watchers.computeIfAbsent(job, name -> new CopyOnWriteArrayList<>()).add(changed);
        start();
        return () -> watchers.computeIfPresent(job, (name, list) -> {
            list.remove(changed);
            return list.isEmpty() ? null : list;
        });
    }

    private synchronized void start() {
        if (thread == null && !closed) {
            Thread made = new Thread(this::run, threadName);
            made.setDaemon(true);
            thread = made;
            made.start();
        }
    }

    private void run() {
        long pause = PAUSE_MILLIS;
        while (!isClosed()) {
            List<Watch> open = List.of();
            try {
                renew();
                open = cluster.watch(this::tell, this::end);
                // What happened in between was not seen.
                watchers.keySet().forEach(this::tell);
                awaitEnd();
                pause = PAUSE_MILLIS;
            } catch (TrainerException e) {
                LOG.debug("the cluster cannot be watched now", e);
            } catch (InterruptedException e) {
                // It is being closed.
                return;
            } finally {
                open.forEach(Watch::close);
            }
            try {
                Thread.sleep(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
            } catch (InterruptedException e) {
                // It is being closed.
                return;
            }
        }
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized void renew() {
        ended = false;
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    private synchronized void awaitEnd() throws InterruptedException {
        while (!ended && !closed) {
            wait();
        }
    }

    private void tell(String job) {
        for (Runnable watcher : watchers.getOrDefault(job, List.of())) {
            try {
                watcher.run();
            } catch (RuntimeException e) {
                LOG.warn("a watcher of job {} failed", job, e);
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
        if (thread != null) {
            thread.interrupt();
        }
    }
}
