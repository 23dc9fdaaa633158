package io.github.trainer4j.container;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.container.LineJoiner.Line;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the logs of a job as they are: one step after the other, each from what was kept of it and from its container. */
final class JobLogs {
    /** A container may be removed between two looks; in the next one its log is kept. */
    private static final int ATTEMPTS = 3;

    private final Product product;

    JobLogs(Product product) {
        this.product = product;
    }

    /**
     * Returns the steps that a query is about.
     *
     * @throws JobNotFoundException if the job has no such step
     * @throws UnsupportedFeatureException if the query cannot be answered
     */
    List<String> steps(Sighted sighted, LogQuery query) {
        if (query.previous()) {
            throw new UnsupportedFeatureException("backend " + product.backend()
                    + " starts no step of a job again, so there is no log of an earlier attempt; ask without previous");
        }
        List<String> steps = sighted.record().stepNames();
        if (query.step().isEmpty()) {
            return steps;
        }
        String step = query.step().get();
        if (!steps.contains(step)) {
            throw JobNotFoundException.noStep(sighted.record().name(), step, steps);
        }
        return List.of(step);
    }

    /** Opens the log. */
    LogStream open(Engine engine, Sighted sighted, LogQuery query) {
        return new Stream(engine, sighted, query, steps(sighted, query).iterator());
    }

    /** Returns how much of a step's kept log counts. */
    static KeptLog.Extent kept(Sighted sighted, String step) throws IOException {
        return sighted.directory().isEmpty()
                ? new KeptLog.Extent("", true, 0)
                : KeptLog.extent(sighted.directory().get(), step);
    }

    /** Returns the last lines of a step. */
    private static List<Line> tail(Engine engine, Sighted sighted, String step, int lines, LogQuery query)
            throws IOException {
        for (int attempt = 1; ; attempt++) {
            List<Line> last = new ArrayList<>();
            KeptLog.Extent extent = kept(sighted, step);
            if (sighted.directory().isPresent()) {
                last.addAll(KeptLog.tail(sighted.directory().get().log(step), extent.length(), lines, query.since()));
            }
            Optional<ContainerFacts> container = alone(sighted, step, extent);
            try {
                if (container.isPresent()) {
                    last.addAll(LogTail.lines(engine, container.get().id(), lines, query.since(), true));
                }
            } catch (EngineException e) {
                if (retry(engine, e, container.map(ContainerFacts::id).orElse(""), attempt)) {
                    continue;
                }
            }
            return last.subList(Math.max(0, last.size() - lines), last.size());
        }
    }

    /** Whether to look again after a failure to read a container's log; false if it has none, for it is going away. */
    private static boolean retry(Engine engine, EngineException e, String id, int attempt) {
        if (e.isLostContact() || e.kind() == EngineException.Kind.INTERRUPTED) {
            throw e;
        }
        if (attempt < ATTEMPTS) {
            return true;
        }
        Optional<ContainerFacts> facts = engine.inspect(id);
        if (facts.isPresent() && facts.get().state() != ContainerFacts.State.OTHER) {
            throw e;
        }
        return false;
    }

    /** Returns the container of a step, if it has a log that is not kept. */
    private static Optional<ContainerFacts> alone(Sighted sighted, String step, KeptLog.Extent extent) {
        return sighted.container(step)
                .filter(facts -> facts.state() != ContainerFacts.State.CREATED)
                .filter(facts -> !extent.has(facts.id()));
    }

    static LogLine line(String step, Line line) {
        return new LogLine(
                step, line.begun().getEpochSecond() == 0 ? Optional.empty() : Optional.of(line.begun()), line.text());
    }

    /** One step after the other, so that however many there are, one connection and one buffer are enough. */
    private static final class Stream implements LogStream {
        private final Engine engine;
        private final Sighted sighted;
        private final LogQuery query;
        private final Iterator<String> steps;
        private String step = "";
        private Iterator<Line> lines = List.<Line>of().iterator();
        private KeptLog.@Nullable Reader keptLog;
        private volatile @Nullable ContainerLog container;
        private volatile boolean closed;

        Stream(Engine engine, Sighted sighted, LogQuery query, Iterator<String> steps) {
            this.engine = engine;
            this.sighted = sighted;
            this.query = query;
            this.steps = steps;
        }

        @Override
        public Optional<LogLine> next() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            try {
                while (!closed) {
                    Optional<Line> line = nextOfStep();
                    if (line.isPresent()) {
                        return Optional.of(line(step, line.get()));
                    }
                    if (!steps.hasNext()) {
                        return Optional.empty();
                    }
                    begin(steps.next());
                }
                return Optional.empty();
            } catch (EngineException e) {
                if (e.kind() == EngineException.Kind.INTERRUPTED) {
                    Thread.interrupted();
                    throw new InterruptedException();
                }
                throw e.isNotFound()
                        ? JobNotFoundException.noJob(
                                sighted.record().name(), sighted.record().backend())
                        : e.toUnavailable();
            } catch (IOException e) {
                throw new BackendUnavailableException("the log of " + step + " cannot be read: " + e, List.of(), e);
            }
        }

        private void begin(String next) throws IOException {
            step = next;
            if (query.tail().isPresent()) {
                lines = tail(engine, sighted, step, query.tail().getAsInt(), query)
                        .iterator();
                return;
            }
            for (int attempt = 1; ; attempt++) {
                KeptLog.Extent extent = kept(sighted, step);
                Optional<ContainerFacts> facts = alone(sighted, step, extent);
                try {
                    if (facts.isPresent()) {
                        ContainerLog log = new ContainerLog(engine, facts.get().id(), query.since());
                        log.begin(false, true);
                        container = log;
                    }
                } catch (EngineException e) {
                    if (retry(engine, e, facts.map(ContainerFacts::id).orElse(""), attempt)) {
                        continue;
                    }
                }
                if (sighted.directory().isPresent()) {
                    keptLog = new KeptLog.Reader(sighted.directory().get().log(step), extent.length());
                }
                return;
            }
        }

        private Optional<Line> nextOfStep() throws IOException {
            if (lines.hasNext()) {
                return Optional.of(lines.next());
            }
            KeptLog.Reader reader = keptLog;
            while (reader != null) {
                Optional<Line> line = reader.next();
                if (line.isEmpty()) {
                    reader.close();
                    keptLog = null;
                    break;
                }
                if (query.since().isEmpty()
                        || !line.get().begun().isBefore(query.since().get())) {
                    return line;
                }
            }
            ContainerLog log = container;
            if (log == null) {
                return Optional.empty();
            }
            Optional<Line> line = log.next();
            if (line.isEmpty()) {
                log.close();
                container = null;
            }
            return line;
        }

        @Override
        public void close() {
            closed = true;
            ContainerLog log = container;
            if (log != null) {
                log.close();
            }
        }
    }
}
