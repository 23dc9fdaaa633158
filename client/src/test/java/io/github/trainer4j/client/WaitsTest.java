package io.github.trainer4j.client;

import static io.github.trainer4j.api.JobStatus.COMPLETE;
import static io.github.trainer4j.api.JobStatus.CREATED;
import static io.github.trainer4j.api.JobStatus.FAILED;
import static io.github.trainer4j.api.JobStatus.RUNNING;
import static io.github.trainer4j.api.JobStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.JobFailedException;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.WaitOptions;
import io.github.trainer4j.api.WaitTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WaitsTest {
    private final FakeBackend backend = new FakeBackend();
    private final FakeTicker ticker = new FakeTicker(Long.MAX_VALUE - 1);
    private final List<JobStatus> told = new ArrayList<>();
    private final WaitOptions fiveSeconds =
            WaitOptions.complete().within(Duration.ofSeconds(5)).onChange(job -> told.add(job.status()));

    @AfterEach
    void noWatchIsLeftBehind() {
        assertThat(backend.watchers).isEmpty();
    }

    @Test
    void aListenerSeesEachStatusOnceAndInOrder() throws Exception {
        statuses(CREATED, CREATED, RUNNING, RUNNING, COMPLETE);
        assertThat(await(fiveSeconds.within(Duration.ofMinutes(1))).status()).isEqualTo(COMPLETE);
        assertThat(told).containsExactly(CREATED, RUNNING, COMPLETE);
    }

    @Test
    void aStatusBetweenTwoLooksIsToldToo() throws Exception {
        statuses(CREATED, COMPLETE);
        await(fiveSeconds);
        assertThat(told).containsExactly(CREATED, RUNNING, COMPLETE);
    }

    @Test
    void aJobThatFailedAfterItsNodeHadStartedWasRunning() {
        Step started =
                Step.builder("node-0").status(FAILED).startTime(Instant.EPOCH).build();
        jobs(FakeBackend.job("job", CREATED), FakeBackend.job("job", FAILED, started));
        assertThatExceptionOfType(JobFailedException.class).isThrownBy(() -> await(fiveSeconds));
        assertThat(told).containsExactly(CREATED, RUNNING, FAILED);
    }

    @Test
    void aJobWhoseInitializerFailedWasNeverRunning() {
        Step started = Step.builder("dataset-initializer")
                .status(FAILED)
                .startTime(Instant.EPOCH)
                .build();
        jobs(
                FakeBackend.job("job", CREATED),
                FakeBackend.job("job", FAILED, started, Step.builder("node-0").build()));
        assertThatExceptionOfType(JobFailedException.class).isThrownBy(() -> await(fiveSeconds));
        assertThat(told).containsExactly(CREATED, FAILED);
    }

    @Test
    void lostContactIsToldAndIsNoEnd() throws Exception {
        statuses(RUNNING, UNKNOWN, UNKNOWN, RUNNING, COMPLETE);
        await(fiveSeconds.within(Duration.ofMinutes(1)));
        assertThat(told).containsExactly(RUNNING, UNKNOWN, RUNNING, COMPLETE);
    }

    @Test
    void aStatusBehindLostContactIsToldToo() throws Exception {
        statuses(CREATED, UNKNOWN, COMPLETE);
        await(fiveSeconds);
        assertThat(told).containsExactly(CREATED, UNKNOWN, RUNNING, COMPLETE);
    }

    @Test
    void aWaitThatBeginsAtTheEndTellsOnlyTheEnd() throws Exception {
        statuses(COMPLETE);
        await(fiveSeconds);
        assertThat(told).containsExactly(COMPLETE);
        assertThat(ticker.pauses).isEmpty();
    }

    @Test
    void aFailureEndsAWaitForSomethingElseAtOnce() {
        statuses(RUNNING, FAILED, RUNNING, COMPLETE);
        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(() -> await(fiveSeconds))
                .satisfies(e -> assertThat(e.trainJob().status()).isEqualTo(FAILED));
        assertThat(ticker.seconds()).isEqualTo(2);
    }

    @Test
    void aCompleteJobEndsAWaitForFailureAtOnce() {
        statuses(RUNNING, COMPLETE);
        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(() -> await(WaitOptions.forStatus(FAILED)))
                .withMessageContaining("is Complete, which was not waited for");
    }

    @Test
    void aStatusThatWasGoneThroughIsReached() throws Exception {
        statuses(CREATED, COMPLETE);
        assertThat(await(WaitOptions.forStatus(RUNNING)).status()).isEqualTo(COMPLETE);
    }

    @Test
    void anyOfTheStatusesEndsTheWait() throws Exception {
        statuses(RUNNING, FAILED);
        assertThat(await(WaitOptions.ended()).status()).isEqualTo(FAILED);
    }

    @Test
    void aWaitThatTookTooLongQuotesTheNewestWarning() {
        statuses(CREATED);
        backend.events = () -> List.of(new Event(
                Instant.EPOCH, Optional.empty(), Event.Type.WARNING, "CreateFailed", "the quota of 3 pods is used up"));
        assertThatExceptionOfType(WaitTimeoutException.class)
                .isThrownBy(() -> await(fiveSeconds))
                .withMessageContaining("CreateFailed: the quota of 3 pods is used up");
    }

    @Test
    void aWaitThatTookTooLongSaysSoAlsoWhenThereAreNoEventsToRead() {
        statuses(CREATED);
        backend.events = () -> {
            throw new BackendUnavailableException("you may not list events", List.of(), null);
        };
        assertThatExceptionOfType(WaitTimeoutException.class).isThrownBy(() -> await(fiveSeconds));
    }

    @Test
    void theLastLookIsExactlyAtTheDeadline() {
        AtomicReference<Double> last = new AtomicReference<>();
        backend.jobs.put("job", () -> {
            last.set(ticker.seconds());
            return FakeBackend.job(
                    "job",
                    CREATED,
                    Step.builder("node-0").reason("ImagePullBackOff").build());
        });
        assertThatExceptionOfType(WaitTimeoutException.class)
                .isThrownBy(() -> await(fiveSeconds))
                .withMessageContainingAll(
                        "job job is Created and not Complete after PT5S", "node-0", "ImagePullBackOff");
        assertThat(last.get()).isEqualTo(5);
        assertThat(ticker.pauses).containsExactly(seconds(2), seconds(2), seconds(1));
        assertThat(told).containsExactly(CREATED);
    }

    @Test
    void aJobThatIsOverAtTheLastLookIsInTime() throws Exception {
        backend.jobs.put("job", () -> FakeBackend.job("job", ticker.seconds() < 5 ? RUNNING : COMPLETE));
        assertThat(await(fiveSeconds).status()).isEqualTo(COMPLETE);
    }

    @Test
    void aLookThatOutlastsTheDeadlineIsFollowedByALastOne() throws Exception {
        backend.jobs.put("job", () -> {
            boolean over = ticker.seconds() >= 5;
            ticker.pass(seconds(7));
            return FakeBackend.job("job", over ? COMPLETE : RUNNING);
        });
        assertThat(await(fiveSeconds).status()).isEqualTo(COMPLETE);
        assertThat(ticker.pauses).isEmpty();
    }

    @Test
    void aHintCutsThePauseShort() throws Exception {
        statuses(RUNNING, COMPLETE);
        ticker.inPause = () -> backend.watchers.forEach(Runnable::run);
        await(fiveSeconds);
        assertThat(ticker.seconds()).isZero();
    }

    @Test
    void aHintWithoutAChangeIsNoHarm() {
        statuses(RUNNING);
        ticker.inPause = () -> {
            if (ticker.pauses.size() < 100) {
                backend.watchers.forEach(Runnable::run);
                backend.watchers.forEach(Runnable::run);
            }
        };
        assertThatExceptionOfType(WaitTimeoutException.class).isThrownBy(() -> await(fiveSeconds));
        assertThat(ticker.seconds()).isEqualTo(5);
    }

    @Test
    void aBackendThatCannotWatchIsLookedAtNowAndThen() throws Exception {
        backend.watchFails = true;
        statuses(RUNNING, RUNNING, COMPLETE);
        await(fiveSeconds);
        assertThat(ticker.seconds()).isEqualTo(4);
    }

    @Test
    void contactThatComesBackIsNoFailure() throws Exception {
        Iterator<Supplier<TrainJob>> looks = List.<Supplier<TrainJob>>of(
                        WaitsTest::unreachable,
                        () -> FakeBackend.job("job", RUNNING),
                        WaitsTest::unreachable,
                        () -> FakeBackend.job("job", COMPLETE))
                .iterator();
        backend.jobs.put("job", () -> looks.next().get());
        await(fiveSeconds.within(Duration.ofMinutes(1)));
        assertThat(told).containsExactly(RUNNING, COMPLETE);
    }

    @Test
    void contactThatStaysAwayIsToldAtTheDeadline() {
        backend.jobs.put("job", WaitsTest::unreachable);
        assertThatExceptionOfType(BackendUnavailableException.class).isThrownBy(() -> await(fiveSeconds));
        assertThat(ticker.seconds()).isEqualTo(5);
    }

    @Test
    void anUnknownJobIsToldAtOnce() {
        assertThatExceptionOfType(JobNotFoundException.class).isThrownBy(() -> await(fiveSeconds));
        assertThat(ticker.pauses).isEmpty();
    }

    @Test
    void aJobThatIsDeletedMeanwhileEndsTheWait() {
        Iterator<Supplier<TrainJob>> looks = List.<Supplier<TrainJob>>of(() -> FakeBackend.job("job", RUNNING), () -> {
                    throw JobNotFoundException.noJob("job", "fake");
                })
                .iterator();
        backend.jobs.put("job", () -> looks.next().get());
        assertThatExceptionOfType(JobNotFoundException.class).isThrownBy(() -> await(fiveSeconds));
    }

    @Test
    void aListenerThatThrowsHarmsNeitherTheWaitNorOtherListeners() throws Exception {
        statuses(CREATED, RUNNING, COMPLETE);
        WaitOptions options = WaitOptions.complete()
                .onChange(job -> {
                    throw new IllegalStateException("listener");
                })
                .onChange(job -> {
                    throw new AssertionError("listener");
                })
                .onChange(job -> told.add(job.status()));
        await(options);
        assertThat(told).containsExactly(CREATED, RUNNING, COMPLETE);
    }

    @Test
    void listenersAreCalledOnTheWaitingThread() throws Exception {
        statuses(RUNNING, COMPLETE);
        List<Thread> threads = new ArrayList<>();
        await(WaitOptions.complete().onChange(job -> threads.add(Thread.currentThread())));
        assertThat(threads).containsExactly(Thread.currentThread(), Thread.currentThread());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT2562047H", "PT1000000000000H"})
    void aWaitMayBeAsGoodAsEndless(String timeout) throws Exception {
        statuses(RUNNING, RUNNING, COMPLETE);
        await(WaitOptions.complete().within(Duration.parse(timeout)).pollEvery(Duration.parse("PT1000H")));
        assertThat(ticker.pauses).containsExactly(seconds(1000 * 3600), seconds(1000 * 3600));
    }

    @Test
    void anInterruptBeforeTheWaitEndsItWithoutALook() {
        statuses(COMPLETE);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> await(fiveSeconds)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(backend.calls).isEmpty();
    }

    @Test
    void anInterruptWithinALookEndsTheWaitWhateverTheLookSays() {
        backend.jobs.put("job", () -> {
            Thread.currentThread().interrupt();
            return unreachable();
        });
        assertThatThrownBy(() -> await(fiveSeconds)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void anInterruptEndsAPauseAtOnce() throws Exception {
        CountDownLatch looked = new CountDownLatch(1);
        backend.jobs.put("job", () -> {
            looked.countDown();
            return FakeBackend.job("job", RUNNING);
        });
        FutureTask<Exception> wait = new FutureTask<>(() -> {
            try {
                new Waits(Ticker.system()).await(backend, "job", endless());
                return null;
            } catch (InterruptedException e) {
                return e;
            }
        });
        Thread thread = new Thread(wait, "waiter");
        thread.start();
        assertThat(looked.await(30, TimeUnit.SECONDS)).isTrue();
        thread.interrupt();
        assertThat(wait.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        thread.join();
    }

    @Test
    void closingEndsAWait() throws Exception {
        CountDownLatch looked = new CountDownLatch(1);
        backend.jobs.put("job", () -> {
            looked.countDown();
            return FakeBackend.job("job", RUNNING);
        });
        Waits waits = new Waits(Ticker.system());
        FutureTask<TrainJob> wait = new FutureTask<>(() -> waits.await(backend, "job", endless()));
        Thread thread = new Thread(wait, "waiter");
        thread.start();
        assertThat(looked.await(30, TimeUnit.SECONDS)).isTrue();
        waits.close();
        assertThatThrownBy(() -> wait.get(30, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        thread.join();
    }

    @Test
    void whateverABackendThrowsWhenItIsClosedTheWaitSaysThatTheClientIs() {
        Waits waits = new Waits(ticker);
        backend.jobs.put("job", () -> {
            waits.close();
            throw new IllegalArgumentException("pool shut down");
        });
        assertThatThrownBy(() -> waits.await(backend, "job", fiveSeconds))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    private static WaitOptions endless() {
        return WaitOptions.complete().within(Duration.ofDays(1)).pollEvery(Duration.ofHours(1));
    }

    private TrainJob await(WaitOptions options) throws InterruptedException {
        return new Waits(ticker).await(backend, "job", options);
    }

    /** Each look sees the next of these; the last one stays. */
    private void statuses(JobStatus... statuses) {
        jobs(Arrays.stream(statuses)
                .map(status -> FakeBackend.job("job", status))
                .toArray(TrainJob[]::new));
    }

    private void jobs(TrainJob... looks) {
        Iterator<TrainJob> iterator = Arrays.asList(looks).iterator();
        AtomicReference<TrainJob> last = new AtomicReference<>();
        backend.jobs.put("job", () -> last.updateAndGet(before -> iterator.hasNext() ? iterator.next() : before));
    }

    private static TrainJob unreachable() {
        throw new BackendUnavailableException("the fake cannot be reached", List.of("once"), null);
    }

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }
}
