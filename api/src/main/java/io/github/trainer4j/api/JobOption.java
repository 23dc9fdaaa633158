package io.github.trainer4j.api;

import java.util.List;
import java.util.Set;

/**
 * A wish that only some backends can fulfil. A backend refuses every option whose type it does not know, with an error
 * that names the option and the backend. A plug-in may define options of its own.
 */
public interface JobOption {
    /** Returns the name by which errors speak of the option, such as {@code imagePullPolicy}. */
    String optionName();

    /**
     * Refuses what a backend does not know; backends call this before they begin anything.
     *
     * @param backend the backend's name
     * @param options what a job asks for
     * @param known the types of the options that the backend knows
     * @throws UnsupportedFeatureException if there are others; it names them all
     */
    static void check(String backend, List<JobOption> options, Set<Class<? extends JobOption>> known) {
        List<String> others = options.stream()
                .filter(option -> known.stream().noneMatch(type -> type.isInstance(option)))
                .map(JobOption::optionName)
                .toList();
        if (others.size() == 1) {
            throw new UnsupportedFeatureException("backend " + backend + " does not know the option " + others.get(0)
                    + "; remove it, or use the backend that it is for");
        }
        if (!others.isEmpty()) {
            throw new UnsupportedFeatureException("backend " + backend + " does not know the options "
                    + String.join(", ", others) + "; remove them, or use the backend that they are for");
        }
    }
}
