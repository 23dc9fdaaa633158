package io.github.trainer4j.testkit;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.JobOption;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.NodeSettings;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/** Copies of jobs and requests in which one thing is another. */
final class Wrong {
    private Wrong() {}

    static TrainJob status(TrainJob job, JobStatus status) {
        return job(job, status, job.steps(), job.failure());
    }

    static TrainJob steps(TrainJob job, List<Step> steps) {
        return job(job, job.status(), steps, job.failure());
    }

    static TrainJob failure(TrainJob job, UnaryOperator<Failure> change) {
        return job(job, job.status(), job.steps(), job.failure().map(change));
    }

    static TrainJob success(TrainJob job) {
        return job.status() == JobStatus.FAILED ? job(job, JobStatus.COMPLETE, job.steps(), Optional.empty()) : job;
    }

    private static TrainJob job(TrainJob job, JobStatus status, List<Step> steps, Optional<Failure> failure) {
        return new TrainJob(
                job.name(),
                status,
                job.runtime(),
                steps,
                job.numNodes(),
                job.creationTime(),
                job.labels(),
                job.annotations(),
                job.workspace(),
                failure,
                job.progress());
    }

    static Failure exitCode(Failure f, int code) {
        return new Failure(f.step(), f.reason(), f.message(), OptionalInt.of(code), f.logTail(), f.further());
    }

    static Failure withoutLog(Failure f) {
        return new Failure(f.step(), f.reason(), f.message(), f.exitCode(), List.of(), f.further());
    }

    static Failure alone(Failure f) {
        return new Failure(f.step(), f.reason(), f.message(), f.exitCode(), f.logTail(), List.of());
    }

    static TrainJobRequest command(TrainJobRequest request, UnaryOperator<List<String>> change) {
        CommandTrainer trainer = (CommandTrainer) request.trainer().orElseThrow();
        return trainer(request, new CommandTrainer(change.apply(trainer.command()), trainer.nodes()));
    }

    static TrainJobRequest env(TrainJobRequest request, Map<String, String> env) {
        NodeSettings n = request.nodes();
        return nodes(
                request,
                new NodeSettings(
                        n.numNodes(), n.numProcPerNode(), n.resourcesPerNode(), env, n.secretEnv(), n.image()));
    }

    static TrainJobRequest secretEnv(TrainJobRequest request, Map<String, Secret> secrets) {
        NodeSettings n = request.nodes();
        return nodes(
                request,
                new NodeSettings(n.numNodes(), n.numProcPerNode(), n.resourcesPerNode(), n.env(), secrets, n.image()));
    }

    static TrainJobRequest numNodes(TrainJobRequest request, int number) {
        NodeSettings n = request.nodes();
        return nodes(
                request,
                new NodeSettings(
                        OptionalInt.of(number),
                        n.numProcPerNode(),
                        n.resourcesPerNode(),
                        n.env(),
                        n.secretEnv(),
                        n.image()));
    }

    private static TrainJobRequest nodes(TrainJobRequest request, NodeSettings nodes) {
        CommandTrainer trainer = (CommandTrainer) request.trainer().orElseThrow();
        return trainer(request, new CommandTrainer(trainer.command(), nodes));
    }

    private static TrainJobRequest trainer(TrainJobRequest r, CommandTrainer trainer) {
        return r.toBuilder().trainer(trainer).build();
    }

    static TrainJobRequest initializers(TrainJobRequest r, UnaryOperator<List<InitializerSpec>> change) {
        return r.toBuilder().initializers(change.apply(r.initializers())).build();
    }

    static InitializerSpec withoutTimeout(InitializerSpec s) {
        return new InitializerSpec(
                s.target(),
                s.storageUri(),
                s.options(),
                s.secrets(),
                s.image(),
                Optional.empty(),
                s.retries(),
                s.resources());
    }

    static TrainJobRequest deadline(TrainJobRequest r, Optional<Duration> deadline) {
        return new TrainJobRequest(
                r.name(),
                r.runtime(),
                r.trainer(),
                r.initializers(),
                r.labels(),
                r.annotations(),
                deadline,
                r.options());
    }

    static TrainJobRequest options(TrainJobRequest r, List<JobOption> options) {
        return r.toBuilder().options(options).build();
    }

    static TrainJobRequest secretsAsAnnotations(TrainJobRequest r) {
        Map<String, String> annotations = new LinkedHashMap<>(r.annotations());
        r.nodes().secretEnv().forEach((name, secret) -> annotations.put(name, secret.reveal()));
        return new TrainJobRequest(
                r.name(),
                r.runtime(),
                r.trainer(),
                r.initializers(),
                r.labels(),
                annotations,
                r.deadline(),
                r.options());
    }
}
