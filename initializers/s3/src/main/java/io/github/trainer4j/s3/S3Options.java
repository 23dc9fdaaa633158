package io.github.trainer4j.s3;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.NearNames;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.transfer.FilePatterns;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a specification says beyond target and URI, checked.
 *
 * @param endpoint the store, if it is not Amazon's
 * @param region the region, if it was given
 * @param keys the keys to sign with, if they were given
 * @param roleArn the role to take on, if any
 * @param anonymous whether nothing is signed
 * @param pathStyle whether the bucket is part of the path, if it was said
 */
record S3Options(
        Optional<Endpoint> endpoint,
        Optional<String> region,
        Optional<Keys> keys,
        Optional<String> roleArn,
        boolean anonymous,
        Optional<Boolean> pathStyle) {
    static final String ENDPOINT = "endpoint";
    static final String REGION = "region";
    static final String ACCESS_KEY_ID = "access_key_id";
    static final String SECRET_ACCESS_KEY = "secret_access_key";
    static final String SESSION_TOKEN = "session_token";
    static final String ROLE_ARN = "role_arn";
    static final String ANONYMOUS = "anonymous";
    static final String PATH_STYLE = "path_style";
    static final String IGNORE_PATTERNS = "ignore_patterns";

    private static final List<String> OPTIONS =
            List.of(ENDPOINT, REGION, ROLE_ARN, IGNORE_PATTERNS, ANONYMOUS, PATH_STYLE);
    private static final List<String> SECRETS = List.of(ACCESS_KEY_ID, SECRET_ACCESS_KEY, SESSION_TOKEN);
    private static final List<String> ALL =
            Stream.concat(OPTIONS.stream(), SECRETS.stream()).toList();

    private static final Pattern REGION_FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]{0,62}");
    private static final Pattern ROLE_FORM = Pattern.compile("arn:[^:\\s]+:(iam|sts):[^:\\s]*:[^:\\s]*:role/\\S+");

    /**
     * Keys as the user gave them.
     *
     * @param accessKeyId who signs
     * @param secretAccessKey what is signed with
     * @param sessionToken what temporary keys come with
     */
    record Keys(Secret accessKeyId, Secret secretAccessKey, Optional<Secret> sessionToken) {
        /** Returns whether one of them is only a reference to what a backend's store has. */
        boolean isReference() {
            return Stream.concat(Stream.of(accessKeyId, secretAccessKey), sessionToken.stream())
                    .anyMatch(secret -> secret.reference().isPresent());
        }
    }

    /**
     * Reads the options and secrets of a specification.
     *
     * @throws InvalidJobException if one is unknown or malformed, or two do not go together
     */
    static S3Options of(InitializerSpec spec) {
        for (String name : spec.options().keySet()) {
            known(name);
            if (SECRETS.contains(name)) {
                throw new InvalidJobException("the option '" + name
                        + "' of s3:// is a secret; give it as one: spec.secret(\"" + name + "\", Secret.of(…)), or"
                        + " S3.…credentials(…)");
            }
            if (!name.equals(IGNORE_PATTERNS) && spec.options().get(name).isBlank()) {
                throw new InvalidJobException("the option '" + name + "' of s3:// is blank; leave it out");
            }
        }
        for (String name : spec.secrets().keySet()) {
            known(name);
            if (!SECRETS.contains(name)) {
                throw new InvalidJobException(
                        "the option '" + name + "' of s3:// is given as a secret, but is none; give it as an option");
            }
        }
        S3Options options = new S3Options(
                option(spec, ENDPOINT).map(text -> Endpoint.of("the option 'endpoint' of s3://", text)),
                option(spec, REGION).map(S3Options::region),
                keys(spec),
                option(spec, ROLE_ARN).map(S3Options::role),
                option(spec, ANONYMOUS).map(text -> bool(ANONYMOUS, text)).orElse(false),
                option(spec, PATH_STYLE).map(text -> bool(PATH_STYLE, text)));
        if (options.anonymous && (options.keys.isPresent() || options.roleArn.isPresent())) {
            throw new InvalidJobException("anonymous=true of s3:// says to sign nothing, but "
                    + (options.keys.isPresent() ? "keys are" : "role_arn is") + " given too; leave one of them out");
        }
        return options;
    }

    /**
     * Returns the patterns of files to leave out. A default that would leave out the very object that the URI names does
     * not count: who names it wants it.
     */
    static List<String> ignorePatterns(InitializerSpec spec, S3Location location) {
        Optional<String> given = option(spec, IGNORE_PATTERNS);
        List<String> patterns = FilePatterns.ignoring(spec.target(), given);
        if (given.isPresent() || location.isPrefix()) {
            return patterns;
        }
        return patterns.stream()
                .filter(pattern -> new FilePatterns(List.of(), List.of(pattern)).selects(location.name()))
                .toList();
    }

    private static Optional<String> option(InitializerSpec spec, String name) {
        return Optional.ofNullable(spec.options().get(name)).map(String::strip);
    }

    private static void known(String name) {
        if (!ALL.contains(name)) {
            throw new InvalidJobException("'" + Shown.text(name) + "' is not an option of s3://; there are "
                    + String.join(", ", ALL) + NearNames.hint(name, ALL));
        }
    }

    private static Optional<Keys> keys(InitializerSpec spec) {
        Optional<Secret> id = Optional.ofNullable(spec.secrets().get(ACCESS_KEY_ID));
        Optional<Secret> key = Optional.ofNullable(spec.secrets().get(SECRET_ACCESS_KEY));
        Optional<Secret> token = Optional.ofNullable(spec.secrets().get(SESSION_TOKEN));
        if (id.isPresent() != key.isPresent()) {
            throw new InvalidJobException("of access_key_id and secret_access_key of s3:// only "
                    + (id.isPresent() ? ACCESS_KEY_ID : SECRET_ACCESS_KEY) + " is given; give both or none");
        }
        if (id.isEmpty() && token.isPresent()) {
            throw new InvalidJobException(
                    "session_token of s3:// is given without access_key_id and secret_access_key; give all three");
        }
        return id.flatMap(accessKeyId -> key.map(secretKey -> new Keys(accessKeyId, secretKey, token)));
    }

    private static String region(String text) {
        if (!REGION_FORM.matcher(text).matches()) {
            throw new InvalidJobException("the option 'region' of s3:// is '" + Shown.text(text)
                    + "'; a region is letters, digits and '-', as in eu-central-1");
        }
        return text;
    }

    private static String role(String text) {
        if (!ROLE_FORM.matcher(text).matches()) {
            throw new InvalidJobException("the option 'role_arn' of s3:// is '" + Shown.text(text)
                    + "'; write it as in arn:aws:iam::123456789012:role/name");
        }
        return text;
    }

    private static boolean bool(String name, String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new InvalidJobException(
                        "the option '" + name + "' of s3:// is '" + Shown.text(text) + "'; write true or false");
        };
    }
}
