package io.github.trainer4j.s3;

import io.github.trainer4j.api.InitializerException;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.s3.S3Options.Keys;
import java.io.Closeable;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * What requests are signed with: the keys of the options, else those of the environment, else what the SDK's default
 * chain finds; with a role, what that role is given for them; or nothing at all. Safe for several threads.
 */
final class Credentials implements Closeable {
    private final Optional<AwsCredentialsProvider> provider;
    private final String origin;

    private Credentials(Optional<AwsCredentialsProvider> provider, String origin) {
        this.provider = provider;
        this.origin = origin;
    }

    private record Found(AwsCredentialsProvider provider, String origin) {}

    /** Chooses; asks nobody yet. */
    static Credentials of(S3Options options, Map<String, String> environment, String region) {
        if (options.anonymous()) {
            return new Credentials(Optional.empty(), "nothing (anonymous=true)");
        }
        Found own = options.keys()
                .map(Credentials::ofOptions)
                .or(() -> ofEnvironment(environment))
                .orElseGet(() -> ofChain(environment));
        Found found = options.roleArn()
                .map(role -> new Found(
                        AssumedRole.of(role, own.provider, region, environment),
                        "the role " + role + ", taken on with " + own.origin))
                .orElse(own);
        return new Credentials(Optional.of(found.provider), found.origin);
    }

    private static Found ofOptions(Keys keys) {
        return new Found(
                fixed(
                        keys.accessKeyId().reveal(),
                        keys.secretAccessKey().reveal(),
                        keys.sessionToken().map(Secret::reveal)),
                "the keys of the options");
    }

    private static Optional<Found> ofEnvironment(Map<String, String> environment) {
        return text(environment, "AWS_ACCESS_KEY_ID")
                .flatMap(id -> text(environment, "AWS_SECRET_ACCESS_KEY")
                        .map(key -> new Found(
                                fixed(id, key, text(environment, "AWS_SESSION_TOKEN")),
                                "the keys of the environment (AWS_ACCESS_KEY_ID)")));
    }

    private static Found ofChain(Map<String, String> environment) {
        DefaultCredentialsProvider.Builder chain = DefaultCredentialsProvider.builder();
        text(environment, "AWS_PROFILE").ifPresent(chain::profileName);
        return new Found(chain.build(), "the AWS default chain");
    }

    private static AwsCredentialsProvider fixed(String id, String key, Optional<String> token) {
        return StaticCredentialsProvider.create(token.<AwsCredentials>map(t -> AwsSessionCredentials.create(id, key, t))
                .orElseGet(() -> AwsBasicCredentials.create(id, key)));
    }

    /** Returns a variable's value, if it is set and not blank. */
    static Optional<String> text(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /** Says where they are from, without showing any. */
    String origin() {
        return origin;
    }

    /**
     * Returns what to sign with now; empty: sign nothing. May ask a service.
     *
     * @param place what is to be read, for errors
     * @throws InitializerException if there are none, or a role is refused
     */
    Optional<AwsCredentials> get(String place) {
        try {
            return provider.map(AwsCredentialsProvider::resolveCredentials);
        } catch (SdkException e) {
            throw new InitializerException(
                    "there are no credentials for " + place + ": " + origin + " gave none ("
                            + Shown.text(e.getMessage())
                            + "); give access_key_id and secret_access_key, or set AWS_ACCESS_KEY_ID and"
                            + " AWS_SECRET_ACCESS_KEY, or give anonymous=true if everybody may read the bucket",
                    "Unauthorized",
                    e);
        }
    }

    @Override
    public void close() {
        if (provider.orElse(null) instanceof SdkAutoCloseable closeable) {
            closeable.close();
        }
    }
}
