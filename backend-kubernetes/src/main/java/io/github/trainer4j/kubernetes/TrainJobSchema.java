package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields that the TrainJobs of a cluster have, which differ from version to version of Kubeflow Trainer. What is
 * rendered for the newest, this says with the fields of an older one, or refuses what that has no field for.
 *
 * @param spec the schema of {@code spec}
 */
record TrainJobSchema(Tree spec) {
    /** Since 2.2: patches of the whole runtime, one for each manager. */
    private static final String RUNTIME_PATCHES = "runtimePatches";
    /** In 2.1: patches of pods and their metadata. */
    private static final String POD_TEMPLATES = "podTemplateOverrides";
    /** In 2.0: patches of pods. */
    private static final String POD_SPECS = "podSpecOverrides";

    private static final String DEADLINE = "activeDeadlineSeconds";

    /**
     * Reads what an API server publishes of itself for a group, as OpenAPI 3.
     *
     * @return the schema, or an empty one if the document has none
     */
    static TrainJobSchema ofOpenApi(Tree document) {
        return document.at("components", "schemas").entries().values().stream()
                .filter(schema -> schema.at("x-kubernetes-group-version-kind").list().stream()
                        .anyMatch(kind -> kind.at("kind").text().equals(java.util.Optional.of(Names.TRAIN_JOB))))
                .findFirst()
                .map(schema -> new TrainJobSchema(schema.at("properties", "spec")))
                .orElseGet(() -> new TrainJobSchema(Tree.EMPTY));
    }

    /** Whether jobs patch their runtime as they do in the newest version; also if nothing is known. */
    boolean isNewest() {
        return !spec.isPresent() || has(RUNTIME_PATCHES);
    }

    /** Whether a resource has something that versions differ in. */
    static boolean matters(Map<String, Object> trainJob) {
        Tree spec = new Tree(trainJob).at("spec");
        return spec.at(RUNTIME_PATCHES).isPresent() || spec.at(DEADLINE).isPresent();
    }

    /**
     * Returns a TrainJob that was rendered for the newest version with the fields of this one.
     *
     * @throws UnsupportedFeatureException if this version lacks a field; the message names it
     */
    Map<String, Object> fit(Map<String, Object> trainJob) {
        if (isNewest()) {
            return trainJob;
        }
        Map<String, Object> fitted = new LinkedHashMap<>(trainJob);
        Map<String, Object> fields = new LinkedHashMap<>();
        new Tree(trainJob).at("spec").entries().forEach((name, field) -> {
            if (!name.equals(RUNTIME_PATCHES)) {
                fields.put(name, field.value());
            } else if (has(POD_TEMPLATES)) {
                fields.put(POD_TEMPLATES, overrides(field, false));
            } else if (has(POD_SPECS)) {
                fields.put(POD_SPECS, overrides(field, true));
            } else {
                throw refusal("spec." + RUNTIME_PATCHES);
            }
        });
        List<String> unknown = new ArrayList<>();
        collectUnknown(new Tree(fields), spec, "spec", unknown);
        if (!unknown.isEmpty()) {
            throw refusal(String.join(", ", unknown));
        }
        fitted.put("spec", fields);
        return fitted;
    }

    private List<Object> overrides(Tree patches, boolean inline) {
        List<Object> overrides = new ArrayList<>();
        for (Tree patch : patches.list()) {
            Tree runtime = patch.at("trainingRuntimeSpec");
            only(runtime, "trainingRuntimeSpec", "template");
            only(runtime.at("template"), "trainingRuntimeSpec.template", "spec");
            only(runtime.at("template", "spec"), "trainingRuntimeSpec.template.spec", "replicatedJobs");
            for (Tree job : runtime.at("template", "spec", "replicatedJobs").list()) {
                String name = job.at("name").text().orElse("");
                only(job, name, "name", "template");
                only(job.at("template"), name + ".template", "spec");
                only(job.at("template", "spec"), name + ".template.spec", "template");
                Map<String, Object> override = new LinkedHashMap<>();
                override.put("targetJobs", List.of(Map.of("name", name)));
                Tree pod = job.at("template", "spec", "template");
                if (inline) {
                    only(pod, name + ".template.spec.template", "spec");
                    pod.at("spec").entries().forEach((field, value) -> override.put(field, value.value()));
                } else {
                    pod.entries().forEach((field, value) -> override.put(field, value.value()));
                }
                overrides.add(override);
            }
        }
        return overrides;
    }

    private static void only(Tree map, String where, String... known) {
        for (String field : map.entries().keySet()) {
            if (!List.of(known).contains(field)) {
                throw refusal("for " + field + " of the runtime patch's " + where);
            }
        }
    }

    private static UnsupportedFeatureException refusal(String what) {
        return new UnsupportedFeatureException(
                "the cluster's Kubeflow Trainer is an older one, whose TrainJobs have no field "
                        + what
                        + "; leave it out of the job, say it in the training runtime, or ask for Kubeflow Trainer 2.2"
                        + " or newer");
    }

    private boolean has(String field) {
        return spec.at("properties", field).isPresent();
    }

    /** Follows a value along its schema, and notes the fields that the schema does not have. */
    private static void collectUnknown(Tree value, Tree schema, String path, List<String> unknown) {
        Tree fields = schema.at("properties");
        value.entries().forEach((name, field) -> {
            Tree known = fields.isPresent() ? fields.at(name) : schema.at("additionalProperties");
            if (known.isPresent()) {
                collectUnknown(field, known, path + "." + name, unknown);
            } else if (fields.isPresent()) {
                unknown.add(path + "." + name);
            }
        });
        int index = 0;
        for (Tree element : value.list()) {
            collectUnknown(element, schema.at("items"), path + "[" + index++ + "]", unknown);
        }
    }
}
