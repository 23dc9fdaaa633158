package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.TrainJobRequest;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The part of the contract about logs that are followed while the job runs. */
interface FollowContract {
    /** A request whose node starts some time after {@code train()} has returned. */
    private static TrainJobRequest.Builder late(Bench bench) {
        TrainJobRequest.Builder job = bench.job();
        return bench.has(Feature.INITIALIZERS) ? job.dataset(bench.dataset(InitializerActions.sleep(2))) : job;
    }

    private static Follower follow(Bench bench, String name) {
        return Follower.of(
                bench, bench.backend().logs(name, LogQuery.step("node-0").following()));
    }

    @Test
    default void aFollowThatBeginsBeforeItsStepHasAllLinesAndEndsWithTheJob(Bench bench) {
        String name = bench.start(late(bench)
                        .trainer(bench.sh("i=1; while [ $i -le 5 ]; do echo \"line $i\"; sleep 1; i=$((i+1)); done"))
                        .build())
                .name();

        Follower follower = follow(bench, name);

        assertThat(follower.all()).containsExactly("line 1", "line 2", "line 3", "line 4", "line 5");
        bench.completed(name);
    }

    @Test
    default void aFollowSeesALineWhileTheJobRuns(Bench bench) {
        Sleeper sleeper = bench.sleeper();
        String name =
                bench.start(bench.script("echo hello; " + sleeper.command())).name();

        Follower follower = follow(bench, name);
        follower.awaitLine("hello");

        assertThat(follower.isReading()).isTrue();
        bench.running(name);
        follower.close();
        assertThat(follower.all()).containsExactly("hello");
    }

    @Test
    default void aFollowOfAFailingJobHasItsLastLine(Bench bench) {
        String name = bench.start(late(bench)
                        .trainer(bench.sh("echo first; sleep 1; echo last words >&2; exit 3"))
                        .build())
                .name();

        assertThat(follow(bench, name).all()).containsExactly("first", "last words");
        assertThat(bench.failed(name).exitCode()).hasValue(3);
    }

    @Test
    default void aFollowOfAStepThatNeverStartsEndsWithTheJob(Bench bench) {
        if (!bench.has(Feature.INITIALIZERS)) {
            return;
        }
        String name = bench.start(bench.job()
                        .dataset(bench.dataset(InitializerActions.failAfter(2)))
                        .trainer(bench.sh("echo started"))
                        .build())
                .name();

        assertThat(follow(bench, name).all()).isEmpty();
        bench.failed(name);
    }

    @Test
    default void aFollowOfAllStepsHasAllOfThemAndEndsWithTheJob(Bench bench) {
        TrainJobRequest request = bench.job("torch")
                .trainer(bench.sh("echo \"hello from $PET_NODE_RANK\"; sleep 1; echo \"bye from $PET_NODE_RANK\"")
                        .numNodes(2))
                .build();
        if (!bench.has(Feature.SEVERAL_NODES)) {
            return;
        }
        String name = bench.start(request).name();

        Follower follower =
                Follower.of(bench, bench.backend().logs(name, LogQuery.all().following()));

        follower.all();
        assertThat(follower.lines())
                .extracting(LogLine::toString)
                .containsExactlyInAnyOrder(
                        "[node-0] hello from 0", "[node-0] bye from 0", "[node-1] hello from 1", "[node-1] bye from 1");
        bench.completed(name);
    }

    @Test
    default void aFollowOfAnEndedJobHasAllLinesAndEnds(Bench bench) {
        String name = bench.complete(bench.script("echo one; echo two")).name();

        assertThat(follow(bench, name).all()).containsExactly("one", "two");
    }

    @Test
    default void manyLinesAtOnceComeEachOnceAndInOrder(Bench bench) {
        String name = bench.start(bench.script(
                        "i=1; while [ $i -le 5000 ]; do echo \"line $i\"; i=$((i+1)); done; printf 'the end'"))
                .name();

        Follower one = follow(bench, name);
        Follower other = follow(bench, name);

        var expected = IntStream.rangeClosed(1, 5001)
                .mapToObj(i -> i == 5001 ? "the end" : "line " + i)
                .toList();
        assertThat(one.all()).containsExactlyElementsOf(expected);
        assertThat(other.all()).containsExactlyElementsOf(expected);
    }

    @Test
    default void aFollowWithATailBeginsThereAndGoesOn(Bench bench) {
        String name = bench.start(
                        bench.script(
                                "echo 1; echo 2; echo 3; while [ ! -e \"$TRAINJOB_WORKSPACE/go\" ]; do sleep 1;"
                                        + " i=$((i+1)); if [ $i -ge 4 ]; then : > \"$TRAINJOB_WORKSPACE/go\"; fi; done; echo 4"))
                .name();
        bench.wrote(name, "node-0", "3");

        Follower follower = Follower.of(
                bench,
                bench.backend().logs(name, LogQuery.step("node-0").tail(2).following()));

        assertThat(follower.all()).containsExactly("2", "3", "4");
    }

    @Test
    default void closingAFollowFromAnotherThreadEndsItsWait(Bench bench) {
        Sleeper sleeper = bench.sleeper();
        String name =
                bench.start(bench.script("echo ready; " + sleeper.command())).name();
        Follower follower = follow(bench, name);
        follower.awaitLine("ready");

        follower.close();

        assertThat(follower.all()).containsExactly("ready");
        bench.running(name);
    }

    @Test
    default void anInterruptEndsAFollow(Bench bench) {
        Sleeper sleeper = bench.sleeper();
        String name =
                bench.start(bench.script("echo ready; " + sleeper.command())).name();
        Follower follower = follow(bench, name);
        follower.awaitLine("ready");

        follower.interrupt();

        assertThat(follower.end()).get().isInstanceOf(InterruptedException.class);
        bench.running(name);
    }

    @Test
    default void aFollowEndsWhenItsJobIsDeleted(Bench bench) {
        Sleeper sleeper = bench.sleeper();
        String name =
                bench.start(bench.script("echo ready; " + sleeper.command())).name();
        Follower follower = follow(bench, name);
        follower.awaitLine("ready");

        bench.delete(name);

        // It sees the end of the job, or that there is no such job any more, whichever comes first.
        follower.end().ifPresent(error -> assertThat(error).isInstanceOf(JobNotFoundException.class));
    }
}
