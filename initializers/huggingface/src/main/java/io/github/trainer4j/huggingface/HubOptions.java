package io.github.trainer4j.huggingface;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.NearNames;
import io.github.trainer4j.api.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The options of a specification.
 *
 * @param ignorePatterns the comma-separated list as it was given
 * @param endpoint where the Hub is, without a slash at its end
 * @param accessToken the token
 */
record HubOptions(Optional<String> ignorePatterns, Optional<URI> endpoint, Optional<Secret> accessToken) {
    static final String IGNORE_PATTERNS = "ignore_patterns";
    static final String ENDPOINT = "endpoint";
    static final String ACCESS_TOKEN = "access_token";

    private static final Set<String> KNOWN = new TreeSet<>(Set.of(IGNORE_PATTERNS, ENDPOINT, ACCESS_TOKEN));
    private static final Map<String, String> INSTEAD = Map.of(
            "revision", "write it into the URI: hf://org/name@revision",
            "token", "it is called access_token",
            "allow_patterns",
                    "leave files out by ignore_patterns, or name a directory in the URI:"
                            + " hf://org/name@main/directory");

    /**
     * Reads the options.
     *
     * @throws InvalidJobException if one is unknown or malformed
     */
    static HubOptions of(InitializerSpec spec) {
        spec.options().keySet().forEach(HubOptions::check);
        spec.secrets().keySet().forEach(HubOptions::check);
        if (spec.options().containsKey(ACCESS_TOKEN)) {
            throw new InvalidJobException("the option access_token is a secret; give it with"
                    + " secret(\"access_token\", Secret.of(…)) so that it is never printed");
        }
        for (String plain : Set.of(IGNORE_PATTERNS, ENDPOINT)) {
            if (spec.secrets().containsKey(plain)) {
                throw new InvalidJobException("the option " + plain + " is not a secret; give it with option(…)");
            }
        }
        return new HubOptions(
                Optional.ofNullable(spec.options().get(IGNORE_PATTERNS)),
                Optional.ofNullable(spec.options().get(ENDPOINT)).map(text -> endpoint(text, "the option endpoint")),
                Optional.ofNullable(spec.secrets().get(ACCESS_TOKEN)));
    }

    private static void check(String name) {
        if (!KNOWN.contains(name)) {
            String instead = INSTEAD.get(name);
            throw new InvalidJobException("hf:// has no option '" + name + "'"
                    + (instead == null ? NearNames.hint(name, KNOWN) : "; " + instead)
                    + " (known: " + String.join(", ", KNOWN) + ")");
        }
    }

    /**
     * Parses the address of a Hub.
     *
     * @param where names what it was read from
     * @throws InvalidJobException if it is not an http(s) address
     */
    static URI endpoint(String text, String where) {
        try {
            URI uri = new URI(text.strip().replaceAll("/+$", ""));
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            if ((scheme.equals("http") || scheme.equals("https"))
                    && uri.getHost() != null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && uri.getRawUserInfo() == null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Told below, without the text of the exception, which repeats the value.
        }
        throw new InvalidJobException(
                where + " is not the address of a Hub; write for example https://huggingface.co or"
                        + " http://127.0.0.1:8080");
    }
}
