package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.EventSeries;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.state.ExitCodes;
import java.math.BigInteger;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What has happened to a job: the cluster's events on its TrainJob, JobSet, Jobs and pods. Who writes them does so in one of
 * two ways: with a first and a last time in whole seconds, or with one exact time and, if it came again, a series.
 */
final class JobEvents {
    private final Pattern jobs;
    private final Pattern pods;
    private final String job;
    private final Map<String, String> steps = new HashMap<>();

    private JobEvents(String job, List<PodFacts> known) {
        this.job = job;
        // Not just any name that begins with the job's: that may be another job's.
        String role = Pattern.quote(job) + "-([a-z0-9-]+?)-\\d+";
        this.jobs = Pattern.compile(role);
        this.pods = Pattern.compile(role + "(?:-(\\d+))?-[a-z0-9]{5}");
        known.forEach(pod -> steps.put(pod.name(), pod.step()));
    }

    /**
     * Returns the events in the order of time.
     *
     * @param created when the job was created; older events are those of a namesake
     */
    static List<Event> of(
            String job, Instant created, List<PodFacts> pods, List<io.fabric8.kubernetes.api.model.Event> events) {
        JobEvents reader = new JobEvents(job, pods);
        List<io.fabric8.kubernetes.api.model.Event> own = events.stream()
                .filter(reader::isAbout)
                .filter(event -> !time(event).isBefore(created))
                // Within a second, what has whole seconds only is put where the API server heard of it.
                .sorted(Comparator.comparing((io.fabric8.kubernetes.api.model.Event event) ->
                                time(event).truncatedTo(ChronoUnit.SECONDS))
                        .thenComparing(JobEvents::version))
                .toList();
        List<Event> read = new ArrayList<>();
        Instant last = Instant.MIN;
        for (io.fabric8.kubernetes.api.model.Event event : own) {
            Instant time = time(event);
            last = time.isBefore(last) ? last : time;
            read.add(reader.event(event, last));
        }
        pods.forEach(pod -> pod.ending().ifPresent(ending -> exited(read, pod, ending)));
        return read;
    }

    /**
     * Adds the end of a container, of which no cluster has an event. Its time has whole seconds, so it goes behind what the
     * same step did in that second.
     */
    private static void exited(List<Event> read, PodFacts pod, PodFacts.Ending ending) {
        Instant ended = ending.ended().orElse(pod.created());
        Instant second = ended.truncatedTo(ChronoUnit.SECONDS);
        int place = 0;
        for (int i = 0; i < read.size(); i++) {
            Instant time = read.get(i).time();
            boolean before = read.get(i).step().equals(Optional.of(pod.step()))
                    && !time.truncatedTo(ChronoUnit.SECONDS).isAfter(second);
            if (before || time.isBefore(ended)) {
                place = i + 1;
            }
        }
        Instant previous = place == 0 ? Instant.MIN : read.get(place - 1).time();
        read.add(
                place,
                new Event(
                        previous.isAfter(ended) ? previous : ended,
                        Optional.of(pod.step()),
                        ending.failed() ? Event.Type.WARNING : Event.Type.NORMAL,
                        "Exited",
                        ExitCodes.describe(ending.exitCode()) + " in pod " + pod.name()));
    }

    private static BigInteger version(io.fabric8.kubernetes.api.model.Event event) {
        String version = event.getMetadata().getResourceVersion();
        return version != null && version.matches("\\d+") ? new BigInteger(version) : BigInteger.ZERO;
    }

    private boolean isAbout(io.fabric8.kubernetes.api.model.Event event) {
        String name = String.valueOf(event.getInvolvedObject().getName());
        return switch (String.valueOf(event.getInvolvedObject().getKind())) {
            case "TrainJob", "JobSet" -> name.equals(job);
            case "Job" -> isOwn(jobs.matcher(name));
            case "Pod" -> steps.containsKey(name) || isOwn(pods.matcher(name));
            default -> false;
        };
    }

    private static boolean isOwn(Matcher matcher) {
        return matcher.matches() && isRole(matcher.group(1));
    }

    private static boolean isRole(String role) {
        return role.equals(Names.NODE) || role.equals(Names.LAUNCHER) || role.endsWith("-initializer");
    }

    private Event event(io.fabric8.kubernetes.api.model.Event event, Instant time) {
        String reason = event.getReason();
        return new Event(
                time,
                step(event),
                "Warning".equals(event.getType()) ? Event.Type.WARNING : Event.Type.NORMAL,
                reason == null || reason.isBlank() ? "Unknown" : reason,
                (event.getMessage() == null ? "" : event.getMessage().strip()) + times(event));
    }

    private Optional<String> step(io.fabric8.kubernetes.api.model.Event event) {
        String name = String.valueOf(event.getInvolvedObject().getName());
        if (!"Pod".equals(event.getInvolvedObject().getKind())) {
            return Optional.empty();
        }
        String known = steps.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        // The pod is gone; its name tells.
        Matcher matcher = pods.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String role = matcher.group(1);
        String index = matcher.group(2);
        return Optional.of(role.equals(Names.NODE) ? Names.NODE + "-" + (index == null ? "0" : index) : role);
    }

    private static String times(io.fabric8.kubernetes.api.model.Event event) {
        int times = Optional.ofNullable(event.getSeries())
                .map(EventSeries::getCount)
                .or(() -> Optional.ofNullable(event.getCount()))
                .orElse(1);
        return times > 1 ? " (" + times + " times)" : "";
    }

    private static Instant time(io.fabric8.kubernetes.api.model.Event event) {
        return Optional.ofNullable(event.getSeries())
                .map(EventSeries::getLastObservedTime)
                .map(MicroTime::getTime)
                .or(() -> Optional.ofNullable(event.getLastTimestamp()))
                .or(() -> Optional.ofNullable(event.getEventTime()).map(MicroTime::getTime))
                .or(() -> Optional.ofNullable(event.getFirstTimestamp()))
                .or(() -> Optional.ofNullable(event.getMetadata().getCreationTimestamp()))
                .flatMap(text -> new Tree(text).time())
                .orElse(Instant.EPOCH);
    }
}
