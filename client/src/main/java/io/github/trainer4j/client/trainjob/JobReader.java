package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobOption;
import io.github.trainer4j.api.RuntimeField;
import io.github.trainer4j.api.RuntimePatch;
import io.github.trainer4j.api.RuntimeRef;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJobField;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.TrainingRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** Reads one TrainJob resource. */
final class JobReader {
    private static final Set<String> SPEC = Set.of(
            "runtimeRef", "initializer", "trainer", "runtimePatches", "suspend", "activeDeadlineSeconds", "managedBy");

    /** What patches were called before Kubeflow Trainer 2.2. */
    private static final List<String> OLD_PATCHES = List.of("podSpecOverrides", "podTemplateOverrides");

    private final Place resource;
    private final List<RuntimeReader> runtimes;
    private final List<JobOption> options = new ArrayList<>();

    /**
     * Makes a reader.
     *
     * @param runtimes those that stand in the same text
     */
    JobReader(Place resource, List<RuntimeReader> runtimes) {
        this.resource = resource;
        this.runtimes = runtimes;
    }

    /** Returns the job; empty if there were problems. */
    Optional<TrainJobRequest> read() {
        int before = resource.problems().size();
        resource.only(Set.of("apiVersion", "kind", "metadata", "spec", "status"));
        Optional<Place> metadata = resource.need("metadata");
        Optional<Place> spec = resource.need("spec");
        if (metadata.isEmpty() || spec.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> name = name(metadata.get());
        Set<String> known = new TreeSet<>(SPEC);
        for (String old : OLD_PATCHES) {
            spec.get().get(old).ifPresent(place -> {
                known.add(old);
                place.wrong("only older versions of Kubeflow Trainer have this field; write runtimePatches, which each"
                        + " version is told in its own words");
            });
        }
        spec.get().only(known);
        Optional<RuntimeRef> runtime = spec.get().need("runtimeRef").flatMap(this::runtime);
        List<InitializerSpec> initializers =
                spec.get().get("initializer").map(this::initializers).orElse(List.of());
        runtimes.stream()
                .filter(beside -> runtime.flatMap(RuntimeRef::value).equals(Optional.of(beside.runtime())))
                .flatMap(beside -> beside.fields().stream())
                .filter(field -> initializers.stream().noneMatch(initializer -> isUri(field, initializer)))
                .forEach(options::add);
        Optional<Trainer> trainer = spec.get().get("trainer").flatMap(this::trainer);
        Optional<Duration> deadline = spec.get().get("activeDeadlineSeconds").flatMap(this::deadline);
        spec.get().list("runtimePatches").forEach(this::patch);
        flags(spec.get());
        if (resource.problems().size() > before) {
            return Optional.empty();
        }
        try {
            return Optional.of(new TrainJobRequest(
                    name,
                    runtime,
                    trainer,
                    initializers,
                    metadata.get().texts("labels"),
                    annotations(metadata.get()),
                    deadline,
                    options));
        } catch (InvalidJobException e) {
            resource.wrong(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private Optional<String> name(Place metadata) {
        Set<String> known = new TreeSet<>(Set.of("name", "generateName", "labels", "annotations"));
        known.addAll(Schema.METADATA_OF_CLUSTER);
        known.addAll(Schema.METADATA_FOR_CLUSTER);
        metadata.only(known);
        metadata.get("generateName").ifPresent(place -> place.wrong("such names are not made here; give 'name'"));
        for (String field : new TreeSet<>(Schema.METADATA_FOR_CLUSTER)) {
            metadata.get(field).ifPresent(place -> options.add(new TrainJobField(place.path(), place.tree())));
        }
        Optional<Place> place = metadata.need("name");
        return place.flatMap(Place::text).map(name -> Checked.value(place.get(), () -> JobName.check(name), name));
    }

    private static Map<String, String> annotations(Place metadata) {
        Map<String, String> annotations = metadata.texts("annotations");
        annotations.remove(Schema.LAST_APPLIED);
        return annotations;
    }

    private Optional<RuntimeRef> runtime(Place reference) {
        reference.only(Set.of("name", "kind", "apiGroup"));
        reference
                .get("apiGroup")
                .ifPresent(place -> place.text().ifPresent(group -> {
                    if (!group.equals(Schema.GROUP)) {
                        place.wrong("'" + group + "' has no runtimes that are known here; leave it out, or write "
                                + Schema.GROUP);
                    }
                }));
        Optional<Place> kind = reference.get("kind");
        String kindName = kind.flatMap(Place::text).orElse(TrainingRuntime.Scope.CLUSTER.kind());
        if (!Schema.RUNTIME_KINDS.contains(kindName)) {
            kind.ifPresent(place -> place.wrong(
                    "'" + kindName + "' is no kind of runtime; write " + String.join(" or ", Schema.RUNTIME_KINDS)));
        }
        TrainingRuntime.Scope scope = kindName.equals(TrainingRuntime.Scope.NAMESPACE.kind())
                ? TrainingRuntime.Scope.NAMESPACE
                : TrainingRuntime.Scope.CLUSTER;
        Optional<Place> name = reference.need("name");
        return name.flatMap(Place::text).map(text -> {
            for (RuntimeReader beside : runtimes) {
                if (beside.runtime().name().equals(text) && beside.runtime().scope() == scope) {
                    return RuntimeRef.of(beside.runtime());
                }
            }
            return Checked.value(name.get(), () -> RuntimeRef.named(text, scope), RuntimeRef.named("invalid"));
        });
    }

    /** Returns whether a runtime says what its initializer fetches; the job's own word goes before it. */
    private static boolean isUri(RuntimeField field, InitializerSpec initializer) {
        return field.path()
                .endsWith(".containers[name=\"" + initializer.target().step() + "\"].env[name=\"STORAGE_URI\"].value");
    }

    private List<InitializerSpec> initializers(Place place) {
        Set<String> known = new TreeSet<>();
        List<InitializerSpec> initializers = new ArrayList<>();
        for (InitializerTarget target : InitializerTarget.values()) {
            known.add(target.directory());
            place.get(target.directory())
                    .flatMap(found -> initializer(found, target))
                    .ifPresent(initializers::add);
        }
        place.only(known);
        return initializers;
    }

    private Optional<InitializerSpec> initializer(Place place, InitializerTarget target) {
        place.only(Set.of("storageUri", "env", "secretRef"));
        place.get("secretRef").ifPresent(secret -> options.add(new TrainJobField(secret.path(), secret.tree())));
        Variables variables = Variables.read(place);
        options.addAll(variables.references().values());
        Map<String, String> plain = new LinkedHashMap<>();
        Map<String, Secret> secrets = new LinkedHashMap<>();
        variables.plain().forEach((name, value) -> {
            // An empty variable is none, to the images of initializers too.
            if (!value.isBlank()) {
                if (Schema.isSecret(name)) {
                    secrets.put(option(place, name), Secret.of(value));
                } else {
                    plain.put(option(place, name), value);
                }
            }
        });
        variables.secret().forEach((name, value) -> secrets.put(option(place, name), value));
        Optional<String> uri = place.need("storageUri").flatMap(Place::text);
        return uri.flatMap(text -> Checked.value(
                place,
                () -> Optional.of(new InitializerSpec(
                        target,
                        text,
                        plain,
                        secrets,
                        Optional.empty(),
                        Optional.empty(),
                        0,
                        io.github.trainer4j.api.Resources.none())),
                Optional.<InitializerSpec>empty()));
    }

    /** The options of initializers are Kubeflow's variables in lower case. */
    private static String option(Place place, String variable) {
        if (!variable.equals(variable.toUpperCase(Locale.ROOT))) {
            place.wrong("the variable '" + variable + "' of an initializer is written in upper case, as in "
                    + variable.toUpperCase(Locale.ROOT));
        }
        return variable.toLowerCase(Locale.ROOT);
    }

    private Optional<Trainer> trainer(Place place) {
        return Checked.value(
                place, () -> Optional.of(new TrainerReader(place, options).read()), Optional.<Trainer>empty());
    }

    private Optional<Duration> deadline(Place place) {
        OptionalLong seconds = place.wholeNumber();
        if (seconds.isEmpty()) {
            return Optional.empty();
        }
        if (seconds.getAsLong() < 1) {
            place.wrong("a deadline is at least one second");
            return Optional.empty();
        }
        return Optional.of(Duration.ofSeconds(seconds.getAsLong()));
    }

    private void patch(Place place) {
        place.only(Set.of("manager", "time", "trainingRuntimeSpec"));
        place.need("manager");
        Optional<Place> spec = place.need("trainingRuntimeSpec");
        spec.ifPresent(found -> {
            found.only(Set.of("template"));
            if (found.tree() instanceof Map<?, ?> map && !map.isEmpty()) {
                Map<String, Object> tree = new LinkedHashMap<>();
                map.forEach((key, value) -> tree.put(String.valueOf(key), value));
                options.add(new RuntimePatch(tree));
            } else {
                found.wrong("a patch says what to change");
            }
        });
    }

    private void flags(Place spec) {
        spec.get("suspend").ifPresent(place -> {
            if (spec.flag("suspend").orElse(false)) {
                options.add(new TrainJobField(place.path(), true));
            }
        });
        spec.get("managedBy")
                .ifPresent(place -> place.text().ifPresent(manager -> {
                    if (!manager.equals(Schema.CONTROLLER)) {
                        options.add(new TrainJobField(place.path(), manager));
                    }
                }));
    }
}
