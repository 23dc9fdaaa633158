package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.trainer4j.api.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegistryCredentialsTest {
    private static final String CANARY = "geheim-7f3a";

    @TempDir
    private Path home;

    private final Map<String, String> environment = new HashMap<>();

    private RegistryCredentials.Answer find(Product product, String image) {
        return RegistryCredentials.of(product, environment, home).find(image);
    }

    private Path write(String file, String text) throws IOException {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    private static String auths(String registry, String user) {
        String auth = Base64.getEncoder().encodeToString((user + ":" + CANARY).getBytes(StandardCharsets.UTF_8));
        return "{\"auths\":{\"" + registry + "\":{\"auth\":\"" + auth + "\"}}}";
    }

    private void helper(String name, String script) throws IOException {
        Path program = write("bin/docker-credential-" + name, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        environment.put("PATH", home.resolve("bin") + ":/usr/bin:/bin");
    }

    private static Object header(RegistryLogin login) {
        return Json.parse(new String(Base64.getUrlDecoder().decode(login.header()), StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource({
        "busybox,docker.io,docker.io/library/busybox",
        "busybox:1,docker.io,docker.io/library/busybox",
        "bob/tool@sha256:00,docker.io,docker.io/bob/tool",
        "docker.io/bob/tool,docker.io,docker.io/bob/tool",
        "index.docker.io/bob/tool,docker.io,docker.io/bob/tool",
        "localhost/a,localhost,localhost/a",
        "localhost:5000/a:1,localhost:5000,localhost:5000/a",
        "GHCR.io/a/b/c:1@sha256:00,ghcr.io,ghcr.io/a/b/c",
    })
    void theNameOfAnImageTellsItsRegistry(String image, String host, String scope) {
        ImageRegistry registry = ImageRegistry.of(image);

        assertThat(registry.host()).isEqualTo(host);
        assertThat(registry.scopes()).startsWith(scope).endsWith(host);
    }

    @ParameterizedTest
    @CsvSource({
        "https://index.docker.io/v1/,bob/tool,https://index.docker.io/v1/",
        "docker.io,busybox,https://index.docker.io/v1/",
        "reg.test:5000,reg.test:5000/a/b,reg.test:5000",
        "https://reg.test/v2/,reg.test/a,reg.test",
        "http://reg.test,reg.test/a,reg.test",
    })
    void theEntryOfARegistryIsFoundHoweverItIsWritten(String key, String image, String server) throws IOException {
        Path file = write(".docker/config.json", auths(key, "bob"));

        RegistryLogin login = find(Product.DOCKER, image).login().orElseThrow();

        assertThat(header(login)).isEqualTo(Map.of("username", "bob", "password", CANARY, "serveraddress", server));
        assertThat(login.toString()).isEqualTo("user bob of " + file).doesNotContain(CANARY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"reg.test", "reg.test:5001/a", "busybox", "other.test/reg.test"})
    void anotherRegistryIsGivenNothing(String image) throws IOException {
        write(".docker/config.json", auths("reg.test:5000", "bob"));

        assertThat(find(Product.DOCKER, image).login()).isEmpty();
    }

    @Test
    void theEntryOfAPartOfARegistryIsForThatPartOnly() throws IOException {
        environment.put(
                "REGISTRY_AUTH_FILE",
                write("own.json", auths("reg.test/team", "bob")).toString());

        assertThat(find(Product.PODMAN, "reg.test/team/tool:1").login()).isPresent();
        assertThat(find(Product.PODMAN, "reg.test/teams/tool:1").login()).isEmpty();
        assertThat(find(Product.PODMAN, "reg.test/tool").login()).isEmpty();
    }

    @Test
    void eachProductsOwnFileComesFirst() throws IOException {
        environment.put("XDG_RUNTIME_DIR", home.resolve("run").toString());
        write(".docker/config.json", auths("reg.test", "docker"));
        write(".config/containers/auth.json", auths("reg.test", "kept"));

        assertThat(find(Product.PODMAN, "reg.test/a").login().orElseThrow().user())
                .isEqualTo("kept");
        write("run/containers/auth.json", auths("reg.test", "session"));
        assertThat(find(Product.PODMAN, "reg.test/a").login().orElseThrow().user())
                .isEqualTo("session");
        assertThat(find(Product.DOCKER, "reg.test/a").login().orElseThrow().user())
                .isEqualTo("docker");
        environment.put("DOCKER_CONFIG", home.resolve("moved").toString());
        assertThat(find(Product.DOCKER, "reg.test/a").login().orElseThrow().user())
                .isEqualTo("session");
    }

    @Test
    void aTokenStandsForTheUser() throws IOException {
        write(".docker/config.json", "{\"auths\":{\"reg.test\":{\"identitytoken\":\"" + CANARY + "\"}}}");

        RegistryLogin login = find(Product.DOCKER, "reg.test/a").login().orElseThrow();

        assertThat(header(login)).isEqualTo(Map.of("identitytoken", CANARY, "serveraddress", "reg.test"));
    }

    @Test
    void theHelperOfARegistryComesBeforeTheHelperOfAll() throws IOException {
        helper("one", "read -r server; echo \"{\\\"Username\\\":\\\"$1\\\",\\\"Secret\\\":\\\"$server\\\"}\"");
        helper("all", "echo '{\"Username\":\"<token>\",\"Secret\":\"" + CANARY + "\"}'");
        write(".docker/config.json", "{\"credsStore\":\"all\",\"credHelpers\":{\"reg.test\":\"one\"},\"auths\":{}}");

        assertThat(header(find(Product.DOCKER, "reg.test/a").login().orElseThrow()))
                .isEqualTo(Map.of("username", "get", "password", "reg.test", "serveraddress", "reg.test"));
        RegistryLogin token = find(Product.DOCKER, "busybox").login().orElseThrow();
        assertThat(header(token))
                .isEqualTo(Map.of("identitytoken", CANARY, "serveraddress", "https://index.docker.io/v1/"));
        assertThat(token.toString()).contains("docker-credential-all").doesNotContain(CANARY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "echo 'credentials not found in native keychain'; exit 1|has none for reg.test",
                "echo geheim-7f3a; echo geheim-7f3a >&2; exit 3|ended with exit code 3",
                "echo geheim-7f3a|printed no JSON",
            })
    void aHelperThatGivesNothingIsToldWithoutItsWords(String script, String note) throws IOException {
        helper("x", script);
        write(".docker/config.json", "{\"credsStore\":\"x\"}");

        RegistryCredentials.Answer answer = find(Product.DOCKER, "reg.test/a");

        assertThat(answer.login()).isEmpty();
        assertThat(answer.notes()).anySatisfy(text -> assertThat(text).contains("docker-credential-x", note));
        assertThat(answer.toString()).doesNotContain(CANARY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "../bin/x", "a b"})
    void aHelperThatIsNotThereIsTold(String name) throws IOException {
        helper("x", "echo '{\"Username\":\"u\",\"Secret\":\"s\"}'");
        write(".docker/config.json", "{\"credsStore\":\"" + name + "\"}");

        assertThat(find(Product.DOCKER, "reg.test/a").notes())
                .anySatisfy(note -> assertThat(note).contains("no ").contains("docker-credential-" + name));
    }

    @Test
    void aHelperThatHangsIsEndedWithItsChildren() throws IOException {
        helper("x", "sleep 61 & echo $! > " + home.resolve("child") + "; wait");
        Path file = write(".docker/config.json", "{\"credsStore\":\"x\"}");
        List<String> notes = new ArrayList<>();

        Optional<RegistryLogin> login =
                new LoginFile(file, environment, Duration.ofSeconds(3)).find(ImageRegistry.of("reg.test/a"), notes);

        assertThat(login).isEmpty();
        assertThat(notes.get(0)).contains("did not answer within 3000 ms");
        long child = Long.parseLong(Files.readString(home.resolve("child")).strip());
        ProcessHandle.of(child).ifPresent(process -> process.onExit().join());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "geheim-7f3a",
                "{\"auths\":{\"reg.test\":{\"auth\":\"geheim-7f3a!\"}}}",
                "{\"auths\":{\"reg.test\":{\"auth\":\"Z2VoZWltLTdmM2E=\"}}}",
                "{\"auths\":{\"reg.test\":{}}}",
                "{\"auths\":{\"reg.test\":null}}",
                "{\"auths\":[],\"credHelpers\":3}",
            })
    void aDamagedFileHasNoLoginAndItsTextStaysInIt(String text) throws IOException {
        Path file = write(".docker/config.json", text);

        RegistryCredentials.Answer answer = find(Product.DOCKER, "reg.test/a");

        assertThat(answer.login()).isEmpty();
        assertThat(answer.notes()).anySatisfy(note -> assertThat(note).contains(file.toString()));
        assertThat(answer.toString()).doesNotContain("geheim");
    }

    // ---- pulls

    private Engine engine(FakeEngine fake) throws IOException {
        EngineAddress address = new EngineAddress(fake.uri(), Optional.empty(), "test");
        return Engine.open(
                new EngineConnection(
                        address,
                        Duration.ofSeconds(60),
                        "pull-test-",
                        RegistryCredentials.of(Product.DOCKER, environment, home)),
                Duration.ofSeconds(60));
    }

    @Test
    void thePullCarriesTheLogin() throws IOException {
        write(".docker/config.json", auths("reg.test", "bob"));
        try (FakeEngine fake = FakeEngine.pulling(head -> FakeEngine.answer(200, "{\"status\":\"done\"}"));
                Engine engine = engine(fake)) {
            engine.streams().pull("reg.test/a:1", progress -> {});
            engine.streams().pull("other.test/a:1", progress -> {});

            List<String> pulls = fake.requests().stream()
                    .filter(head -> head.contains("/images/create"))
                    .toList();
            assertThat(pulls.get(0)).containsIgnoringCase("X-Registry-Auth: ");
            String header = pulls.get(0)
                    .lines()
                    .filter(line -> line.regionMatches(true, 0, "X-Registry-Auth:", 0, 16))
                    .map(line -> line.substring(16).strip())
                    .findFirst()
                    .orElseThrow();
            assertThat(new String(Base64.getUrlDecoder().decode(header), StandardCharsets.UTF_8))
                    .contains("bob")
                    .contains(CANARY);
            assertThat(pulls.get(1)).doesNotContainIgnoringCase("X-Registry-Auth");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "404|pull access denied for reg.test/a, repository does not exist or may require login|NOT_FOUND",
                "404|manifest unknown|NOT_FOUND",
                "401|unauthorized|REFUSED",
                "500|Get https://reg.test/v2/: unauthorized|FAILED",
            })
    void aPullThatFailsSaysWhatTheRegistrySaidAndWhoWasTried(int status, String said, EngineException.Kind kind)
            throws IOException {
        Path file = write(".docker/config.json", auths("reg.test", "bob"));
        try (FakeEngine fake = FakeEngine.pulling(head -> FakeEngine.answer(status, "{\"message\":\"" + said + "\"}"));
                Engine engine = engine(fake)) {
            EngineException known = catchThrowableOfType(
                    EngineException.class, () -> engine.streams().pull("reg.test/a:1", progress -> {}));
            EngineException unknown = catchThrowableOfType(
                    EngineException.class, () -> engine.streams().pull("other.test/a:1", progress -> {}));

            assertThat(known)
                    .hasMessageContaining("reg.test/a:1")
                    .hasMessageContaining(said)
                    .hasMessageContaining("user bob of " + file)
                    .hasMessageContaining("'docker login reg.test'")
                    .hasMessageNotContaining(CANARY);
            assertThat(known.kind()).isEqualTo(kind);
            assertThat(unknown)
                    .hasMessageContaining("tried without a login at other.test")
                    .hasMessageContaining(file + " (nothing for other.test)")
                    .hasMessageContaining("'docker login other.test'");
        }
    }

    @Test
    void anErrorAmidThePullIsToldLikewise() throws IOException {
        try (FakeEngine fake = FakeEngine.pulling(head -> FakeEngine.answer(
                        200,
                        "{\"status\":\"Pulling\"}\n{\"errorDetail\":{\"message\":\"denied: no\"},\"error\":\"x\"}\n"));
                Engine engine = engine(fake)) {
            assertThatThrownBy(() -> engine.streams().pull("a:1", progress -> {}))
                    .hasMessageContaining("denied: no")
                    .hasMessageContaining("either there is no such image, or this machine has no access")
                    .hasMessageContaining("'docker login'");
        }
    }

    @Test
    void anEngineElsewhereIsToldOf() {
        EngineAddress far = new EngineAddress(URI.create("tcp://far:1"), Optional.empty(), "test");

        assertThat(find(Product.PODMAN, "busybox").advice(far))
                .contains("'podman login docker.io'")
                .contains("on the engine's machine");
    }
}
