package io.github.trainer4j.api;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * One step of a job as it was read: an initializer or a node.
 *
 * @param name {@code dataset-initializer}, {@code model-initializer}, {@code launcher}, or {@code node-0} and so on, where
 *     the index is the node's rank
 * @param status where it stands
 * @param instance what runs it: a process id, a container's or a pod's name; empty: nothing yet
 * @param exitCode the exit code, if it ended with one
 * @param reason one word on why it stands there, such as {@code ImagePullBackOff} or {@code OOMKilled}
 * @param message what the reason means here, in the words of whoever gave it, such as a scheduler's
 * @param restarts how often it was started again
 * @param startTime when it started
 * @param endTime when it ended
 * @param image the image it runs, if the backend runs images
 * @param command the program and its arguments; empty: the image's own
 * @param device the kind of devices it was given, such as {@code gpu} or {@code cpu}; empty: unknown
 * @param deviceCount how many of them, in the format of {@link Quantity}; empty: unknown
 * @param bytesDone how much an initializer has fetched
 * @param bytesTotal how much it has to fetch in all
 */
public record Step(
        String name,
        JobStatus status,
        Optional<String> instance,
        OptionalInt exitCode,
        Optional<String> reason,
        Optional<String> message,
        int restarts,
        Optional<Instant> startTime,
        Optional<Instant> endTime,
        Optional<String> image,
        List<String> command,
        Optional<String> device,
        Optional<String> deviceCount,
        OptionalLong bytesDone,
        OptionalLong bytesTotal) {

    /**
     * Copies and checks everything.
     *
     * @throws InvalidJobException if a part is null or the name blank
     */
    public Step {
        Check.text(name, "the step's name");
        Check.present(status, "the step's status");
        Check.present(instance, "the step's instance");
        Check.present(exitCode, "the step's exit code");
        Check.present(reason, "the step's reason");
        Check.present(message, "the step's message");
        Check.atLeast(restarts, 0, "the step's restarts");
        Check.present(startTime, "the step's start time");
        Check.present(endTime, "the step's end time");
        Check.present(image, "the step's image");
        command = Check.list(command, "the step's command");
        Check.present(device, "the step's device");
        Check.present(deviceCount, "the step's device count");
        Check.present(bytesDone, "the bytes done");
        Check.present(bytesTotal, "the bytes in all");
    }

    /** Returns a builder for a step of this name, with status {@code Created} and nothing else. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Collects the parts of a step. Not for use by several threads at once. */
    public static final class Builder {
        private final String name;
        private JobStatus status = JobStatus.CREATED;
        private Optional<String> instance = Optional.empty();
        private OptionalInt exitCode = OptionalInt.empty();
        private Optional<String> reason = Optional.empty();
        private Optional<String> message = Optional.empty();
        private int restarts;
        private Optional<Instant> startTime = Optional.empty();
        private Optional<Instant> endTime = Optional.empty();
        private Optional<String> image = Optional.empty();
        private List<String> command = List.of();
        private Optional<String> device = Optional.empty();
        private Optional<String> deviceCount = Optional.empty();
        private OptionalLong bytesDone = OptionalLong.empty();
        private OptionalLong bytesTotal = OptionalLong.empty();

        private Builder(String name) {
            this.name = name;
        }

        /** Sets the status. */
        public Builder status(JobStatus status) {
            this.status = status;
            return this;
        }

        /** Sets what runs it. */
        public Builder instance(String instance) {
            this.instance = Optional.of(Check.present(instance, "the step's instance"));
            return this;
        }

        /** Sets the exit code. */
        public Builder exitCode(int exitCode) {
            this.exitCode = OptionalInt.of(exitCode);
            return this;
        }

        /** Sets the reason. */
        public Builder reason(String reason) {
            this.reason = Optional.of(Check.present(reason, "the step's reason"));
            return this;
        }

        /** Sets what the reason means here. */
        public Builder message(String message) {
            this.message = Optional.of(Check.present(message, "the step's message"));
            return this;
        }

        /** Sets the number of restarts. */
        public Builder restarts(int restarts) {
            this.restarts = restarts;
            return this;
        }

        /** Sets the start time. */
        public Builder startTime(Instant startTime) {
            this.startTime = Optional.of(Check.present(startTime, "the step's start time"));
            return this;
        }

        /** Sets the end time. */
        public Builder endTime(Instant endTime) {
            this.endTime = Optional.of(Check.present(endTime, "the step's end time"));
            return this;
        }

        /** Sets the image. */
        public Builder image(String image) {
            this.image = Optional.of(Check.present(image, "the step's image"));
            return this;
        }

        /** Sets the program and its arguments. */
        public Builder command(List<String> command) {
            this.command = command;
            return this;
        }

        /** Sets kind and number of devices. */
        public Builder device(String device, String count) {
            this.device = Optional.of(Check.present(device, "the step's device"));
            this.deviceCount = Optional.of(Check.present(count, "the step's device count"));
            return this;
        }

        /** Sets how much was fetched, and how much there is, if that is known. */
        public Builder bytes(long done, OptionalLong total) {
            this.bytesDone = OptionalLong.of(done);
            this.bytesTotal = total;
            return this;
        }

        /** Returns the step. */
        public Step build() {
            return new Step(
                    name,
                    status,
                    instance,
                    exitCode,
                    reason,
                    message,
                    restarts,
                    startTime,
                    endTime,
                    image,
                    command,
                    device,
                    deviceCount,
                    bytesDone,
                    bytesTotal);
        }
    }
}
