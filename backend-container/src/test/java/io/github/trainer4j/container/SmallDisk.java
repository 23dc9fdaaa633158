package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A disk of a few mebibytes that engines see too. */
final class SmallDisk {
    private final Path path;

    private SmallDisk(Path path) {
        this.path = path;
    }

    static SmallDisk mount(int bytes) throws IOException, InterruptedException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root may mount");
        SmallDisk disk = new SmallDisk(
                Files.createTempDirectory(Path.of(System.getenv("TRAINER4J_TEST_SHARED_MOUNTS")), "disk-"));
        run("mount", "-t", "tmpfs", "-o", "size=" + bytes, "trainer4j-test", disk.path.toString());
        return disk;
    }

    Path path() {
        return path;
    }

    /** Fills it, but for so many bytes. */
    void fill(long left) throws IOException {
        try (OutputStream out = Files.newOutputStream(path.resolve("filling"))) {
            byte[] block = new byte[4096];
            while (Files.getFileStore(path).getUsableSpace() > left) {
                out.write(block);
            }
        }
    }

    void empty() throws IOException {
        Files.deleteIfExists(path.resolve("filling"));
    }

    void writable(boolean writable) throws IOException, InterruptedException {
        run("mount", "-o", "remount," + (writable ? "rw" : "ro"), path.toString());
    }

    void unmount() throws IOException, InterruptedException {
        run("umount", path.toString());
        Files.delete(path);
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(() -> List.of(command) + " " + said).isZero();
    }
}
