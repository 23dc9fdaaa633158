package io.github.trainer4j.container;

import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A file with logins: Docker's {@code config.json}, Podman's {@code auth.json}. They are written alike. */
final class LoginFile {
    private static final Duration HELPER_LIMIT = Duration.ofSeconds(30);

    private final Path file;
    private final Map<String, String> environment;
    private final Duration helperLimit;

    LoginFile(Path file, Map<String, String> environment) {
        this(file, environment, HELPER_LIMIT);
    }

    LoginFile(Path file, Map<String, String> environment, Duration helperLimit) {
        this.file = file;
        this.environment = environment;
        this.helperLimit = helperLimit;
    }

    /**
     * Looks for a login: with the helper of the registry, with the helper of all registries, in the file itself.
     *
     * @param notes is told where there was none, and why
     */
    Optional<RegistryLogin> find(ImageRegistry registry, List<String> notes) {
        Map<String, @Nullable Object> content;
        try {
            content = Json.parseObject(Files.readString(file));
        } catch (NoSuchFileException e) {
            notes.add(file + " (no such file)");
            return Optional.empty();
        } catch (IOException e) {
            notes.add(file + " (cannot be read: " + e.getClass().getSimpleName() + ")");
            return Optional.empty();
        } catch (Json.MalformedJsonException e) {
            // Without the message, which may quote a secret.
            notes.add(file + " (is no JSON)");
            return Optional.empty();
        }
        for (String helper : helpers(content, registry)) {
            CredentialProgram program = new CredentialProgram(helper, environment, helperLimit);
            try {
                Optional<RegistryLogin> login = program.get(registry.server(), file.toString());
                if (login.isPresent()) {
                    return login;
                }
                notes.add(program.program() + " (has none for " + registry.server() + ")");
            } catch (IOException e) {
                notes.add(program.program() + " (" + e.getMessage() + ")");
            }
        }
        Optional<Object> entry = entry(content.get("auths"), registry);
        if (entry.isEmpty()) {
            notes.add(file + " (nothing for " + registry.host() + ")");
            return Optional.empty();
        }
        Optional<RegistryLogin> login =
                entry.get() instanceof Map<?, ?> fields ? login(fields, registry) : Optional.empty();
        if (login.isEmpty()) {
            notes.add(file + " (its entry for " + registry.host() + " has no login)");
        }
        return login;
    }

    private static List<String> helpers(Map<String, @Nullable Object> content, ImageRegistry registry) {
        List<String> helpers = new ArrayList<>();
        if (entry(content.get("credHelpers"), registry).orElse("") instanceof String helper && !helper.isBlank()) {
            helpers.add(helper);
        }
        if (content.get("credsStore") instanceof String store && !store.isBlank() && !helpers.contains(store)) {
            helpers.add(store);
        }
        return helpers;
    }

    private static Optional<Object> entry(@Nullable Object map, ImageRegistry registry) {
        if (map instanceof Map<?, ?> entries) {
            for (String scope : registry.scopes()) {
                for (Map.Entry<?, ?> entry : entries.entrySet()) {
                    if (ImageRegistry.scope(String.valueOf(entry.getKey())).equals(scope)) {
                        return Optional.ofNullable(entry.getValue());
                    }
                }
            }
        }
        return Optional.empty();
    }

    private Optional<RegistryLogin> login(Map<?, ?> fields, ImageRegistry registry) {
        String source = file.toString();
        try {
            if (fields.get("identitytoken") instanceof String token && !token.isBlank()) {
                return Optional.of(new RegistryLogin(registry.server(), "", Secret.of(token), true, source));
            }
            if (fields.get("auth") instanceof String auth && !auth.isBlank()) {
                String text = new String(Base64.getDecoder().decode(auth.strip()), StandardCharsets.UTF_8);
                int colon = text.indexOf(':');
                return colon <= 0
                        ? Optional.empty()
                        : Optional.of(RegistryLogin.of(
                                registry.server(),
                                text.substring(0, colon),
                                // Old versions of Docker pad it.
                                Secret.of(text.substring(colon + 1).replaceFirst("\0+$", "")),
                                source));
            }
            if (fields.get("username") instanceof String user && fields.get("password") instanceof String password) {
                return Optional.of(RegistryLogin.of(registry.server(), user, Secret.of(password), source));
            }
        } catch (IllegalArgumentException | InvalidJobException e) {
            // A damaged entry is none; its text stays here.
            return Optional.empty();
        }
        return Optional.empty();
    }
}
