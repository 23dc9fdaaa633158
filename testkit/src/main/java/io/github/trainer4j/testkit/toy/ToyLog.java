package io.github.trainer4j.testkit.toy;

import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import java.util.List;
import java.util.Optional;

/** Reads the lines of some steps of a job, those that are still to come included. */
final class ToyLog implements LogStream {
    private final ToyJob job;
    private final List<ToyStep> steps;
    private final LogQuery query;
    private final int[] next;
    private boolean closed;

    ToyLog(ToyJob job, List<ToyStep> steps, LogQuery query) {
        this.job = job;
        this.steps = steps;
        this.query = query;
        this.next = new int[steps.size()];
        if (query.tail().isPresent()) {
            synchronized (job) {
                for (int i = 0; i < next.length; i++) {
                    next[i] = Math.max(
                            0, steps.get(i).lines().size() - query.tail().getAsInt());
                }
            }
        }
    }

    @Override
    public Optional<LogLine> next() throws InterruptedException {
        synchronized (job) {
            while (!closed) {
                for (int i = 0; i < next.length; i++) {
                    List<LogLine> lines = steps.get(i).lines();
                    while (next[i] < lines.size()) {
                        LogLine line = lines.get(next[i]++);
                        if (query.since().isEmpty()
                                || !line.time()
                                        .orElseThrow()
                                        .isBefore(query.since().get())) {
                            return Optional.of(line);
                        }
                    }
                }
                if (job.isDeleted()) {
                    throw JobNotFoundException.noJob(job.name(), "toy");
                }
                if (!query.follow() || job.isOver()) {
                    break;
                }
                job.wait();
            }
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        synchronized (job) {
            closed = true;
            job.notifyAll();
        }
    }
}
