package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.github.trainer4j.api.BackendUnavailableException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineLinkTest {
    /** Short enough for sockets, whose paths may have about 100 characters. */
    @TempDir
    private Path directory;

    private EngineLink link(EngineSettings settings) {
        EngineLocator locator = new EngineLocator(
                Product.DOCKER,
                settings,
                Map.of(
                        "XDG_RUNTIME_DIR",
                        directory.resolve("run").toString(),
                        "COLIMA_HOME",
                        directory.resolve("c").toString()),
                directory,
                Optional.empty());
        return new EngineLink(
                Product.DOCKER,
                () -> locator.candidates().stream()
                        .filter(candidate -> !isOfTheSystem(candidate))
                        .toList(),
                RegistryCredentials.NONE,
                Duration.ofSeconds(60),
                "link-test-");
    }

    /** Whether it is the machine's own engine, which may be there or not. */
    private static boolean isOfTheSystem(EngineCandidate candidate) {
        return candidate instanceof EngineCandidate.Listed listed
                && listed.address().uri().getPath().equals("/var/run/docker.sock");
    }

    private Path socket(String name) throws IOException {
        Path socket = directory.resolve(name);
        Files.createDirectories(socket.getParent());
        return socket;
    }

    private static EngineSettings host(Path socket) {
        return new EngineSettings(Optional.of("unix://" + socket), Optional.empty(), Optional.empty());
    }

    /** Leaves the file of a socket at which nobody listens. */
    private static void stale(Path socket) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open(java.net.StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
        }
        assertThat(socket).exists();
    }

    @Test
    void aStaleSocketAndAHangingEngineArePassedBy() throws IOException {
        Path rootless = socket("run/docker.sock");
        stale(rootless);
        try (FakeEngine hanging = FakeEngine.hanging(socket("c/default/docker.sock"));
                FakeEngine healthy = FakeEngine.healthy(socket(".docker/run/docker.sock"));
                EngineLink link = link(EngineSettings.NONE)) {
            long start = System.nanoTime();

            Engine engine = link.engine();

            assertThat(engine.address().uri()).isEqualTo(healthy.uri());
            assertThat(engine.address().source()).isEqualTo("Docker Desktop");
            assertThat(hanging.requests()).isNotEmpty();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
            assertThat(link.engine()).isSameAs(engine);
        }
    }

    @Test
    void anEngineThatWasNamedIsNotReplaced() throws IOException {
        Path named = socket("named.sock");
        stale(named);
        try (FakeEngine healthy = FakeEngine.healthy(socket("run/docker.sock"));
                EngineLink link = link(host(named))) {
            BackendUnavailableException e = catchThrowableOfType(BackendUnavailableException.class, link::engine);

            assertThat(e.attempts())
                    .singleElement()
                    .asString()
                    .contains(named.toString())
                    .contains("setting docker.host");
            assertThat(e).hasMessageContaining("no other is looked for").hasMessageContaining("start one");
            assertThat(healthy.requests()).isEmpty();
        }
    }

    @Test
    void allThatWasTriedIsToldWithItsCause() throws IOException {
        stale(socket("run/docker.sock"));
        Files.createDirectories(directory.resolve("c/default"));
        Files.writeString(directory.resolve("c/default/docker.sock"), "no socket");

        List<String> attempts;
        try (EngineLink link = link(EngineSettings.NONE)) {
            attempts = catchThrowableOfType(BackendUnavailableException.class, link::engine)
                    .attempts();
        }

        assertThat(attempts).hasSize(6);
        assertThat(attempts.get(0))
                .contains("run/docker.sock")
                .contains("rootless")
                .contains("refused");
        assertThat(attempts.get(1)).contains("COLIMA_HOME").contains("is no socket");
        assertThat(attempts.get(2)).contains(".colima/default/docker.sock").contains("there is no such socket");
    }

    @Test
    void anEngineIsFoundThatIsStartedLater() throws IOException {
        Path named = socket("late.sock");
        try (EngineLink link = link(host(named))) {
            assertThatThrownBy(link::engine).hasMessageContaining("there is no such socket");
            try (FakeEngine healthy = FakeEngine.healthy(named)) {
                assertThat(link.engine().address().uri()).isEqualTo(healthy.uri());
            }
        }
    }

    @Test
    void aDamagedFileOfDockersClientKeepsNoEngineAway() throws IOException {
        Files.createDirectories(directory.resolve(".docker"));
        Files.writeString(directory.resolve(".docker/config.json"), "{ damaged");
        String home = System.setProperty("user.home", directory.toString());
        try (FakeEngine healthy = FakeEngine.healthy(socket("a b.sock"));
                EngineLink link = link(host(directory.resolve("a b.sock")))) {
            assertThat(link.engine().version().number()).isEqualTo("20.0");
            assertThat(healthy.requests()).isNotEmpty();
        } finally {
            System.setProperty("user.home", home);
        }
    }

    @Test
    void whoMayNotUseASocketIsToldWhichGroupMay() {
        assertThat(SocketFile.noRight("ann", "root", "docker", PosixFilePermissions.fromString("rw-rw----")))
                .contains("ann has no right")
                .contains("user root and group docker")
                .contains("sudo usermod -aG docker ann");
    }

    @Test
    void whoCannotBeLetInIsToldToStartAnEngine() {
        assertThat(SocketFile.noRight("ann", "bob", "bob", PosixFilePermissions.fromString("rwx------")))
                .contains("only bob may use it")
                .contains("rootless")
                .doesNotContain("usermod");
    }
}
