package io.github.trainer4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class DocumentationTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");

    @TestFactory
    Stream<DynamicTest> everyJavaSnippetIsPartOfASourceThatTheBuildCompiles() throws IOException {
        String sources = withoutSpace(String.join("\n", texts(ROOT.resolve("examples/src/main/java"), ".java")));
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : pages()) {
            Matcher blocks = JAVA_BLOCK.matcher(Files.readString(page));
            while (blocks.find()) {
                String snippet = blocks.group(1);
                tests.add(DynamicTest.dynamicTest(
                        ROOT.relativize(page) + ": "
                                + snippet.lines().findFirst().orElse(""),
                        () -> assertThat(sources).contains(withoutSpace(snippet))));
            }
        }
        assertThat(tests).hasSizeGreaterThan(5);
        return tests.stream();
    }

    @Test
    void everyLinkToAFileLeadsSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            Matcher links = LINK.matcher(Files.readString(page));
            while (links.find()) {
                if (!Files.exists(page.resolveSibling(links.group(1)))) {
                    broken.add(ROOT.relativize(page) + " -> " + links.group(1));
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> found = Files.walk(ROOT.resolve("docs"))) {
            found.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        pages.add(ROOT.resolve("README.md"));
        pages.add(ROOT.resolve("CONTRIBUTING.md"));
        return pages;
    }

    private static List<String> texts(Path directory, String ending) throws IOException {
        List<String> texts = new ArrayList<>();
        try (Stream<Path> found = Files.walk(directory)) {
            for (Path file : found.filter(path -> path.toString().endsWith(ending))
                    .sorted()
                    .toList()) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }

    private static String withoutSpace(String text) {
        return text.replaceAll("\\s+", "");
    }
}
