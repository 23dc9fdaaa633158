package io.github.trainer4j.cli;

import io.github.trainer4j.api.CommandTrainer;
import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.CustomTrainerContainer;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.NodeSettings;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.RuntimeTrainer;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.Trainer;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A job, described by options. */
final class JobFlags {
    private static final Pattern SECRET = Pattern.compile(".*(token|secret|password).*|access_key_id");

    @Option(names = "--name", paramLabel = "NAME", description = "The job's name; left out: one is made up.")
    @Nullable
    String name;

    @Option(
            names = "--runtime",
            paramLabel = "NAME",
            description = "The training runtime; left out: the configured one, torch-distributed by default.")
    @Nullable
    String runtime;

    @Option(names = "--script", paramLabel = "FILE", description = "Runs this Python script on every node.")
    @Nullable
    String script;

    @Option(
            names = "--main-class",
            paramLabel = "CLASS",
            description = "Runs this class of a JVM program on every node.")
    @Nullable
    String mainClass;

    @Option(
            names = {"--class-path", "--classpath"},
            paramLabel = "PATH",
            description = "Where its classes are: jars and directories, with ':' between.")
    @Nullable
    String classPath;

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description = "The image of the nodes; without a script, class or COMMAND it runs as it is.")
    @Nullable
    String image;

    @Option(
            names = "--arg",
            paramLabel = "ARG",
            description = "An argument of the script, class or runtime; once for each.")
    List<String> args = new ArrayList<>();

    @Option(
            names = "--package",
            paramLabel = "REQUIREMENT",
            description = "A package that pip installs before the script starts; once for each.")
    List<String> packages = new ArrayList<>();

    @Option(names = "--nodes", paramLabel = "N", description = "The number of nodes.")
    @Nullable
    Integer nodes;

    @Option(names = "--cpu", paramLabel = "AMOUNT", description = "Cores of each node, as in 2 or 500m.")
    @Nullable
    String cpu;

    @Option(names = "--memory", paramLabel = "AMOUNT", description = "Memory of each node, as in 4Gi.")
    @Nullable
    String memory;

    @Option(names = "--gpu", paramLabel = "N", description = "NVIDIA GPUs of each node.")
    @Nullable
    String gpu;

    @Option(names = "--env", paramLabel = "KEY=VALUE", description = "A variable of the nodes; once for each.")
    List<String> env = new ArrayList<>();

    @Option(
            names = "--env-file",
            paramLabel = "FILE",
            description = "Variables of the nodes, one KEY=VALUE in a line; those of --env win.")
    List<String> envFiles = new ArrayList<>();

    @Option(
            names = "--secret-env",
            paramLabel = "KEY[=@FILE]",
            description = "A variable whose value is a secret: that of this process's variable, or a file's content.")
    List<String> secretEnv = new ArrayList<>();

    @Option(names = "--dataset", paramLabel = "URI", description = "Fetches this dataset first, as in hf://org/data.")
    @Nullable
    String dataset;

    @Option(
            names = "--dataset-option",
            paramLabel = "KEY=VALUE",
            description = "An option of its initializer; a secret one is written KEY=@FILE.")
    List<String> datasetOptions = new ArrayList<>();

    @Option(names = "--model", paramLabel = "URI", description = "Fetches this model first, as in s3://bucket/model.")
    @Nullable
    String model;

    @Option(
            names = "--model-option",
            paramLabel = "KEY=VALUE",
            description = "An option of its initializer; a secret one is written KEY=@FILE.")
    List<String> modelOptions = new ArrayList<>();

    @Option(names = "--deadline", paramLabel = "TIME", description = "Ends the job as failed after so long, as in 2h.")
    @Nullable
    Duration deadline;

    @Option(names = "--label", paramLabel = "KEY=VALUE", description = "A label of the job; once for each.")
    List<String> labels = new ArrayList<>();

    @Parameters(
            arity = "0..*",
            paramLabel = "COMMAND",
            description = "After '--': a program and its arguments, run on every node without a shell.")
    List<String> command = new ArrayList<>();

    /** Returns the name of an option that was given; empty if none was. */
    Optional<String> anyGiven() {
        Map<String, Object> given = new LinkedHashMap<>();
        put(given, "--name", name);
        put(given, "--runtime", runtime);
        put(given, "--script", script);
        put(given, "--main-class", mainClass);
        put(given, "--class-path", classPath);
        put(given, "--image", image);
        put(given, "--nodes", nodes);
        put(given, "--cpu", cpu);
        put(given, "--memory", memory);
        put(given, "--gpu", gpu);
        put(given, "--dataset", dataset);
        put(given, "--model", model);
        put(given, "--deadline", deadline);
        Map<String, List<String>> lists = new LinkedHashMap<>();
        lists.put("--arg", args);
        lists.put("--package", packages);
        lists.put("--env", env);
        lists.put("--env-file", envFiles);
        lists.put("--secret-env", secretEnv);
        lists.put("--dataset-option", datasetOptions);
        lists.put("--model-option", modelOptions);
        lists.put("--label", labels);
        lists.put("COMMAND", command);
        lists.forEach((option, values) -> put(given, option, values.isEmpty() ? null : values));
        return given.keySet().stream().findFirst();
    }

    private static void put(Map<String, Object> given, String option, @Nullable Object value) {
        if (value != null) {
            given.put(option, value);
        }
    }

    /** Returns the job. */
    TrainJobRequest request(Shell shell) {
        Given given = new Given(shell);
        TrainJobRequest.Builder builder = TrainJobRequest.builder().trainer(trainer(shell, settings(given)));
        Optional.ofNullable(name).ifPresent(builder::name);
        Optional.ofNullable(runtime).ifPresent(builder::runtime);
        Optional.ofNullable(deadline).ifPresent(builder::deadline);
        given.pairs(labels, "--label").forEach(builder::label);
        initializer(given, InitializerTarget.DATASET, dataset, datasetOptions).ifPresent(builder::dataset);
        initializer(given, InitializerTarget.MODEL, model, modelOptions).ifPresent(builder::model);
        return builder.build();
    }

    private NodeSettings settings(Given given) {
        Resources resources = Resources.none();
        Map<String, @Nullable String> amounts = new LinkedHashMap<>();
        amounts.put("cpu", cpu);
        amounts.put("memory", memory);
        amounts.put("gpu", gpu);
        for (Map.Entry<String, @Nullable String> amount : amounts.entrySet()) {
            String text = amount.getValue();
            resources = text == null ? resources : resources.with(amount.getKey(), text);
        }
        Map<String, String> variables = new LinkedHashMap<>(given.environmentFiles(envFiles));
        variables.putAll(given.pairs(env, "--env"));
        return new NodeSettings(
                nodes == null ? OptionalInt.empty() : OptionalInt.of(nodes),
                OptionalInt.empty(),
                resources,
                variables,
                given.secrets(secretEnv, "--secret-env"),
                Optional.ofNullable(image));
    }

    private Trainer trainer(Shell shell, NodeSettings settings) {
        List<String> programs = new ArrayList<>();
        if (script != null) {
            programs.add("--script");
        }
        if (mainClass != null) {
            programs.add("--main-class");
        }
        if (!command.isEmpty()) {
            programs.add("a COMMAND");
        }
        if (programs.size() > 1) {
            throw Refusal.invalid(
                    "a job runs one program, but " + String.join(" and ", programs) + " are given; leave one");
        }
        if (!packages.isEmpty() && script == null) {
            throw Refusal.invalid("--package is for a --script; give one, or take an image that has the packages");
        }
        if (classPath != null && mainClass == null) {
            throw Refusal.invalid("--class-path is for a --main-class; give one");
        }
        if (!args.isEmpty() && !command.isEmpty()) {
            throw Refusal.invalid(
                    "--arg is for a --script, a --main-class or a runtime; write arguments after the COMMAND");
        }
        if (script != null) {
            return CustomTrainer.script(shell.path(script))
                    .args(args)
                    .packagesToInstall(packages.toArray(String[]::new))
                    .nodes(settings);
        }
        if (mainClass != null) {
            return JavaTrainer.mainClass(mainClass)
                    .classPath(classPath(shell))
                    .args(args.toArray(String[]::new))
                    .nodes(settings);
        }
        if (!command.isEmpty()) {
            return new CommandTrainer(command, settings);
        }
        return args.isEmpty() && image != null
                ? new CustomTrainerContainer(settings)
                : new RuntimeTrainer(args.isEmpty() ? Optional.empty() : Optional.of(args), settings);
    }

    private List<Path> classPath(Shell shell) {
        List<Path> entries = new ArrayList<>();
        for (String entry : classPath == null ? new String[0] : classPath.split(Pattern.quote(File.pathSeparator))) {
            if (!entry.isEmpty()) {
                entries.add(shell.path(entry).toAbsolutePath().normalize());
            }
        }
        return entries;
    }

    private static Optional<InitializerSpec> initializer(
            Given given, InitializerTarget target, @Nullable String uri, List<String> texts) {
        String option = "--" + target.directory() + "-option";
        if (uri == null) {
            if (!texts.isEmpty()) {
                throw Refusal.invalid(option + " is given without --" + target.directory() + "; give that too");
            }
            return Optional.empty();
        }
        InitializerSpec spec =
                target == InitializerTarget.DATASET ? InitializerSpec.dataset(uri) : InitializerSpec.model(uri);
        return Optional.of(with(given, spec, texts, option));
    }

    /** Adds options, of which those with the name of a secret are read from files. */
    static InitializerSpec with(Given given, InitializerSpec spec, List<String> texts, String option) {
        InitializerSpec whole = spec;
        for (Map.Entry<String, String> pair : given.pairs(texts, option).entrySet()) {
            if (SECRET.matcher(pair.getKey()).matches()) {
                Secret secret = given.secretOfFile(pair.getKey(), pair.getValue(), option);
                whole = whole.secret(pair.getKey(), secret);
            } else {
                whole = whole.option(pair.getKey(), pair.getValue());
            }
        }
        return whole;
    }
}
