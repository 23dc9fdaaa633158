package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarFilesTest {
    @TempDir
    Path work;

    private Path source;
    private Path target;

    @BeforeEach
    void make() throws IOException {
        source = Files.createDirectory(work.resolve("source"));
        target = Files.createDirectory(work.resolve("target"));
    }

    private void unpack(TarStream tar) throws IOException {
        try (InputStream in = tar.open()) {
            new TarFiles(target, path -> !path.startsWith("unwanted")).read(in);
        }
    }

    @Test
    void whatIsPackedIsUnpacked() throws IOException {
        String longName = "ü".repeat(100);
        Path deep = Files.createDirectories(source.resolve("a/" + longName + "/" + "d".repeat(200)));
        Files.writeString(deep.resolve("file"), "deep");
        Files.write(source.resolve("block"), new byte[TarStream.BLOCK]);
        Files.write(source.resolve("more"), new byte[100_001]);
        Files.createFile(source.resolve("empty"));
        Files.writeString(source.resolve("unwanted"), "x");

        unpack(new TarStream().tree("root", source));

        for (String name : List.of("block", "more", "empty")) {
            assertThat(target.resolve(name)).hasSameBinaryContentAs(source.resolve(name));
        }
        assertThat(target.resolve(source.relativize(deep)).resolve("file")).hasContent("deep");
        assertThat(target.resolve("unwanted")).doesNotExist();
    }

    @Test
    void whatIsThereAlreadyIsReplaced() throws IOException {
        Path elsewhere = Files.writeString(work.resolve("elsewhere"), "precious");
        Files.writeString(source.resolve("file"), "new");
        Files.createSymbolicLink(target.resolve("file"), elsewhere);

        unpack(new TarStream().tree("root", source));

        assertThat(target.resolve("file")).hasContent("new");
        assertThat(elsewhere).hasContent("precious");
    }

    @Test
    void nothingIsWrittenOutside() throws IOException {
        Path file = Files.writeString(source.resolve("file"), "evil");

        assertThatThrownBy(() -> unpack(new TarStream().tree("root/../../evil", file)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("leads elsewhere");
        Path elsewhere = Files.createDirectory(work.resolve("elsewhere"));
        Files.createSymbolicLink(target.resolve("link"), elsewhere);
        assertThatThrownBy(() -> unpack(new TarStream().tree("root/link/evil", file)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("behind a link");
        assertThat(work.resolve("evil")).doesNotExist();
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void anArchiveThatIsCutOffIsAnError() throws IOException {
        Files.write(source.resolve("file"), new byte[10_000]);
        byte[] whole;
        try (InputStream in = new TarStream().tree("root", source).open()) {
            whole = in.readAllBytes();
        }

        assertThatThrownBy(
                        () -> new TarFiles(target, path -> true).read(new java.io.ByteArrayInputStream(whole, 0, 5000)))
                .isInstanceOf(EOFException.class);
    }
}
