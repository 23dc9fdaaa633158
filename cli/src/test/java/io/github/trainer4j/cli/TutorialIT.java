package io.github.trainer4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the tutorial of the guide line by line, in one shell, and compares what is printed; … stands for anything. */
class TutorialIT {
    private static final Path GUIDE = Path.of("../docs/cli/README.md");
    private static final String END = "--end of the command--";

    /**
     * A command of the tutorial.
     *
     * @param text the command, with the lines that belong to it
     * @param output what it prints
     */
    private record Line(String text, List<String> output) {}

    @Test
    void whatTheTutorialSaysHappens(@TempDir Path directory) throws Exception {
        List<Line> lines = lines(Files.readAllLines(GUIDE));
        assertThat(lines).hasSizeGreaterThan(10);
        StringBuilder script = new StringBuilder();
        lines.forEach(line ->
                script.append(line.text()).append("\necho '").append(END).append("'\n"));
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script.toString()).directory(directory.toFile());
        builder.environment().put("HOME", directory.toString());
        builder.environment().put("PATH", System.getProperty("distribution") + "/bin:" + System.getenv("PATH"));
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        String[] printed = output.split(END + "\n", -1);
        for (int i = 0; i < lines.size(); i++) {
            String wanted = lines.get(i).output().stream()
                    .map(text -> text.equals("…") ? "(?:.*\n)*?" : quote(text) + "\n")
                    .collect(Collectors.joining());
            assertThat(printed[i]).as(lines.get(i).text()).matches(wanted);
        }
    }

    private static String quote(String text) {
        return Pattern.quote(text).replace("…", "\\E.*\\Q");
    }

    private static List<Line> lines(List<String> guide) {
        List<Line> lines = new ArrayList<>();
        boolean inside = false;
        for (String text : guide) {
            if (text.startsWith("```")) {
                inside = text.equals("```console");
            } else if (inside && text.startsWith("$ ")) {
                lines.add(new Line(text.substring(2), new ArrayList<>()));
            } else if (inside && text.startsWith("> ")) {
                Line last = lines.remove(lines.size() - 1);
                lines.add(new Line(last.text() + "\n" + text.substring(2), last.output()));
            } else if (inside) {
                lines.get(lines.size() - 1).output().add(text);
            }
        }
        return lines;
    }
}
