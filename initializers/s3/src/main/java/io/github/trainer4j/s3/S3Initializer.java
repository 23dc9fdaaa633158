package io.github.trainer4j.s3;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.spi.FetchContext;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import io.github.trainer4j.s3.S3Options.Keys;
import io.github.trainer4j.transfer.FilePatterns;
import io.github.trainer4j.transfer.Transfer;
import io.github.trainer4j.transfer.TransferSettings;
import io.github.trainer4j.transfer.http.HttpSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What one {@code s3://} URI asks for. Immutable. */
final class S3Initializer implements Initializer {
    /** The end of the names of directory buckets (S3 Express), which want a session before anything is asked. */
    private static final String DIRECTORY_BUCKET = "--x-s3";

    private final InitializerSpec spec;
    private final S3Options options;
    private final S3Location location;

    /**
     * Checks everything.
     *
     * @throws io.github.trainer4j.api.InvalidJobException if the URI or an option is malformed, or two options do not go
     *     together
     * @throws UnsupportedFeatureException if the bucket is of a kind that cannot be read
     */
    S3Initializer(InitializerSpec spec) {
        this.spec = spec;
        this.options = S3Options.of(spec);
        this.location = S3Location.of(
                spec, options.pathStyle().orElse(options.endpoint().isPresent()));
        if (options.endpoint().isEmpty() && location.bucket().endsWith(DIRECTORY_BUCKET)) {
            throw new UnsupportedFeatureException("the bucket '" + location.bucket()
                    + "' is a directory bucket (S3 Express), which s3:// cannot read; copy what you need into a bucket of"
                    + " the general kind");
        }
    }

    @Override
    public InitializerPlan plan() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("STORAGE_URI", spec.storageUri());
        List<String> ignored = ignorePatterns();
        if (!ignored.isEmpty() || spec.options().containsKey(S3Options.IGNORE_PATTERNS)) {
            // The defaults too: Kubeflow's image knows none where the variable is missing.
            environment.put(variable(S3Options.IGNORE_PATTERNS), String.join(",", ignored));
        }
        options.endpoint().ifPresent(endpoint -> environment.put(variable(S3Options.ENDPOINT), endpoint.toString()));
        options.region().ifPresent(region -> environment.put(variable(S3Options.REGION), region));
        options.roleArn().ifPresent(role -> environment.put(variable(S3Options.ROLE_ARN), role));
        if (options.anonymous()) {
            environment.put(variable(S3Options.ANONYMOUS), "true");
        }
        options.pathStyle().ifPresent(inPath -> environment.put(variable(S3Options.PATH_STYLE), inPath.toString()));
        Map<String, Secret> secrets = new LinkedHashMap<>();
        spec.secrets().forEach((name, secret) -> secrets.put(variable(name), secret));
        return new InitializerPlan(spec.target(), spec.storageUri(), environment, secrets);
    }

    private static String variable(String option) {
        return option.toUpperCase(Locale.ROOT);
    }

    private List<String> ignorePatterns() {
        return S3Options.ignorePatterns(spec, location);
    }

    /** Returns one, unless a key is a reference to a store that only a cluster has. */
    @Override
    public Optional<Fetcher> fetcher() {
        return options.keys().stream().anyMatch(Keys::isReference)
                ? Optional.empty()
                : Optional.of((directory, context) -> fetch(directory, context, TransferSettings.defaults()));
    }

    void fetch(Path directory, FetchContext context, TransferSettings settings)
            throws IOException, InterruptedException {
        try (S3Source source = source(context, settings)) {
            Transfer.fetch(source, directory, context, settings);
        }
    }

    S3Source source(FetchContext context, TransferSettings settings) {
        Site site = Site.of(options, context.environment());
        Credentials credentials = Credentials.of(options, context.environment(), site.region());
        HttpSettings http = HttpSettings.of(settings.stallTimeout(), context.environment());
        Bucket bucket = new Bucket(location.bucket(), options, site, credentials, http, context::log);
        S3Source source = new S3Source(location, new FilePatterns(List.of(), ignorePatterns()), bucket, context::log);
        context.log("reading " + source.identity() + ", signed with " + credentials.origin());
        return source;
    }
}
