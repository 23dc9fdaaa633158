package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PatchesTest {
    @Test
    void patchesOfOneJobAndContainerBecomeOne() {
        assertThat(merge("""
            {"jobs": [{"name": "node", "spec": {"volumes": [{"name": "a"}], "containers": [{"name": "node", "mounts": [{"name": "a", "path": "/a"}]}]}}]}
            """, """
            {"jobs": [{"name": "node", "spec": {"selector": {"gpu": "yes"}, "volumes": [{"name": "b"}], "containers": [{"name": "node", "mounts": [{"name": "b", "path": "/b"}]}]}},
                      {"name": "launcher"}], "tolerations": ["x"]}
            """)).isEqualTo(Json.parseObject("""
                {"jobs": [{"name": "node", "spec": {"volumes": [{"name": "a"}, {"name": "b"}],
                  "containers": [{"name": "node", "mounts": [{"name": "a", "path": "/a"}, {"name": "b", "path": "/b"}]}], "selector": {"gpu": "yes"}}},
                  {"name": "launcher"}], "tolerations": ["x"]}
                """));
    }

    @Test
    void twoDifferentValuesForOnePlaceAreRefused() {
        assertThatThrownBy(() -> merge(
                        "{\"spec\": {\"jobs\": [{\"name\": \"node\", \"account\": \"one\"}]}}",
                        "{\"spec\": {\"jobs\": [{\"name\": \"node\", \"account\": \"other\"}]}}"))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("two values for spec.jobs[node].account: one and other");
        assertThat(merge("{\"a\": 1, \"l\": [1]}", "{\"a\": 1, \"l\": [2]}"))
                .isEqualTo(Json.parseObject("{\"a\": 1, \"l\": [1, 2]}"));
    }

    @Test
    void oneVolumeMayBeMountedAtSeveralPaths() {
        assertThat(merge(
                        "{\"mounts\": [{\"name\": \"v\", \"mountPath\": \"/a\"}]}",
                        "{\"mounts\": [{\"name\": \"v\", \"mountPath\": \"/b\"}, {\"mountPath\": \"/a\","
                                + " \"readOnly\": true}]}"))
                .isEqualTo(
                        Json.parseObject("{\"mounts\": [{\"name\": \"v\", \"mountPath\": \"/a\", \"readOnly\": true},"
                                + " {\"name\": \"v\", \"mountPath\": \"/b\"}]}"));
    }

    @SuppressWarnings("NullAway") // these texts have no null in them
    private static Map<String, Object> merge(String first, String second) {
        return Patches.merge(Json.parseObject(first), Json.parseObject(second));
    }
}
