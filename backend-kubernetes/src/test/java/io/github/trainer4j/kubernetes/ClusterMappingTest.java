package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.PodPatch;
import io.github.trainer4j.api.ReadOnlyInputs;
import io.github.trainer4j.api.RuntimeNotFoundException;
import io.github.trainer4j.api.RuntimePatch;
import io.github.trainer4j.api.RuntimeRef;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobField;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.TrainingRuntime.Scope;
import io.github.trainer4j.api.WorkspaceClaim;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.spi.Backend;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a real cluster makes of what requests are turned into. */
class ClusterMappingTest extends ClusterTests {
    private final String name = name();

    @Test
    void initializersAreGivenWhatTheyNeedAndSecretsAreInSecretsOnly() throws Exception {
        String canary = "canary-" + name;
        String kept = "trainer4j-kept-" + name;
        kubectl("create", "secret", "generic", kept, "--from-literal=password=" + canary + "-kept");
        try {
            TrainJob job = train(own("trainer4j-initializers")
                    .dataset(InitializerSpec.dataset("cache://schema/table")
                            .option("metadata_loc", "s3://bucket/metadata.json")
                            .option("cluster_size", "3")
                            .option("iam_role", "arn:aws:iam::123456789012:role/reader"))
                    .model(InitializerSpec.model("hf://org/base").secret("access_token", Secret.of(canary + "-model")))
                    .option(new ReadOnlyInputs())
                    .trainer(CommandTrainer.of(
                                    "sh",
                                    "-c",
                                    "touch /workspace/out && for d in dataset model; do touch /workspace/$d/x || echo"
                                            + " no $d; done; cat /workspace/dataset/given.txt; sed 's/^/model:/'"
                                            + " /workspace/model/given.txt; echo ends ${OWN##*-} ${PASSWORD##*-}"
                                            + " ${ACCESS_TOKEN:-none}")
                            .secretEnv("OWN", Secret.of(canary + "-own"))
                            .secretEnv("PASSWORD", Secret.reference(kept, "password"))));

            assertComplete(job.name());
            assertThat(lines(job.name(), "node-0"))
                    .contains("STORAGE_URI=cache://schema/table", "METADATA_LOC=s3://bucket/metadata.json")
                    .contains("CLUSTER_SIZE=3", "IAM_ROLE=arn:aws:iam::123456789012:role/reader")
                    .contains("model:STORAGE_URI=hf://org/base", "ends own kept none", "no dataset", "no model")
                    .anyMatch(line -> line.startsWith("model:ACCESS_TOKEN_SHA256="))
                    .noneMatch(line -> line.startsWith("HEAD_CPU=") || line.startsWith("WORKER_"))
                    .noneMatch(line -> line.startsWith("ACCESS_TOKEN"));
            String others = everythingBut("secrets");
            assertThat(others).contains("name: " + job.name()).doesNotContain(canary);
            for (String end : List.of("-model", "-own", "-kept")) {
                assertThat(others).doesNotContain(base64(canary + end));
                assertThat(kubectl("get", "secrets", "-o", "yaml")).contains(base64(canary + end));
            }
            backend().delete(job.name());
            assertThat(companions(job.name())).isEmpty();
        } finally {
            kubectl("delete", "secret", kept);
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void podsAreWhatTheRequestSays() throws Exception {
        String literal = "a$$b $(TRAINJOB_NAME) $HOME \u00e9 \"x\"";
        TrainJob job = train(own("trainer4j-plain")
                .deadline(Duration.ofMinutes(5))
                .option(PodPatch.of("node")
                        .label("example.org/cost", "x1")
                        .annotation("example.org/note", "a b")
                        .nodeSelector("kubernetes.io/os", "linux")
                        .toleration(Map.of("key", "gpu", "operator", "Exists", "effect", "NoSchedule"))
                        .affinity(Json.parseObject(
                                "{\"nodeAffinity\": {\"requiredDuringSchedulingIgnoredDuringExecution\":"
                                        + " {\"nodeSelectorTerms\": [{\"matchExpressions\": [{\"key\":"
                                        + " \"kubernetes.io/os\", \"operator\": \"In\", \"values\":"
                                        + " [\"linux\"]}]}]}}}"))
                        .serviceAccount("default")
                        .imagePullSecret("not-needed")
                        .securityContext(Map.of("runAsUser", 1234, "fsGroup", 2345))
                        .containerSecurityContext(Map.of("allowPrivilegeEscalation", false))
                        .volume("scratch", Map.of("emptyDir", Map.of()))
                        .mount("scratch", "/scratch")
                        .volume("shown", Map.of("emptyDir", Map.of()))
                        .readOnlyMount("shown", "/shown")
                        .build())
                .option(new TrainJobField(
                        "spec.trainer.env[name=\"POD\"].valueFrom.fieldRef", Map.of("fieldPath", "metadata.name")))
                .trainer(CommandTrainer.of(
                                "sh",
                                "-c",
                                "echo pod ${POD%-*}; echo user $(id -u); stat -c 'group %g' /scratch; df -k /dev/shm | awk 'NR == 2 {print"
                                        + " \"shm\", $2}'; echo y > /scratch/x && cat /scratch/x; touch /shown/z 2>&1 ||"
                                        + " echo read-only; printf '%s\\n"
                                        + "' \"$1\" \"$LITERAL\"",
                                "sh",
                                literal)
                        .env("LITERAL", literal)
                        .resources(r -> r.cpu("100m").memory("64Mi").shm("8Mi"))));

        assertComplete(job.name());
        assertThat(lines(job.name(), "node-0"))
                .contains("pod " + job.name() + "-node-0-0", "user 1234", "group 2345", "shm 8192", "y", "read-only")
                .endsWith(literal, literal);
        assertThat(backend().get(job.name()).steps().get(0).command()).endsWith("sh", literal);
        Tree pods = new Tree(Serialization.unmarshal(
                kubectl("get", "pods", "-l", Names.JOBSET_LABEL + "=" + job.name(), "-o", "json"), Map.class));
        Tree pod = pods.at("items").list().get(0);
        assertThat(pod.at("metadata", "labels").strings()).containsEntry("example.org/cost", "x1");
        assertThat(pod.at("metadata", "annotations").strings()).containsEntry("example.org/note", "a b");
        assertThat(pod.at("spec", "nodeSelector").strings()).containsEntry("kubernetes.io/os", "linux");
        assertThat(pod.at("spec", "tolerations").find("key", "gpu").isPresent()).isTrue();
        assertThat(pod.at("spec", "affinity", "nodeAffinity").isPresent()).isTrue();
        assertThat(pod.at("spec", "imagePullSecrets").find("name", "not-needed").isPresent())
                .isTrue();
        Tree resources = pod.at("spec", "containers").list().get(0).at("resources");
        assertThat(resources.at("limits").strings()).isEqualTo(Map.of("cpu", "100m", "memory", "64Mi"));
        assertThat(resources.at("requests").strings()).isEqualTo(Map.of("cpu", "100m", "memory", "64Mi"));
    }

    @Test
    void aJobHasAVolumeOfItsOwnUntilItIsDeleted() throws Exception {
        String volumes = kubectl(
                "get",
                "clustertrainingruntimes",
                "trainer4j-initializers",
                "-o",
                "jsonpath={.spec.template.spec.replicatedJobs[0].template.spec.template.spec.volumes[0].hostPath.path}");
        Path file = Files.writeString(directory.resolve("volume.yaml"), """
            apiVersion: v1
            kind: PersistentVolume
            metadata: {name: trainer4j-%1$s}
            spec:
              capacity: {storage: 1Gi}
              accessModes: [ReadWriteOnce]
              storageClassName: trainer4j-%1$s
              hostPath: {path: "%2$s/claim-%1$s", type: DirectoryOrCreate}
            """.formatted(name, volumes));
        kubectl("create", "-f", file.toString());
        try {
            TrainJob job = train(own("trainer4j-plain")
                    .option(WorkspaceClaim.of("1Gi").storageClass("trainer4j-" + name))
                    .trainer(CommandTrainer.of(
                            "sh",
                            "-c",
                            "echo y > /workspace/x && mv /workspace/x /workspace/z && cat"
                                    + " /workspace/z; rm /workspace/z")));

            assertComplete(job.name());
            assertThat(lines(job.name(), "node-0")).containsExactly("y");
            assertThat(kubectl(
                            "get",
                            "persistentvolumeclaims",
                            Names.companion(job.name()),
                            "-o",
                            "jsonpath={.spec.volumeName}"))
                    .isEqualTo("trainer4j-" + name);
            backend().delete(job.name());
            kubectl("wait", "--for=delete", "--timeout=60s", "persistentvolumeclaims/" + Names.companion(job.name()));
        } finally {
            kubectl("delete", "persistentvolumes", "trainer4j-" + name);
        }
    }

    @Test
    void aJobThatTheClusterRefusesLeavesNothing() throws Exception {
        TrainJobRequest.Builder refused = own("trainer4j-plain")
                .trainer(CustomTrainer.source("train.py", "pass").secretEnv("TOKEN", Secret.of("geheim")))
                .option(new RuntimePatch(Json.parseObject("""
                    {"template": {"spec": {"replicatedJobs": [{"name": "node", "template": {"spec": {"template":
                      {"spec": {"containers": [{"name": "node", "env": [{"name": "A", "value": "b"}]}]}}}}}]}}}
                    """)));
        assertThatThrownBy(() -> train(refused))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("must not have envs");
        assertThat(companions(name)).isEmpty();

        TrainJobRequest.Builder mistyped = own("trainer4j-plain")
                .trainer(CustomTrainer.source("train.py", "pass"))
                .option(new RuntimePatch(Json.parseObject("{\"template\": {\"spec\": {\"replicatedJbos\": []}}}")));
        assertThatThrownBy(() -> train(mistyped))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("unknown field")
                .hasMessageContaining("replicatedJbos");
        assertThat(companions(name)).isEmpty();
    }

    @Test
    void aRuntimeOfTheNamespaceIsTakenBeforeOneOfTheClusterAndItsFieldsAreReadWithFewRights() {
        String team = System.getenv("TRAINER4J_TEST_KUBE_NAMESPACE_NAMESPACED");
        TrainJobRequest request = TrainJobRequest.builder()
                .runtime("trainer4j-plain")
                .deadline(Duration.ofHours(1))
                .trainer(CommandTrainer.of("true"))
                .build();
        try (Backend own = backend("TRAINER4J_TEST_KUBECONFIG_NAMESPACED", team)) {
            Tree spec = manifest(own, request).at("spec");

            assertThat(spec.at("runtimeRef", "kind").text()).hasValue("TrainingRuntime");
            assertThat(spec.at("trainer", "numNodes").number()).hasValue(2);
            assertThat(spec.at("activeDeadlineSeconds").number()).hasValue(3600);
        }
        assertThat(manifest(backend(), request).at("spec", "runtimeRef", "kind").text())
                .hasValue("ClusterTrainingRuntime");
    }

    @Test
    void aRuntimeIsThatOfTheScopeThatIsAskedFor() {
        TrainJobRequest.Builder request = TrainJobRequest.builder().trainer(CommandTrainer.of("true"));
        String team = System.getenv("TRAINER4J_TEST_KUBE_NAMESPACE_NAMESPACED");
        try (Backend there = backend("TRAINER4J_TEST_KUBECONFIG", team)) {
            for (Scope scope : Scope.values()) {
                TrainJobRequest scoped = request.runtime(RuntimeRef.named("trainer4j-plain", scope))
                        .build();
                assertThat(manifest(there, scoped)
                                .at("spec", "runtimeRef", "kind")
                                .text())
                        .hasValue(scope.kind());
            }
        }
        assertThatThrownBy(() -> backend()
                        .plan(request.runtime(RuntimeRef.named("trainer4j-plain", Scope.NAMESPACE))
                                .build()))
                .isInstanceOf(RuntimeNotFoundException.class);
        TrainJobRequest ofCluster = request.runtime(RuntimeRef.named("trainer4j-plain", Scope.CLUSTER))
                .build();
        try (Backend withFewRights = backend("TRAINER4J_TEST_KUBECONFIG_NAMESPACED", team)) {
            assertThatThrownBy(() -> withFewRights.plan(ofCluster))
                    .isInstanceOf(TrainerException.class)
                    .hasMessageContaining("you may not get clustertrainingruntimes");
        }
    }

    private static Tree manifest(Backend backend, TrainJobRequest request) {
        return new Tree(Serialization.unmarshal(backend.plan(request).manifest().orElseThrow(), Map.class));
    }

    @Test
    void theClusterTakesAllThatIsRenderedForItsVersion() throws Exception {
        Map<String, String> runtimes = Map.of(
                "plain", "trainer4j-plain",
                "torch-distributed", "trainer4j-torch",
                "torch-initializers", "trainer4j-initializers");
        List<String> taken = new ArrayList<>();
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(Path.of("src/test/resources/trainjobs/2.3.0"))) {
            for (Path file : files.sorted().toList()) {
                String text = Files.readString(file);
                String runtime = new Tree(Serialization.unmarshal(text, Map.class))
                        .at("spec", "runtimeRef", "name")
                        .text()
                        .orElseThrow();
                if (runtimes.containsKey(runtime) && !text.contains("kind: \"TrainingRuntime\"")) {
                    taken.add(file.getFileName().toString());
                    all.append(text.replace("name: \"" + runtime + "\"", "name: \"" + runtimes.get(runtime) + "\"")
                            .replace("name: \"golden\"", "name: \"" + name + "-" + taken.size() + "\""));
                }
            }
        }
        Path file = Files.writeString(directory.resolve("all.yaml"), all);

        assertThat(kubectl("create", "--dry-run=server", "--validate=strict", "-f", file.toString()))
                .hasLineCount(taken.size());
        assertThat(taken).hasSizeGreaterThan(10);
    }

    private TrainJobRequest.Builder own(String runtime) {
        return TrainJobRequest.builder().name(name).runtime(runtime);
    }

    private void assertComplete(String job) throws Exception {
        TrainJob over = await(job, now -> now.status().isFinal());
        assertThat(over.status()).as(over.toString()).isEqualTo(JobStatus.COMPLETE);
    }

    private List<String> lines(String job, String step) throws InterruptedException {
        return Jobs.lines(backend(), job, LogQuery.step(step));
    }

    /** The Secrets and ConfigMaps that were made for a job. */
    private static String companions(String job) throws IOException, InterruptedException {
        return kubectl("get", "secrets,configmaps", "-o", "name", "-l", Names.JOB_LABEL + "=" + job);
    }

    /** All objects of the namespace, of every kind that the cluster knows but one. */
    private static String everythingBut(String left) throws IOException, InterruptedException {
        List<String> kinds = kubectl("api-resources", "--namespaced", "--verbs=list", "-o", "name")
                .lines()
                .filter(kind -> !kind.equals(left))
                .toList();
        return kubectl("get", String.join(",", kinds), "-o", "yaml");
    }

    private static String kubectl(String... arguments) throws IOException, InterruptedException {
        return Kubectl.in(NAMESPACE, arguments);
    }
}
