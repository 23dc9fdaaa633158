package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
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

/** Reads jobs from TrainJob resources and their pods; one and the same for a job that is asked for and one in a list. */
final class JobReader {
    private JobReader() {}

    /**
     * Returns the job.
     *
     * @param pods the pods of the job, in any order
     * @param runtimeNodes the number of nodes that a runtime says, for a TrainJob that does not
     */
    static TrainJob read(Tree resource, List<Pod> pods, ToIntFunction<String> runtimeNodes) {
        Tree metadata = resource.at("metadata");
        Tree spec = resource.at("spec");
        String name = metadata.at("name").text().orElse("");
        Optional<String> runtime = spec.at("runtimeRef", "name").text();
        int numNodes = spec.at("trainer", "numNodes")
                .number()
                .orElseGet(() -> runtime.map(runtimeNodes::applyAsInt).orElse(1));
        Optional<Tree> failed = condition(resource, "Failed");
        boolean complete = condition(resource, "Complete").isPresent();
        Map<String, List<Pod>> byStep = byStep(pods);
        List<Step> steps = new ArrayList<>();
        for (String step : steps(spec, byStep, numNodes)) {
            steps.add(step(step, byStep.getOrDefault(step, List.of()), complete, failed.isPresent()));
        }
        JobStatus status = complete
                ? JobStatus.COMPLETE
                : failed.isPresent()
                        ? JobStatus.FAILED
                        : steps.stream().anyMatch(JobReader::isRunningNode) ? JobStatus.RUNNING : JobStatus.CREATED;
        return new TrainJob(
                name,
                status,
                runtime,
                steps,
                numNodes,
                metadata.at("creationTimestamp").time().orElse(Instant.EPOCH),
                metadata.at("labels").strings(),
                metadata.at("annotations").strings(),
                Optional.empty(),
                failed.map(condition -> failure(condition, steps)),
                progress(resource));
    }

    private static boolean isRunningNode(Step step) {
        return step.status() == JobStatus.RUNNING && step.name().startsWith(Names.NODE);
    }

    private static Optional<Tree> condition(Tree resource, String type) {
        Tree condition = resource.at("status", "conditions").find("type", type);
        return condition.at("status").text().equals(Optional.of("True")) ? Optional.of(condition) : Optional.empty();
    }

    private static List<String> steps(Tree spec, Map<String, List<Pod>> byStep, int numNodes) {
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
    static Map<String, List<Pod>> byStep(List<Pod> pods) {
        Map<String, List<Pod>> byStep = new LinkedHashMap<>();
        pods.stream()
                .sorted(Comparator.comparing((Pod pod) -> pod.getMetadata().getCreationTimestamp())
                        .reversed())
                .forEach(pod -> byStep.computeIfAbsent(step(pod), key -> new ArrayList<>())
                        .add(pod));
        return byStep;
    }

    /** Returns the step that a pod runs: its role, and for nodes the index. */
    static String step(Pod pod) {
        Map<String, String> labels =
                Optional.ofNullable(pod.getMetadata().getLabels()).orElse(Map.of());
        String role = labels.getOrDefault(Names.REPLICATED_JOB_LABEL, "");
        return role.equals(Names.NODE) ? Names.NODE + "-" + labels.getOrDefault(Names.INDEX_LABEL, "0") : role;
    }

    /** Returns the container of a pod that does the step's work; others stand beside it. */
    static String container(Pod pod) {
        String role = step(pod);
        return role.startsWith(Names.NODE) || role.equals(Names.LAUNCHER) ? Names.NODE : role;
    }

    static Optional<ContainerStatus> containerStatus(Pod pod) {
        if (pod.getStatus() == null || pod.getStatus().getContainerStatuses() == null) {
            return Optional.empty();
        }
        return pod.getStatus().getContainerStatuses().stream()
                .filter(status -> status.getName().equals(container(pod)))
                .findFirst();
    }

    private static Step step(String name, List<Pod> attempts, boolean complete, boolean failed) {
        Step.Builder step = Step.builder(name);
        if (attempts.isEmpty()) {
            // The cluster deletes pods that failed for good, and those of jobs that are over if it is told to.
            if (complete) {
                step.status(JobStatus.COMPLETE);
            } else if (failed) {
                step.status(JobStatus.FAILED).reason("PodDeleted");
            }
            return step.build();
        }
        Pod pod = attempts.get(0);
        step.instance(pod.getMetadata().getName());
        pod.getSpec().getContainers().stream()
                .filter(container -> container.getName().equals(container(pod)))
                .findFirst()
                .ifPresent(container -> {
                    step.image(container.getImage());
                    List<String> command = new ArrayList<>(
                            Optional.ofNullable(container.getCommand()).orElse(List.of()));
                    command.addAll(Optional.ofNullable(container.getArgs()).orElse(List.of()));
                    step.command(command);
                    device(container, step);
                });
        Optional<ContainerStatus> status = containerStatus(pod);
        int restarts = status.map(ContainerStatus::getRestartCount).orElse(0) + attempts.size() - 1;
        step.restarts(restarts);
        if (status.isPresent()) {
            state(status.get().getState(), step);
        } else {
            unschedulable(pod).ifPresent(step::reason);
        }
        return step.build();
    }

    private static void device(io.fabric8.kubernetes.api.model.Container container, Step.Builder step) {
        if (container.getResources() == null || container.getResources().getLimits() == null) {
            return;
        }
        var limits = container.getResources().getLimits();
        for (Map.Entry<String, String> kind : Map.of(
                        "huawei.com/Ascend910", "npu", "google.com/tpu", "tpu", "nvidia.com/gpu", "gpu")
                .entrySet()) {
            if (limits.containsKey(kind.getKey())) {
                step.device(kind.getValue(), limits.get(kind.getKey()).toString());
                return;
            }
        }
        if (limits.containsKey("cpu")) {
            step.device("cpu", limits.get("cpu").toString());
        }
    }

    private static void state(ContainerState state, Step.Builder step) {
        if (state.getTerminated() != null) {
            int code = state.getTerminated().getExitCode();
            step.status(code == 0 ? JobStatus.COMPLETE : JobStatus.FAILED).exitCode(code);
            time(state.getTerminated().getStartedAt()).ifPresent(step::startTime);
            time(state.getTerminated().getFinishedAt()).ifPresent(step::endTime);
            if (code != 0) {
                String reason = state.getTerminated().getReason();
                step.reason(reason == null || reason.equals("Error") ? Cause.EXIT_CODE : reason);
            }
        } else if (state.getRunning() != null) {
            step.status(JobStatus.RUNNING);
            time(state.getRunning().getStartedAt()).ifPresent(step::startTime);
        } else if (state.getWaiting() != null && state.getWaiting().getReason() != null) {
            step.reason(state.getWaiting().getReason());
        }
    }

    private static Optional<String> unschedulable(Pod pod) {
        if (pod.getStatus() == null || pod.getStatus().getConditions() == null) {
            return Optional.empty();
        }
        return pod.getStatus().getConditions().stream()
                .filter(condition ->
                        "PodScheduled".equals(condition.getType()) && "False".equals(condition.getStatus()))
                .map(PodCondition::getReason)
                .filter(reason -> reason != null && !reason.isEmpty())
                .findFirst();
    }

    static Optional<Instant> time(String text) {
        return new Tree(text).time();
    }

    private static Failure failure(Tree condition, List<Step> steps) {
        String reason = condition.at("reason").text().orElse("Failed");
        String message = condition.at("message").text().orElse("the cluster does not say why");
        List<Failure> failures = new ArrayList<>();
        for (Step step : steps) {
            if (step.status() == JobStatus.FAILED && step.exitCode().isPresent()) {
                failures.add(new Failure(
                        Optional.of(step.name()),
                        step.reason().orElse(Cause.EXIT_CODE),
                        ExitCodes.describe(step.exitCode().getAsInt()) + " in pod "
                                + step.instance().orElse("?"),
                        step.exitCode(),
                        List.of(),
                        List.of()));
            }
        }
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
