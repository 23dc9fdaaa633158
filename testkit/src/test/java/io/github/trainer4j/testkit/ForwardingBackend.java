package io.github.trainer4j.testkit;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.Backend;
import java.util.List;

/** A backend that does all as another does; what is overridden is where it goes wrong. */
class ForwardingBackend implements Backend {
    private final Backend to;

    ForwardingBackend(Backend to) {
        this.to = to;
    }

    @Override
    public JobPlan plan(TrainJobRequest request) {
        return to.plan(request);
    }

    @Override
    public TrainJob train(TrainJobRequest request, ProgressListener listener) {
        return to.train(request, listener);
    }

    @Override
    public TrainJob get(String name) {
        return to.get(name);
    }

    @Override
    public List<TrainJob> list() {
        return to.list();
    }

    @Override
    public LogStream logs(String name, LogQuery query) {
        return to.logs(name, query);
    }

    @Override
    public List<Event> events(String name) {
        return to.events(name);
    }

    @Override
    public void delete(String name) throws InterruptedException {
        to.delete(name);
    }

    @Override
    public AutoCloseable watch(String name, Runnable changed) {
        return to.watch(name, changed);
    }

    @Override
    public List<TrainingRuntime> runtimes() {
        return to.runtimes();
    }

    @Override
    public TrainingRuntime runtime(String name) {
        return to.runtime(name);
    }

    @Override
    public String runtimePackages(TrainingRuntime runtime) throws InterruptedException {
        return to.runtimePackages(runtime);
    }

    @Override
    public void close() {
        to.close();
    }
}
