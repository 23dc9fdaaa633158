package io.github.trainer4j.client;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.NearNames;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerProvider;
import io.github.trainer4j.api.spi.InitializerRegistry;
import jakarta.inject.Inject;
import java.util.List;

/** Makes initializers with the providers on the class path. */
final class InitializerProviders implements InitializerRegistry {
    private final ProviderRegistry<InitializerProvider> providers;

    @Inject
    InitializerProviders(ProviderRegistry<InitializerProvider> providers) {
        this.providers = providers;
    }

    /**
     * Makes the initializer that the scheme of the specification's URI asks for.
     *
     * @throws InvalidJobException if the scheme is unknown or claimed by two providers, or the initializer refuses the
     *     specification
     * @throws InitializerException if the provider is broken
     */
    @Override
    public Initializer create(InitializerSpec spec) {
        // Of the URI only the scheme is told: somebody may have put a password into the rest.
        String scheme = spec.scheme();
        List<Candidate<InitializerProvider>> found = providers.find(scheme);
        if (found.isEmpty()) {
            throw new InvalidJobException("the " + spec.target().step() + "'s storage URI has the scheme '" + scheme
                    + "', which no initializer knows" + NearNames.hint(scheme, providers.names()) + "; known schemes: "
                    + (providers.names().isEmpty() ? "none" : String.join(", ", providers.names()))
                    + "; to add one, put a jar with an InitializerProvider for it on the class path"
                    + providers.brokenHint());
        }
        if (found.size() > 1) {
            throw new InvalidJobException(providers.ambiguity(found));
        }
        Candidate<InitializerProvider> candidate = found.get(0);
        try {
            Initializer initializer = candidate.provider().create(spec);
            if (initializer == null) {
                throw new NullPointerException("create() returned null");
            }
            return initializer;
        } catch (TrainerException e) {
            throw e;
        } catch (VirtualMachineError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            providers.failed(candidate, e);
            throw new InitializerException(
                    "the initializer for " + scheme + ":// is broken (" + candidate.describe() + "): " + e
                            + "; replace its jar",
                    "BrokenProvider",
                    e);
        }
    }
}
