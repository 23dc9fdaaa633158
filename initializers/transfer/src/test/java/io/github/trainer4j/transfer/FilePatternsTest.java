package io.github.trainer4j.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.InitializerTarget;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FilePatternsTest {
    private final List<String> log = new ArrayList<>();

    /** The table was made with Python 3.11: {@code fnmatch.fnmatchcase}, after 'dir/' became 'dir/*'. */
    @Test
    void patternsMatchAsThoseOfPythonDo() throws Exception {
        int rows = 0;
        List<String> wrong = new ArrayList<>();
        try (BufferedReader table = new BufferedReader(new InputStreamReader(
                FilePatternsTest.class.getResourceAsStream("fnmatch.tsv"), StandardCharsets.US_ASCII))) {
            for (String line = table.readLine(); line != null; line = table.readLine()) {
                String[] row = line.split("\t", -1);
                boolean expected = row[2].equals("1");
                if (new Glob(unescaped(row[0])).matches(unescaped(row[1])) != expected) {
                    wrong.add(line);
                }
                rows++;
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(rows).isGreaterThan(2000);
    }

    @Test
    void aPatternOfManyStarsIsMatchedInNoTime() {
        assertThat(new Glob("*a".repeat(30) + "b").matches("a".repeat(4000))).isFalse();
        assertThat(new Glob("*a".repeat(30) + "b").matches("a".repeat(4000) + "b"))
                .isTrue();
    }

    @Test
    void aDirectoryMeansAllThatIsInIt() {
        FilePatterns patterns = new FilePatterns(List.of(), List.of("original/"));

        assertThat(patterns.selects("original/a/b.pth")).isFalse();
        assertThat(patterns.selects("originals/a")).isTrue();
    }

    @Test
    void anIgnoredFileIsNotWantedEvenIfItIsAllowed() {
        FilePatterns patterns = new FilePatterns(List.of("*.json", "*.txt"), List.of("b*"));

        assertThat(patterns.selects("a.json")).isTrue();
        assertThat(patterns.selects("b.json")).isFalse();
        assertThat(patterns.selects("a.bin")).isFalse();
    }

    @Test
    void nothingSaidMeansTheDefaultsAndAnEmptyListMeansNothingIsIgnored() {
        assertThat(FilePatterns.ignoring(InitializerTarget.MODEL, Optional.empty()))
                .containsExactly("*.msgpack", "*.h5", "*.bin", "*.pt", "*.pth");
        assertThat(FilePatterns.ignoring(InitializerTarget.DATASET, Optional.empty()))
                .isEmpty();
        assertThat(FilePatterns.ignoring(InitializerTarget.MODEL, Optional.of("")))
                .isEmpty();
        assertThat(FilePatterns.ignoring(InitializerTarget.MODEL, Optional.of(" , ")))
                .isEmpty();
        assertThat(FilePatterns.ignoring(InitializerTarget.MODEL, Optional.of("*.bin, a/*")))
                .containsExactly("*.bin", "a/*");
    }

    @Test
    void whatIsLeftOutIsSaid() {
        List<RemoteFile> wanted = model("config.json", "a.safetensors", "b.bin");

        assertThat(wanted).extracting(RemoteFile::path).containsExactly("config.json", "a.safetensors");
        assertThat(log)
                .singleElement()
                .asString()
                .contains("left out 1 of 3 files")
                .contains("b.bin");
    }

    @Test
    void aModelThatIsLeftWithoutWeightsIsWarnedOf() {
        model("config.json", "model.pt");

        assertThat(log)
                .anySatisfy(
                        line -> assertThat(line).contains("no weight file left").contains("model.pt"));
    }

    @Test
    void aRepositoryWithoutWeightsIsNotWarnedOf() {
        model("config.json", "tokenizer.txt");

        assertThat(log).isEmpty();
    }

    @Test
    void aPatternThatMatchesNothingIsWarnedOfAndTheLikelyOneNamed() {
        new FilePatterns(List.of(), List.of(".pth")).select("memory://x", files("a.pth", "b"), log::add);

        assertThat(log)
                .anySatisfy(line ->
                        assertThat(line).contains("'.pth' matches no file").contains("did you mean *.pth?"));
    }

    @Test
    void anEmptyPlaceAndOneWhereNothingIsWantedAreToldApart() {
        FilePatterns patterns = new FilePatterns(List.of(), List.of("*"));

        assertThatThrownBy(() -> patterns.select("bucket b at http://h", List.of(), log::add))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains("NotFound"))
                .hasMessageContaining("no files at bucket b at http://h");
        assertThatThrownBy(() -> patterns.select("bucket b at http://h", files("x", "y"), log::add))
                .isInstanceOfSatisfying(
                        InitializerException.class, e -> assertThat(e.reason()).contains("NothingSelected"))
                .hasMessageContaining("none of the 2 files at bucket b at http://h")
                .hasMessageContaining("ignored are *");
    }

    private List<RemoteFile> model(String... paths) {
        return new FilePatterns(List.of(), FilePatterns.defaultIgnore(InitializerTarget.MODEL))
                .select("memory://x", files(paths), log::add);
    }

    private static List<RemoteFile> files(String... paths) {
        return List.of(paths).stream()
                .map(path -> new RemoteFile(path, path, 1, Optional.empty(), Optional.empty()))
                .toList();
    }

    private static String unescaped(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) != '\\') {
                plain.append(text.charAt(i));
                continue;
            }
            char kind = text.charAt(++i);
            int digits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
            if (digits > 0) {
                plain.appendCodePoint(Integer.parseInt(text.substring(i + 1, i + 1 + digits), 16));
                i += digits;
            } else {
                plain.append(kind == 'n' ? '\n' : kind);
            }
        }
        return plain.toString();
    }
}
