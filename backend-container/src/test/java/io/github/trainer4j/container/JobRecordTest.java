package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.container.JobRecord.StepRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobRecordTest {
    private static final JobRecord RECORD = new JobRecord(
            "job",
            "uid",
            "docker",
            "unix:///x",
            "torch",
            Instant.parse("2026-11-30T12:00:00.123Z"),
            Optional.of(Instant.parse("2026-11-30T13:00:00Z")),
            Duration.ofMillis(1500),
            3,
            Map.of("team", "a"),
            Map.of("note", "two\nlines \"quoted\" ü"),
            "/work/containers/job",
            Optional.of("job-workspace"),
            LauncherIdentity.self(),
            List.of(new StepRecord(
                    "dataset-initializer", Optional.of("i:1"), List.of("python"), Optional.empty(), Optional.empty())),
            new StepRecord(
                    "node", Optional.of("n:1"), List.of("sh", "-c", "a b"), Optional.of("gpu"), Optional.of("2")));

    @Test
    void whatIsWrittenIsReadBack() {
        assertThat(JobRecord.fromJson(RECORD.toJson())).isEqualTo(RECORD);
    }

    @Test
    void theStepsAreTheInitializersAndThenTheNodes() {
        assertThat(RECORD.stepNames()).containsExactly("dataset-initializer", "node-0", "node-1", "node-2");
        assertThat(RECORD.containerName("node-2")).isEqualTo("job-node-2");
        assertThat(RECORD.networkName()).isEqualTo("job-net");
    }

    @Test
    void aRecordOfALaterVersionIsNotTakenForOneOfThis() {
        String later = RECORD.toJson().replace("\"format\":1", "\"format\":2");

        assertThatThrownBy(() -> JobRecord.fromJson(later)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void thisProcessIsAliveAndAnotherOfItsNumberIsNot() {
        LauncherIdentity self = LauncherIdentity.self();

        assertThat(self.isSelf()).isTrue();
        assertThat(new LauncherIdentity(self.pid(), self.started().minusSeconds(60), self.host()).isAlive())
                .isFalse();
        assertThat(new LauncherIdentity(self.pid(), self.started(), "other").isSelf())
                .isFalse();
    }
}
