package io.github.trainer4j.api;

import java.util.Optional;

/**
 * Names the runtime of a job, or gives it whole.
 *
 * @param name the runtime's name
 * @param value the runtime itself; empty: the backend looks the name up
 */
public record RuntimeRef(String name, Optional<TrainingRuntime> value) {
    /**
     * Checks the name.
     *
     * @throws InvalidJobException if it is not the name of a resource, or not that of the runtime given
     */
    public RuntimeRef {
        Check.name(name, "the runtime's name");
        Check.present(value, "the runtime").ifPresent(runtime -> {
            if (!runtime.name().equals(name)) {
                throw new InvalidJobException("the runtime's name is '" + Check.printable(name)
                        + "', but the one given is " + runtime.name() + "; use RuntimeRef.of");
            }
        });
    }

    /** Returns a reference to the runtime of this name. */
    public static RuntimeRef named(String name) {
        return new RuntimeRef(name, Optional.empty());
    }

    /** Returns a reference to this very runtime. */
    public static RuntimeRef of(TrainingRuntime runtime) {
        Check.present(runtime, "the runtime");
        return new RuntimeRef(runtime.name(), Optional.of(runtime));
    }
}
