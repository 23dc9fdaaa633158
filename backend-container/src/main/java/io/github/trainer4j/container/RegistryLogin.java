package io.github.trainer4j.container;

import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How somebody is known to a registry.
 *
 * @param server the registry, as the engine wants it named
 * @param user the user's name; blank with a token
 * @param secret the password, or the token
 * @param token whether the secret is a token that stands for the user
 * @param source where it was found, for people
 */
record RegistryLogin(String server, String user, Secret secret, boolean token, String source) {
    /** The name that credential helpers give to tokens. */
    static final String TOKEN_USER = "<token>";

    static RegistryLogin of(String server, String user, Secret secret, String source) {
        boolean token = user.equals(TOKEN_USER);
        return new RegistryLogin(server, token ? "" : user, secret, token, source);
    }

    /** Returns the header that goes with a pull. It has the secret: for the wire alone. */
    String header() {
        Map<String, String> fields = new LinkedHashMap<>();
        if (token) {
            fields.put("identitytoken", secret.reveal());
        } else {
            fields.put("username", user);
            fields.put("password", secret.reveal());
        }
        fields.put("serveraddress", server);
        // With padding: engines refuse it without.
        return Base64.getUrlEncoder().encodeToString(Json.write(fields).getBytes(StandardCharsets.UTF_8));
    }

    /** Says whose it is, without the secret. */
    @Override
    public String toString() {
        return (token ? "a token" : "user " + user) + " of " + source;
    }
}
