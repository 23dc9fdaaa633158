package io.github.trainer4j.api;

import java.util.Optional;

/**
 * Names the runtime of a job, or gives it whole.
 *
 * @param name the runtime's name
 * @param scope whose runtime is meant; empty: on a cluster one of the namespace before one of the whole cluster. Where there
 *     is no cluster a name has one runtime only, and this says nothing
 * @param value the runtime itself; empty: the backend looks the name up
 */
public record RuntimeRef(String name, Optional<TrainingRuntime.Scope> scope, Optional<TrainingRuntime> value) {
    /**
     * Checks the name.
     *
     * @throws InvalidJobException if it is not the name of a resource, or name or scope are not those of the runtime given
     */
    public RuntimeRef {
        Check.name(name, "the runtime's name");
        Check.present(scope, "the runtime's scope");
        TrainingRuntime given = Check.present(value, "the runtime").orElse(null);
        if (given != null
                && !(given.name().equals(name) && Optional.of(given.scope()).equals(scope))) {
            throw new InvalidJobException("the runtime's name is '" + Check.printable(name) + "' and its scope "
                    + scope.map(Enum::name).orElse("open") + ", but the one given is " + given.name() + " of scope "
                    + given.scope() + "; use RuntimeRef.of");
        }
    }

    /** Returns a reference to the runtime of this name. */
    public static RuntimeRef named(String name) {
        return new RuntimeRef(name, Optional.empty(), Optional.empty());
    }

    /** Returns a reference to the runtime of this name in the namespace, or in the whole cluster. */
    public static RuntimeRef named(String name, TrainingRuntime.Scope scope) {
        return new RuntimeRef(name, Optional.of(Check.present(scope, "the runtime's scope")), Optional.empty());
    }

    /** Returns a reference to this very runtime. */
    public static RuntimeRef of(TrainingRuntime runtime) {
        Check.present(runtime, "the runtime");
        return new RuntimeRef(runtime.name(), Optional.of(runtime.scope()), Optional.of(runtime));
    }
}
