package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.Quantity;
import io.github.trainer4j.api.launch.Expansion;
import io.github.trainer4j.api.launch.ResourceNames;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.api.state.ExitCodes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a pod says about the step that it runs. What counts is the container that does the step's work: others may run
 * beside it for as long as they like.
 *
 * @param step the step: a role, and for nodes the index
 * @param name the pod's name
 * @param uid what tells it from another pod of this name
 * @param created when it was created
 * @param container the container that does the work
 * @param state where that stands
 * @param reason one word on why it waits, or how the whole pod failed
 * @param message what the reason means here
 * @param restarts how often the kubelet started it again
 * @param started when it started, if it runs
 * @param ending how it ended, if it did
 * @param lastEnding how it ended before its last restart
 * @param deleted whether the pod is being deleted, or is gone
 * @param image the image that it runs
 * @param command its program and arguments
 * @param devices the kind of its devices, and how many
 */
record PodFacts(
        String step,
        String name,
        String uid,
        Instant created,
        String container,
        State state,
        Optional<String> reason,
        Optional<String> message,
        int restarts,
        Optional<Instant> started,
        Optional<Ending> ending,
        Optional<Ending> lastEnding,
        boolean deleted,
        Optional<String> image,
        List<String> command,
        Optional<Map.Entry<String, String>> devices) {
    private static final List<String> DEVICES = List.of("gpu", "npu", "tpu");

    /** Where a container stands, in the order of its life. */
    enum State {
        WAITING,
        UNKNOWN,
        RUNNING,
        ENDED
    }

    /**
     * How a container ended.
     *
     * @param attempt the number of restarts before it
     */
    record Ending(
            int attempt,
            int exitCode,
            String reason,
            Optional<String> message,
            Optional<Instant> started,
            Optional<Instant> ended) {
        boolean failed() {
            return exitCode != 0;
        }
    }

    static PodFacts of(Pod pod) {
        String role = label(pod, Names.REPLICATED_JOB_LABEL, "");
        String step = role.equals(Names.NODE) ? Names.NODE + "-" + label(pod, Names.INDEX_LABEL, "0") : role;
        Optional<Container> working = working(pod, role);
        String container = working.map(Container::getName).orElse(role);
        PodStatus status = Optional.ofNullable(pod.getStatus()).orElseGet(PodStatus::new);
        Optional<ContainerStatus> own = statusOf(status.getContainerStatuses(), container);
        int restarts = own.map(ContainerStatus::getRestartCount).orElse(0);
        Optional<ContainerState> now = own.map(ContainerStatus::getState);
        Optional<Ending> ending = now.map(ContainerState::getTerminated).map(ended -> ending(ended, restarts));
        boolean runs = now.map(ContainerState::getRunning).isPresent();
        boolean podFailed = "Failed".equals(status.getPhase());
        Optional<Map.Entry<String, String>> why = ending.isPresent() || runs
                ? Optional.empty()
                : podFailed
                        ? entry(status.getReason() == null ? "PodFailed" : status.getReason(), status.getMessage())
                        : waiting(status, now);
        return new PodFacts(
                step,
                pod.getMetadata().getName(),
                String.valueOf(pod.getMetadata().getUid()),
                new Tree(pod.getMetadata().getCreationTimestamp()).time().orElse(Instant.EPOCH),
                container,
                state(status, ending.isPresent(), runs, podFailed),
                why.map(Map.Entry::getKey),
                why.map(Map.Entry::getValue).filter(text -> !text.isBlank()),
                restarts,
                now.map(ContainerState::getRunning).flatMap(running -> new Tree(running.getStartedAt()).time()),
                ending,
                own.map(ContainerStatus::getLastState)
                        .map(ContainerState::getTerminated)
                        // One that waits for its restart does not count as restarted yet.
                        .map(ended -> ending(ended, runs || ending.isPresent() ? Math.max(0, restarts - 1) : restarts)),
                pod.getMetadata().getDeletionTimestamp() != null,
                working.map(Container::getImage),
                working.map(PodFacts::command).orElse(List.of()),
                working.flatMap(PodFacts::devices));
    }

    private static String label(Pod pod, String label, String otherwise) {
        Map<String, String> labels = pod.getMetadata().getLabels();
        return labels == null ? otherwise : labels.getOrDefault(label, otherwise);
    }

    private static Optional<Container> working(Pod pod, String role) {
        String name = role.equals(Names.LAUNCHER) ? Names.NODE : role;
        List<Container> containers =
                pod.getSpec() == null ? List.of() : pod.getSpec().getContainers();
        return containers.stream()
                .filter(container -> name.equals(container.getName()))
                .findFirst()
                .or(() -> containers.stream().findFirst());
    }

    private static State state(PodStatus status, boolean ended, boolean runs, boolean podFailed) {
        if (ended || podFailed) {
            return State.ENDED;
        }
        if ("Unknown".equals(status.getPhase())) {
            return State.UNKNOWN;
        }
        return runs ? State.RUNNING : State.WAITING;
    }

    private static Ending ending(ContainerStateTerminated ended, int attempt) {
        int code = ended.getExitCode() == null ? 0 : ended.getExitCode();
        String reason = ended.getReason();
        return new Ending(
                attempt,
                code,
                reason == null || reason.isBlank() || reason.equals("Error") ? Cause.EXIT_CODE : reason,
                Optional.ofNullable(ended.getMessage()).map(String::strip).filter(text -> !text.isEmpty()),
                // One that could not be started has begun in 1970.
                new Tree(ended.getStartedAt()).time().filter(time -> time.isAfter(Instant.EPOCH)),
                new Tree(ended.getFinishedAt()).time());
    }

    /** Why a container has not started: most of all what its pod's scheduler says, then what holds up others before it. */
    private static Optional<Map.Entry<String, String>> waiting(PodStatus status, Optional<ContainerState> now) {
        Optional<Map.Entry<String, String>> unscheduled = status.getConditions().stream()
                .filter(condition ->
                        "PodScheduled".equals(condition.getType()) && "False".equals(condition.getStatus()))
                .findFirst()
                .map(PodFacts::entry);
        if (unscheduled.isPresent()) {
            return unscheduled;
        }
        for (ContainerStatus before : status.getInitContainerStatuses()) {
            ContainerState state = before.getState();
            String words = "its container " + before.getName() + ", which comes first, ";
            if (state.getWaiting() != null
                    && !"PodInitializing".equals(state.getWaiting().getReason())) {
                String message = state.getWaiting().getMessage();
                return entry(
                        String.valueOf(state.getWaiting().getReason()),
                        words + "waits" + (message == null ? "" : ": " + message));
            }
            if (state.getTerminated() != null
                    && !Integer.valueOf(0).equals(state.getTerminated().getExitCode())) {
                Ending ending = ending(state.getTerminated(), 0);
                return entry("Init" + ending.reason(), words + ExitCodes.describe(ending.exitCode()));
            }
        }
        return now.map(ContainerState::getWaiting).flatMap(waiting -> entry(waiting.getReason(), waiting.getMessage()));
    }

    private static Map.Entry<String, String> entry(PodCondition condition) {
        return entry(condition.getReason(), condition.getMessage()).orElse(Map.entry("Unschedulable", ""));
    }

    private static Optional<Map.Entry<String, String>> entry(@Nullable String reason, @Nullable String message) {
        return reason == null || reason.isBlank()
                ? Optional.empty()
                : Optional.of(Map.entry(reason, message == null ? "" : message));
    }

    private static Optional<ContainerStatus> statusOf(List<ContainerStatus> statuses, String container) {
        return statuses.stream()
                .filter(status -> container.equals(status.getName()) && status.getState() != null)
                .findFirst();
    }

    /** As it runs, but for references to variables, whose values may be secret. */
    private static List<String> command(Container container) {
        return Stream.concat(container.getCommand().stream(), container.getArgs().stream())
                .map(text -> Expansion.expand(text, Map.of(), name -> true))
                .toList();
    }

    private static Optional<Map.Entry<String, String>> devices(Container container) {
        Map<String, Quantity> limits =
                container.getResources() == null || container.getResources().getLimits() == null
                        ? Map.of()
                        : container.getResources().getLimits();
        for (String device : DEVICES) {
            Quantity number = limits.get(ResourceNames.inCluster(device));
            if (number != null) {
                return Optional.of(Map.entry(device, number.toString()));
            }
        }
        return Optional.ofNullable(limits.get("cpu")).map(cpu -> Map.entry("cpu", cpu.toString()));
    }

    /** Returns the number of restarts before the newest attempt that has a log; -1 if none has. */
    int newestAttempt() {
        return state == State.RUNNING
                ? restarts
                : ending.or(() -> lastEnding).map(Ending::attempt).orElse(-1);
    }

    /** Whether the container has run at all. */
    boolean hasStarted() {
        return state == State.RUNNING
                || restarts > 0
                || ending.or(() -> lastEnding).flatMap(Ending::started).isPresent();
    }

    /**
     * Returns the ending to blame if the job failed: the last one, but if that came only because the pod was deleted, the one
     * before.
     */
    Optional<Ending> blamed() {
        boolean stopped = deleted
                && ending.filter(last -> ExitCodes.isStop(last.exitCode())).isPresent();
        Optional<Ending> last = stopped ? Optional.empty() : ending.filter(Ending::failed);
        return last.or(() -> lastEnding.filter(Ending::failed));
    }

    /** Returns the same, of a pod that is not there any more. */
    PodFacts gone() {
        boolean failedBefore = ending.isEmpty() && lastEnding.isPresent();
        return new PodFacts(
                step,
                name,
                uid,
                created,
                container,
                failedBefore ? State.ENDED : state,
                reason,
                message,
                restarts,
                started,
                failedBefore ? lastEnding : ending,
                lastEnding,
                true,
                image,
                command,
                devices);
    }
}
