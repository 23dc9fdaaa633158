package io.github.trainer4j.testkit.toy;

import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What is fetched, and both ways to have it fetched. */
record ToyInitializer(
        InitializerTarget target,
        String storageUri,
        Map<String, String> options,
        Map<String, Secret> secrets,
        ToyFiles files)
        implements Initializer {
    @Override
    public InitializerPlan plan() {
        Map<String, String> environment = new LinkedHashMap<>(options);
        environment.put("STORAGE_URI", storageUri);
        return new InitializerPlan(target, storageUri, environment, secrets);
    }

    @Override
    public Optional<Fetcher> fetcher() {
        return Optional.of(files);
    }
}
