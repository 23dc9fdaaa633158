package io.github.trainer4j.datacache;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** What one {@code cache://} URI asks for. Immutable. */
final class DataCacheInitializer implements Initializer {
    /** The names of schemas and tables become variables of the cache; what a URI gives a meaning to is left out. */
    private static final String NAME = "[^/?#%@:\\s\\p{Cntrl}]+";

    private static final Pattern LOCATION = Pattern.compile(NAME + "/" + NAME, Pattern.UNICODE_CHARACTER_CLASS);

    private final InitializerSpec spec;

    /**
     * Checks everything.
     *
     * @throws InvalidJobException if the URI or an option is malformed, or {@code metadata_loc} is missing
     * @throws UnsupportedFeatureException if the target is the model
     */
    DataCacheInitializer(InitializerSpec spec) {
        this.spec = spec;
        if (spec.target() != InitializerTarget.DATASET) {
            throw new UnsupportedFeatureException("cache:// serves the rows of a table to training code, and brings no "
                    + spec.target().directory() + "; use hf:// or s3:// for it");
        }
        if (!LOCATION.matcher(spec.location()).matches()) {
            throw new InvalidJobException("the dataset's storage URI '" + DataCacheOptions.shown(spec.storageUri())
                    + "' does not name a table; write it as cache://SCHEMA/TABLE");
        }
        DataCacheOptions.check(spec);
    }

    @Override
    public InitializerPlan plan() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("STORAGE_URI", spec.storageUri());
        spec.options().forEach((name, value) -> environment.put(name.toUpperCase(Locale.ROOT), value));
        return new InitializerPlan(spec.target(), spec.storageUri(), environment, Map.of());
    }

    @Override
    public boolean needsCluster() {
        return true;
    }

    @Override
    public Optional<Fetcher> fetcher() {
        return Optional.empty();
    }
}
