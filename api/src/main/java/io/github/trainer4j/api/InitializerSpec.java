package io.github.trainer4j.api;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says what to fetch before training starts, and how. The scheme of the storage URI chooses the initializer; options and
 * secrets carry the names of Kubeflow's fields in snake case ({@code ignore_patterns}, {@code access_token}), lists are
 * comma separated. The initializer checks them when the job is planned.
 *
 * @param target what is fetched
 * @param storageUri where from, such as {@code hf://org/data} or {@code s3://bucket/prefix}
 * @param options settings of the initializer by name
 * @param secrets settings whose values are secrets
 * @param image the image that runs it where initializers are containers; empty: the backend's default
 * @param timeout how long one attempt may take; empty: no limit of its own
 * @param retries how many further attempts there are after a failed one
 * @param resources what it may use where initializers are containers
 */
public record InitializerSpec(
        InitializerTarget target,
        String storageUri,
        Map<String, String> options,
        Map<String, Secret> secrets,
        Optional<String> image,
        Optional<Duration> timeout,
        int retries,
        Resources resources) {
    private static final Pattern URI = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://(.+)");
    private static final Pattern OPTION = Pattern.compile("[a-z][a-z0-9_]{0,252}");

    /**
     * Copies and checks everything that needs no knowledge of the scheme.
     *
     * @throws InvalidJobException if the URI has no scheme, nothing after it, or a password in it, an option's name is not
     *     snake case, or one is given as option and as secret
     */
    public InitializerSpec {
        Check.present(target, "the initializer's target");
        Check.text(storageUri, "the " + target.step() + "'s storage URI");
        String authority = storageUri.replaceFirst("^[^:]*://", "").replaceFirst("/.*$", "");
        if (authority.contains("@")
                && authority.substring(0, authority.lastIndexOf('@')).contains(":")) {
            throw new InvalidJobException("the " + target.step()
                    + "'s storage URI has a password in it, which would be shown; give it as a secret option");
        }
        Matcher uri = URI.matcher(storageUri);
        if (!uri.matches()) {
            throw new InvalidJobException("the " + target.step() + "'s storage URI '" + Check.printable(storageUri)
                    + "' has no scheme or nothing after it; write for example hf://org/name or s3://bucket/prefix");
        }
        if (!uri.group(1).equals(uri.group(1).toLowerCase(java.util.Locale.ROOT))) {
            throw new InvalidJobException("the " + target.step() + "'s storage URI '" + Check.printable(storageUri)
                    + "' has its scheme in upper case; write "
                    + uri.group(1).toLowerCase(java.util.Locale.ROOT) + "://…");
        }
        options = Check.map(options, "options", (name, value) -> {
            optionName(name);
            Check.argument(value, "option " + name);
        });
        secrets = Check.map(secrets, "secrets", (name, value) -> optionName(name));
        for (String name : secrets.keySet()) {
            if (options.containsKey(name)) {
                throw new InvalidJobException("'" + name + "' is given as an option and as a secret; give it once");
            }
        }
        Check.image(image, "the " + target.step() + "'s image");
        Check.positive(timeout, "the " + target.step() + "'s timeout");
        Check.atLeast(retries, 0, "the " + target.step() + "'s retries");
        Check.present(resources, "the " + target.step() + "'s resources");
    }

    /**
     * Returns a description of what to fetch for this target from this URI.
     *
     * @throws InvalidJobException if the URI is malformed
     */
    public static InitializerSpec of(InitializerTarget target, String storageUri) {
        return new InitializerSpec(
                target, storageUri, Map.of(), Map.of(), Optional.empty(), Optional.empty(), 0, Resources.none());
    }

    /**
     * Returns a description of a dataset to fetch.
     *
     * @throws InvalidJobException if the URI is malformed
     */
    public static InitializerSpec dataset(String storageUri) {
        return of(InitializerTarget.DATASET, storageUri);
    }

    /**
     * Returns a description of a model to fetch.
     *
     * @throws InvalidJobException if the URI is malformed
     */
    public static InitializerSpec model(String storageUri) {
        return of(InitializerTarget.MODEL, storageUri);
    }

    /** Returns the scheme of the URI, in lower case, without {@code ://}. */
    public String scheme() {
        return storageUri.substring(0, storageUri.indexOf("://"));
    }

    /** Returns the URI without its scheme and {@code ://}. */
    public String location() {
        return storageUri.substring(storageUri.indexOf("://") + 3);
    }

    /** Returns a copy with one more option, which is not there yet. */
    public InitializerSpec option(String name, String value) {
        Map<String, String> more = Check.plus(options, name, value, "options");
        return new InitializerSpec(target, storageUri, more, secrets, image, timeout, retries, resources);
    }

    /** Returns a copy with one more secret option, which is not there yet. */
    public InitializerSpec secret(String name, Secret value) {
        Map<String, Secret> more = Check.plus(secrets, name, value, "secrets");
        return new InitializerSpec(target, storageUri, options, more, image, timeout, retries, resources);
    }

    /** Returns a copy that runs this image where initializers are containers. */
    public InitializerSpec image(String image) {
        return new InitializerSpec(
                target,
                storageUri,
                options,
                secrets,
                Optional.of(Check.image(image, "the " + target.step() + "'s image")),
                timeout,
                retries,
                resources);
    }

    /** Returns a copy in which one attempt may take so long. */
    public InitializerSpec timeout(Duration timeout) {
        return new InitializerSpec(
                target,
                storageUri,
                options,
                secrets,
                image,
                Optional.of(Check.positive(timeout, "the " + target.step() + "'s timeout")),
                retries,
                resources);
    }

    /** Returns a copy with this number of further attempts after a failed one. */
    public InitializerSpec retries(int retries) {
        return new InitializerSpec(target, storageUri, options, secrets, image, timeout, retries, resources);
    }

    /** Returns a copy with these resources. */
    public InitializerSpec resources(Resources resources) {
        return new InitializerSpec(target, storageUri, options, secrets, image, timeout, retries, resources);
    }

    private static void optionName(String name) {
        if (!OPTION.matcher(name).matches()) {
            throw new InvalidJobException("'" + Check.printable(name)
                    + "' is not the name of an option; write it in lower case with '_', as in ignore_patterns");
        }
    }
}
