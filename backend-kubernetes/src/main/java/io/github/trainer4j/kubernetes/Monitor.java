package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Watch;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.spi.Watchers;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches all jobs of the namespace while somebody wants to know of one: two connections, however many jobs there are. Takes
 * notice of the pods of those that somebody wants to know of, because a cluster deletes pods that have failed.
 */
final class Monitor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Monitor.class);
    private static final long PAUSE_MILLIS = 500;
    private static final long LONGEST_PAUSE_MILLIS = 30_000;
    private static final int MOST_SIGHTINGS = 1000;

    private final Cluster cluster;
    private final Sightings sightings;
    private final String threadName;
    private final ThreadPoolExecutor seeing;
    private final Watchers watchers = new Watchers();
    private @Nullable Thread thread;
    private boolean ended;
    private boolean closed;

    Monitor(Cluster cluster, Sightings sightings, String threadName) {
        this.cluster = cluster;
        this.sightings = sightings;
        this.threadName = threadName;
        // What is one too many is seen by whoever looks at the job.
        this.seeing = new ThreadPoolExecutor(
                0,
                1,
                30,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_SIGHTINGS),
                work -> daemon(work, threadName + "-pods"),
                new ThreadPoolExecutor.DiscardPolicy());
    }

    /** Calls back soon after something about a job may have changed, until the returned object is closed. */
    AutoCloseable watch(String job, Runnable changed) {
        AutoCloseable watch = watchers.add(job, changed);
        start();
        return watch;
    }

    private synchronized void start() {
        if (thread == null && !closed) {
            Thread made = daemon(this::run, threadName);
            thread = made;
            made.start();
        }
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    private void run() {
        long pause = PAUSE_MILLIS;
        while (!isClosed()) {
            List<Watch> open = List.of();
            try {
                renew();
                open = cluster.watch(watchers::tell, this::see, this::end);
                // What happened in between was not seen.
                watchers.jobs().forEach(watchers::tell);
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

    private void see(Pod pod) {
        String job = pod.getMetadata().getLabels().getOrDefault(Names.JOBSET_LABEL, "");
        if (watchers.jobs().contains(job)) {
            // Lines may have to be read, and others wait for their changes.
            seeing.execute(() -> look(job, pod));
        }
        watchers.tell(job);
    }

    private void look(String job, Pod pod) {
        try {
            sightings.see(job, PodFacts.of(pod));
        } catch (RuntimeException e) {
            LOG.debug("nothing was learned of a pod of job {}", job, e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        seeing.shutdownNow();
        notifyAll();
        if (thread != null) {
            thread.interrupt();
        }
    }
}
