package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.container.EngineProxy.Call;
import io.github.trainer4j.container.EngineProxy.Fate;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What becomes of a job when the process that launches or deletes it is killed. Every call to the engine is a step: the
 * process is killed before the engine is asked, and, where the engine changes something, also when it has answered.
 */
@Timeout(600)
abstract class KilledClientTests {
    private final BackendProvider provider;
    private final String host;
    private final List<OtherClient> clients = new ArrayList<>();
    private Lab lab;
    private EngineProxy proxy;

    KilledClientTests(BackendProvider provider, String variable) {
        this.provider = provider;
        this.host = System.getenv(variable);
    }

    @BeforeEach
    void open() throws IOException {
        proxy = new EngineProxy(host);
        lab = new Lab(provider, proxy.host());
    }

    @AfterEach
    void close() throws IOException {
        clients.forEach(OtherClient::close);
        proxy.say(call -> Fate.PASS);
        lab.close();
        proxy.close();
    }

    /** Kills a client at one of its steps. */
    private static final class Killing implements EngineProxy.Say {
        private final OtherClient client;
        private final JobDirectory job;
        private final int at;
        private final boolean everyCall;
        private final AtomicInteger steps = new AtomicInteger();
        private final AtomicInteger started = new AtomicInteger();
        private volatile @Nullable String killedAt;

        /** Makes one; a call that only asks counts as a step if {@code everyCall}. */
        Killing(OtherClient client, JobDirectory job, int at, boolean everyCall) {
            this.client = client;
            this.job = job;
            this.at = at;
            this.everyCall = everyCall;
        }

        @Override
        public Fate before(Call call) {
            return call.changes() || everyCall ? step("before " + call) : Fate.PASS;
        }

        @Override
        public Fate answered(Call call) {
            if (call.path().endsWith("/start")) {
                started.incrementAndGet();
            }
            return call.changes() ? step("after " + call) : Fate.PASS;
        }

        private synchronized Fate step(String step) {
            if (killedAt != null) {
                return Fate.CUT;
            }
            // Before it is claimed there is no job to speak of.
            if (!Files.exists(job.record()) || steps.incrementAndGet() < at) {
                return Fate.PASS;
            }
            killedAt = "killed at step " + at + ", " + step;
            client.kill();
            return Fate.CUT;
        }
    }

    @Test
    void aLaunchThatIsKilledAtAnyStepLeavesAFailedJobThatIsDeletedWhole() throws Exception {
        ContainerBackend backend = lab.backend(Map.of());
        OtherClient next = client();
        for (int step = 1; ; step++) {
            OtherClient client = next;
            next = client();
            String name = adopted();
            JobDirectory directory = directory(name);
            Killing killing = new Killing(client, directory, step, true);
            String when = kill(killing, "launch", name);
            boolean launched = Files.exists(directory.launched());
            boolean started = killing.started.get() == OtherClient.STEPS;

            TrainJob job = lab.await(
                    backend,
                    name,
                    found -> started
                            ? found.status() == JobStatus.RUNNING
                            : found.status().isFinal());
            if (!started) {
                assertThat(job.failure().map(Failure::reason)).as(when).hasValue("LauncherLost");
            }
            assertThat(backend.list()).as(when).extracting(TrainJob::name).contains(name);
            backend.delete(name);
            nothingIsLeft(when, name);
            if (launched) {
                assertThat(started).as(when).isTrue();
                return;
            }
        }
    }

    @Test
    void aDeletionThatIsKilledAtAnyStepIsDoneAgain() throws Exception {
        ContainerBackend backend = lab.backend(Map.of());
        OtherClient next = client();
        for (int step = 1; ; step++) {
            OtherClient client = next;
            next = client();
            String name = lab.start(
                            backend,
                            lab.job().trainer(OtherClient.nodes().numNodes(1)).build())
                    .name();
            lab.await(backend, name, job -> job.status() == JobStatus.RUNNING);
            // The backend of this test looks after the job by the same way, so that calls that only ask are not told
            // apart.
            Killing killing = new Killing(client, directory(name), step, false);
            String when = kill(killing, "delete", name);
            if (killing.killedAt == null) {
                assertThat(when).isEqualTo("done");
                nothingIsLeft(when, name);
                return;
            }

            assertThat(backend.get(name).status())
                    .as(when)
                    .isIn(JobStatus.RUNNING, JobStatus.FAILED, JobStatus.UNKNOWN);
            backend.delete(name);
            nothingIsLeft(when, name);
        }
    }

    @Test
    void ofTwoClientsAtOnceOneGetsTheName() throws Exception {
        List<OtherClient> clients = List.of(client(), client());
        String name = adopted();
        for (OtherClient client : clients) {
            client.tell("launch", name);
        }

        assertThat(List.of(clients.get(0).answer(), clients.get(1).answer()))
                .satisfiesOnlyOnce(answer -> assertThat(answer).isEqualTo("done"))
                .satisfiesOnlyOnce(answer -> assertThat(answer).contains("InvalidJobException", name));
        ContainerBackend backend = lab.backend(Map.of());
        assertThat(lab.await(backend, name, job -> job.status() == JobStatus.RUNNING)
                        .steps())
                .hasSize(OtherClient.STEPS);
        backend.delete(name);
        nothingIsLeft("deleted", name);
    }

    /** The engine takes its time to make a container; meanwhile the job is deleted, and its name given to another one. */
    @Test
    void aContainerThatAppearsAfterItsJobWasDeletedIsRemoved() throws Exception {
        ContainerBackend backend = lab.backend(Map.of());
        OtherClient client = client();
        String name = adopted();
        CountDownLatch oneMade = new CountDownLatch(2);
        CountDownLatch deleted = new CountDownLatch(1);
        AtomicReference<Call> held = new AtomicReference<>();
        proxy.say(new EngineProxy.Say() {
            @Override
            public Fate before(Call call) {
                if (call.path().contains("name=" + name + "-node-1") && held.compareAndSet(null, call)) {
                    oneMade.countDown();
                    await(deleted);
                }
                return Fate.PASS;
            }

            @Override
            public Fate answered(Call call) {
                if (call.path().contains("name=" + name + "-node-0")) {
                    oneMade.countDown();
                }
                return Fate.PASS;
            }
        });
        client.tell("launch", name);
        await(oneMade);

        backend.delete(name);
        TrainJob other = lab.start(
                backend, lab.job(name).trainer(OtherClient.nodes().numNodes(1)).build());
        lab.await(backend, name, job -> job.status() == JobStatus.RUNNING);
        deleted.countDown();

        assertThat(client.answer()).isEqualTo("done");
        assertThat(backend.get(name).status()).isEqualTo(JobStatus.RUNNING);
        assertThat(backend.get(name).creationTime()).isEqualTo(other.creationTime());
        assertThat(Engines.traces(host, name)).containsExactlyInAnyOrder(name + "-node-0", name + "-net");
    }

    private OtherClient client() throws IOException {
        OtherClient client = OtherClient.start(provider, proxy.host(), lab.work());
        clients.add(client);
        return client;
    }

    private String adopted() {
        String name = JobName.generate();
        lab.adopt(name);
        return name;
    }

    private JobDirectory directory(String name) {
        return new JobStore(lab.work().resolve("state")).directory(name);
    }

    /** Has a client do something and killed at a step; returns when that was, or what it said if it was done before. */
    private String kill(Killing killing, String what, String name) throws IOException, InterruptedException {
        proxy.say(killing);
        killing.client.tell(what, name);
        String answer = killing.client.answer();
        proxy.say(call -> Fate.PASS);
        // The engine may be at something that it was asked for just before.
        while (proxy.asking() > 0) {
            Thread.sleep(10);
        }
        String when = killing.killedAt;
        return when == null ? answer : when;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void nothingIsLeft(String when, String name) throws IOException {
        assertThat(Engines.traces(host, name)).as(when).isEmpty();
        JobDirectory directory = directory(name);
        assertThat(directory.workspace()).as(when).doesNotExist();
        assertThat(directory.state().getParent()).as(when).isEmptyDirectory();
    }
}
