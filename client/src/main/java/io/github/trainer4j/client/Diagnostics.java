package io.github.trainer4j.client;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What was found on the class path, and what is wrong with it.
 *
 * @param providers all providers of backends and initializers, usable or not
 */
public record Diagnostics(List<ProviderReport> providers) {
    /** Copies the list. */
    public Diagnostics {
        providers = List.copyOf(providers);
    }

    /** Returns the providers that are not used, each with the reason. */
    public List<ProviderReport> problems() {
        return providers.stream()
                .filter(provider -> provider.state() != ProviderReport.State.USABLE)
                .toList();
    }

    /** Returns one line for each provider. */
    @Override
    public String toString() {
        return providers.stream().map(ProviderReport::toString).collect(Collectors.joining("\n"));
    }
}
