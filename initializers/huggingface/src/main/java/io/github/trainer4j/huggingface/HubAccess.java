package io.github.trainer4j.huggingface;

import io.github.trainer4j.api.Secret;
import io.github.trainer4j.transfer.http.Links;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Where the Hub is, and with which token. A token that the environment has belongs to the Hub that the environment names:
 * a job that names another one is not given it.
 *
 * @param endpoint the address of the Hub
 * @param token the token
 */
record HubAccess(URI endpoint, Optional<Token> token) {
    private static final String HUB = "https://huggingface.co";
    private static final long LONGEST_FILE = 64 << 10;

    /**
     * A token and where it came from.
     *
     * @param value the token
     * @param origin for messages, such as {@code the variable HF_TOKEN}
     */
    record Token(Secret value, String origin) {}

    static HubAccess of(HubOptions options, Map<String, String> environment, Consumer<String> log) {
        URI usual = HubOptions.endpoint(variable(environment, "HF_ENDPOINT").orElse(HUB), "the variable HF_ENDPOINT");
        URI endpoint = options.endpoint().orElse(usual);
        Optional<Token> token = options.accessToken().map(value -> new Token(value, "the option access_token"));
        if (token.isEmpty()) {
            token = find(environment);
            if (token.isPresent() && !Links.sameOrigin(endpoint, usual)) {
                log.accept(token.get().origin() + " has a token for " + usual + ", which is not sent to " + endpoint
                        + "; give one for it with the option access_token");
                token = Optional.empty();
            }
        }
        if (token.isPresent() && isOpenNetwork(endpoint)) {
            log.accept("warning: the token of " + token.get().origin() + " is sent to " + endpoint
                    + " without encryption; use https");
        }
        return new HubAccess(endpoint, token);
    }

    private static Optional<Token> find(Map<String, String> environment) {
        for (String name : new String[] {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"}) {
            Optional<String> value = variable(environment, name);
            if (value.isPresent()) {
                return value.map(text -> new Token(Secret.of(text), "the variable " + name));
            }
        }
        Optional<String> file = variable(environment, "HF_TOKEN_PATH")
                .or(() -> variable(environment, "HF_HOME").map(home -> home + "/token"))
                .or(() -> variable(environment, "XDG_CACHE_HOME").map(home -> home + "/huggingface/token"))
                .or(() -> variable(environment, "HOME").map(home -> home + "/.cache/huggingface/token"));
        return file.flatMap(HubAccess::read);
    }

    /** Reads the file that {@code huggingface-cli login} writes; there need not be one, nor a home at all. */
    private static Optional<Token> read(String name) {
        try {
            Path file = Path.of(name);
            if (!Files.isRegularFile(file) || Files.size(file) > LONGEST_FILE) {
                return Optional.empty();
            }
            String text = Files.readString(file).strip();
            return text.isEmpty() ? Optional.empty() : Optional.of(new Token(Secret.of(text), "the file " + file));
        } catch (IOException | InvalidPathException | SecurityException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> variable(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }

    private static boolean isOpenNetwork(URI endpoint) {
        String host = endpoint.getHost().toLowerCase(Locale.ROOT);
        return endpoint.getScheme().equalsIgnoreCase("http")
                && !host.equals("localhost")
                && !host.startsWith("127.")
                && !host.equals("[::1]");
    }
}
