package io.github.trainer4j.api;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The description of a training job, the same for every backend.
 *
 * @param name the job's name; empty: one is generated
 * @param runtime the runtime; empty: the configured default, {@code torch-distributed}
 * @param trainer what runs on the nodes; empty: what the runtime says
 * @param initializers what is fetched first, at most one for each target
 * @param labels labels of the job
 * @param annotations annotations of the job
 * @param deadline how long the job may take from its creation until it is ended as failed; empty: as long as it likes
 * @param options wishes that only some backends can fulfil
 */
public record TrainJobRequest(
        Optional<String> name,
        Optional<RuntimeRef> runtime,
        Optional<Trainer> trainer,
        List<InitializerSpec> initializers,
        Map<String, String> labels,
        Map<String, String> annotations,
        Optional<Duration> deadline,
        List<JobOption> options) {

    /**
     * Copies and checks everything.
     *
     * @throws InvalidJobException if a value is malformed, two initializers have one target, or an option that takes one
     *     value is given twice
     */
    public TrainJobRequest {
        Check.optional(name, "the job's name").ifPresent(JobName::check);
        Check.present(runtime, "the job's runtime");
        Check.present(trainer, "the job's trainer");
        initializers = Check.list(initializers, "initializers");
        Set<InitializerTarget> targets = EnumSet.noneOf(InitializerTarget.class);
        for (InitializerSpec initializer : initializers) {
            if (!targets.add(initializer.target())) {
                throw new InvalidJobException("the job has two initializers for "
                        + initializer.target().directory() + "; give one for each target");
            }
        }
        labels = Check.labels(labels, "labels");
        annotations = Check.annotations(annotations, "annotations");
        Check.positive(deadline, "the job's deadline");
        options = Check.list(options, "options");
        for (Class<?> single : List.of(ImagePullPolicy.class, WorkspaceClaim.class, ReadOnlyInputs.class)) {
            List<JobOption> given = options.stream().filter(single::isInstance).toList();
            if (given.size() > 1) {
                throw new InvalidJobException(
                        "the option " + given.get(0).optionName() + " is given twice; give it once");
            }
        }
    }

    /** Returns an empty builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the settings of the nodes: the trainer's, or all left to the runtime. */
    public NodeSettings nodes() {
        return trainer.map(Trainer::nodes).orElse(NodeSettings.defaults());
    }

    /** Returns a builder that has all of this. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.name = name;
        builder.runtime = runtime;
        builder.trainer = trainer;
        builder.initializers.addAll(initializers);
        builder.labels = labels;
        builder.annotations = annotations;
        builder.deadline = deadline;
        builder.options.addAll(options);
        return builder;
    }

    /** Returns a copy with this name. */
    public TrainJobRequest withName(String name) {
        return toBuilder().name(name).build();
    }

    /** Returns a copy with this runtime. */
    public TrainJobRequest withRuntime(TrainingRuntime runtime) {
        return toBuilder().runtime(runtime).build();
    }

    /** Collects the parts of a request. Not for use by several threads at once. */
    public static final class Builder {
        private Optional<String> name = Optional.empty();
        private Optional<RuntimeRef> runtime = Optional.empty();
        private Optional<Trainer> trainer = Optional.empty();
        private final List<InitializerSpec> initializers = new ArrayList<>();
        private Map<String, String> labels = Map.of();
        private Map<String, String> annotations = Map.of();
        private Optional<Duration> deadline = Optional.empty();
        private final List<JobOption> options = new ArrayList<>();

        private Builder() {}

        /**
         * Names the job; without a name one is generated.
         *
         * @throws InvalidJobException if it is not an RFC 1035 label of at most 63 characters
         */
        public Builder name(String name) {
            this.name = Optional.of(JobName.check(name));
            return this;
        }

        /** Chooses the runtime by name. */
        public Builder runtime(String name) {
            this.runtime = Optional.of(RuntimeRef.named(name));
            return this;
        }

        /** Refers to the runtime, as when one of the namespace and one of the whole cluster have the same name. */
        public Builder runtime(RuntimeRef reference) {
            this.runtime = Optional.of(Check.present(reference, "the job's runtime"));
            return this;
        }

        /** Gives the runtime itself. */
        public Builder runtime(TrainingRuntime runtime) {
            this.runtime = Optional.of(RuntimeRef.of(runtime));
            return this;
        }

        /** Says what runs on the nodes. */
        public Builder trainer(Trainer trainer) {
            this.trainer = Optional.of(Check.<Trainer>present(trainer, "the job's trainer"));
            return this;
        }

        /** Runs this script on the nodes: short for {@code trainer(CustomTrainer.script(file))}. */
        public Builder script(Path file) {
            return trainer(CustomTrainer.script(file));
        }

        /**
         * Fetches this dataset first.
         *
         * @throws InvalidJobException if its target is not the dataset
         */
        public Builder dataset(InitializerSpec dataset) {
            return initializer(dataset, InitializerTarget.DATASET);
        }

        /**
         * Fetches the dataset first that this describes.
         *
         * @throws InvalidJobException if its target is not the dataset, or a part of it is malformed
         */
        public Builder dataset(InitializerDescription dataset) {
            return dataset(Check.present(dataset, "the " + InitializerTarget.DATASET.step())
                    .spec());
        }

        /** Fetches the dataset at this URI first, with the initializer's defaults. */
        public Builder dataset(String storageUri) {
            return dataset(InitializerSpec.dataset(storageUri));
        }

        /**
         * Fetches this model first.
         *
         * @throws InvalidJobException if its target is not the model
         */
        public Builder model(InitializerSpec model) {
            return initializer(model, InitializerTarget.MODEL);
        }

        /**
         * Fetches the model first that this describes.
         *
         * @throws InvalidJobException if its target is not the model, or a part of it is malformed
         */
        public Builder model(InitializerDescription model) {
            return model(Check.present(model, "the " + InitializerTarget.MODEL.step())
                    .spec());
        }

        /** Fetches the model at this URI first, with the initializer's defaults. */
        public Builder model(String storageUri) {
            return model(InitializerSpec.model(storageUri));
        }

        /** Fetches these first, and nothing that was given before. */
        public Builder initializers(List<InitializerSpec> initializers) {
            List<InitializerSpec> given = Check.list(initializers, "the job's initializers");
            this.initializers.clear();
            this.initializers.addAll(given);
            return this;
        }

        private Builder initializer(InitializerSpec spec, InitializerTarget target) {
            if (Check.present(spec, "the " + target.step()).target() != target) {
                throw new InvalidJobException("the initializer of " + spec.storageUri() + " fetches the "
                        + spec.target().directory() + ", but was given as the " + target.directory()
                        + "; give it as the "
                        + spec.target().directory());
            }
            initializers.add(spec);
            return this;
        }

        /** Adds a label, whose key is not there yet. */
        public Builder label(String key, String value) {
            labels = Check.plus(labels, key, value, "labels");
            return this;
        }

        /** Adds an annotation, whose key is not there yet. */
        public Builder annotation(String key, String value) {
            annotations = Check.plus(annotations, key, value, "annotations");
            return this;
        }

        /** Ends the job as failed when it has not ended by itself so long after its creation. */
        public Builder deadline(Duration deadline) {
            this.deadline = Optional.of(Check.positive(deadline, "the job's deadline"));
            return this;
        }

        /** Adds an option, which only some backends can fulfil. */
        public Builder option(JobOption option) {
            options.add(option);
            return this;
        }

        /** Takes these options, and none that was given before. */
        public Builder options(List<JobOption> options) {
            List<JobOption> given = Check.list(options, "the job's options");
            this.options.clear();
            this.options.addAll(given);
            return this;
        }

        /**
         * Returns the request.
         *
         * @throws InvalidJobException as the constructor of {@link TrainJobRequest} does
         */
        public TrainJobRequest build() {
            return new TrainJobRequest(name, runtime, trainer, initializers, labels, annotations, deadline, options);
        }
    }
}
