package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.PodPatch;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.spi.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a cluster with an older Kubeflow Trainer is met; the API server is one that says what such a one says. */
class OlderClusterTest {
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Tree> created = new CopyOnWriteArrayList<>();
    private volatile boolean published = true;

    @TempDir
    private Path directory;

    private HttpServer server;
    private Cluster cluster;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), """
            {"apiVersion": "v1", "kind": "Config", "current-context": "old",
             "clusters": [{"name": "old", "cluster": {"server": "http://127.0.0.1:%d"}}],
             "contexts": [{"name": "old", "context": {"cluster": "old", "user": "me", "namespace": "test"}}],
             "users": [{"name": "me", "user": {}}]}
            """.formatted(
                        server.getAddress().getPort()));
        cluster = Cluster.connect(KubernetesSettings.read(
                Settings.of(Map.of("kubeconfig", kubeconfig.toString())), Plans.context(directory)));
    }

    @AfterEach
    void stop() {
        cluster.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (path.matches("/apis/[^/]+/?")) {
            reply(exchange, 200, "{\"kind\": \"APIGroup\", \"apiVersion\": \"v1\", \"name\": \"jobset.x-k8s.io\"}");
            return;
        }
        requests.add(exchange.getRequestMethod() + " " + path.replaceFirst("^.*/", ""));
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (path.startsWith("/openapi/")) {
            reply(exchange, published ? 200 : 403, published ? openApi() : status(403, "forbidden"));
        } else if (body.contains("runtimePatches")) {
            reply(
                    exchange,
                    400,
                    status(
                            400,
                            "TrainJob in version \\\"v1alpha1\\\" cannot be handled as a TrainJob: strict decoding"
                                    + " error: unknown field \\\"spec.runtimePatches\\\""));
        } else {
            created.add(Runtimes.tree(body));
            reply(exchange, 201, body.replaceFirst("\"metadata\" ?: ?\\{", "\"metadata\": {\"uid\": \"u-1\","));
        }
    }

    private static String openApi() throws IOException {
        return Json.write(Map.of(
                "components",
                Map.of(
                        "schemas",
                        Map.of(
                                "a.Runtime",
                                Map.of("x-kubernetes-group-version-kind", List.of(Map.of("kind", "TrainingRuntime"))),
                                "a.TrainJob",
                                Map.of(
                                        "x-kubernetes-group-version-kind",
                                        List.of(Map.of("kind", "TrainJob")),
                                        "properties",
                                        StructuralSchema.ofTrainJobs("2.1.0")
                                                .at("properties")
                                                .value())))));
    }

    private static String status(int code, String message) {
        return "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"status\": \"Failure\", \"code\": " + code
                + ", \"message\": \"" + message + "\"}";
    }

    private static void reply(HttpExchange exchange, int code, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static Map<String, Object> script() {
        return Plans.of(
                        TrainJobRequest.builder()
                                .name("old")
                                .trainer(CustomTrainer.source("train.py", "print('hi')\n")),
                        Runtimes.plain())
                .trainJob();
    }

    @Test
    void theVersionIsAskedForOnceAndOnlyWhenAFieldWasRefused() {
        for (int i = 0; i < 2; i++) {
            assertThat(cluster.createTrainJob(script()).at("metadata", "uid").text())
                    .hasValue("u-1");
        }

        assertThat(requests).containsExactly("POST trainjobs", "GET v1alpha1", "POST trainjobs", "POST trainjobs");
        assertThat(created).hasSize(2).allSatisfy(job -> {
            assertThat(job.at("spec", "runtimePatches").isPresent()).isFalse();
            assertThat(job.at("spec", "podTemplateOverrides").list()).isNotEmpty();
        });
    }

    @Test
    void aJobWithNothingThatVersionsDifferInIsPlannedWithoutAsking() {
        Map<String, Object> job = Plans.of(
                        TrainJobRequest.builder().name("old").trainer(CommandTrainer.of("true")),
                        Runtimes.initializers())
                .trainJob();

        assertThat(cluster.fit(job)).isEqualTo(job);
        assertThat(requests).isEmpty();
    }

    @Test
    void whatTheVersionHasNoFieldForIsRefusedWithTheField() {
        Map<String, Object> secured = Plans.of(
                        TrainJobRequest.builder()
                                .name("old")
                                .trainer(CommandTrainer.of("true"))
                                .option(PodPatch.of("node")
                                        .securityContext(Map.of("fsGroup", 1))
                                        .build()),
                        Runtimes.plain())
                .trainJob();

        assertThatThrownBy(() -> cluster.createTrainJob(secured))
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("spec.podTemplateOverrides[0].spec.securityContext");
        assertThat(created).isEmpty();
    }

    @Test
    void whereTheFieldsMayNotBeReadTheClustersOwnWordsAreTold() {
        published = false;

        assertThatThrownBy(() -> cluster.createTrainJob(script()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("unknown field \"spec.runtimePatches\"");
        assertThat(cluster.fit(script())).isEqualTo(script());
        assertThat(Serialization.asYaml(created)).doesNotContain("TrainJob");
    }
}
