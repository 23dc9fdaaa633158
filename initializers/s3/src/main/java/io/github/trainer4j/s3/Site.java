package io.github.trainer4j.s3;

import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;

/**
 * Which store is asked, and as which region.
 *
 * @param endpoint the store, if it is not Amazon's
 * @param region the region that requests are signed for
 * @param regionGiven whether the user chose the region for this job; if not, the store may name another
 */
record Site(Optional<Endpoint> endpoint, String region, boolean regionGiven) {
    private static final String USUAL_REGION = "us-east-1";

    /**
     * Reads what the options leave open from the environment, then the profile.
     *
     * @throws io.github.trainer4j.api.InvalidJobException if an endpoint in the environment is malformed
     */
    static Site of(S3Options options, Map<String, String> environment) {
        Optional<Endpoint> endpoint = options.endpoint()
                .or(() -> endpoint(environment, "AWS_ENDPOINT_URL_S3"))
                .or(() -> endpoint(environment, "AWS_ENDPOINT_URL"));
        String region = options.region()
                .or(() -> Credentials.text(environment, "AWS_REGION"))
                .or(() -> Credentials.text(environment, "AWS_DEFAULT_REGION"))
                .or(() -> endpoint.isPresent() ? Optional.empty() : configured())
                .orElse(USUAL_REGION);
        return new Site(endpoint, region, options.region().isPresent());
    }

    private static Optional<Endpoint> endpoint(Map<String, String> environment, String name) {
        return Credentials.text(environment, name)
                .filter(url -> !Credentials.text(environment, "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")
                        .orElse("")
                        .equalsIgnoreCase("true"))
                .map(url -> Endpoint.of("the variable " + name, url));
    }

    /** Instances are not asked for their region: that takes seconds where there is none, and the store knows better. */
    private static Optional<String> configured() {
        try {
            return Optional.of(
                    new AwsRegionProviderChain(new SystemSettingsRegionProvider(), new AwsProfileRegionProvider())
                            .getRegion()
                            .id());
        } catch (SdkException e) {
            return Optional.empty();
        }
    }

    Site in(String region) {
        return new Site(endpoint, region, regionGiven);
    }
}
