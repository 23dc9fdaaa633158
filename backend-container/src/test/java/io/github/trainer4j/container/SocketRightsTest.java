package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sockets as a user meets them who has no right to them. */
@Timeout(120)
class SocketRightsTest {
    private static final String NOBODY = "65534";

    @TempDir
    private Path directory;

    @Test
    void aUserWithoutRightsIsToldWhatToDo() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can become another user");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "there is no setpriv");
        open(directory, "rwxr-xr-x");
        Path closed = Files.createDirectory(directory.resolve("closed"));
        try (ServerSocketChannel groups = socket("groups.sock", "rw-rw----");
                ServerSocketChannel owners = socket("owners.sock", "rw-------");
                ServerSocketChannel all = socket("all.sock", "rw-rw-rw-");
                ServerSocketChannel hidden = socket("closed/hidden.sock", "rw-rw-rw-")) {
            open(closed, "rwx------");

            List<String> said = asNobody("groups.sock", "owners.sock", "all.sock", "closed/hidden.sock");

            assertThat(List.of(groups, owners, all, hidden)).allMatch(ServerSocketChannel::isOpen);
            assertThat(said.get(0))
                    .contains("user nobody has no right to it")
                    .contains("join the group with 'sudo usermod -aG daemon nobody'");
            assertThat(said.get(1)).contains("only root may use it").contains("rootless engine of your own");
            assertThat(said.get(2)).isEqualTo("nothing");
            assertThat(said.get(3)).contains("no right to enter " + closed).contains("belongs to user root");
        }
    }

    private ServerSocketChannel socket(String name, String permissions) throws IOException {
        Path path = directory.resolve(name);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
        Files.getFileAttributeView(path, PosixFileAttributeView.class)
                .setGroup(path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName("daemon"));
        open(path, permissions);
        return server;
    }

    private static void open(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    /** Runs another JVM; it sees copies of the classes, for the originals may lie where nobody else may look. */
    private List<String> asNobody(String... sockets) throws Exception {
        Path classes = Files.createDirectory(directory.resolve("classes"));
        for (Class<?> type : List.of(SocketRightsMain.class, SocketFile.class)) {
            copy(
                    Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI()),
                    type.getPackageName().replace('.', '/'),
                    type.getSimpleName(),
                    classes);
        }
        List<String> command =
                new ArrayList<>(List.of("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes.toString(),
                SocketRightsMain.class.getName()));
        for (String socket : sockets) {
            command.add(directory.resolve(socket).toString());
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said.lines().toList();
    }

    private static void copy(Path root, String packages, String name, Path target) throws IOException {
        Path from = root.resolve(packages);
        Path to = Files.createDirectories(target.resolve(packages));
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(path -> path.getFileName().toString().matches(name + "(\\$.*)?\\.class"))
                    .toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        try (Stream<Path> all = Files.walk(target)) {
            for (Path path : all.toList()) {
                open(path, Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--");
            }
        }
    }
}
