package io.github.trainer4j.api.spi;

/**
 * Makes a backend. An implementation has a public constructor without parameters, stands in
 * {@code META-INF/services/io.github.trainer4j.api.spi.BackendProvider}, and does no I/O until {@link #create}.
 */
public interface BackendProvider {
    /** Returns the name by which configuration chooses the backend, such as {@code local}. */
    String name();

    /**
     * Makes a backend.
     *
     * @param settings the settings under the backend's name; every key that is read here is known, all others are
     *     reported to the user as unknown, so read all keys, also those that this call will not need
     * @param context what the backend must not fetch for itself
     * @return a backend that may connect lazily; the caller closes it
     * @throws io.github.trainer4j.api.ConfigurationException if settings contradict one another
     * @throws io.github.trainer4j.api.BackendUnavailableException if it cannot work here at all
     */
    Backend create(Settings settings, BackendContext context);
}
