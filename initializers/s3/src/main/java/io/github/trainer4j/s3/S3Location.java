package io.github.trainer4j.s3;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * A place in a store, as the URI names it: {@code s3://bucket}, {@code s3://bucket/key} or {@code s3://bucket/prefix/}.
 * What follows the bucket's slash is taken literally, as a key is: nothing in it is decoded, normalised or a wildcard.
 *
 * @param bucket the bucket's name
 * @param key empty for the whole bucket; with a {@code /} at its end a prefix; otherwise an object, or a prefix without
 *     its slash
 */
record S3Location(String bucket, String key) {
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
    private static final Pattern BUCKET_IN_PATH = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]");
    private static final Pattern IP_ADDRESS = Pattern.compile("\\d+\\.\\d+\\.\\d+\\.\\d+");
    private static final int LONGEST_KEY = 1024;

    /**
     * Takes a URI apart.
     *
     * @param inPath whether the bucket's name is never part of a host's name, so that more names are possible
     * @throws InvalidJobException if the bucket's name or the key is not possible
     */
    static S3Location of(InitializerSpec spec, boolean inPath) {
        String location = spec.location();
        int slash = location.indexOf('/');
        String bucket = slash < 0 ? location : location.substring(0, slash);
        String key = slash < 0 ? "" : location.substring(slash + 1);
        boolean good = (inPath ? BUCKET_IN_PATH : BUCKET).matcher(bucket).matches()
                && !bucket.contains("..")
                && !IP_ADDRESS.matcher(bucket).matches();
        if (!good) {
            throw new InvalidJobException(
                    "the " + spec.target().step() + "'s storage URI '" + Shown.text(spec.storageUri())
                            + "' has the bucket '" + Shown.text(bucket)
                            + "'; a bucket's name is 3 to 63 lower-case letters, digits, '-' or '.', and starts and ends with a"
                            + " letter or digit; write s3://bucket, s3://bucket/key or s3://bucket/prefix/"
                            + (BUCKET_IN_PATH.matcher(bucket).matches()
                                    ? " (older names with '_' or upper case need path_style=true)"
                                    : ""));
        }
        if (key.getBytes(StandardCharsets.UTF_8).length > LONGEST_KEY) {
            throw new InvalidJobException("the " + spec.target().step() + "'s storage URI has a key of more than "
                    + LONGEST_KEY + " bytes, which no object has");
        }
        if (key.chars().anyMatch(Character::isISOControl)) {
            throw new InvalidJobException("the " + spec.target().step() + "'s storage URI '"
                    + Shown.text(spec.storageUri()) + "' has a control character; no file is fetched by such a name");
        }
        return new S3Location(bucket, key);
    }

    /** Returns whether it can only be a prefix: the whole bucket, or something that ends with a slash. */
    boolean isPrefix() {
        return key.isEmpty() || key.endsWith("/");
    }

    /** Returns what the keys of all objects under it start with. */
    String prefix() {
        return isPrefix() ? key : key + "/";
    }

    /** Returns the last part of the key: what the file of a single object is called. */
    String name() {
        return key.substring(key.lastIndexOf('/') + 1);
    }

    @Override
    public String toString() {
        return "s3://" + bucket + (key.isEmpty() ? "" : "/" + key);
    }
}
