package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.kubernetes.FakeApi.Asked;
import io.github.trainer4j.kubernetes.FakeApi.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ways to a cluster, and who one is there. */
@Timeout(120)
class AccessTest {
    @TempDir
    private Path directory;

    private FakeApi api;

    @BeforeEach
    void open() throws IOException {
        api = new FakeApi();
        everybodySees("team");
        everybodySees("other");
    }

    @AfterEach
    void close() {
        api.close();
    }

    private void everybodySees(String namespace) {
        api.on("GET", FakeApi.TRAIN_JOBS.replace("team", namespace), asked -> Reply.list(List.of()));
        api.on("GET", FakeApi.PODS.replace("team", namespace), asked -> Reply.list(List.of()));
    }

    private void only(String token) {
        api.on(
                "GET",
                FakeApi.TRAIN_JOBS,
                asked -> asked.token().equals(Optional.of(token))
                        ? Reply.list(List.of())
                        : Reply.refusal(401, "Unauthorized"));
    }

    @Test
    void severalFilesAreOneConfiguration() throws IOException {
        Path first = write("first", """
                contexts: [{name: a, context: {cluster: c, user: u, namespace: team}}]
                current-context: a
                users: [{name: u, user: {token: first}}]
                """);
        Path second = write("second", """
                clusters: [{name: c, cluster: {server: "%s"}}]
                contexts: [{name: a, context: {cluster: none, user: none}}, {name: b, context: {cluster: c, user: v, namespace: other}}]
                current-context: b
                users: [{name: u, user: {token: second}}, {name: v, user: {token: third}}]
                """.formatted(api.address()));
        Map<String, String> environment =
                Map.of("KUBECONFIG", first + ":" + directory.resolve("missing") + ":" + second);

        assertThat(list(Map.of(), environment)).satisfies(asked -> {
            assertThat(asked.path()).isEqualTo(FakeApi.TRAIN_JOBS);
            assertThat(asked.token()).hasValue("first");
        });
        assertThat(list(Map.of("context", "b"), environment)).satisfies(asked -> {
            assertThat(asked.path()).contains("/other/");
            assertThat(asked.token()).hasValue("third");
        });
        assertThat(list(Map.of("context", "b", "namespace", "team"), environment)
                        .path())
                .isEqualTo(FakeApi.TRAIN_JOBS);
        assertThatThrownBy(() -> list(Map.of("context", "nobody"), environment))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("it has no context nobody; there are: a, b");
    }

    @Test
    void theFileOfTheHomeDirectoryIsReadWhereNothingElseIsSaid() throws IOException {
        Files.createDirectories(directory.resolve(".kube"));
        Files.move(api.kubeconfig(directory, "token: mine"), directory.resolve(".kube/config"));

        assertThat(list(Map.of(), Map.of()).token()).hasValue("mine");
    }

    @Test
    void whereNothingSaysWhereThereIsAClusterAllThatWasTriedIsTold() {
        assertThatThrownBy(() -> list(Map.of(), Map.of()))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining(directory.resolve(".kube/config") + ": no such file")
                .hasMessageContaining("KUBERNETES_SERVICE_HOST: not set, so this is no pod")
                .hasMessageContaining("kubernetes.kubeconfig");
    }

    @Test
    void aProgramGivesTheTokenOnceUntilItEnds() throws IOException {
        Path program = program("""
                echo "a word aside" >&2
                echo run >> runs
                echo '{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status": {"token": "'$WHO'",
                  "expirationTimestamp": "2099-01-01T00:00:00Z"}}'
                """);
        only("made");
        try (Backend backend = exec(program)) {
            for (int i = 0; i < 5; i++) {
                assertThat(backend.list()).isEmpty();
            }
        }
        assertThat(directory.resolve("runs")).hasContent("run");
    }

    @Test
    void aProgramIsRunAgainWhenItsTokenIsRefused() throws IOException {
        Path program = program("""
                echo run >> runs
                echo '{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status": {"token": "made-'$(wc -l < runs)'"}}'
                """);
        only("made-1");
        try (Backend backend = exec(program)) {
            backend.list();
            only("made-2");
            backend.list();
            backend.list();
        }
        assertThat(directory.resolve("runs")).hasContent("run\nrun");
    }

    @Test
    void aProgramThatFailsIsToldInItsOwnWords() throws IOException {
        Path program = program("echo you are logged out >&2; exit 3");

        assertThatThrownBy(() -> exec(program).list())
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("./program.sh, which the kubeconfig names to get credentials from, fails")
                .hasMessageContaining("it exits with 3: you are logged out")
                .hasMessageContaining("get the program at example.org");
    }

    @Test
    void aTokenFileThatIsReplacedIsReadAgain() throws IOException {
        Path file = write("token", "t1\n");
        only("t1");
        try (Backend backend = Backends.of(api.kubeconfig(directory, "tokenFile: token"))) {
            backend.list();
            Files.move(write("next", "t2"), file, StandardCopyOption.ATOMIC_MOVE);
            only("t2");
            backend.list();
        }
        assertThat(api.asked())
                .filteredOn(asked -> asked.path().equals(FakeApi.TRAIN_JOBS))
                .extracting(asked -> asked.token().orElse(""))
                .containsExactly("t1", "t1", "t2");
    }

    @Test
    void aTokenThatIsRefusedForGoodIsToldAfterOneMoreTry() throws IOException {
        only("another");
        try (Backend backend = Backends.of(api.kubeconfig(directory, "token: old"))) {
            assertThatThrownBy(backend::list)
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("does not accept the credentials of the kubeconfig")
                    .hasMessageContaining("log in again");
            assertThat(api.asked()).hasSize(1);
            api.kubeconfig(directory, "token: another");
            assertThat(backend.list()).isEmpty();
        }
    }

    @Test
    void noRedirectLeadsTheTokenElsewhere() throws IOException {
        try (FakeApi elsewhere = new FakeApi();
                Backend backend = Backends.of(api.kubeconfig(directory, "token: secret"))) {
            api.on(
                    "GET",
                    FakeApi.TRAIN_JOBS,
                    asked -> new Reply(302, Map.of("Location", elsewhere.address() + FakeApi.TRAIN_JOBS), ""));

            assertThatThrownBy(backend::list).isInstanceOf(BackendUnavailableException.class);
            assertThat(elsewhere.asked()).isEmpty();
        }
    }

    @Test
    void theProxyOfTheKubeconfigIsUsed() throws IOException {
        Path kubeconfig = write("kubeconfig", """
                clusters: [{name: c, cluster: {server: "http://cluster.invalid:6443", proxy-url: "%s"}}]
                contexts: [{name: a, context: {cluster: c, namespace: team}}]
                current-context: a
                """.formatted(api.address()));
        try (Backend backend = Backends.of(kubeconfig)) {
            assertThat(backend.list()).isEmpty();
        }
    }

    @Test
    void manyCallsNeedNoMoreThreadsThanFew() throws IOException {
        try (Backend backend = Backends.of(api.kubeconfig(directory, "token: secret"))) {
            for (int i = 0; i < 20; i++) {
                backend.list();
            }
            int few = Thread.activeCount();
            for (int i = 0; i < 100; i++) {
                backend.list();
            }
            assertThat(Thread.activeCount()).isLessThanOrEqualTo(few + 2);
        }
    }

    @Test
    void aJobCanBeDeletedWhileTheJvmEnds() throws Exception {
        String job = FakeApi.TRAIN_JOBS + "/one";
        api.on(
                "GET",
                job,
                asked -> api.count("DELETE " + job) == 0
                        ? Reply.of(
                                Map.of("metadata", Map.of("name", "one", "creationTimestamp", "2026-11-30T12:00:00Z")))
                        : Reply.refusal(404, "not found"));
        api.on("DELETE", ".*", asked -> Reply.of(Map.of("kind", "Status", "status", "Success")));

        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        DeleteAtExitMain.class.getName(),
                        api.kubeconfig(directory, "token: secret").toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("deleted");
        assertThat(api.count("DELETE " + job)).isEqualTo(1);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private Path program(String text) throws IOException {
        Path program = write("program.sh", "#!/bin/sh\ncd " + directory + "\n" + text);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return program;
    }

    private Backend exec(Path program) throws IOException {
        return Backends.of(api.kubeconfig(
                directory,
                "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./" + program.getFileName()
                        + ", env: [{name: WHO, value: made}], installHint: get the program at example.org}"));
    }

    /** Lists jobs, and returns how the server was asked for them. */
    private Asked list(Map<String, String> settings, Map<String, String> environment) {
        int before = api.asked().size();
        try (Backend backend = Backends.of(settings, directory, environment)) {
            backend.list();
        }
        return api.asked().get(before);
    }
}
