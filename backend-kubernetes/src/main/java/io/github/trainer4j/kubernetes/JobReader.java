package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainingProgress;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.progress.ProgressFile;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.api.state.ExitCodes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;

/**
 * Reads jobs from TrainJob resources, their pods, and what was seen of them before; one and the same for a job that is
 * asked for and one in a list.
 */
final class JobReader {
    private final Sightings sightings;

    JobReader(Sightings sightings) {
        this.sightings = sightings;
    }

    /**
     * Returns the job.
     *
     * @param pods the pods of the job, in any order
     * @param runtimeNodes the number of nodes that a runtime says, for a TrainJob that does not
     */
    TrainJob read(Tree resource, List<PodFacts> pods, ToIntFunction<String> runtimeNodes) {
        Tree metadata = resource.at("metadata");
        Tree spec = resource.at("spec");
        String name = metadata.at("name").text().orElse("");
        Instant created = metadata.at("creationTimestamp").time().orElse(Instant.EPOCH);
        Optional<String> runtime = spec.at("runtimeRef", "name").text();
        int numNodes = spec.at("trainer", "numNodes")
                .number()
                .orElseGet(() -> runtime.map(runtimeNodes::applyAsInt).orElse(1));
        Optional<Tree> failed = sightings.failed(metadata.at("uid").text().orElse(name), condition(resource, "Failed"));
        JobStatus outcome = failed.isPresent()
                ? JobStatus.FAILED
                : condition(resource, "Complete").isPresent() ? JobStatus.COMPLETE : JobStatus.CREATED;
        Map<String, List<PodFacts>> byStep = byStep(sightings.withGone(name, created, pods, failed.isPresent()));
        List<Told> told = new ArrayList<>();
        for (String step : steps(spec, byStep, numNodes)) {
            told.add(tell(resource, step, byStep.getOrDefault(step, List.of()), outcome));
        }
        return new TrainJob(
                name,
                outcome.isFinal() ? outcome : status(resource, told),
                runtime,
                told.stream().map(Told::step).toList(),
                numNodes,
                created,
                metadata.at("labels").strings(),
                metadata.at("annotations").strings(),
                Optional.empty(),
                failed.map(condition -> failure(
                        name, condition, told, condition(resource, "Failed").isEmpty())),
                progress(resource));
    }

    /** A step, with the pod that it was read from. */
    private record Told(Step step, Optional<PodFacts> pod) {
        boolean isNode() {
            return step.name().startsWith(Names.NODE) || step.name().equals(Names.LAUNCHER);
        }
    }

    /** Nodes decide, whatever conditions come and go meanwhile; what has run runs until the job is over or suspended. */
    private static JobStatus status(Tree resource, List<Told> told) {
        boolean suspended = condition(resource, "Suspended").isPresent();
        List<Told> nodes = told.stream()
                .filter(Told::isNode)
                .filter(node ->
                        node.pod().filter(pod -> !(suspended && pod.deleted())).isPresent())
                .toList();
        boolean runs = nodes.stream().anyMatch(node -> node.step().status() == JobStatus.RUNNING);
        if (!runs && nodes.stream().anyMatch(node -> node.step().status() == JobStatus.UNKNOWN)) {
            return JobStatus.UNKNOWN;
        }
        boolean started = nodes.stream()
                .anyMatch(node -> node.pod().filter(PodFacts::hasStarted).isPresent()
                        || node.step().restarts() > 0);
        boolean counted = nodes.isEmpty()
                && !suspended
                && (count(resource, Names.NODE, "ready") > 0 || count(resource, Names.NODE, "succeeded") > 0);
        return started || counted ? JobStatus.RUNNING : JobStatus.CREATED;
    }

    /** Returns how many of a role's Jobs the cluster counts as ready, succeeded, failed and so on. */
    private static int count(Tree resource, String role, String what) {
        return resource.at("status", "jobsStatus")
                .find("name", role)
                .at(what)
                .number()
                .orElse(0);
    }

    private static Optional<Tree> condition(Tree resource, String type) {
        Tree condition = resource.at("status", "conditions").find("type", type);
        return condition.at("status").text().equals(Optional.of("True")) ? Optional.of(condition) : Optional.empty();
    }

    private static List<String> steps(Tree spec, Map<String, List<PodFacts>> byStep, int numNodes) {
        List<String> steps = new ArrayList<>();
        for (InitializerTarget target : InitializerTarget.values()) {
            if (spec.at("initializer", target.directory()).isPresent() || byStep.containsKey(target.step())) {
                steps.add(target.step());
            }
        }
        if (byStep.containsKey(Names.LAUNCHER)) {
            steps.add(Names.LAUNCHER);
        }
        for (int index = 0; index < numNodes; index++) {
            steps.add(Names.nodeStep(index));
        }
        return steps;
    }

    /** Returns the pods of each step, the newest first. */
    static Map<String, List<PodFacts>> byStep(List<PodFacts> pods) {
        Map<String, List<PodFacts>> byStep = new LinkedHashMap<>();
        pods.stream()
                .sorted(Comparator.comparing(PodFacts::created)
                        .thenComparing(pod -> !pod.deleted())
                        .reversed())
                .forEach(pod -> byStep.computeIfAbsent(pod.step(), step -> new ArrayList<>())
                        .add(pod));
        return byStep;
    }

    private static Told tell(Tree resource, String name, List<PodFacts> attempts, JobStatus outcome) {
        Step.Builder step = Step.builder(name);
        if (attempts.isEmpty()) {
            absent(resource, name, outcome, step);
            return new Told(step.build(), Optional.empty());
        }
        PodFacts pod = attempts.get(0);
        step.instance(pod.name()).command(pod.command());
        pod.image().ifPresent(step::image);
        pod.devices().ifPresent(devices -> step.device(devices.getKey(), devices.getValue()));
        step.restarts(attempts.stream().mapToInt(PodFacts::restarts).sum() + attempts.size() - 1);
        pod.started().ifPresent(step::startTime);
        Optional<PodFacts.Ending> ending =
                outcome == JobStatus.FAILED ? pod.blamed().or(pod::ending) : pod.ending();
        if (ending.isPresent()) {
            ended(pod, ending.get(), outcome, step);
            return new Told(step.build(), Optional.of(pod));
        }
        pod.reason().ifPresent(step::reason);
        pod.message().ifPresent(step::message);
        switch (pod.state()) {
            case ENDED -> step.status(JobStatus.FAILED);
            case RUNNING -> step.status(JobStatus.RUNNING);
            case UNKNOWN -> step.status(JobStatus.UNKNOWN);
            case WAITING -> step.status(JobStatus.CREATED);
        }
        if (outcome == JobStatus.FAILED && pod.state() != PodFacts.State.ENDED) {
            // The cluster is ending it, or has done so.
            step.status(JobStatus.FAILED);
            if (pod.reason().isEmpty()) {
                step.reason(Cause.STOPPED);
            }
        } else if (outcome == JobStatus.COMPLETE) {
            step.status(JobStatus.COMPLETE);
        } else if (pod.deleted() && pod.state() == PodFacts.State.RUNNING) {
            step.reason("Terminating");
        }
        return new Told(step.build(), Optional.of(pod));
    }

    private static void ended(PodFacts pod, PodFacts.Ending ending, JobStatus outcome, Step.Builder step) {
        step.exitCode(ending.exitCode());
        ending.started().ifPresent(step::startTime);
        ending.ended().ifPresent(step::endTime);
        if (!ending.failed()) {
            step.status(JobStatus.COMPLETE);
            return;
        }
        boolean stopped = pod.deleted() && ExitCodes.isStop(ending.exitCode()) && outcome == JobStatus.FAILED;
        step.status(JobStatus.FAILED).reason(stopped ? Cause.STOPPED : ending.reason());
        ending.message().ifPresent(step::message);
    }

    /** The cluster deletes pods that failed for good, and those of jobs that are over if it is told to. */
    private static void absent(Tree resource, String name, JobStatus outcome, Step.Builder step) {
        String role = name.startsWith(Names.NODE) ? Names.NODE : name;
        if (outcome == JobStatus.COMPLETE) {
            step.status(JobStatus.COMPLETE);
        } else if (outcome == JobStatus.FAILED) {
            boolean started = count(resource, role, "failed") > 0
                    || count(resource, role, "active") > 0
                    || count(resource, role, "ready") > 0
                    || count(resource, role, "succeeded") > 0;
            if (started) {
                step.status(JobStatus.FAILED);
            }
            step.reason(started ? "PodDeleted" : "NotStarted");
        } else {
            condition(resource, "Suspended").ifPresent(suspended -> {
                step.reason(suspended.at("reason").text().orElse("Suspended"));
                suspended.at("message").text().ifPresent(step::message);
            });
        }
    }

    private Failure failure(String job, Tree condition, List<Told> told, boolean revived) {
        String reason = condition.at("reason").text().orElse("Failed");
        String message = condition.at("message").text().orElse("the cluster does not say why")
                + (revived
                        ? "; the cluster seems to have started the job anew since, but a job that has failed stays so:"
                                + " delete it"
                        : "");
        List<Told> toBlame = new ArrayList<>(told.stream()
                .filter(step -> step.step().status() == JobStatus.FAILED
                        && step.pod().isPresent()
                        && !step.step().reason().equals(Optional.of(Cause.STOPPED)))
                .toList());
        toBlame.sort(Comparator.comparing(step -> step.step().endTime().orElse(Instant.MAX)));
        // An initializer that was stopped because another failed is told, too: it may have been about to fail as well.
        told.stream()
                .filter(step -> !step.isNode() && step.step().status() == JobStatus.FAILED && !toBlame.contains(step))
                .forEach(toBlame::add);
        List<Failure> failures =
                toBlame.stream().map(step -> failure(job, step)).toList();
        if (failures.isEmpty() || reason.equals(Cause.DEADLINE_EXCEEDED)) {
            return new Failure(Optional.empty(), reason, message, OptionalInt.empty(), List.of(), failures);
        }
        Failure first = failures.get(0);
        return new Failure(
                first.step(),
                first.reason(),
                first.message() + "; the cluster says: " + message,
                first.exitCode(),
                first.logTail(),
                failures.subList(1, failures.size()));
    }

    private Failure failure(String job, Told told) {
        Step step = told.step();
        if (told.pod().isEmpty()) {
            return new Failure(
                    Optional.of(step.name()),
                    step.reason().orElse(Cause.STOPPED),
                    "had not ended, and its pod is gone",
                    OptionalInt.empty(),
                    List.of(),
                    List.of());
        }
        PodFacts pod = told.pod().get();
        Optional<PodFacts.Ending> ending = pod.blamed();
        String what = step.exitCode().isPresent()
                ? ExitCodes.describe(step.exitCode().getAsInt())
                : pod.state() == PodFacts.State.ENDED ? "failed" : "had not started";
        return new Failure(
                Optional.of(step.name()),
                step.reason().orElse(Cause.EXIT_CODE),
                what + " in pod " + pod.name()
                        + step.message().map(message -> ": " + message).orElse(""),
                step.exitCode(),
                ending.map(end -> sightings.tail(job, pod, end)).orElse(List.of()),
                List.of());
    }

    private static Optional<TrainingProgress> progress(Tree resource) {
        Tree status = resource.at("status", "trainerStatus");
        if (!status.isPresent()) {
            return Optional.empty();
        }
        Map<String, Object> wrapped = new LinkedHashMap<>();
        wrapped.put("trainerStatus", status.value());
        return ProgressFile.parse(Json.write(wrapped), Instant.EPOCH);
    }
}
