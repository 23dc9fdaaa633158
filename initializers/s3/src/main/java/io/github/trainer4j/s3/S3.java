package io.github.trainer4j.s3;

import io.github.trainer4j.api.InitializerDescription;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.Secret;

/**
 * Says which dataset or model to fetch from Amazon S3 or a compatible store:
 *
 * <pre>{@code
 * TrainJobRequest.builder()
 *         .model(S3.model("s3://models/base/").endpoint("http://127.0.0.1:9000").credentials(id, key))
 * }</pre>
 *
 * <p>{@code s3://bucket} is everything in a bucket, {@code s3://bucket/prefix/} everything below a prefix (files are
 * named by what follows it), and {@code s3://bucket/key} exactly one object or, if there is no such object, everything
 * below {@code key/}. Keys are taken literally: nothing in a URI is decoded, and {@code *} is a star.
 *
 * <p>It stands for an {@link InitializerSpec} whose options have the names of Kubeflow's variables in lower case:
 * {@code endpoint}, {@code region}, {@code role_arn}, {@code ignore_patterns}, {@code anonymous}, {@code path_style}, and
 * as secrets {@code access_key_id}, {@code secret_access_key}, {@code session_token}. Immutable: every method returns a
 * new object.
 */
public final class S3 implements InitializerDescription {
    private final InitializerSpec spec;

    private S3(InitializerSpec spec) {
        this.spec = spec;
    }

    /**
     * Starts the description of a dataset.
     *
     * @throws InvalidJobException if the URI has no scheme or nothing after it
     */
    public static S3 dataset(String storageUri) {
        return new S3(InitializerSpec.dataset(storageUri));
    }

    /**
     * Starts the description of a model.
     *
     * @throws InvalidJobException if the URI has no scheme or nothing after it
     */
    public static S3 model(String storageUri) {
        return new S3(InitializerSpec.model(storageUri));
    }

    /**
     * Fetches from this store instead of Amazon's: {@code host:port} (by https), {@code http://host:port} or
     * {@code https://host:port}. Without it, {@code AWS_ENDPOINT_URL_S3} or {@code AWS_ENDPOINT_URL} of the environment
     * counts, where the download runs in this JVM.
     */
    public S3 endpoint(String endpoint) {
        return option(S3Options.ENDPOINT, endpoint);
    }

    /**
     * Names the region. Without it, that of the environment or the profile counts, then {@code us-east-1}; if the store
     * answers that the bucket is elsewhere, that region is used.
     */
    public S3 region(String region) {
        return option(S3Options.REGION, region);
    }

    /**
     * Signs with these keys. Without them, the AWS default chain is asked: environment, web identity, profile, container,
     * instance.
     */
    public S3 credentials(Secret accessKeyId, Secret secretAccessKey) {
        return new S3(
                spec.secret(S3Options.ACCESS_KEY_ID, accessKeyId).secret(S3Options.SECRET_ACCESS_KEY, secretAccessKey));
    }

    /** Signs with these keys, which are temporary and come with a token. */
    public S3 credentials(Secret accessKeyId, Secret secretAccessKey, Secret sessionToken) {
        return new S3(credentials(accessKeyId, secretAccessKey).spec.secret(S3Options.SESSION_TOKEN, sessionToken));
    }

    /** Takes on this role, such as {@code arn:aws:iam::123456789012:role/reader}, with the credentials there are. */
    public S3 roleArn(String roleArn) {
        return option(S3Options.ROLE_ARN, roleArn);
    }

    /** Signs nothing: for buckets that everybody may read. */
    public S3 anonymous() {
        return option(S3Options.ANONYMOUS, "true");
    }

    /**
     * Says whether the bucket is part of the path ({@code true}) or of the host's name ({@code false}). Without it, it is
     * part of the path for every endpoint but Amazon's.
     */
    public S3 pathStyle(boolean pathStyle) {
        return option(S3Options.PATH_STYLE, Boolean.toString(pathStyle));
    }

    /**
     * Leaves out files whose path below the URI matches one of these patterns, as in Python's {@code fnmatch} ({@code *}
     * matches {@code /} too). No pattern at all: nothing is left out. Without a call of this method, weights in formats
     * other than safetensors are left out of a model.
     *
     * @throws InvalidJobException if a pattern is blank or has a comma, which separates patterns
     */
    public S3 ignorePatterns(String... patterns) {
        for (String pattern : patterns) {
            if (pattern.isBlank() || pattern.indexOf(',') >= 0) {
                throw new InvalidJobException("the ignore pattern '" + Shown.text(pattern)
                        + "' is blank or has a comma, which separates patterns; use '?' for the comma");
            }
        }
        return option(S3Options.IGNORE_PATTERNS, String.join(",", patterns));
    }

    /**
     * Returns the description, on which image, timeout, retries and resources can be set.
     *
     * @throws InvalidJobException if the URI or an option is malformed, or two do not go together
     * @throws io.github.trainer4j.api.UnsupportedFeatureException if it is a directory bucket (S3 Express)
     */
    @Override
    public InitializerSpec spec() {
        new S3InitializerProvider().create(spec);
        return spec;
    }

    private S3 option(String name, String value) {
        return new S3(spec.option(name, value));
    }
}
