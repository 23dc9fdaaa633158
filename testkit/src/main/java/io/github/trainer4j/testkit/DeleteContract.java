package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.Backend;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The part of the contract about stopping jobs and removing them. */
interface DeleteContract {
    @Test
    default void deletingARunningJobEndsItsProcesses(Bench bench) {
        Sleeper child = bench.sleeper();
        Sleeper grandchild = bench.sleeper();
        String name = bench.start(bench.script(grandchild.command() + " & " + child.command()))
                .name();
        child.awaitStart();
        grandchild.awaitStart();

        bench.delete(name);

        bench.hasNo(name);
        child.awaitEnd();
        grandchild.awaitEnd();
    }

    @Test
    default void deletingAJobEndsAlsoWhatHasLeftItsParent(Bench bench) {
        if (!bench.has(Feature.ORPHANS)) {
            return;
        }
        Sleeper orphan = bench.sleeper();
        Sleeper child = bench.sleeper();
        String name = bench.start(bench.script("(" + orphan.command() + " &); " + child.command()))
                .name();
        orphan.awaitStart();
        child.awaitStart();

        bench.delete(name);

        bench.hasNo(name);
        child.awaitEnd();
        orphan.awaitEnd();
    }

    @Test
    default void nothingGoesOnThatAnEndedNodeHasLeftBehind(Bench bench) {
        if (!bench.has(Feature.ORPHANS)) {
            return;
        }
        Sleeper left = bench.sleeper();
        String name = bench.complete(bench.script(left.command() + " > /dev/null 2>&1 & echo started"))
                .name();

        bench.delete(name);

        left.awaitEnd();
        bench.hasNo(name);
    }

    @Test
    default void deletingASilentProcessNeedsNoOutputOfIt(Bench bench) {
        Sleeper sleeper = bench.sleeper();
        String name = bench.start(bench.script("exec " + sleeper.command())).name();
        sleeper.awaitStart();

        bench.delete(name);

        bench.hasNo(name);
        sleeper.awaitEnd();
    }

    @Test
    default void aProcessIsGivenTheTimeToEndByItself(Bench bench) throws InterruptedException {
        Backend patient = bench.patient();
        Sleeper sleeper = bench.sleeper();
        TrainJobRequest request =
                bench.script("trap 'kill $!; sleep 2; exit 0' TERM; " + sleeper.command() + " & echo ready; wait");
        String name = patient.train(request, ProgressListener.none()).name();
        bench.wrote(name, "node-0", "ready");

        long start = System.nanoTime();
        patient.delete(name);

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("the handler of TERM takes two seconds, and may finish")
                .isGreaterThan(Duration.ofMillis(1900));
        bench.hasNo(name);
        sleeper.awaitEnd();
    }

    @Test
    default void aProcessThatIsDeafToTermIsKilled(Bench bench) {
        Sleeper sleeper = bench.sleeper();
        String name = bench.start(bench.script("trap '' TERM; echo ready; while :; do " + sleeper.command() + "; done"))
                .name();
        bench.wrote(name, "node-0", "ready");

        bench.delete(name);

        bench.hasNo(name);
        sleeper.awaitEnd();
    }

    @Test
    default void deletingTwiceIsAnError(Bench bench) {
        String name = bench.complete(bench.script("true")).name();

        bench.delete(name);

        assertThatThrownBy(() -> bench.delete(name))
                .isInstanceOf(JobNotFoundException.class)
                .hasMessageContaining(name);
    }

    @Test
    default void deletingAnEndedJobRemovesAllOfIt(Bench bench) {
        TrainJob complete = bench.complete(bench.script("echo result > \"$TRAINJOB_WORKSPACE/result.txt\""));
        TrainJob failed = bench.run(bench.script("exit 1"));

        bench.delete(complete.name());
        bench.delete(failed.name());

        bench.hasNo(complete.name());
        bench.hasNo(failed.name());
        complete.workspace().ifPresent(folder -> assertThat(folder).doesNotExist());
    }

    @Test
    default void aJobOfTheNameOfADeletedOneIsANewJob(Bench bench) {
        String name = bench.complete(bench.script("echo the first")).name();
        bench.delete(name);

        TrainJob second = bench.complete(bench.on(TrainJobRequest.builder().name(name), "plain")
                .trainer(bench.sh("echo the second"))
                .build());

        assertThat(second.name()).isEqualTo(name);
        assertThat(bench.log(name, "node-0")).containsExactly("the second");
    }

    @Test
    default void deletingWhileInitializersRunStopsThem(Bench bench) {
        TrainJobRequest request = bench.job()
                .dataset(bench.dataset(InitializerActions.sleep(600)))
                .trainer(bench.sh("echo started"))
                .build();
        if (bench.refusedWithout(Feature.INITIALIZERS, request)) {
            return;
        }
        String name = bench.start(request).name();
        bench.wrote(name, "dataset-initializer", "dataset: sleep-600");

        bench.delete(name);

        bench.hasNo(name);
        bench.until("the initializer is stopped", () -> bench.actions().running() == 0);
    }

    @Test
    default void deletingTouchesNoOtherJob(Bench bench) {
        Sleeper sleeper = bench.sleeper();
        String kept = bench.start(bench.script(sleeper.command())).name();
        sleeper.awaitStart();
        Sleeper other = bench.sleeper();
        String gone = bench.start(bench.script(other.command())).name();
        other.awaitStart();

        bench.delete(gone);

        other.awaitEnd();
        assertThat(sleeper.runs()).isTrue();
        bench.running(kept);
    }

    @Test
    default void aDeleteThatIsInterruptedCanBeDoneAgain(Bench bench) throws InterruptedException {
        Sleeper sleeper = bench.sleeper();
        String name = bench.start(bench.script("trap '' TERM; echo ready; while :; do " + sleeper.command() + "; done"))
                .name();
        bench.wrote(name, "node-0", "ready");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread deleting = new Thread(
                () -> {
                    try {
                        bench.backend().delete(name);
                    } catch (InterruptedException | RuntimeException e) {
                        thrown.set(e);
                    }
                },
                "contract-delete");

        deleting.start();
        Bench.pause(500);
        deleting.interrupt();
        deleting.join(bench.patience().toMillis());

        assertThat(deleting.isAlive()).as("the interrupted delete still runs").isFalse();
        if (thrown.get() == null) {
            // It was quicker than the interrupt.
            bench.hasNo(name);
        } else {
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
            try {
                bench.delete(name);
            } catch (JobNotFoundException e) {
                // The interrupt came after the last removal.
            }
        }
        sleeper.awaitEnd();
        bench.hasNo(name);
    }
}
