package io.github.trainer4j.examples.pytorch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.client.TrainerClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PyTorchOnTwoNodesTest {
    @Test
    void twoNodesLearnTheSameLine(@TempDir Path directory) throws Exception {
        assumeTrue(PyTorchOnTwoNodes.pythonHasTorch(), "left out: python3 with torch is not on this machine");
        try (TrainerClient client = TrainerClient.builder()
                .backend("local")
                .workDirectory(directory)
                .build()) {
            TrainJob done = PyTorchOnTwoNodes.run(client);
            String line = Files.readString(done.workspace().orElseThrow().resolve("line.json"));
            Map<String, Object> learnt = io.github.trainer4j.api.json.Json.parseObject(line);
            assertThat(((Number) learnt.get("weight")).doubleValue()).isBetween(2.9, 3.1);
            assertThat(((Number) learnt.get("bias")).doubleValue()).isBetween(0.9, 1.1);
        }
    }
}
