package io.github.trainer4j.container;

import java.util.Map;

/**
 * A network as the engine told of it.
 *
 * @param id its id; with podman this may be its name
 * @param name its name
 * @param labels its labels
 */
record NetworkFacts(String id, String name, Map<String, String> labels) {
    String job() {
        return labels.getOrDefault(Labels.JOB, "");
    }
}
