package io.github.trainer4j.testkit;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import io.github.trainer4j.api.spi.InitializerRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** What goes wrong in an otherwise right backend: in itself, or in what it makes of its context. */
interface Mistake {
    Backend backend(Backend right);

    default BackendContext context(BackendContext context) {
        return context;
    }

    /** Reads jobs wrongly, whether one or all. */
    static Mistake reading(UnaryOperator<TrainJob> wrong) {
        return right -> new ForwardingBackend(right) {
            @Override
            public TrainJob get(String name) {
                return wrong.apply(super.get(name));
            }

            @Override
            public List<TrainJob> list() {
                return super.list().stream().map(wrong).toList();
            }
        };
    }

    /** Reads jobs wrongly only when it reads all of them. */
    static Mistake listing(UnaryOperator<List<TrainJob>> wrong) {
        return right -> new ForwardingBackend(right) {
            @Override
            public List<TrainJob> list() {
                return wrong.apply(super.list());
            }
        };
    }

    /** Starts something else than what was asked for; its plans are right. */
    static Mistake training(UnaryOperator<TrainJobRequest> wrong) {
        return right -> new ForwardingBackend(right) {
            @Override
            public TrainJob train(TrainJobRequest request, ProgressListener listener) {
                return super.train(wrong.apply(request), listener);
            }
        };
    }

    /** Hears another question than the one that is asked about a log. */
    static Mistake querying(UnaryOperator<LogQuery> wrong) {
        return right -> new ForwardingBackend(right) {
            @Override
            public LogStream logs(String name, LogQuery query) {
                return super.logs(name, wrong.apply(query));
            }
        };
    }

    /** Loses lines. */
    static Mistake losing(Predicate<LogLine> lost) {
        return right -> new ForwardingBackend(right) {
            @Override
            public LogStream logs(String name, LogQuery query) {
                LogStream all = super.logs(name, query);
                return new LogStream() {
                    @Override
                    public Optional<LogLine> next() throws InterruptedException {
                        Optional<LogLine> line = all.next();
                        return line.filter(lost).isPresent() ? next() : line;
                    }

                    @Override
                    public void close() {
                        all.close();
                    }
                };
            }
        };
    }

    /** A follow that another thread cannot close. */
    static Mistake deafToClose() {
        return right -> new ForwardingBackend(right) {
            @Override
            public LogStream logs(String name, LogQuery query) {
                LogStream stream = super.logs(name, query);
                return new LogStream() {
                    @Override
                    public Optional<LogLine> next() throws InterruptedException {
                        return stream.next();
                    }

                    @Override
                    public void close() {}
                };
            }
        };
    }

    static Mistake deletingNothing() {
        return right -> new ForwardingBackend(right) {
            @Override
            public void delete(String name) {}
        };
    }

    /** Forgets a job in place of stopping it. */
    static Mistake hidingTheDeleted() {
        Set<String> hidden = ConcurrentHashMap.newKeySet();
        return right -> new ForwardingBackend(right) {
            @Override
            public TrainJob get(String name) {
                if (hidden.contains(name)) {
                    throw JobNotFoundException.noJob(name, "toy");
                }
                return super.get(name);
            }

            @Override
            public List<TrainJob> list() {
                return super.list().stream()
                        .filter(job -> !hidden.contains(job.name()))
                        .toList();
            }

            @Override
            public void delete(String name) {
                get(name);
                hidden.add(name);
            }
        };
    }

    static Mistake deletingTwiceWithoutAWord() {
        return right -> new ForwardingBackend(right) {
            @Override
            public void delete(String name) throws InterruptedException {
                try {
                    super.delete(name);
                } catch (JobNotFoundException e) {
                    // That is the mistake.
                }
            }
        };
    }

    static Mistake neverCallingWatchers() {
        return right -> new ForwardingBackend(right) {
            @Override
            public AutoCloseable watch(String name, Runnable changed) {
                return () -> {};
            }
        };
    }

    static Mistake tellingNoProgress() {
        return right -> new ForwardingBackend(right) {
            @Override
            public TrainJob train(TrainJobRequest request, ProgressListener listener) {
                return super.train(request, ProgressListener.none());
            }
        };
    }

    static Mistake returningWhenInitializersAreDone() {
        return right -> new ForwardingBackend(right) {
            @Override
            public TrainJob train(TrainJobRequest request, ProgressListener listener) {
                TrainJob job = super.train(request, listener);
                while (job.status() == JobStatus.CREATED) {
                    Bench.pause(20);
                    job = get(job.name());
                }
                return job;
            }
        };
    }

    static Mistake renamingWhatIsTaken() {
        return right -> new ForwardingBackend(right) {
            @Override
            public TrainJob train(TrainJobRequest request, ProgressListener listener) {
                try {
                    return super.train(request, listener);
                } catch (InvalidJobException e) {
                    return super.train(request.withName(request.name().orElseThrow() + "-2"), listener);
                }
            }
        };
    }

    static Mistake recordingPlans() {
        return right -> new ForwardingBackend(right) {
            @Override
            public JobPlan plan(TrainJobRequest request) {
                JobPlan plan = super.plan(request);
                super.train(request, ProgressListener.none());
                return plan;
            }
        };
    }

    static Mistake leavingAThread() {
        return right -> new ForwardingBackend(right) {
            private boolean left;

            @Override
            public TrainJob train(TrainJobRequest request, ProgressListener listener) {
                if (!left) {
                    left = true;
                    Thread thread = new Thread(() -> Bench.pause(20_000), "left-behind");
                    thread.setDaemon(true);
                    thread.start();
                }
                return super.train(request, listener);
            }
        };
    }

    /** Two backends that know nothing of one another's jobs. */
    static Mistake keepingJobsToItself() {
        List<Backend> made = new ArrayList<>();
        return new Mistake() {
            @Override
            public BackendContext context(BackendContext c) {
                return new BackendContext(
                        c.home(),
                        c.workDirectory().resolve("backend-" + made.size()),
                        c.environment(),
                        c.clock(),
                        c.runtimes(),
                        c.initializers());
            }

            @Override
            public Backend backend(Backend right) {
                made.add(right);
                return right;
            }
        };
    }

    /** Initializers that wait for one another. */
    static Mistake fetchingOneAfterTheOther() {
        ReentrantLock turn = new ReentrantLock();
        return new Mistake() {
            @Override
            public BackendContext context(BackendContext c) {
                InitializerRegistry slow = spec -> inTurn(c.initializers(), spec);
                return new BackendContext(c.home(), c.workDirectory(), c.environment(), c.clock(), c.runtimes(), slow);
            }

            private Initializer inTurn(InitializerRegistry registry, InitializerSpec spec) {
                Initializer initializer = registry.create(spec);
                return new Initializer() {
                    @Override
                    public InitializerPlan plan() {
                        return initializer.plan();
                    }

                    @Override
                    public Optional<Fetcher> fetcher() {
                        return initializer.fetcher().map(fetcher -> (directory, context) -> {
                            turn.lockInterruptibly();
                            try {
                                fetcher.fetch(directory, context);
                            } finally {
                                turn.unlock();
                            }
                        });
                    }
                };
            }

            @Override
            public Backend backend(Backend right) {
                return right;
            }
        };
    }
}
