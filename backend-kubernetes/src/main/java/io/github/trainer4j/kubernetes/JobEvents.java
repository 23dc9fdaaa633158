package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.trainer4j.api.Event;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What has happened to a job: the cluster's events on its TrainJob, JobSet, Jobs and pods. */
final class JobEvents {
    private JobEvents() {}

    /**
     * Returns the events in the order of time.
     *
     * @param created when the job was created; older events are those of a namesake
     */
    static List<Event> of(
            String job, Instant created, List<Pod> pods, List<io.fabric8.kubernetes.api.model.Event> events) {
        Map<String, String> steps = new HashMap<>();
        pods.forEach(pod -> steps.put(pod.getMetadata().getName(), JobReader.step(pod)));
        return events.stream()
                .filter(event -> isAbout(event, job))
                .map(event -> event(
                        event,
                        Optional.ofNullable(steps.get(event.getInvolvedObject().getName()))))
                .filter(event -> !event.time().isBefore(created))
                .sorted(Comparator.comparing(Event::time))
                .toList();
    }

    private static boolean isAbout(io.fabric8.kubernetes.api.model.Event event, String job) {
        String kind = String.valueOf(event.getInvolvedObject().getKind());
        String name = String.valueOf(event.getInvolvedObject().getName());
        return switch (kind) {
            case "TrainJob", "JobSet" -> name.equals(job);
            case "Job", "Pod" -> name.startsWith(job + "-");
            default -> false;
        };
    }

    private static Event event(io.fabric8.kubernetes.api.model.Event event, Optional<String> step) {
        String reason = event.getReason();
        return new Event(
                time(event),
                step,
                "Warning".equals(event.getType()) ? Event.Type.WARNING : Event.Type.NORMAL,
                reason == null || reason.isBlank() ? "Unknown" : reason,
                event.getMessage() == null ? "" : event.getMessage());
    }

    private static Instant time(io.fabric8.kubernetes.api.model.Event event) {
        return Optional.ofNullable(event.getLastTimestamp())
                .or(() -> Optional.ofNullable(event.getEventTime()).map(MicroTime::getTime))
                .or(() -> Optional.ofNullable(event.getFirstTimestamp()))
                .flatMap(JobReader::time)
                .orElse(Instant.EPOCH);
    }
}
