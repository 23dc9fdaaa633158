package io.github.trainer4j.client;

import java.util.Objects;
import java.util.Optional;

/**
 * What became of one provider of a backend or an initializer that was found on the class path.
 *
 * @param kind {@code backend} or {@code initializer}
 * @param name the backend's name or the initializer's scheme; empty: it could not be asked
 * @param className the provider's class; empty: not even that is known
 * @param location the jar or directory it comes from, as far as that is known
 * @param state whether it can be used
 * @param problem why it cannot be used
 */
public record ProviderReport(
        String kind,
        Optional<String> name,
        Optional<String> className,
        String location,
        State state,
        Optional<String> problem) {
    /** Whether a provider can be used. */
    public enum State {
        /** It can. */
        USABLE,
        /** It could not be loaded, or failed when it was asked for something. */
        BROKEN,
        /** It has the name of another plug-in, so neither is used. */
        AMBIGUOUS,
        /** It has the name of a provider of this product, which is used instead. */
        HIDDEN
    }

    /** Checks that no part is null. */
    public ProviderReport {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(location, "location");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(problem, "problem");
    }

    /** Returns all of it in one line. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(kind);
        name.ifPresent(n -> text.append(" '").append(n).append('\''));
        className.ifPresent(c -> text.append(" of ").append(c));
        text.append(" in ").append(location);
        problem.ifPresent(p -> text.append(": ").append(p));
        return text.toString();
    }
}
