package io.github.trainer4j.testkit;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import io.github.trainer4j.api.spi.InitializerProvider;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Plans {@code hf://} as Kubeflow's initializer images understand it: options and secrets become variables of the same names
 * in capitals. For tests of backends whose initializers are images that obey the same contract. It fetches nothing itself.
 */
public final class StandInInitializerProvider implements InitializerProvider {
    /** Makes one; it has no state. */
    public StandInInitializerProvider() {}

    @Override
    public String scheme() {
        return "hf";
    }

    @Override
    public Initializer create(InitializerSpec spec) {
        Map<String, String> env = new LinkedHashMap<>();
        env.put("STORAGE_URI", spec.storageUri());
        spec.options().forEach((name, value) -> env.put(name.toUpperCase(Locale.ROOT), value));
        Map<String, Secret> secrets = new LinkedHashMap<>();
        spec.secrets().forEach((name, value) -> secrets.put(name.toUpperCase(Locale.ROOT), value));
        InitializerPlan plan = new InitializerPlan(spec.target(), spec.storageUri(), env, secrets);
        return new Initializer() {
            @Override
            public InitializerPlan plan() {
                return plan;
            }

            @Override
            public Optional<Fetcher> fetcher() {
                return Optional.empty();
            }
        };
    }
}
