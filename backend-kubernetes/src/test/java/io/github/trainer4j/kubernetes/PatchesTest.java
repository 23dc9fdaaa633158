package io.github.trainer4j.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

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
    void ofTwoValuesForOnePlaceTheSecondCounts() {
        assertThat(merge("{\"a\": 1, \"l\": [1]}", "{\"a\": 2, \"l\": [2]}"))
                .isEqualTo(Json.parseObject("{\"a\": 2, \"l\": [1, 2]}"));
    }

    @SuppressWarnings("NullAway") // these texts have no null in them
    private static Map<String, Object> merge(String first, String second) {
        return Patches.merge(Json.parseObject(first), Json.parseObject(second));
    }
}
