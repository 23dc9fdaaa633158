package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.WaitTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobEventsTest {
    private static final Instant CREATED = Instant.parse("2026-11-30T20:05:58Z");

    @Test
    void eventsOfAllThatBelongsToAJobComeInTheOrderInWhichTheyCame() {
        List<Event> events = JobEvents.of("restarting", CREATED, List.of(), Recorded.events());

        assertThat(events)
                .extracting(Event::reason)
                .containsExactly(
                        "SuccessfulCreate",
                        "Scheduled",
                        "Pulled",
                        "Created",
                        "Started",
                        "SuccessfulDelete",
                        "Killing",
                        "BackoffLimitExceeded",
                        "FailedJobs");
        assertThat(events).isSortedAccordingTo(Comparator.comparing(Event::time));
        assertThat(events.get(1).step())
                .as("the pod is gone, and its name tells")
                .hasValue("node-0");
        assertThat(events.get(0).step()).isEmpty();
        assertThat(events.get(2).message()).endsWith("(2 times)");
    }

    @Test
    void anEventThatCameAgainHasItsLastTime() {
        List<Event> events = JobEvents.of("big", CREATED, List.of(), Recorded.events());

        assertThat(events).last().satisfies(event -> {
            assertThat(event.time()).isEqualTo(Instant.parse("2026-11-30T20:06:04.400161Z"));
            assertThat(event.type()).isEqualTo(Event.Type.WARNING);
            assertThat(event.reason()).isEqualTo("FailedScheduling");
            assertThat(event.message()).contains("Insufficient cpu").endsWith("(2 times)");
        });
    }

    @Test
    void aNamesakesEventsAndThoseOfJobsWithALongerNameAreLeftOut() {
        assertThat(JobEvents.of("restarting", CREATED.plusSeconds(600), List.of(), Recorded.events()))
                .isEmpty();
        for (String other : List.of("restart", "restarting-node", "restarting-node-0", "r", "no")) {
            assertThat(JobEvents.of(other, CREATED, List.of(), Recorded.events()))
                    .as(other)
                    .isEmpty();
        }
    }

    @Test
    void aWaitForAJobOfWhichTheClusterMayMakeNothingQuotesWhy() {
        Tree noStatus =
                Runtimes.tree("{\"metadata\": {\"name\": \"quota\"}, \"spec\": {\"trainer\": {\"numNodes\": 1}}}");
        TrainJob job = new JobReader(new Sightings((pod, ending) -> List.of())).read(noStatus, List.of(), runtime -> 1);
        List<Event> events = JobEvents.of("quota", CREATED, List.of(), Recorded.events("events-of-a-used-up-quota"));

        assertThat(new WaitTimeoutException(job, Set.of(JobStatus.RUNNING), Duration.ofMinutes(1), events))
                .hasMessageContainingAll(
                        "job quota is Created",
                        "TrainJobResourcesCreationFailed",
                        "\"quota\" is forbidden: exceeded quota",
                        "FailedCreate",
                        "requested: pods=1");
    }

    @Test
    void anEventWithNothingInItIsReadAllTheSame() {
        io.fabric8.kubernetes.api.model.Event bare = Recorded.events().get(0);
        bare.setReason(null);
        bare.setMessage(null);
        bare.getInvolvedObject().setKind("TrainJob");
        bare.getInvolvedObject().setName("bare");

        List<Event> events = JobEvents.of("bare", CREATED, List.of(), List.of(bare));

        assertThat(events).singleElement().satisfies(event -> {
            assertThat(event.reason()).isEqualTo("Unknown");
            assertThat(event.message()).isEmpty();
            assertThat(event.step()).isEqualTo(Optional.empty());
        });
    }
}
