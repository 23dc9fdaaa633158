package io.github.trainer4j.huggingface;

import io.github.trainer4j.api.InitializerDescription;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.Secret;
import java.util.Arrays;
import java.util.Objects;

/**
 * Describes a dataset or a model of the Hugging Face Hub.
 *
 * <pre>{@code
 * TrainJobRequest.builder()
 *         .dataset(HuggingFace.dataset("hf://org/data").accessToken(token))
 *         .model(HuggingFace.model("hf://org/base@v1.0").ignorePatterns("*.gguf"))
 * }</pre>
 *
 * <p>A URI is {@code hf://[ORG/]NAME[@REVISION][/PATH]}. A REVISION is a branch, a tag or a commit, {@code main} if none is
 * given; a {@code /} in it is written {@code %2F}. With a PATH only that file or directory is fetched, and lands without
 * the names that lead to it; behind a NAME without ORG it needs a REVISION. Immutable: each method returns a new
 * description.
 */
public final class HuggingFace implements InitializerDescription {
    private final InitializerSpec spec;

    private HuggingFace(InitializerSpec spec) {
        this.spec = spec;
    }

    /**
     * Describes a dataset.
     *
     * @throws InvalidJobException if the URI does not follow the grammar
     */
    public static HuggingFace dataset(String uri) {
        return of(InitializerSpec.dataset(uri));
    }

    /**
     * Describes a model. Of its repository the files that a training reads are fetched: {@code *.json},
     * {@code *.safetensors}, {@code *.model}, {@code *.txt} and {@code *.gguf}.
     *
     * @throws InvalidJobException if the URI does not follow the grammar
     */
    public static HuggingFace model(String uri) {
        return of(InitializerSpec.model(uri));
    }

    private static HuggingFace of(InitializerSpec spec) {
        HubUri.parse(spec.storageUri());
        return new HuggingFace(spec);
    }

    /**
     * Fetches this branch, tag or commit, in place of one in the URI.
     *
     * @throws InvalidJobException if no revision can be called so
     */
    public HuggingFace revision(String revision) {
        HubUri uri = HubUri.parse(spec.storageUri()).at(Objects.requireNonNull(revision, "revision"));
        return new HuggingFace(new InitializerSpec(
                spec.target(),
                uri.toString(),
                spec.options(),
                spec.secrets(),
                spec.image(),
                spec.timeout(),
                spec.retries(),
                spec.resources()));
    }

    /**
     * Leaves out files whose whole path below the repository, or below the URI's path, matches one of these patterns, as
     * Python's {@code fnmatch} does: {@code *} matches a {@code /} too. They stand in for the defaults, which for a model
     * are {@code *.msgpack}, {@code *.h5}, {@code *.bin}, {@code *.pt} and {@code *.pth}; without any nothing is left out.
     *
     * @throws InvalidJobException if a pattern has a comma, which separates patterns
     */
    public HuggingFace ignorePatterns(String... patterns) {
        for (String pattern : patterns) {
            if (pattern.isBlank() || pattern.indexOf(',') >= 0) {
                throw new InvalidJobException("the ignore pattern '" + Text.shown(pattern)
                        + "' is blank or has a comma, which separates patterns; use '?' for the comma");
            }
        }
        return option(HubOptions.IGNORE_PATTERNS, String.join(",", Arrays.asList(patterns)));
    }

    /** Uses this token, in place of one that the environment has. */
    public HuggingFace accessToken(Secret token) {
        return new HuggingFace(spec.secret(HubOptions.ACCESS_TOKEN, token));
    }

    /**
     * Asks this Hub, such as {@code https://hub.example}, in place of {@code https://huggingface.co} or the one that the
     * variable {@code HF_ENDPOINT} names. A token that the environment has is not sent there.
     *
     * @throws InvalidJobException if it is not an address with http:// or https://
     */
    public HuggingFace endpoint(String endpoint) {
        HubOptions.endpoint(endpoint, "the endpoint");
        return option(HubOptions.ENDPOINT, endpoint);
    }

    private HuggingFace option(String name, String value) {
        return new HuggingFace(spec.option(name, value));
    }

    @Override
    public InitializerSpec spec() {
        HuggingFaceInitializer.of(spec);
        return spec;
    }
}
