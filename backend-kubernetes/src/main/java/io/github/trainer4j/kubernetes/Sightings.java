package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.TrainerException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this process saw of jobs, as the cluster does not keep it: it deletes pods that failed, and the logs with them, and
 * may let a failed TrainJob come to life again. The last lines of a container that failed are read as soon as it is seen.
 * Of each of the newest jobs a bounded part is kept. Safe for several threads.
 */
final class Sightings {
    private static final Logger LOG = LoggerFactory.getLogger(Sightings.class);
    private static final int MOST_JOBS = 64;
    private static final int MOST_PODS = 64;
    private static final int MOST_ENDS = 10_000;
    private static final int LONGEST_LINE = 1000;
    private static final int MOST_TRIES = 3;

    /** Reads the last lines of a container's attempt. */
    interface LastLines {
        /** Returns them, or fails as a cluster does. */
        List<String> read(PodFacts pod, PodFacts.Ending ending);
    }

    private final LastLines lastLines;
    private final Map<String, Map<String, Sighted>> jobs = bounded(MOST_JOBS);
    private final Map<String, Tree> ends = bounded(MOST_ENDS);

    Sightings(LastLines lastLines) {
        this.lastLines = lastLines;
    }

    private static <V> Map<String, V> bounded(int most) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > most;
            }
        };
    }

    private static final class Sighted {
        private PodFacts pod;
        private int readAttempt = -1;
        private int tries;
        private List<String> tail = List.of();

        Sighted(PodFacts pod) {
            this.pod = pod;
        }
    }

    /** Takes notice of a job's pod, and reads its last lines if it has failed and they were not read yet. */
    void see(String job, PodFacts pod) {
        Sighted sighted;
        synchronized (jobs) {
            Map<String, Sighted> pods = jobs.computeIfAbsent(job, name -> bounded(MOST_PODS));
            sighted = pods.computeIfAbsent(pod.uid(), uid -> new Sighted(pod));
        }
        // Only one reads, and the others wait: who looks at a failed job wants the lines too.
        synchronized (sighted) {
            if (!isOlder(pod, sighted.pod)) {
                sighted.pod = pod;
            }
            Optional<PodFacts.Ending> blamed = pod.blamed();
            if (blamed.isPresent() && blamed.get().attempt() > sighted.readAttempt) {
                read(sighted, pod, blamed.get());
            }
        }
    }

    /** Whether this is what a pod was before: a watch and a look may overtake one another. */
    private static boolean isOlder(PodFacts pod, PodFacts than) {
        return pod.restarts() < than.restarts()
                || (pod.restarts() == than.restarts()
                        && (pod.state().compareTo(than.state()) < 0 || (than.deleted() && !pod.deleted())));
    }

    private void read(Sighted sighted, PodFacts pod, PodFacts.Ending ending) {
        try {
            sighted.tail = lastLines.read(pod, ending).stream()
                    .map(line -> line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) + "…" : line)
                    .toList();
            sighted.readAttempt = ending.attempt();
            sighted.tries = 0;
        } catch (TrainerException e) {
            LOG.debug("the last lines of pod {} cannot be read", pod.name(), e);
            sighted.tries++;
            if (sighted.tries >= MOST_TRIES) {
                sighted.readAttempt = ending.attempt();
                sighted.tries = 0;
            }
        }
    }

    /** Takes notice that a TrainJob has failed; returns what it said when it did so first. */
    Optional<Tree> failed(String uid, Optional<Tree> condition) {
        synchronized (ends) {
            condition.ifPresent(failed -> ends.putIfAbsent(uid, failed));
            return Optional.ofNullable(ends.get(uid));
        }
    }

    /**
     * Returns the pods of a job, with those that are gone and had failed; of a job that has failed with all that are gone.
     *
     * @param created when the job was created; older pods are those of a namesake
     */
    List<PodFacts> withGone(String job, Instant created, List<PodFacts> pods, boolean failed) {
        List<PodFacts> all = new ArrayList<>(pods);
        for (Sighted sighted : sighted(job)) {
            PodFacts known = known(sighted);
            if (!known.created().isBefore(created)
                    && (failed || known.blamed().isPresent())
                    && pods.stream().noneMatch(pod -> pod.uid().equals(known.uid()))) {
                all.add(known.gone());
            }
        }
        return all;
    }

    /** Returns the last lines of a container's attempt, as far as they were read. */
    List<String> tail(String job, PodFacts pod, PodFacts.Ending ending) {
        for (Sighted sighted : sighted(job)) {
            synchronized (sighted) {
                if (sighted.pod.uid().equals(pod.uid()) && sighted.readAttempt == ending.attempt()) {
                    return sighted.tail;
                }
            }
        }
        return List.of();
    }

    private List<Sighted> sighted(String job) {
        synchronized (jobs) {
            Map<String, Sighted> pods = jobs.get(job);
            return pods == null ? List.of() : List.copyOf(pods.values());
        }
    }

    private static PodFacts known(Sighted sighted) {
        synchronized (sighted) {
            return sighted.pod;
        }
    }

    /** Forgets a job. */
    void forget(String job) {
        synchronized (jobs) {
            jobs.remove(job);
        }
    }
}
