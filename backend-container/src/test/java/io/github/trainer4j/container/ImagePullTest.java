package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.container.ImagePull.Progress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ImagePullTest {
    private final List<Progress> progress = new ArrayList<>();

    @Test
    void wordsOfSuccessAreNotLookedAt() throws IOException {
        read("{\"status\":\"Pull complete\"}", "{\"stream\":\"sha256:0123\"}", "");

        assertThat(progress).isEmpty();
    }

    @Test
    void theBytesOfAllPartsAreAdded() throws IOException {
        read(
                "{\"status\":\"Downloading\",\"id\":\"a\",\"progressDetail\":{\"current\":1,\"total\":10}}",
                "{\"status\":\"Downloading\",\"id\":\"b\",\"progressDetail\":{\"current\":5,\"total\":20}}",
                "{\"status\":\"Extracting\",\"id\":\"a\",\"progressDetail\":{\"current\":3,\"total\":99}}",
                "{\"status\":\"Download complete\",\"id\":\"a\",\"progressDetail\":{}}");

        assertThat(progress).containsExactly(new Progress(1, 10), new Progress(6, 30), new Progress(15, 30));
    }

    @Test
    void anErrorWithinAGoodAnswerIsAnError() {
        assertThatThrownBy(() -> read(
                        "{\"status\":\"Pulling\"}",
                        "{\"errorDetail\":{\"message\":\"manifest unknown\"},\"error\":\"manifest unknown\"}"))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("manifest unknown");
    }

    @Test
    void podmansErrorIsOneToo() {
        assertThatThrownBy(() -> read("{\"error\":\"initializing source: pinging registry\"}"))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("pinging registry");
    }

    @Test
    void halfARecordIsALostConnectionAndNoSuccess() {
        assertThatThrownBy(() -> read("{\"status\":\"Downloa")).isInstanceOf(IOException.class);
    }

    private void read(String... lines) throws IOException {
        ImagePull.read(new BufferedReader(new StringReader(String.join("\n", lines))), progress::add);
    }
}
