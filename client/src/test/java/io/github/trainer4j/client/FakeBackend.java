package io.github.trainer4j.client;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.Backend;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** A backend in memory: each job is what its supplier says at the moment. */
final class FakeBackend implements Backend {
    final Map<String, Supplier<TrainJob>> jobs = new LinkedHashMap<>();
    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    final Map<String, RuntimeException> undeletable = new LinkedHashMap<>();
    Supplier<List<Event>> events = List::of;
    boolean watchFails;

    static TrainJob job(String name, JobStatus status, Step... steps) {
        return new TrainJob(
                name,
                status,
                Optional.of("torch-distributed"),
                List.of(steps),
                1,
                Instant.EPOCH,
                Map.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @Override
    public JobPlan plan(TrainJobRequest request) {
        calls.add("plan");
        return new JobPlan("fake", request.name().orElse("fresh"), "torch-distributed", List.of(), Optional.empty());
    }

    @Override
    public TrainJob train(TrainJobRequest request, ProgressListener listener) {
        calls.add("train");
        TrainJob job = job(request.name().orElse("fresh"), JobStatus.CREATED);
        jobs.put(job.name(), () -> job);
        return job;
    }

    @Override
    public TrainJob get(String name) {
        calls.add("get " + name);
        Supplier<TrainJob> job = jobs.get(name);
        if (job == null) {
            throw JobNotFoundException.noJob(name, "fake");
        }
        return job.get();
    }

    @Override
    public List<TrainJob> list() {
        return jobs.values().stream().map(Supplier::get).toList();
    }

    @Override
    public LogStream logs(String name, LogQuery query) {
        calls.add("logs " + query);
        return new LogStream() {
            @Override
            public Optional<LogLine> next() {
                return Optional.empty();
            }

            @Override
            public void close() {
                calls.add("logs closed");
            }
        };
    }

    @Override
    public List<Event> events(String name) {
        calls.add("events " + name);
        return events.get();
    }

    @Override
    public void delete(String name) {
        calls.add("delete " + name);
        if (undeletable.containsKey(name)) {
            throw undeletable.get(name);
        }
        if (jobs.remove(name) == null) {
            throw JobNotFoundException.noJob(name, "fake");
        }
    }

    @Override
    public AutoCloseable watch(String name, Runnable changed) {
        if (watchFails) {
            throw new IllegalStateException("no watch today");
        }
        watchers.add(changed);
        return () -> watchers.remove(changed);
    }

    @Override
    public List<TrainingRuntime> runtimes() {
        return new ArrayList<>(List.of(TrainingRuntime.of("torch-distributed", "torch", "test")));
    }

    @Override
    public TrainingRuntime runtime(String name) {
        calls.add("runtime " + name);
        return TrainingRuntime.of(name, "torch", "test");
    }

    @Override
    public String runtimePackages(TrainingRuntime runtime) {
        return "python 3 of " + runtime.name();
    }

    @Override
    public void close() {
        calls.add("close");
    }
}
