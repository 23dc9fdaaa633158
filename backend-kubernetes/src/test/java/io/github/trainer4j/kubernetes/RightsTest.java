package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.TrainingRuntime.Scope;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.testkit.RequiresEngine;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What users with few rights can do on a real cluster, and what they are told of what they cannot. */
@RequiresEngine({
    "TRAINER4J_TEST_KUBECONFIG",
    "TRAINER4J_TEST_KUBECONFIG_NAMESPACED",
    "TRAINER4J_TEST_KUBECONFIG_READER",
    "TRAINER4J_TEST_KUBE_NAMESPACE_NAMESPACED",
    "TRAINER4J_TEST_KUBECTL"
})
@Timeout(300)
class RightsTest {
    private static final Path ROLE = Path.of("../docs/guide/kubernetes-role.yaml");
    private static final String RUNTIME = "trainer4j-team";

    @TempDir
    private static Path directory;

    private static String account;

    @BeforeAll
    static void giveTheRoleOfTheGuide() throws Exception {
        account = JobName.generate();
        Kubectl.apply(team(), Files.readString(ROLE));
        Kubectl.in(team(), "create", "serviceaccount", account);
        Kubectl.in(
                team(),
                "create",
                "rolebinding",
                account,
                "--role=trainer4j",
                "--serviceaccount=" + team() + ":" + account);
    }

    @AfterAll
    static void takeItBack() throws Exception {
        Kubectl.in(team(), "delete", "rolebinding,serviceaccount", account);
        Kubectl.in(team(), "delete", "role", "trainer4j");
    }

    private static String team() {
        return System.getenv("TRAINER4J_TEST_KUBE_NAMESPACE_NAMESPACED");
    }

    @Test
    void theRoleOfTheGuideIsEnough() throws Exception {
        String name = JobName.generate();
        try (Backend backend = Backends.of(kubeconfigOfTheAccount())) {
            assertThat(backend.runtimes()).extracting(TrainingRuntime::name).contains(RUNTIME);
            assertThat(backend.runtimes()).extracting(TrainingRuntime::scope).containsOnly(Scope.NAMESPACE);
            Semaphore changes = new Semaphore(0);
            try (AutoCloseable watch = backend.watch(name, changes::release)) {
                backend.train(
                        TrainJobRequest.builder()
                                .name(name)
                                .runtime(RUNTIME)
                                .trainer(CustomTrainer.source(
                                                "greet.py", "import os; print('hello', len(os.environ['TOKEN']))")
                                        .image("trainer4j-test/torch:1")
                                        .secretEnv("TOKEN", Secret.of("geheim")))
                                .build(),
                        ProgressListener.none());
                List<String> lines = new ArrayList<>();
                try (LogStream log = backend.logs(name, LogQuery.all().following())) {
                    log.forEach(line -> lines.add(line.text()));
                }
                assertThat(lines).containsExactly("hello 6");
                assertThat(changes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            }
            TrainJob job = backend.get(name);
            assertThat(job.status()).as(job.toString()).isEqualTo(JobStatus.COMPLETE);
            assertThat(backend.list()).contains(job);
            assertThat(backend.events(name)).isNotEmpty();
            backend.delete(name);
        }
        assertThat(Kubectl.in(team(), "get", "trainjobs,pods,secrets,configmaps", "-o", "name"))
                .doesNotContain(name);
    }

    @Test
    void aReaderIsToldWhichRightIsMissing() {
        try (Backend backend = Backends.of(Path.of(System.getenv("TRAINER4J_TEST_KUBECONFIG_READER")))) {
            assertThatThrownBy(backend::list)
                    .isInstanceOf(TrainerException.class)
                    .hasMessageContaining("you may not list pods in namespace " + team())
                    .hasMessageContaining("{apiGroups: [\"\"], resources: [pods], verbs: [list]}");
            assertThatThrownBy(() -> backend.train(
                            TrainJobRequest.builder()
                                    .runtime(RUNTIME)
                                    .trainer(CommandTrainer.of("true"))
                                    .build(),
                            ProgressListener.none()))
                    .isInstanceOf(TrainerException.class)
                    .hasMessageContaining("you may not create trainjobs in namespace " + team())
                    .hasMessageContaining(
                            "{apiGroups: [\"trainer.kubeflow.org\"], resources: [trainjobs], verbs: [create]}");
        }
    }

    @Test
    void whatTheClusterDoesNotTakeIsToldWithTheField() {
        KubernetesSettings settings = new KubernetesSettings(
                Optional.of(Path.of(System.getenv("TRAINER4J_TEST_KUBECONFIG_NAMESPACED"))),
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                directory,
                Map.of());
        try (Cluster cluster = Cluster.connect(settings)) {
            assertThatThrownBy(() -> cluster.createTrainJob(trainJob(Map.of("runtimeRef", Map.of("name", "none")))))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageStartingWith("the cluster refuses the job: spec.RuntimeRef: Invalid value")
                    .hasMessageContaining("says the admission webhook");
            assertThatThrownBy(() -> cluster.createTrainJob(trainJob(Map.of("trainer", Map.of("numNodes", "many")))))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageContaining("spec.trainer.numNodes");
            assertThatThrownBy(() -> cluster.createTrainJob(trainJob(Map.of("colour", "blue"))))
                    .isInstanceOf(InvalidJobException.class)
                    .hasMessageStartingWith("the cluster does not know spec.colour");
        }
    }

    @Test
    void aPodFindsItsOwnCluster() throws Exception {
        Path jars = Files.createDirectories(Path.of("target", "in-pod").toAbsolutePath());
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            copy(Path.of(entry), jars);
        }
        Kubectl.apply(team(), """
                apiVersion: v1
                kind: Pod
                metadata: {name: %1$s}
                spec:
                  serviceAccountName: %1$s
                  restartPolicy: Never
                  containers:
                  - name: client
                    image: trainer4j-test/jvm:1
                    command: [java, -cp, "/app/classes:/app/*", %3$s]
                    volumeMounts: [{name: app, mountPath: /app, readOnly: true}]
                  volumes: [{name: app, hostPath: {path: "%2$s"}}]
                """.formatted(account, jars, InPodMain.class.getName()));
        try {
            Kubectl.in(team(), "wait", "pod", account, "--for=jsonpath={.status.phase}=Succeeded", "--timeout=120s");
        } finally {
            String said = Kubectl.in(team(), "logs", account);
            Kubectl.in(team(), "delete", "pod", account, "--wait=false", "--grace-period=1");
            assertThat(said).contains("runtimes here: [trainer4j-plain, trainer4j-team]");
        }
    }

    private static void copy(Path entry, Path to) throws IOException {
        if (Files.isRegularFile(entry)) {
            Files.copy(entry, to.resolve(entry.getFileName()), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            return;
        }
        if (!Files.isDirectory(entry)) {
            return;
        }
        try (var files = Files.walk(entry)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target =
                        to.resolve("classes").resolve(entry.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private static Map<String, Object> trainJob(Map<String, Object> part) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("runtimeRef", Map.of("name", RUNTIME, "kind", "TrainingRuntime"));
        spec.putAll(part);
        return Map.of(
                "apiVersion",
                Names.API_VERSION,
                "kind",
                Names.TRAIN_JOB,
                "metadata",
                Map.of("name", JobName.generate()),
                "spec",
                spec);
    }

    /** As the one that the test cluster gives, but for the account. */
    private static Path kubeconfigOfTheAccount() throws IOException, InterruptedException {
        String token = Kubectl.in(team(), "create", "token", account);
        String text = Files.readString(Path.of(System.getenv("TRAINER4J_TEST_KUBECONFIG_NAMESPACED")))
                .replaceFirst("(?m)^    token: .*$", "    token: " + token);
        return Files.writeString(directory.resolve("kubeconfig"), text);
    }
}
