package io.github.trainer4j.client.catalog;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.launch.ResourceNames;
import io.github.trainer4j.client.yaml.Yaml;
import io.github.trainer4j.client.yaml.YamlValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads runtimes as Kubeflow Trainer writes them: resources {@code TrainingRuntime} and {@code ClusterTrainingRuntime} of
 * {@code trainer.kubeflow.org/v1alpha1}, one or many in a text, also as {@code kubectl get -o yaml} lists them. Resources
 * of other kinds in between are passed over.
 */
public final class RuntimeYaml {
    private static final String GROUP = "trainer.kubeflow.org/";
    private static final String VERSION = GROUP + "v1alpha1";
    private static final String FRAMEWORK = GROUP + "framework";
    private static final String STEP = GROUP + "trainjob-ancestor-step";
    private static final String NODE = "node";
    /** Words for the number of processes on a node that leave the number to the machine. */
    private static final List<String> BY_DEVICES = List.of("auto", "gpu", "cpu");

    private RuntimeYaml() {}

    /**
     * Reads all runtimes in a text.
     *
     * @param text the YAML
     * @param source where it comes from, for messages and for {@link TrainingRuntime#source()}
     * @throws ConfigurationException if it is malformed, holds no runtime, or one that cannot be used; the message has
     *     source, line and the way to the wrong field
     */
    public static List<TrainingRuntime> read(String text, String source) {
        return read(Yaml.documents(text, source), source);
    }

    /**
     * Reads all runtimes in a file.
     *
     * @throws ConfigurationException if it cannot be read, is malformed, holds no runtime, or one that cannot be used
     */
    public static List<TrainingRuntime> read(Path file) {
        return read(Yaml.documents(file, file.toString()), file.toString());
    }

    /**
     * Reads the runtime that a document holds, or the runtimes of a list.
     *
     * @param document the document
     * @param source where it comes from
     * @throws ConfigurationException if it holds no runtime, or one that cannot be used
     */
    public static List<TrainingRuntime> read(YamlValue document, String source) {
        return read(List.of(document), source);
    }

    /** Reads all runtimes in these documents, also none. */
    static List<TrainingRuntime> readAny(List<YamlValue> documents, String source) {
        List<TrainingRuntime> runtimes = new ArrayList<>();
        documents.forEach(document -> resource(Field.root(document, source), runtimes));
        return List.copyOf(runtimes);
    }

    private static List<TrainingRuntime> read(List<YamlValue> documents, String source) {
        List<TrainingRuntime> runtimes = readAny(documents, source);
        if (runtimes.isEmpty()) {
            throw new ConfigurationException(List.of(source + " holds no TrainingRuntime or ClusterTrainingRuntime"));
        }
        return runtimes;
    }

    private static void resource(Field resource, List<TrainingRuntime> runtimes) {
        String version = required(resource, "apiVersion").text();
        Field kind = required(resource, "kind");
        if (version.equals("v1") && kind.text().equals("List")) {
            resource.list("items").forEach(item -> resource(item, runtimes));
            return;
        }
        Optional<TrainingRuntime.Scope> scope = scope(kind.text());
        if (!version.startsWith(GROUP) || scope.isEmpty()) {
            return;
        }
        if (!version.equals(VERSION)) {
            throw required(resource, "apiVersion").wrong("'" + version + "' is not read; only " + VERSION + " is");
        }
        try {
            runtimes.add(runtime(resource, scope.get()));
        } catch (InvalidJobException e) {
            throw resource.wrong(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<TrainingRuntime.Scope> scope(String kind) {
        for (TrainingRuntime.Scope scope : TrainingRuntime.Scope.values()) {
            if (scope.kind().equals(kind)) {
                return Optional.of(scope);
            }
        }
        return Optional.empty();
    }

    private static TrainingRuntime runtime(Field resource, TrainingRuntime.Scope scope) {
        Field metadata = required(resource, "metadata");
        Field spec = required(resource, "spec");
        List<Field> jobs =
                spec.get("template", "spec").map(s -> s.list("replicatedJobs")).orElse(List.of());
        Field node = container(trainerJob(resource, jobs), NODE);
        Map<InitializerTarget, String> initializerImages = new EnumMap<>(InitializerTarget.class);
        for (InitializerTarget target : InitializerTarget.values()) {
            jobs.stream()
                    .filter(job -> isStep(job, target.step()))
                    .findFirst()
                    .flatMap(job -> container(job, target.step()).text("image"))
                    .ifPresent(image -> initializerImages.put(target, image));
        }
        return new TrainingRuntime(
                required(metadata, "name").text(),
                scope,
                metadata.get("labels")
                        .flatMap(labels -> labels.text(FRAMEWORK))
                        .orElseThrow(() -> metadata.wrong(
                                "the label " + FRAMEWORK + " is missing; it names the framework, such as torch")),
                spec.get("mlPolicy", "numNodes").map(Field::wholeNumber).orElse(1),
                numProcPerNode(spec),
                node.text("image"),
                node.list("command").stream().map(Field::text).toList(),
                node.list("args").stream().map(Field::text).toList(),
                environment(node),
                resources(node),
                initializerImages,
                resource.source());
    }

    private static Field trainerJob(Field resource, List<Field> jobs) {
        List<Field> trainers =
                jobs.stream().filter(job -> isStep(job, "trainer")).toList();
        if (trainers.size() != 1) {
            throw resource.wrong("spec.template.spec.replicatedJobs has " + trainers.size() + " jobs with the label "
                    + STEP + ": trainer; exactly one is needed");
        }
        return trainers.get(0);
    }

    private static boolean isStep(Field job, String step) {
        return job.get("template", "metadata", "labels")
                .flatMap(labels -> labels.text(STEP))
                .filter(step::equals)
                .isPresent();
    }

    private static Field container(Field job, String name) {
        return job
                .get("template", "spec", "template", "spec")
                .map(pod -> pod.list("containers"))
                .orElse(List.of())
                .stream()
                .filter(container -> container.text("name").equals(Optional.of(name)))
                .findFirst()
                .orElseThrow(() -> job.wrong("there is no container '" + name + "'"));
    }

    private static OptionalInt numProcPerNode(Field spec) {
        for (String policy : List.of("torch", "mpi")) {
            Optional<Field> number = spec.get("mlPolicy", policy, "numProcPerNode");
            if (number.isPresent()) {
                return number.get().wholeNumberUnless(BY_DEVICES);
            }
        }
        return OptionalInt.empty();
    }

    private static Map<String, String> environment(Field container) {
        container.get("envFrom").ifPresent(from -> {
            throw from.wrong("only the cluster knows such values; give literal ones in 'env'");
        });
        Map<String, String> environment = new LinkedHashMap<>();
        for (Field variable : container.list("env")) {
            variable.get("valueFrom").ifPresent(from -> {
                throw from.wrong("only the cluster knows such a value; give a literal 'value'");
            });
            environment.put(
                    required(variable, "name").text(), variable.text("value").orElse(""));
        }
        return environment;
    }

    /** A node is given what it requests; the limit counts where both are said, as a job's own resources are limits. */
    private static Resources resources(Field container) {
        Map<String, Field> amounts = new LinkedHashMap<>();
        for (String part : List.of("limits", "requests")) {
            container
                    .get("resources", part)
                    .map(Field::entries)
                    .orElse(Map.of())
                    .forEach(amounts::putIfAbsent);
        }
        Resources resources = Resources.none();
        for (Map.Entry<String, Field> amount : amounts.entrySet()) {
            resources = resources.with(
                    ResourceNames.inJob(amount.getKey()), amount.getValue().text());
        }
        return resources;
    }

    private static Field required(Field field, String key) {
        return field.get(key).orElseThrow(() -> field.wrong("'" + key + "' is missing"));
    }
}
