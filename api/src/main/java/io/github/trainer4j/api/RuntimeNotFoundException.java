package io.github.trainer4j.api;

import java.util.Collection;
import java.util.List;

/** There is no training runtime of this name. */
public final class RuntimeNotFoundException extends TrainerException {
    private static final long serialVersionUID = 1L;

    private final List<String> available;

    /** Makes the error; its message has near names and the names there are. */
    public RuntimeNotFoundException(String name, Collection<String> available) {
        super(
                "there is no runtime '" + Check.printable(name) + "'" + NearNames.hint(name, available) + "; runtimes: "
                        + (available.isEmpty() ? "none" : String.join(", ", available)),
                null);
        this.available = List.copyOf(available);
    }

    /** Returns the names that there are. */
    public List<String> available() {
        return available;
    }
}
