package io.github.trainer4j.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodPatchTest {
    @Test
    void podsAreChangedInTheWordsOfKubernetes() {
        RuntimePatch patch = PodPatch.of("launcher", "dataset-initializer")
                .label("team", "vision")
                .nodeSelector("accelerator", "a100")
                .securityContext(Map.of("fsGroup", 2000L))
                .containerSecurityContext(Map.of("runAsNonRoot", true))
                .volume("data", Map.of("persistentVolumeClaim", Map.of("claimName", "mine")))
                .readOnlyMount("data", "/data")
                .build();

        // Numbers are compared as they are written.
        assertThat(Json.parseObject(Json.write(patch.trainingRuntimeSpec()))).isEqualTo(Json.parseObject("""
            {"template": {"spec": {"replicatedJobs": [
              {"name": "launcher", "template": {"spec": {"template": {
                "metadata": {"labels": {"team": "vision"}},
                "spec": {
                  "securityContext": {"fsGroup": 2000},
                  "nodeSelector": {"accelerator": "a100"},
                  "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "mine"}}],
                  "containers": [{"name": "node", "securityContext": {"runAsNonRoot": true},
                    "volumeMounts": [{"name": "data", "mountPath": "/data", "readOnly": true}]}]}}}}},
              {"name": "dataset-initializer", "template": {"spec": {"template": {
                "metadata": {"labels": {"team": "vision"}},
                "spec": {
                  "securityContext": {"fsGroup": 2000},
                  "nodeSelector": {"accelerator": "a100"},
                  "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "mine"}}],
                  "containers": [{"name": "dataset-initializer", "securityContext": {"runAsNonRoot": true},
                    "volumeMounts": [{"name": "data", "mountPath": "/data", "readOnly": true}]}]}}}}}]}}}
            """));
    }

    @Test
    void whatIsAddedAfterwardsChangesNoPatchThatWasBuilt() {
        PodPatch patch = PodPatch.of("node").schedulingGate("a");
        RuntimePatch built = patch.build();
        String before = built.toString();

        patch.schedulingGate("b").mount("v", "/v");

        assertThat(built).hasToString(before);
        assertThat(patch.build()).isNotEqualTo(built);
    }
}
