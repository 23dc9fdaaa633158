package io.github.trainer4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What errors tell: what happened, where, and what to do; as text for people and as data for programs. */
class ErrorsTest {
    @Test
    void aFailedJobSaysWhichStepFailedHowAndWhatItLastWrote() {
        JobFailedException error = new JobFailedException(Samples.job(JobStatus.FAILED));

        assertThat(error).hasMessage("""
                        job mnist is Failed: node-0: the process ended with 3 (ExitCode, exit 3); last lines of its log:
                            Traceback
                            ValueError: boom
                          also node-1 was stopped (Cancelled)""");
        assertThat(error.job()).contains("mnist");
        assertThat(error.step()).contains("node-0");
        assertThat(error.reason()).contains("ExitCode");
        assertThat(error.trainJob()).isEqualTo(Samples.job(JobStatus.FAILED));
    }

    @Test
    void aJobThatEndedWellThoughSomethingElseWasAwaitedSaysSo() {
        TrainJob complete = new TrainJob(
                "mnist",
                JobStatus.COMPLETE,
                Optional.empty(),
                List.of(),
                1,
                Samples.NOON,
                Map.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());

        assertThat(new JobFailedException(complete)).hasMessage("job mnist is Complete, which was not waited for");
    }

    @Test
    void aFailureKeepsTheLastTenLinesOfALog() {
        List<String> lines = IntStream.range(0, 25).mapToObj(i -> "line " + i).toList();

        Failure failure = new Failure(Optional.empty(), "ExitCode", "ended", OptionalInt.of(1), lines, List.of());

        assertThat(failure.logTail()).hasSize(10).startsWith("line 15").endsWith("line 24");
    }

    @Test
    void aWaitThatTookTooLongSaysWhereEachStepStandsAndWhy() {
        Step pulling = Step.builder("node-0")
                .reason("ImagePullBackOff")
                .message("Back-off pulling image \"nowhere/x\"")
                .build();
        Step running = Step.builder("node-1").status(JobStatus.RUNNING).build();
        Step over =
                Step.builder("dataset-initializer").status(JobStatus.COMPLETE).build();
        TrainJob job = new TrainJob(
                "mnist",
                JobStatus.CREATED,
                Optional.empty(),
                List.of(over, pulling, running),
                2,
                Samples.NOON,
                Map.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());

        WaitTimeoutException error = new WaitTimeoutException(
                job,
                Set.of(JobStatus.RUNNING, JobStatus.COMPLETE),
                Duration.ofSeconds(5),
                List.of(
                        warning("Oldest", "is too old to be told"),
                        warning("Older", "a"),
                        new Event(Samples.NOON, Optional.empty(), Event.Type.NORMAL, "Fine", "is not told"),
                        warning("Old", "b"),
                        new Event(Samples.NOON, Optional.of("node-0"), Event.Type.WARNING, "Newest", "no such image")));

        assertThat(error).hasMessage("""
                        job mnist is Created and not Complete or Running after PT5S; it goes on, wait again or delete it
                          node-0: Created (ImagePullBackOff): Back-off pulling image "nowhere/x"
                          node-1: Running
                          %1$s Older: a
                          %1$s Old: b
                          %1$s node-0: Newest: no such image""".formatted(Samples.NOON));
        assertThat(error.job()).contains("mnist");
        assertThat(error.reason()).contains("Timeout");
        assertThat(error.trainJob()).isEqualTo(job);
    }

    private static Event warning(String reason, String message) {
        return new Event(Samples.NOON, Optional.empty(), Event.Type.WARNING, reason, message);
    }

    @Test
    void aRuntimeThatIsNotThereHasNearNames() {
        RuntimeNotFoundException error =
                new RuntimeNotFoundException("torch-distributd", List.of("torch-distributed", "jax-distributed"));

        assertThat(error)
                .hasMessage("there is no runtime 'torch-distributd'; did you mean torch-distributed?; runtimes:"
                        + " torch-distributed, jax-distributed");
        assertThat(error.available()).containsExactly("torch-distributed", "jax-distributed");
        assertThat(new RuntimeNotFoundException("x", List.of())).hasMessageContaining("runtimes: none");
    }

    @Test
    void aJobOrStepThatIsNotThereSaysWhatThereIs() {
        assertThat(JobNotFoundException.noJob("a\nb", "local"))
                .hasMessage("backend local has no job 'a\\u000ab'; list() shows those it has");
        JobNotFoundException step = JobNotFoundException.noStep("mnist", "node-9", List.of("node-0", "node-1"));
        assertThat(step).hasMessage("job mnist has no step 'node-9'; its steps are node-0, node-1");
        assertThat(step.job()).contains("mnist");
        assertThat(step.step()).contains("node-9");
    }

    @Test
    void aBackendThatIsNotThereSaysWhatWasTried() {
        BackendUnavailableException error = new BackendUnavailableException(
                "no container engine; start Docker or Podman",
                List.of("/var/run/docker.sock: no such file", "podman: not on the path"),
                null);

        assertThat(error).hasMessage("""
                        no container engine; start Docker or Podman; tried:
                          /var/run/docker.sock: no such file
                          podman: not on the path""");
        assertThat(error.attempts()).hasSize(2);
        assertThat(new BackendUnavailableException("gone", List.of(), null)).hasMessage("gone");
    }

    @Test
    void everyErrorIsOneFamilyAndUnchecked() throws ReflectiveOperationException {
        List<Class<?>> errors = PublicTypes.all().stream()
                .filter(type -> type.getPackage() == TrainJob.class.getPackage())
                .filter(Throwable.class::isAssignableFrom)
                .toList();

        assertThat(errors).hasSizeGreaterThan(9).allSatisfy(type -> {
            assertThat(TrainerException.class).isAssignableFrom(type);
            assertThat(RuntimeException.class).isAssignableFrom(type);
            assertThat(type == TrainerException.class || Modifier.isFinal(type.getModifiers()))
                    .isTrue();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "torch-distributd, torch-distributed",
        "TORCH-DISTRIBUTED, torch-distributed",
        "jx-distributed, jax-distributed",
        "deepsped, deepspeed",
        "kubernets, ''",
        "'', ''"
    })
    void nearNamesAreAFewLettersAway(String wrong, String expected) {
        List<String> known = List.of("torch-distributed", "jax-distributed", "deepspeed", "plain");

        List<String> near = NearNames.of(wrong, known);

        assertThat(near.isEmpty() ? "" : near.get(0)).isEqualTo(expected);
    }

    @Test
    void nearNamesAreAtMostThreeNearestFirstAndEachOnce() {
        assertThat(NearNames.of("aaaa", List.of("aabb", "aaab", "aaaa", "aaac", "aaab", "aaad")))
                .containsExactly("aaaa", "aaab", "aaac");
        assertThat(NearNames.hint("aaa", List.of("aab", "aac"))).isEqualTo("; did you mean aab or aac?");
        assertThat(NearNames.hint("zzzzzzz", List.of("aab"))).isEmpty();
        assertThat(NearNames.of("x".repeat(1_000_000), List.of("x".repeat(1_000_000))))
                .isEmpty();
    }
}
