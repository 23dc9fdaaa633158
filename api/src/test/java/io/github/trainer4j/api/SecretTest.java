package io.github.trainer4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.launch.Placement;
import io.github.trainer4j.api.spi.InitializerPlan;
import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SecretTest {
    private static final String CANARY = Samples.CANARY;
    private static final Secret SECRET = Samples.SECRET;

    @Test
    void theValueComesOutOnRequestOnly() {
        assertThat(SECRET.reveal()).isEqualTo(CANARY);
        assertThat(SECRET.toString()).isEqualTo("Secret[hidden]");
        assertThat(String.valueOf(SECRET)).doesNotContain(CANARY);
        assertThat("" + SECRET).doesNotContain(CANARY);
        assertThat(String.format("%s", SECRET)).doesNotContain(CANARY);
    }

    static Stream<Object> holders() {
        List<Object> holders = new ArrayList<>(Samples.all());
        holders.add(List.of(SECRET));
        holders.add(Map.of("token", SECRET));
        holders.add(Samples.nodes().secretEnv());
        holders.add(new InitializerPlan(
                InitializerTarget.MODEL,
                "hf://org/model",
                Map.of("STORAGE_URI", "hf://org/model"),
                Map.of("T", SECRET)));
        holders.add(Launch.of(Samples.request(), Samples.runtime(), Map.of())
                .node(0, Placement.container("mnist", "mnist-node-0", Path::toString)));
        return holders.stream();
    }

    @ParameterizedTest
    @MethodSource("holders")
    void whateverHoldsASecretDoesNotShowIt(Object holder) {
        assertThat(holder.toString()).doesNotContain(CANARY);
    }

    @Test
    void theCanaryIsWhereItIsLookedFor() {
        assertThat(Samples.nodes().secretEnv().get("TOKEN").reveal()).isEqualTo(CANARY);
        assertThat(Samples.dataset().secrets().get("access_token").reveal()).isEqualTo(CANARY);
        assertThat(Samples.request().toString()).contains("access_token", "TOKEN", "Secret[hidden]");
    }

    @Test
    void anErrorAboutASecretDoesNotShowIt() {
        CommandTrainer trainer = CommandTrainer.of("x").secretEnv("TOKEN", SECRET);
        List<Runnable> mistakes = List.of(
                () -> Secret.of(CANARY + "\0"),
                () -> Secret.of(CANARY + "\ud83d"),
                () -> Secret.of(CANARY.repeat(20_000)),
                () -> trainer.secretEnv("TOKEN", SECRET),
                () -> trainer.env("TOKEN", "plain"),
                () -> trainer.secretEnv("bad name", SECRET),
                () -> Samples.dataset().secret("access_token", SECRET),
                () -> Samples.dataset().option("access_token", "x"),
                () -> Launch.of(
                        TrainJobRequest.builder()
                                .trainer(trainer.secretEnv("PET_NNODES", SECRET))
                                .build(),
                        Samples.runtime(),
                        Map.of()));

        for (Runnable mistake : mistakes) {
            assertThatThrownBy(mistake::run)
                    .isInstanceOf(InvalidJobException.class)
                    .satisfies(e -> {
                        StringWriter trace = new StringWriter();
                        e.printStackTrace(new PrintWriter(trace));
                        assertThat(trace.toString()).doesNotContain(CANARY);
                    });
        }
    }

    @Test
    void aSecretCannotBeSerialized() throws Exception {
        assertThat(SECRET).isNotInstanceOf(Serializable.class);
        try (ObjectOutputStream out = new ObjectOutputStream(new ByteArrayOutputStream())) {
            assertThatThrownBy(() -> out.writeObject(SECRET)).isInstanceOf(NotSerializableException.class);
            assertThatThrownBy(() -> out.writeObject(new ArrayList<>(List.of(SECRET))))
                    .isInstanceOf(NotSerializableException.class);
        }
        assertThat(Samples.all()).allSatisfy(record -> assertThat(record).isNotInstanceOf(Serializable.class));
    }

    @Test
    void anErrorThatIsSerializedLeavesTheJobBehind() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new JobFailedException(Samples.job(JobStatus.FAILED)));
        }

        assertThat(bytes.size()).isPositive();
        assertThat(bytes.toString(java.nio.charset.StandardCharsets.ISO_8859_1)).doesNotContain(CANARY);
    }

    @Test
    void whiteSpaceAroundAValueIsDropped() {
        assertThat(Secret.of("  t0ken\r\n").reveal()).isEqualTo("t0ken");
        assertThat(Secret.of("two\nlines").reveal()).isEqualTo("two\nlines");
    }

    @Test
    void secretsOfOneValueAreEqualWithoutAHashThatTells() {
        assertThat(Secret.of("a"))
                .isEqualTo(Secret.of("a"))
                .isNotEqualTo(Secret.of("b"))
                .hasSameHashCodeAs(Secret.of("b"));
        assertThat(Secret.reference("a", "b"))
                .isEqualTo(Secret.reference("a", "b"))
                .isNotEqualTo(Secret.reference("a", "c"))
                .isNotEqualTo(Secret.of("a"));
    }

    @Test
    void aReferenceSaysWhereTheValueIsAndHasNone() {
        Secret reference = Secret.reference("hub", "token");

        assertThat(reference.reference()).contains(new Secret.Reference("hub", "token"));
        assertThat(reference).hasToString("Secret[hub/token]");
        assertThatThrownBy(reference::reveal)
                .isInstanceOf(UnsupportedFeatureException.class)
                .hasMessageContaining("hub")
                .hasMessageContaining("give its value with Secret.of");
        assertThat(SECRET.reference()).isEmpty();
    }
}
