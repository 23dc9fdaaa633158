package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.spi.Settings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineLocatorTest {
    @TempDir
    private Path home;

    private final Map<String, String> environment = new HashMap<>();
    private EngineSettings settings = EngineSettings.NONE;

    private List<EngineCandidate> candidates(Product product) {
        return new EngineLocator(product, settings, environment, home, Optional.of(1234)).candidates();
    }

    private EngineCandidate.Listed only(Product product) {
        assertThat(candidates(product)).singleElement().isInstanceOf(EngineCandidate.Listed.class);
        return (EngineCandidate.Listed) candidates(product).get(0);
    }

    private List<String> paths(Product product) {
        return candidates(product).stream()
                .map(candidate ->
                        ((EngineCandidate.Listed) candidate).address().uri().getPath())
                .toList();
    }

    private void write(String file, String text) throws IOException {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    @Test
    void theSettingCountsBeforeAllElse() throws IOException {
        settings = new EngineSettings(Optional.of("unix:///x/y.sock"), Optional.empty(), Optional.empty());
        environment.put("DOCKER_HOST", "tcp://elsewhere:1");
        environment.put("DOCKER_CONTEXT", "remote");

        EngineCandidate.Listed listed = only(Product.DOCKER);

        assertThat(listed.address().uri()).isEqualTo(URI.create("unix:///x/y.sock"));
        assertThat(listed.address().source()).isEqualTo("setting docker.host");
        assertThat(listed.chosen()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"DOCKER,DOCKER_HOST", "PODMAN,CONTAINER_HOST"})
    void theVariableCountsBeforeContextAndSockets(Product product, String variable) throws IOException {
        environment.put(variable, "tcp://far");
        environment.put("DOCKER_CONTEXT", "remote");
        environment.put("CONTAINER_CONNECTION", "remote");

        EngineCandidate.Listed listed = only(product);

        assertThat(listed.address().uri()).isEqualTo(URI.create("tcp://far:2375"));
        assertThat(listed.address().certificates()).isEmpty();
        assertThat(listed.address().source()).contains(variable);
    }

    @Test
    void aBlankVariableIsNone() {
        environment.put("DOCKER_HOST", " ");

        assertThat(paths(Product.DOCKER)).endsWith("/var/run/docker.sock");
    }

    @Test
    void theSocketsOfDockerComeInOrder() {
        environment.put("XDG_RUNTIME_DIR", "/run/mine");

        assertThat(paths(Product.DOCKER))
                .containsExactly(
                        "/run/mine/docker.sock",
                        "/run/user/1234/docker.sock",
                        home + "/.colima/default/docker.sock",
                        home + "/.config/colima/default/docker.sock",
                        home + "/.docker/run/docker.sock",
                        home + "/.docker/desktop/docker.sock",
                        "/var/run/docker.sock");
    }

    @Test
    void theSocketsOfPodmanComeInOrder() {
        environment.put("XDG_RUNTIME_DIR", "/run/user/1234");

        assertThat(paths(Product.PODMAN))
                .containsExactly(
                        "/run/user/1234/podman/podman.sock",
                        "/run/user/1234/podman/podman-machine-default-api.sock",
                        home + "/.local/share/containers/podman/machine/podman.sock",
                        home + "/.local/share/containers/podman/machine/podman-machine-default/podman.sock",
                        home + "/.local/share/containers/podman/machine/qemu/podman.sock",
                        "/run/podman/podman.sock");
    }

    @Test
    void directoriesThatWereMovedAreFollowed() {
        environment.put("XDG_CONFIG_HOME", "/c");
        environment.put("COLIMA_HOME", "/colima");
        environment.put("XDG_DATA_HOME", "/data");
        environment.put("TMPDIR", "/tmp/t");

        assertThat(paths(Product.DOCKER)).contains("/c/colima/default/docker.sock", "/colima/default/docker.sock");
        assertThat(paths(Product.PODMAN))
                .contains(
                        "/data/containers/podman/machine/podman.sock", "/tmp/t/podman/podman-machine-default-api.sock");
    }

    @Test
    void theCurrentContextIsTheOnlyOneTried() throws Exception {
        write(".docker/config.json", "{\"currentContext\":\"remote\"}");
        write(
                ".docker/contexts/meta/" + sha256("remote") + "/meta.json",
                "{\"Name\":\"remote\",\"Endpoints\":{\"docker\":{\"Host\":\"unix:///ctx.sock\"}}}");

        EngineCandidate.Listed listed = only(Product.DOCKER);

        assertThat(listed.address().uri()).isEqualTo(URI.create("unix:///ctx.sock"));
        assertThat(listed.address().source())
                .contains("docker context 'remote'")
                .contains("config.json");
        assertThat(listed.chosen()).isTrue();
        assertThat(paths(Product.PODMAN)).doesNotContain("/ctx.sock");
    }

    @Test
    void theVariableChoosesAnotherContextWithItsCertificates() throws Exception {
        environment.put("DOCKER_CONFIG", home.resolve("conf").toString());
        environment.put("DOCKER_CONTEXT", "tls");
        write("conf/config.json", "{\"currentContext\":\"remote\"}");
        write(
                "conf/contexts/meta/" + sha256("tls") + "/meta.json",
                "{\"Endpoints\":{\"docker\":{\"Host\":\"tcp://h\",\"SkipTLSVerify\":false}}}");
        write("conf/contexts/tls/" + sha256("tls") + "/docker/ca.pem", "x");

        EngineAddress address = only(Product.DOCKER).address();

        assertThat(address.uri()).isEqualTo(URI.create("tcp://h:2376"));
        assertThat(address.certificates()).contains(home.resolve("conf/contexts/tls/" + sha256("tls") + "/docker"));
    }

    @Test
    void theDefaultContextIsNone() throws IOException {
        environment.put("DOCKER_CONTEXT", "default");
        write(".docker/config.json", "{\"currentContext\":\"remote\"}");

        assertThat(paths(Product.DOCKER)).endsWith("/var/run/docker.sock");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[]", "{\"currentContext\":3}", "{\"currentContext\":\"\"}", "{}"})
    void aConfigurationWithoutAContextChoosesNothing(String text) throws IOException {
        write(".docker/config.json", text);

        assertThat(paths(Product.DOCKER)).endsWith("/var/run/docker.sock");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-|there is no such context",
                "{|cannot be read",
                "{\"Endpoints\":{\"docker\":{\"Host\":\"ssh://u:geheim@h\"}}}|ssh -nNT -L",
                "{\"Endpoints\":{\"docker\":{}}}|is not the address of an engine",
                "{\"Endpoints\":{\"docker\":{\"Host\":\"tcp://h:1\",\"SkipTLSVerify\":true}}}|docker context update",
            })
    void aContextThatCannotBeUsedIsToldAndNotReplaced(String meta, String problem) throws Exception {
        environment.put("DOCKER_CONTEXT", "remote");
        if (!meta.equals("-")) {
            write(".docker/contexts/meta/" + sha256("remote") + "/meta.json", meta);
        }

        List<EngineCandidate> candidates = candidates(Product.DOCKER);

        assertThat(candidates).singleElement().isInstanceOf(EngineCandidate.Unusable.class);
        EngineCandidate.Unusable unusable = (EngineCandidate.Unusable) candidates.get(0);
        assertThat(unusable.source()).isEqualTo("docker context 'remote', environment variable DOCKER_CONTEXT");
        assertThat(unusable.obstacle()).contains(problem).doesNotContain("geheim");
    }

    @Test
    void podmansDefaultConnectionComesFirst() throws IOException {
        write(
                ".config/containers/podman-connections.json",
                "{\"Connection\":{\"Default\":\"a\",\"Connections\":{\"a\":{\"URI\":\"unix:///a.sock\"},"
                        + "\"b\":{\"URI\":\"unix:///b.sock\"}}}}");

        assertThat(paths(Product.PODMAN)).startsWith("/a.sock").endsWith("/run/podman/podman.sock");
        assertThat(candidates(Product.PODMAN)).allMatch(candidate -> !((EngineCandidate.Listed) candidate).chosen());
        environment.put("CONTAINER_CONNECTION", "b");
        assertThat(only(Product.PODMAN).address().uri()).isEqualTo(URI.create("unix:///b.sock"));
        environment.put("CONTAINER_CONNECTION", "c");
        assertThat(candidates(Product.PODMAN)).singleElement().isInstanceOf(EngineCandidate.Unusable.class);
    }

    @Test
    void aConnectionBySshIsToldAndTheSocketsAreTried() throws IOException {
        write(".config/containers/containers.conf", """
                # ours
                [engine]
                active_service = "vm" # the machine
                [engine.service_destinations]
                [engine.service_destinations.vm]
                uri = 'ssh://core@localhost:1/run/podman.sock'
                [engine.service_destinations.other]
                uri = "unix:///other.sock"
                """);

        List<EngineCandidate> candidates = candidates(Product.PODMAN);

        assertThat(candidates.get(0)).isInstanceOfSatisfying(EngineCandidate.Unusable.class, unusable -> {
            assertThat(unusable.source()).contains("podman connection 'vm'").contains("containers.conf");
            assertThat(unusable.obstacle()).contains("ssh");
        });
        assertThat(candidates.subList(1, candidates.size()))
                .isNotEmpty()
                .allMatch(EngineCandidate.Listed.class::isInstance);
    }

    @Test
    void tlsIsSpokenAsDockersVariablesSay() {
        environment.put("DOCKER_HOST", "tcp://far");
        environment.put("DOCKER_TLS_VERIFY", "1");
        assertThat(only(Product.DOCKER).address().uri()).isEqualTo(URI.create("tcp://far:2376"));
        assertThat(only(Product.DOCKER).address().certificates()).contains(home.resolve(".docker"));

        environment.put("DOCKER_CERT_PATH", "/certs");
        assertThat(only(Product.DOCKER).address().certificates()).contains(Path.of("/certs"));

        settings = new EngineSettings(Optional.empty(), Optional.empty(), Optional.of(Path.of("/own")));
        assertThat(only(Product.DOCKER).address().certificates()).contains(Path.of("/own"));

        settings = new EngineSettings(Optional.empty(), Optional.of(false), Optional.empty());
        assertThat(only(Product.DOCKER).address().certificates()).isEmpty();
    }

    @Test
    void certificatesAloneMeanTls() {
        settings = new EngineSettings(Optional.of("tcp://far:1"), Optional.empty(), Optional.of(Path.of("/own")));

        assertThat(only(Product.PODMAN).address().certificates()).contains(Path.of("/own"));
    }

    @Test
    void aSocketHasNoTls() {
        environment.put("DOCKER_HOST", "unix:///a.sock");
        environment.put("DOCKER_TLS_VERIFY", "1");

        assertThat(only(Product.DOCKER).address().certificates()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "unix,cert-path,/c,host is a Unix socket",
        "unix,tls-verify,true,host is a Unix socket",
        "tcp,tls-verify,perhaps,not true or false",
    })
    void settingsThatWouldBeIgnoredAreRefused(String scheme, String key, String value, String problem) {
        Settings configured = Settings.of(Map.of("host", scheme + ":///x.sock", key, value));

        EngineSettings.read(configured, home);

        assertThatThrownBy(configured::check)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unix:///a b/ü.sock|unix:///a%20b/ü.sock",
                "unix:///a%20b.sock|unix:///a%20b.sock",
                "unix:/a.sock|unix:///a.sock",
                "tcp://h|tcp://h:2375",
                "tcp://h:99|tcp://h:99",
                "tcp://[::1]:99/prefix|tcp://[::1]:99/prefix",
            })
    void addressesAreReadAsPeopleWriteThem(String text, String uri) {
        assertThat(EngineUri.parse(text, false)).isEqualTo(URI.create(uri));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "docker",
                "unix://",
                "unix:///",
                "unix://a/b.sock",
                "tcp://",
                "tcp:h",
                "http://h:1",
                "tcp://u:geheim@h",
                "tcp://h:1?x=geheim2",
                "tcp://h:x",
                "ssh://u:geheim@h",
                "::",
                "/var/run/docker.sock"
            })
    void anAddressThatIsNoneIsRefusedWithAnExample(String text) {
        environment.put("DOCKER_HOST", text);
        settings = new EngineSettings(Optional.of(text), Optional.empty(), Optional.empty());

        assertThatThrownBy(() -> candidates(Product.DOCKER))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("setting docker.host")
                .hasMessageContaining("unix:///")
                .hasMessageNotContaining("u:geheim");
    }

    private static String sha256(String name) throws java.security.NoSuchAlgorithmException {
        return String.format(
                "%064x",
                new java.math.BigInteger(
                        1,
                        java.security.MessageDigest.getInstance("SHA-256")
                                .digest(name.getBytes(java.nio.charset.StandardCharsets.UTF_8))));
    }
}
