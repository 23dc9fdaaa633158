package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.LogLine;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.UnsupportedFeatureException;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The part of the contract about logs that are read as they are. */
interface LogContract {
    @Test
    default void aThousandLinesComeInOrder(Bench bench) {
        String name = bench.complete(bench.script("i=1; while [ $i -le 1000 ]; do echo \"line $i\"; i=$((i+1)); done"))
                .name();

        assertThat(bench.log(name, "node-0"))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 1000)
                        .mapToObj(i -> "line " + i)
                        .toList());
    }

    @Test
    default void bothOutputsAreInTheLog(Bench bench) {
        String name = bench.complete(bench.script("echo to stdout; echo to stderr >&2"))
                .name();

        assertThat(bench.log(name, "node-0")).containsExactlyInAnyOrder("to stdout", "to stderr");
    }

    @Test
    default void aLogThatNobodyReadsBlocksNobodyAndIsKept(Bench bench) {
        String name = bench.complete(
                        bench.script(
                                "line=$(printf %0100d 7); i=0; while [ $i -lt 10000 ]; do echo $line; i=$((i+1)); done; echo end"))
                .name();

        List<String> lines = bench.log(name, "node-0");

        assertThat(lines).hasSize(10_001).endsWith("end");
        assertThat(lines.subList(0, 10_000)).allMatch(line -> line.length() == 100);
    }

    @Test
    default void oddLinesAreKeptAsTheyAre(Bench bench) {
        String name = bench.complete(
                        bench.script("echo; echo '  two  blanks  '; echo; printf '%s\\n' 'größe \"$HOME\" \\ 漢字 🚀';"
                                + " printf 'no newline at the end'"))
                .name();

        assertThat(bench.log(name, "node-0"))
                .containsExactly("", "  two  blanks  ", "", "größe \"$HOME\" \\ 漢字 🚀", "no newline at the end");
    }

    @Test
    default void aLineOfAHundredThousandCharactersStaysWhole(Bench bench) {
        String name = bench.complete(
                        bench.script("echo before; head -c 100000 /dev/zero | tr '\\0' x; echo; echo after"))
                .name();

        assertThat(bench.log(name, "node-0")).containsExactly("before", "x".repeat(100_000), "after");
    }

    @Test
    default void bytesThatAreNoTextDoNotHarmTheLinesAround(Bench bench) {
        String name = bench.complete(bench.script("echo before; printf 'a\\377\\376\\000b\\n'; echo after"))
                .name();

        List<String> lines = bench.log(name, "node-0");

        assertThat(lines).startsWith("before").endsWith("after").hasSize(3);
        assertThat(lines.get(1)).startsWith("a").endsWith("b");
    }

    @Test
    default void aTailHasTheLastLinesOfEachStep(Bench bench) {
        String name = bench.complete(bench.script("i=1; while [ $i -le 100 ]; do echo \"line $i\"; i=$((i+1)); done"))
                .name();

        assertThat(bench.log(name, LogQuery.step("node-0").tail(5)))
                .containsExactly("line 96", "line 97", "line 98", "line 99", "line 100");
        assertThat(bench.log(name, LogQuery.all().tail(1))).containsExactly("line 100");
        assertThat(bench.log(name, LogQuery.step("node-0").tail(0))).isEmpty();
        assertThat(bench.log(name, LogQuery.step("node-0").tail(1000))).hasSize(100);
    }

    @Test
    default void sinceLeavesOutWhatWasWrittenBefore(Bench bench) {
        String name =
                bench.complete(bench.script("echo early; sleep 4; echo late")).name();
        if (!bench.has(Feature.LOG_TIMES)) {
            assertThatThrownBy(() -> bench.log(name, LogQuery.step("node-0").since(Instant.now())))
                    .isInstanceOf(UnsupportedFeatureException.class);
            return;
        }
        // Between the two lines: a line need not tell its own time, and then the end of the step is near enough.
        Instant late = bench.lines(name, LogQuery.step("node-0").tail(1))
                .get(0)
                .time()
                .map(time -> time.minusSeconds(1))
                .or(() -> bench.backend()
                        .get(name)
                        .step("node-0")
                        .flatMap(Step::endTime)
                        .map(time -> time.minusSeconds(2)))
                .orElseThrow();

        assertThat(bench.log(name, LogQuery.step("node-0").since(late))).containsExactly("late");
        assertThat(bench.log(name, LogQuery.step("node-0").since(Instant.now().plusSeconds(60))))
                .isEmpty();
        assertThat(bench.log(name, LogQuery.step("node-0").since(Instant.now().minusSeconds(3600))))
                .containsExactly("early", "late");
    }

    @Test
    default void allStepsAreMergedEachLineWithItsStep(Bench bench) {
        TrainJobRequest request = bench.job("torch")
                .dataset(bench.dataset(InitializerActions.lines(3)))
                .model(bench.model(InitializerActions.lines(3)))
                .trainer(bench.sh("echo rank $PET_NODE_RANK a; echo rank $PET_NODE_RANK b")
                        .numNodes(2))
                .build();
        if (bench.refusedWithout(Feature.INITIALIZERS, request)
                || bench.refusedWithout(Feature.SEVERAL_NODES, request)) {
            return;
        }
        String name = bench.complete(request).name();

        List<LogLine> merged = bench.lines(name, LogQuery.all());

        assertThat(merged)
                .extracting(LogLine::step)
                .contains("dataset-initializer", "model-initializer", "node-0", "node-1");
        for (String step : List.of("dataset-initializer", "model-initializer", "node-0", "node-1")) {
            assertThat(merged)
                    .filteredOn(line -> line.step().equals(step))
                    .extracting(LogLine::text)
                    .as("the lines of %s, in their own order", step)
                    .containsExactlyElementsOf(bench.log(name, step));
        }
        assertThat(merged).extracting(LogLine::toString).contains("[node-1] rank 1 b");
        assertThat(bench.log(name, "model-initializer"))
                .containsSubsequence("model line 1", "model line 2", "model line 3");
    }

    @Test
    default void aSilentJobHasAnEmptyLogButAnUnknownStepIsAnError(Bench bench) {
        Sleeper sleeper = bench.sleeper();
        String name = bench.start(bench.script(sleeper.command())).name();
        sleeper.awaitStart();
        bench.running(name);

        assertThat(bench.log(name, "node-0")).isEmpty();
        assertThat(bench.log(name, LogQuery.all())).isEmpty();
        for (String unknown : List.of("node-9", "node", "model-initializer", "../node-0")) {
            assertThatThrownBy(() -> bench.log(name, unknown))
                    .isInstanceOf(JobNotFoundException.class)
                    .hasMessageContaining(unknown)
                    .hasMessageContaining("node-0");
        }
    }

    @Test
    default void theLogOfARunningJobIsReadWithoutWaiting(Bench bench) {
        Sleeper sleeper = bench.sleeper();
        String name = bench.start(bench.script("echo one; echo two; " + sleeper.command()))
                .name();

        bench.wrote(name, "node-0", "two");

        assertThat(bench.log(name, "node-0")).containsExactly("one", "two");
    }

    @Test
    default void theAttemptBeforeTheOnlyOneHasNoLines(Bench bench) {
        String name = bench.complete(bench.script("echo the only attempt")).name();

        try {
            assertThat(bench.log(name, LogQuery.step("node-0").previousAttempt()))
                    .isEmpty();
        } catch (TrainerException e) {
            // To say that there is none is as good.
            assertThat(e).hasMessageContaining("attempt");
        }
    }

    @Test
    default void logsStayUntilTheJobIsDeleted(Bench bench) {
        String complete = bench.complete(bench.script("echo kept")).name();
        String failed = bench.run(bench.script("echo kept too; exit 1")).name();

        Bench.pause(1000);

        assertThat(bench.log(complete, "node-0")).containsExactly("kept");
        if (bench.has(Feature.LOGS_OF_FAILED_STEPS)) {
            assertThat(bench.log(failed, "node-0")).containsExactly("kept too");
        }
        bench.delete(complete);
        assertThatThrownBy(() -> bench.log(complete, "node-0")).isInstanceOf(JobNotFoundException.class);
    }
}
