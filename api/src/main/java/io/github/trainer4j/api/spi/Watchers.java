package io.github.trainer4j.api.spi;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who watch jobs, for a backend that hears of changes: see {@link Backend#watch}. For use by several threads at once. */
public final class Watchers {
    private static final Logger LOG = LoggerFactory.getLogger(Watchers.class);

    private final Map<String, List<Runnable>> watchers = new ConcurrentHashMap<>();

    /** Makes them: nobody at first. */
    public Watchers() {}

    /** Calls back on every {@link #tell} about a job, until the returned object is closed. */
    public AutoCloseable add(String job, Runnable changed) {
        Objects.requireNonNull(changed, "changed");
        // An object of its own, so that one callback can be added twice.
        Runnable watcher = () -> changed.run();
        watchers.compute(job, (name, known) -> {
            List<Runnable> list = known == null ? new CopyOnWriteArrayList<>() : known;
            list.add(watcher);
            return list;
        });
        return () -> watchers.computeIfPresent(job, (name, list) -> {
            list.remove(watcher);
            return list.isEmpty() ? null : list;
        });
    }

    /** Returns the names of the jobs that are watched, as they are whenever it is read. */
    public Set<String> jobs() {
        return Collections.unmodifiableSet(watchers.keySet());
    }

    /** Calls all back who watch a job, on this thread. One that throws is logged, and the others are called. */
    public void tell(String job) {
        for (Runnable watcher : watchers.getOrDefault(job, List.of())) {
            try {
                watcher.run();
            } catch (RuntimeException e) {
                LOG.warn("a watcher of job {} failed", job, e);
            }
        }
    }
}
