package io.github.trainer4j.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuickstartTest {
    @Test
    void theQuickstartTrainsAModelThatHasLearntFromItsDataset(@TempDir Path directory) throws Exception {
        Quickstart.main(new String[] {directory.resolve("jobs").toString()});

        List<Path> accuracies;
        try (Stream<Path> files = Files.walk(directory)) {
            accuracies =
                    files.filter(file -> file.endsWith("output/accuracy.txt")).toList();
        }
        assertThat(accuracies).hasSize(1);
        // A guess is right in 10 %, and nothing can be in much more than 74 %.
        assertThat(Double.parseDouble(Files.readString(accuracies.get(0)))).isBetween(0.70, 0.76);
    }
}
