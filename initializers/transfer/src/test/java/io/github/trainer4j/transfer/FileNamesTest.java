package io.github.trainer4j.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileNamesTest {
    private static final FileNames POSIX = new FileNames(false, false);
    private static final FileNames WINDOWS = new FileNames(true, false);
    private static final FileNames FOLDING = new FileNames(false, true);

    static Stream<String> escapes() {
        return Stream.of(
                "../x",
                "a/../../x",
                "a/..",
                "..",
                ".",
                "a/./b",
                "/etc/x",
                "//h/s/x",
                "C:\\x",
                "C:x",
                "c:/x",
                "\\\\h\\s\\x",
                "a\\..\\x",
                "data/..\\..\\evil",
                "a/.. /x",
                "a/.../x",
                "a/. ./x",
                "a//b",
                "",
                "/",
                "nul\0byte",
                "line\nbreak",
                "\u007f",
                "\ud800x",
                "a/" + "n".repeat(256),
                ".trainer4j/complete.json",
                ".TRAINER4J/x",
                ".trainer4j");
    }

    @ParameterizedTest
    @MethodSource("escapes")
    void aNameThatCouldLeaveTheDirectoryIsRefusedOnEverySystem(String name) {
        for (FileNames names : List.of(POSIX, WINDOWS, FOLDING)) {
            assertThatThrownBy(() -> names.check(List.of(file("good.txt"), file(name))))
                    .isInstanceOfSatisfying(
                            InitializerException.class,
                            e -> assertThat(e.reason()).contains("UnsafeName"))
                    .hasMessageContaining("nothing was written");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a/b/c.txt",
                "..a",
                "a..b/c..",
                ".hidden",
                "a b",
                "2020-01-01T00:00:00.json",
                "x*y?",
                "100%",
                "\u00e4#?",
                "\ud83d\ude00.txt",
                "aux.txt",
                "con/nul",
                "trailing.",
                "sub/.trainer4j/x"
            })
    void aNameThatIsOnlyUnusualIsTaken(String name) {
        assertThatCode(() -> POSIX.check(List.of(file(name)))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "aux.txt",
                "con/x",
                "NUL",
                "com1",
                "lpt9.log",
                "trailing.",
                "trailing ",
                "ab:c",
                "x*y",
                "what?",
                "a|b"
            })
    void whatWindowsCannotHoldIsRefusedThere(String name) {
        assertThatThrownBy(() -> WINDOWS.check(List.of(file(name)))).hasMessageContaining("Windows");
    }

    @Test
    void aFileThatIsAlsoADirectoryIsRefusedInAnyOrder() {
        for (List<String> order : List.of(List.of("a", "a/b"), List.of("a/b", "a"), List.of("a/b/c", "a"))) {
            assertThatThrownBy(() ->
                            POSIX.check(order.stream().map(FileNamesTest::file).toList()))
                    .isInstanceOf(InitializerException.class)
                    .hasMessageContaining("'a' is a file and also the directory of '"
                            + order.stream()
                                    .filter(name -> name.length() > 1)
                                    .findFirst()
                                    .orElseThrow() + "'");
        }
    }

    @Test
    void aFileAndADirectoryMarkerOfOneNameAreRefused() {
        assertThatThrownBy(() -> POSIX.check(List.of(file("a"), directory("a/", 0))))
                .hasMessageContaining("'a' is a file and also the directory");
    }

    @Test
    void aDirectoryMarkerBesideItsFilesIsFineButNotOneWithBytes() {
        assertThatCode(() -> POSIX.check(List.of(directory("d/", 0), file("d/f"), directory("d/", 0))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> POSIX.check(List.of(directory("d/", 3)))).hasMessageContaining("has 3 bytes");
    }

    @Test
    void aFileThatIsListedTwiceIsRefused() {
        assertThatThrownBy(() -> POSIX.check(List.of(file("a/b"), file("a/b")))).hasMessageContaining("'a/b' twice");
    }

    @Test
    void namesThatDifferOnlyInCaseAreRefusedWhereTheyAreOne() {
        List<RemoteFile> files = List.of(file("A.txt"), file("a.txt"));

        assertThatCode(() -> POSIX.check(files)).doesNotThrowAnyException();
        assertThatThrownBy(() -> FOLDING.check(files))
                .hasMessageContaining("'A.txt' and 'a.txt' are one name on this file system");
        assertThatThrownBy(() -> FOLDING.check(List.of(file("\u00e4"), file("a\u0308"))))
                .hasMessageContaining("one name");
        assertThatThrownBy(() -> FOLDING.check(List.of(file("A"), file("a/b")))).hasMessageContaining("directory of");
        assertThatCode(() -> FOLDING.check(List.of(file("A/x"), file("a/y")))).doesNotThrowAnyException();
    }

    @Test
    void aHostileNameCannotBreakALineOfTheLog() {
        assertThat(FileNames.shown("a\nb\u202ec\ud800" + "x".repeat(300)))
                .startsWith("a\\u000ab\\u202ec\\ud800xxx")
                .endsWith("\u2026")
                .hasSizeLessThan(230);
    }

    private static RemoteFile file(String path) {
        return new RemoteFile(path, path, 0, Optional.empty(), Optional.empty());
    }

    private static RemoteFile directory(String path, long size) {
        return new RemoteFile(path, path, size, Optional.empty(), Optional.empty());
    }
}
