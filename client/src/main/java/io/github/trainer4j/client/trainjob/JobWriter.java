package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.BuiltinTrainer;
import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobOption;
import io.github.trainer4j.api.NodeSettings;
import io.github.trainer4j.api.Quantity;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.RuntimeField;
import io.github.trainer4j.api.RuntimePatch;
import io.github.trainer4j.api.RuntimeTrainer;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJobField;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.launch.Expansion;
import io.github.trainer4j.api.launch.ResourceNames;
import io.github.trainer4j.client.yaml.YamlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Writes TrainJob resources. */
final class JobWriter {
    /** The runtime of jobs that name none, as everywhere in Kubeflow. */
    private static final String DEFAULT_RUNTIME = "torch-distributed";

    private final TrainJobRequest job;

    private JobWriter(TrainJobRequest job) {
        this.job = job;
    }

    static String write(List<TrainJobRequest> jobs) {
        if (jobs.isEmpty()) {
            throw new InvalidJobException("there is no job to write; give one");
        }
        Map<TrainingRuntime, Map<String, Object>> runtimes = new LinkedHashMap<>();
        for (TrainJobRequest job : jobs) {
            job.runtime().flatMap(reference -> reference.value()).ifPresent(runtime -> {
                Map<String, Object> resource = runtimes.getOrDefault(runtime, RuntimeWriter.resource(runtime));
                for (RuntimeField field : runtimeFields(job)) {
                    resource = field.in(resource);
                }
                runtimes.put(runtime, resource);
            });
        }
        List<String> documents = new ArrayList<>();
        runtimes.values().forEach(resource -> documents.add(YamlText.write(resource)));
        jobs.forEach(job -> documents.add(YamlText.write(new JobWriter(job).resource())));
        return String.join("---\n", documents);
    }

    private Map<String, Object> resource() {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", job.name().orElseGet(JobName::generate));
        putUnlessEmpty(metadata, "labels", job.labels());
        putUnlessEmpty(metadata, "annotations", job.annotations());
        Map<String, Object> resource = new LinkedHashMap<>();
        resource.put("apiVersion", Schema.VERSION);
        resource.put("kind", Schema.KIND);
        resource.put("metadata", metadata);
        resource.put("spec", spec());
        for (JobOption option : job.options()) {
            if (option instanceof TrainJobField field) {
                resource = field.in(resource);
            } else if (!(option instanceof RuntimePatch || runtimeFields(job).contains(option))) {
                throw cannot("the option " + option.optionName());
            }
        }
        return resource;
    }

    /** Returns the fields that stand in the resource of the job's runtime, if that is written. */
    private static List<RuntimeField> runtimeFields(TrainJobRequest job) {
        List<RuntimeField> fields = new ArrayList<>();
        job.runtime().flatMap(reference -> reference.value()).ifPresent(runtime -> {
            for (JobOption option : job.options()) {
                if (option instanceof RuntimeField field && field.runtime().equals(runtime.name())) {
                    fields.add(field);
                }
            }
        });
        return fields;
    }

    private List<Object> patches() {
        List<Object> patches = new ArrayList<>();
        for (JobOption option : job.options()) {
            if (option instanceof RuntimePatch patch) {
                Map<String, Object> element = new LinkedHashMap<>();
                // A manager has one patch only.
                element.put(
                        "manager", patches.isEmpty() ? Schema.MANAGER : Schema.MANAGER + "-" + (patches.size() + 1));
                element.put("trainingRuntimeSpec", patch.trainingRuntimeSpec());
                patches.add(element);
            }
        }
        return patches;
    }

    private Map<String, Object> spec() {
        Map<String, Object> spec = new LinkedHashMap<>();
        Map<String, Object> runtime = new LinkedHashMap<>();
        runtime.put("apiGroup", Schema.GROUP);
        runtime.put(
                "kind",
                job.runtime()
                        .flatMap(reference -> reference.scope())
                        .orElse(TrainingRuntime.Scope.CLUSTER)
                        .kind());
        runtime.put("name", job.runtime().map(reference -> reference.name()).orElse(DEFAULT_RUNTIME));
        spec.put("runtimeRef", runtime);
        Map<String, Object> initializers = new LinkedHashMap<>();
        job.initializers()
                .forEach(initializer -> initializers.put(initializer.target().directory(), initializer(initializer)));
        putUnlessEmpty(spec, "initializer", initializers);
        putUnlessEmpty(spec, "trainer", job.trainer().map(this::trainer).orElse(Map.of()));
        putUnlessEmpty(spec, "runtimePatches", patches());
        job.deadline()
                .ifPresent(deadline -> spec.put(
                        "activeDeadlineSeconds",
                        Math.max(1, deadline.plusMillis(999).toSeconds())));
        return spec;
    }

    private Map<String, Object> initializer(InitializerSpec spec) {
        String step = spec.target().step();
        spec.image().ifPresent(image -> {
            throw cannot("an image of the " + step);
        });
        spec.timeout().ifPresent(timeout -> {
            throw cannot("a timeout of the " + step);
        });
        if (spec.retries() > 0) {
            throw cannot("retries of the " + step);
        }
        if (!spec.resources().isEmpty()) {
            throw cannot("resources of the " + step);
        }
        Map<String, Object> initializer = new LinkedHashMap<>();
        Map<String, String> plain = new LinkedHashMap<>();
        spec.options().forEach((name, value) -> plain.put(name.toUpperCase(Locale.ROOT), value));
        Map<String, Secret> secrets = new LinkedHashMap<>();
        spec.secrets().forEach((name, value) -> secrets.put(name.toUpperCase(Locale.ROOT), value));
        putUnlessEmpty(initializer, "env", variables(plain, secrets, step));
        initializer.put("storageUri", spec.storageUri());
        return initializer;
    }

    private Map<String, Object> trainer(Trainer trainer) {
        Map<String, Object> form = new LinkedHashMap<>();
        NodeSettings nodes = trainer.nodes();
        nodes.image().ifPresent(image -> form.put("image", image));
        command(trainer, form);
        putUnlessEmpty(form, "env", variables(nodes.env(), nodes.secretEnv(), "trainer"));
        nodes.numNodes().ifPresent(number -> form.put("numNodes", number));
        nodes.numProcPerNode().ifPresent(number -> form.put("numProcPerNode", number));
        putUnlessEmpty(form, "resourcesPerNode", resources(nodes.resourcesPerNode()));
        return form;
    }

    private void command(Trainer trainer, Map<String, Object> form) {
        if (trainer instanceof BuiltinTrainer builtin) {
            form.put("command", List.of("tune", "run"));
            List<String> args = new ArrayList<>();
            builtin.config().overrides().forEach((key, value) -> args.add(key + "=" + value));
            putUnlessEmpty(form, "args", escaped(args));
        } else if (trainer instanceof CustomTrainer script) {
            List<String> command = Scripts.command(script);
            form.put("command", escaped(command.subList(0, 3)));
            form.put("args", escaped(command.subList(3, command.size())));
        } else if (trainer instanceof CommandTrainer plain) {
            split(plain.command(), form);
        } else if (trainer instanceof JavaTrainer java) {
            if (!java.classPath().isEmpty()) {
                throw new InvalidJobException("the class path " + java.classPath()
                        + " lies on this machine, and the file of a job cannot hold it; build an image that has it, and leave"
                        + " classPath empty");
            }
            List<String> command = new ArrayList<>(List.of("java"));
            command.addAll(java.jvmOptions());
            command.add(java.mainClass());
            command.addAll(java.args());
            split(command, form);
        } else if (trainer instanceof RuntimeTrainer own) {
            own.args().ifPresent(args -> form.put("args", escaped(args)));
        }
    }

    /** The arguments of a runtime would follow a command that has none. */
    private static void split(List<String> command, Map<String, Object> form) {
        form.put("command", escaped(command.subList(0, 1)));
        putUnlessEmpty(form, "args", escaped(command.subList(1, command.size())));
    }

    private static List<String> escaped(List<String> texts) {
        return texts.stream().map(Expansion::escape).toList();
    }

    private List<Object> variables(Map<String, String> plain, Map<String, Secret> secrets, String what) {
        List<Object> variables = new ArrayList<>();
        plain.forEach((name, value) -> {
            Map<String, Object> variable = new LinkedHashMap<>();
            variable.put("name", name);
            variable.put("value", Expansion.escape(value));
            variables.add(variable);
        });
        secrets.forEach((name, secret) -> {
            Secret.Reference reference = secret.reference()
                    .orElseThrow(() -> new InvalidJobException("the " + what + "'s " + name
                            + " is a secret, whose value is written into no file; put it into a Secret of the cluster, and"
                            + " give Secret.reference(name, key)"));
            Map<String, Object> selector = new LinkedHashMap<>();
            selector.put("name", reference.name());
            selector.put("key", reference.key());
            Map<String, Object> variable = new LinkedHashMap<>();
            variable.put("name", name);
            variable.put("valueFrom", Map.of("secretKeyRef", selector));
            variables.add(variable);
        });
        return variables;
    }

    private Map<String, Object> resources(Resources resources) {
        Map<String, Object> amounts = new LinkedHashMap<>();
        for (Map.Entry<String, Quantity> amount : resources.amounts().entrySet()) {
            if (amount.getKey().equals("shm")) {
                throw cannot(
                        "the resource shm; a RuntimePatch with an emptyDir volume of medium Memory can say it, and");
            }
            amounts.put(
                    ResourceNames.inCluster(amount.getKey()), amount.getValue().text());
        }
        Map<String, Object> both = new LinkedHashMap<>();
        putUnlessEmpty(both, "limits", amounts);
        putUnlessEmpty(both, "requests", amounts);
        return both;
    }

    private InvalidJobException cannot(String what) {
        return new InvalidJobException("a TrainJob resource has no field for " + what
                + "; remove it, or say it in the training runtime"
                + Optional.ofNullable(job.name().orElse(null))
                        .map(name -> " (job " + name + ")")
                        .orElse(""));
    }

    static void putUnlessEmpty(Map<String, Object> map, String key, Map<String, ?> value) {
        if (!value.isEmpty()) {
            map.put(key, value);
        }
    }

    static void putUnlessEmpty(Map<String, Object> map, String key, List<?> value) {
        if (!value.isEmpty()) {
            map.put(key, value);
        }
    }
}
