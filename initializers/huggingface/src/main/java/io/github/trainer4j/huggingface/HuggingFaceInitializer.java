package io.github.trainer4j.huggingface;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import io.github.trainer4j.transfer.FilePatterns;
import io.github.trainer4j.transfer.Source;
import io.github.trainer4j.transfer.Transfer;
import io.github.trainer4j.transfer.TransferSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A dataset or model of the Hub. */
record HuggingFaceInitializer(InitializerTarget target, HubUri uri, HubOptions options) implements Initializer {
    /** What the images of Kubeflow fetch of a model; everything else in a repository is of no use to a training. */
    private static final List<String> MODEL_FILES = List.of("*.json", "*.safetensors", "*.model", "*.txt", "*.gguf");

    static HuggingFaceInitializer of(InitializerSpec spec) {
        return new HuggingFaceInitializer(spec.target(), HubUri.parse(spec.storageUri()), HubOptions.of(spec));
    }

    @Override
    public InitializerPlan plan() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("STORAGE_URI", uri.toString());
        List<String> ignored = ignored();
        if (!ignored.isEmpty() || options.ignorePatterns().isPresent()) {
            environment.put("IGNORE_PATTERNS", String.join(",", ignored));
        }
        options.endpoint().ifPresent(endpoint -> environment.put("HF_ENDPOINT", endpoint.toString()));
        Map<String, Secret> secrets = options.accessToken()
                .map(token -> Map.of("ACCESS_TOKEN", token))
                .orElse(Map.of());
        return new InitializerPlan(target, uri.toString(), environment, secrets);
    }

    /** Returns one, unless the token is a reference to a store that only a cluster has. */
    @Override
    public Optional<Fetcher> fetcher() {
        if (options.accessToken().flatMap(Secret::reference).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(fetcher(TransferSettings.defaults()));
    }

    Fetcher fetcher(TransferSettings settings) {
        return (directory, context) -> {
            HubAccess access = HubAccess.of(options, context.environment(), context::log);
            try (Source source = new HubSource(this, access, settings, context)) {
                Transfer.fetch(source, directory, context, settings);
            }
        };
    }

    private List<String> ignored() {
        return FilePatterns.ignoring(target, options.ignorePatterns());
    }

    /** Returns which files of the repository are wanted. */
    FilePatterns patterns() {
        return new FilePatterns(target == InitializerTarget.MODEL ? MODEL_FILES : List.of(), ignored());
    }

    /** Returns the same for one file that the URI names: it is wanted whatever its kind, unless somebody said not. */
    FilePatterns patternsForOneFile() {
        return new FilePatterns(
                List.of(), options.ignorePatterns().map(FilePatterns::parse).orElse(List.of()));
    }
}
