package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.BackendContext;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.Settings;
import io.github.trainer4j.testkit.toy.ToyBackendProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The contract can fail: each mistake that a backend may make is found by the test that is there for it. */
class BrokenBackendTest {
    private static volatile Mistake mistake;

    /** Run by the launcher alone. */
    static final class OnABrokenBackend extends BackendContract {
        @Override
        protected BackendUnderTest backend(Path work) {
            assumeThat(mistake).as("the mistake to make").isNotNull();
            return BackendUnderTest.of(new BrokenBackendProvider()).patience(Duration.ofSeconds(8));
        }
    }

    private static final class BrokenBackendProvider implements BackendProvider {
        private static final List<Backend> RIGHT = new CopyOnWriteArrayList<>();

        private final BackendProvider toy = new ToyBackendProvider();

        @Override
        public String name() {
            return toy.name();
        }

        @Override
        public Backend create(Settings settings, BackendContext context) {
            Backend right = toy.create(settings, mistake.context(context));
            RIGHT.add(right);
            return mistake.backend(right);
        }

        /** Ends what the broken backend left behind. */
        static void deleteAll() throws InterruptedException {
            for (Backend backend : RIGHT) {
                for (TrainJob job : backend.list()) {
                    backend.delete(job.name());
                }
            }
            RIGHT.clear();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"readingJobs", "readingLogs", "launching", "fetching", "ending"})
    void aBackendIsFoundOutThat(String what, String test, Mistake made) throws InterruptedException {
        mistake = made;
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectMethod(OnABrokenBackend.class, test, Bench.class))
                .build();

        LauncherFactory.create().execute(request, listener);

        mistake = null;
        BrokenBackendProvider.deleteAll();
        TestExecutionSummary summary = listener.getSummary();
        assertThat(summary.getTestsFoundCount()).as("tests called " + test).isEqualTo(1);
        assertThat(summary.getFailures())
                .extracting(TestExecutionSummary.Failure::getException)
                .as("how the contract fails for a backend that " + what)
                .hasSize(1)
                .hasOnlyElementsOfTypes(AssertionError.class, TrainerException.class);
    }

    static Stream<Arguments> readingJobs() {
        return Stream.of(
                mistake(
                        "takes every end for a success",
                        "aJobThatExitsWithThreeIsFailedAndSaysWhy",
                        Mistake.reading(Wrong::success)),
                mistake(
                        "never sees an end",
                        "aCommandThatExitsWithZeroIsComplete",
                        Mistake.reading(job -> Wrong.status(job, JobStatus.RUNNING))),
                mistake(
                        "tells another exit code",
                        "aJobThatExitsWithThreeIsFailedAndSaysWhy",
                        Mistake.reading(job -> Wrong.failure(job, failure -> Wrong.exitCode(failure, 1)))),
                mistake(
                        "tells no log with a failure",
                        "aFailureHasTheLastTenLinesOfTheLog",
                        Mistake.reading(job -> Wrong.failure(job, Wrong::withoutLog))),
                mistake(
                        "tells the first failure only",
                        "theFirstFailureStopsTheOtherInitializerAtOnce",
                        Mistake.reading(job -> Wrong.failure(job, Wrong::alone))),
                mistake(
                        "never says Running",
                        "theStatusGoesFromCreatedToRunningToComplete",
                        Mistake.reading(
                                job -> job.status() == JobStatus.RUNNING ? Wrong.status(job, JobStatus.CREATED) : job)),
                mistake(
                        "changes a job after its end",
                        "anEndedJobNeverChanges",
                        Mistake.reading(job -> isLongOver(job) ? Wrong.steps(job, List.of()) : job)),
                mistake(
                        "lists jobs without their steps",
                        "listHasEachJobExactlyAsGetHasIt",
                        Mistake.listing(jobs -> jobs.stream()
                                .map(job -> Wrong.steps(job, List.of()))
                                .toList())),
                mistake("lists jobs in any order", "listHasEachJobExactlyAsGetHasIt", Mistake.listing(jobs -> {
                    List<TrainJob> reversed = new ArrayList<>(jobs);
                    Collections.reverse(reversed);
                    return reversed;
                })),
                mistake("never calls watchers", "aWatcherIsToldOfTheEnd", Mistake.neverCallingWatchers()),
                mistake(
                        "calls watchers that were closed",
                        "aClosedWatchIsNotCalledAgain",
                        right -> new ForwardingBackend(right) {
                            @Override
                            public AutoCloseable watch(String name, Runnable changed) {
                                super.watch(name, changed);
                                return () -> {};
                            }
                        }),
                mistake("loses an interrupt", "aPendingInterruptIsKept", Mistake.listing(jobs -> {
                    assertThat(Thread.interrupted()).isTrue();
                    return jobs;
                })),
                mistake(
                        "has no event of an end",
                        "eventsTellTheLifeOfAJobInOrder",
                        right -> new ForwardingBackend(right) {
                            @Override
                            public List<Event> events(String name) {
                                return super.events(name).stream()
                                        .filter(event -> !event.reason().equals("Exited"))
                                        .toList();
                            }
                        }),
                mistake("keeps its jobs to itself", "anotherBackendSeesTheSameJobs", Mistake.keepingJobsToItself()));
    }

    static Stream<Arguments> readingLogs() {
        return Stream.of(
                mistake(
                        "loses a line of the log",
                        "aThousandLinesComeInOrder",
                        Mistake.losing(line -> line.text().equals("line 500"))),
                mistake(
                        "loses a line of many",
                        "manyLinesAtOnceComeEachOnceAndInOrder",
                        Mistake.losing(line -> line.text().equals("line 4444"))),
                mistake(
                        "loses the last line",
                        "oddLinesAreKeptAsTheyAre",
                        Mistake.losing(line -> line.text().startsWith("no newline"))),
                mistake(
                        "loses empty lines",
                        "oddLinesAreKeptAsTheyAre",
                        Mistake.losing(line -> line.text().isEmpty())),
                mistake(
                        "loses long lines",
                        "aLineOfAHundredThousandCharactersStaysWhole",
                        Mistake.losing(line -> line.text().length() > 16_384)),
                mistake(
                        "shows the nodes only",
                        "allStepsAreMergedEachLineWithItsStep",
                        Mistake.losing(line -> !line.step().startsWith("node-"))),
                mistake(
                        "ignores the step that is asked for",
                        "aSilentJobHasAnEmptyLogButAnUnknownStepIsAnError",
                        Mistake.querying(
                                q -> new LogQuery(Optional.empty(), q.tail(), q.follow(), q.since(), q.previous()))),
                mistake(
                        "ignores the tail",
                        "aTailHasTheLastLinesOfEachStep",
                        Mistake.querying(
                                q -> new LogQuery(q.step(), OptionalInt.empty(), q.follow(), q.since(), q.previous()))),
                mistake(
                        "reads the only attempt where an earlier one is asked for",
                        "theAttemptBeforeTheOnlyOneHasNoLines",
                        Mistake.querying(q -> new LogQuery(q.step(), q.tail(), q.follow(), q.since(), false))),
                mistake(
                        "ignores since",
                        "sinceLeavesOutWhatWasWrittenBefore",
                        Mistake.querying(
                                q -> new LogQuery(q.step(), q.tail(), q.follow(), Optional.empty(), q.previous()))),
                mistake(
                        "does not follow",
                        "aFollowThatBeginsBeforeItsStepHasAllLinesAndEndsWithTheJob",
                        Mistake.querying(q -> new LogQuery(q.step(), q.tail(), false, q.since(), q.previous()))),
                mistake(
                        "follows where nobody asked for it",
                        "theLogOfARunningJobIsReadWithoutWaiting",
                        Mistake.querying(q -> new LogQuery(q.step(), q.tail(), true, q.since(), q.previous()))),
                mistake("is deaf to close", "closingAFollowFromAnotherThreadEndsItsWait", Mistake.deafToClose()));
    }

    static Stream<Arguments> launching() {
        return Stream.of(
                mistake(
                        "splits arguments at blanks",
                        "argumentsArriveByteForByte",
                        Mistake.training(request -> Wrong.command(request, BrokenBackendTest::split))),
                mistake(
                        "drops the job's variables",
                        "aNodeHasTheInheritedEnvironmentAndTheJobsOwn",
                        Mistake.training(request -> Wrong.env(request, Map.of()))),
                mistake(
                        "runs one node of three",
                        "theRankOfATorchNodeIsItsIndex",
                        Mistake.training(request -> Wrong.numNodes(request, 1))),
                mistake(
                        "ignores options it does not know",
                        "anOptionThatNobodyKnowsIsRefusedByNameAndBackend",
                        Mistake.training(request -> Wrong.options(request, List.of()))),
                mistake("renames a job whose name is in use", "aNameInUseIsRefused", Mistake.renamingWhatIsTaken()),
                mistake(
                        "records a job when it plans",
                        "planningRecordsNothingAndIsTheSameEachTime",
                        Mistake.recordingPlans()),
                mistake(
                        "plans something else than it runs",
                        "aPlanIsWhatThenRuns",
                        Mistake.training(request -> Wrong.command(request, command -> List.of("echo", "surprise")))),
                mistake(
                        "shows a secret in the job",
                        "aSecretReachesItsProcessAndNothingElse",
                        Mistake.training(Wrong::secretsAsAnnotations)),
                mistake(
                        "keeps a secret from its process",
                        "aSecretReachesItsProcessAndNothingElse",
                        Mistake.training(request -> Wrong.secretEnv(request, Map.of()))),
                mistake("leaves a thread behind", "twentyJobsAtOnceAllComplete", Mistake.leavingAThread()));
    }

    static Stream<Arguments> fetching() {
        return Stream.of(
                mistake(
                        "drops the initializers",
                        "theDataIsThereBeforeTheFirstLineOfEveryNode",
                        Mistake.training(request -> Wrong.initializers(request, all -> List.of()))),
                mistake(
                        "ignores an initializer's timeout",
                        "anInitializerThatTakesTooLongIsStopped",
                        Mistake.training(request -> Wrong.initializers(request, each(Wrong::withoutTimeout)))),
                mistake(
                        "ignores an initializer's retries",
                        "aFailedInitializerIsTriedAgainAsOftenAsAskedFor",
                        Mistake.training(request -> Wrong.initializers(request, each(spec -> spec.retries(0))))),
                mistake(
                        "fetches one after the other",
                        "twoInitializersRunAtTheSameTime",
                        Mistake.fetchingOneAfterTheOther()),
                mistake("tells no progress", "theListenerIsToldHowFarInitializersAre", Mistake.tellingNoProgress()),
                mistake(
                        "returns when the initializers are done",
                        "trainReturnsWhileInitializersStillRun",
                        Mistake.returningWhenInitializersAreDone()));
    }

    static Stream<Arguments> ending() {
        return Stream.of(
                mistake(
                        "ignores the deadline",
                        "aJobIsEndedAtItsDeadline",
                        Mistake.training(request -> Wrong.deadline(request, Optional.empty()))),
                mistake("ignores delete", "deletingARunningJobEndsItsProcesses", Mistake.deletingNothing()),
                mistake(
                        "forgets a job in place of stopping it",
                        "deletingASilentProcessNeedsNoOutputOfIt",
                        Mistake.hidingTheDeleted()),
                mistake("deletes twice without a word", "deletingTwiceIsAnError", Mistake.deletingTwiceWithoutAWord()));
    }

    private static boolean isLongOver(TrainJob job) {
        return job.steps().stream()
                .flatMap(step -> step.endTime().stream())
                .anyMatch(end -> end.isBefore(Instant.now().minusMillis(700)));
    }

    private static List<String> split(List<String> command) {
        return Stream.concat(
                        command.stream().limit(4),
                        command.stream().skip(4).flatMap(argument -> Arrays.stream(argument.split(" "))))
                .toList();
    }

    private static <T> UnaryOperator<List<T>> each(UnaryOperator<T> change) {
        return all -> all.stream().map(change).toList();
    }

    private static Arguments mistake(String what, String test, Mistake mistake) {
        return Arguments.of(what, test, mistake);
    }
}
