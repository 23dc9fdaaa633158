package io.github.trainer4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldPathTest {
    private static final String NODE = "spec.jobs[name=\"node\"].";

    private static final Map<String, Object> RESOURCE = Map.of(
            "spec",
            Map.of(
                    "limits",
                    Map.of("example.com/card", 2),
                    "jobs",
                    List.of(
                            Map.of("name", "first"),
                            Map.of("name", "node", "gates", List.of(Map.of("a", 1, "b", 2))))));

    @Test
    void aFieldReplacesWhatIsThereAndKeepsTheRest() {
        assertThat(new TrainJobField(NODE + "gates", "none").in(RESOURCE))
                .isEqualTo(Map.of(
                        "spec",
                        Map.of(
                                "limits",
                                Map.of("example.com/card", 2),
                                "jobs",
                                List.of(Map.of("name", "first"), Map.of("name", "node", "gates", "none")))));
    }

    @Test
    void whatIsMissingOnTheWayIsMade() {
        assertThat(new TrainJobField("spec.env[name=\"A B\"].from[\"x/y\"].key", 1L).in(Map.of()))
                .isEqualTo(Map.of(
                        "spec",
                        Map.of("env", List.of(Map.of("name", "A B", "from", Map.of("x/y", Map.of("key", 1L)))))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"spec.jobs.node", "spec.limits[name=\"a\"].b", "spec.limits[\"example.com/card\"].x"})
    void aPathThatLeadsThroughSomethingElseIsRefused(String path) {
        assertThatExceptionOfType(InvalidJobException.class)
                .isThrownBy(() -> new TrainJobField(path, 1).in(RESOURCE))
                .withMessageContaining(path);
    }

    @Test
    void aFieldIsInAResourceThatSaysTheSameOrMore() {
        assertThat(new RuntimeField("r", "spec.limits[\"example.com/card\"]", 2L).isIn(RESOURCE))
                .isTrue();
        assertThat(new RuntimeField("r", NODE + "gates", List.of(Map.of("b", 2))).isIn(RESOURCE))
                .isTrue();
    }

    @Test
    void aFieldIsNotInAResourceThatSaysOtherOrLess() {
        assertThat(List.of(
                        new RuntimeField("r", "spec.limits[\"example.com/card\"]", "2"),
                        new RuntimeField("r", "spec.limits[\"example.com/card\"]", 3),
                        new RuntimeField("r", "spec.nothing", 3),
                        new RuntimeField("r", "spec.jobs[name=\"none\"].gates", List.of()),
                        new RuntimeField("r", "spec.limits[name=\"none\"]", 1),
                        new RuntimeField("r", NODE + "gates.a", 1),
                        new RuntimeField("r", NODE + "gates", List.of()),
                        new RuntimeField("r", NODE + "gates", List.of(Map.of("c", 2)))))
                .noneMatch(field -> field.isIn(RESOURCE));
    }
}
