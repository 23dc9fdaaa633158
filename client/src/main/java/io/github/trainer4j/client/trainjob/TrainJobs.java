package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.NearNames;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.client.yaml.Yaml;
import io.github.trainer4j.client.yaml.YamlValue;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads and writes jobs as {@code kubectl apply} takes them: resources {@code TrainJob} of
 * {@code trainer.kubeflow.org/v1alpha1}, one or many in a text. A {@code TrainingRuntime} or {@code ClusterTrainingRuntime}
 * in the same text is the runtime of the jobs that name it.
 *
 * <p>Nothing that stands in a text is passed over, but what a cluster itself has written there ({@code status},
 * {@code metadata.uid} and the like). What only a cluster can honour becomes a
 * {@link io.github.trainer4j.api.TrainJobField} or a {@link io.github.trainer4j.api.RuntimeField} of the job, which other
 * backends refuse.
 */
public final class TrainJobs {
    private TrainJobs() {}

    /**
     * Reads all jobs in a file.
     *
     * @throws InvalidJobException if it cannot be read, is malformed, holds no job, or one that is not valid; all problems at
     *     once, each with the line and the path of the field
     */
    public static List<TrainJobRequest> read(Path file) {
        return read(malformed(() -> Yaml.documents(file, file.toString())), file.toString());
    }

    /**
     * Reads all jobs in a text.
     *
     * @param text the YAML
     * @param source where it comes from, for messages
     * @throws InvalidJobException as {@link #read(Path)} does
     */
    public static List<TrainJobRequest> read(String text, String source) {
        return read(malformed(() -> Yaml.documents(text, source)), source);
    }

    /**
     * Reads all jobs in a stream, which stays open.
     *
     * @param in the YAML, in UTF-8
     * @param source where it comes from, for messages
     * @throws InvalidJobException as {@link #read(Path)} does
     */
    public static List<TrainJobRequest> read(InputStream in, String source) {
        return read(
                malformed(() -> {
                    try {
                        return Yaml.documents(in, source);
                    } catch (IOException e) {
                        throw new InvalidJobException(source + " cannot be read: " + e.getMessage(), e);
                    }
                }),
                source);
    }

    /**
     * Writes jobs as {@code kubectl apply} takes them, each with a name, and before them the runtimes that they were given
     * whole. What is written is read as the same jobs; a script stands in the text itself.
     *
     * @throws InvalidJobException if a job has something that the resource has no field for, or a secret by its value
     */
    public static String write(TrainJobRequest... jobs) {
        return JobWriter.write(List.of(jobs));
    }

    private static List<YamlValue> malformed(java.util.function.Supplier<List<YamlValue>> reading) {
        try {
            return reading.get();
        } catch (ConfigurationException e) {
            throw new InvalidJobException(String.join("\n  ", e.problems()), e);
        }
    }

    private static List<TrainJobRequest> read(List<YamlValue> documents, String source) {
        Problems problems = new Problems(source);
        List<Place> jobs = new ArrayList<>();
        List<RuntimeReader> runtimes = new ArrayList<>();
        for (YamlValue document : documents) {
            sort(new Place(document, "", problems), jobs, runtimes);
        }
        List<TrainJobRequest> requests = new ArrayList<>();
        Map<String, Place> byName = new LinkedHashMap<>();
        for (Place job : jobs) {
            Optional<TrainJobRequest> request = new JobReader(job, runtimes).read();
            request.ifPresent(read -> {
                Place before = byName.putIfAbsent(read.name().orElse(""), job);
                if (before != null) {
                    job.wrong("the job " + read.name().orElse("") + " stands here a second time, first in line "
                            + before.value().line() + "; give each a name of its own");
                }
                requests.add(read);
            });
        }
        problems.check();
        if (requests.isEmpty()) {
            throw new InvalidJobException(source + " holds no TrainJob; write one as for kubectl, with apiVersion: "
                    + Schema.VERSION + " and kind: " + Schema.KIND);
        }
        return List.copyOf(requests);
    }

    private static void sort(Place resource, List<Place> jobs, List<RuntimeReader> runtimes) {
        Optional<String> version = resource.need("apiVersion").flatMap(Place::text);
        Optional<Place> kindPlace = resource.need("kind");
        Optional<String> kind = kindPlace.flatMap(Place::text);
        if (version.isEmpty() || kind.isEmpty()) {
            return;
        }
        if (version.get().equals("v1") && kind.get().equals("List")) {
            resource.list("items").forEach(item -> sort(item, jobs, runtimes));
        } else if (!version.get().equals(Schema.VERSION)) {
            resource.get("apiVersion")
                    .ifPresent(place -> place.wrong("'" + version.get() + "' with the kind " + kind.get()
                            + " is not read; " + Schema.VERSION + " is. Apply other resources with kubectl first"));
        } else if (kind.get().equals(Schema.KIND)) {
            jobs.add(resource);
        } else if (Schema.RUNTIME_KINDS.contains(kind.get())) {
            runtime(resource, runtimes);
        } else {
            List<String> kinds = new ArrayList<>(Schema.RUNTIME_KINDS);
            kinds.add(Schema.KIND);
            kindPlace.get().wrong("there is no kind '" + kind.get() + "'" + NearNames.hint(kind.get(), kinds));
        }
    }

    private static void runtime(Place resource, List<RuntimeReader> runtimes) {
        RuntimeReader read = RuntimeReader.read(resource);
        TrainingRuntime runtime = read.runtime();
        if (runtimes.stream()
                .map(RuntimeReader::runtime)
                .anyMatch(other -> other.name().equals(runtime.name()) && other.scope() == runtime.scope())) {
            resource.wrong("the runtime " + runtime.name() + " stands here a second time; keep one");
        }
        runtimes.add(read);
    }
}
