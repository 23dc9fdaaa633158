package io.github.trainer4j.api;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A value that must not be seen: a token, a key, a password. It cannot be printed or serialised by accident: its text
 * form is a fixed placeholder, and only {@link #reveal()}, called where the value goes onto the wire, gives it out.
 *
 * <p>A secret is either a value or a reference to one that the backend keeps (for example a Kubernetes Secret).
 */
public final class Secret {
    private static final String HIDDEN = "Secret[hidden]";

    private final @Nullable String value;
    private final @Nullable Reference reference;

    /**
     * Names a secret that a backend keeps.
     *
     * @param name the name of the store's entry, for example of a Kubernetes Secret
     * @param key the key within it
     */
    public record Reference(String name, String key) {
        /**
         * Checks both parts.
         *
         * @throws InvalidJobException if one is blank
         */
        public Reference {
            Check.text(name, "the secret's name");
            Check.text(key, "the secret's key");
        }
    }

    private Secret(@Nullable String value, @Nullable Reference reference) {
        this.value = value;
        this.reference = reference;
    }

    /**
     * Returns a secret with this value. White space around it is dropped: tokens are often read from files that end with
     * a line break, which no header may carry.
     *
     * @throws InvalidJobException if the value is null, blank, or no process could be given it
     */
    public static Secret of(String value) {
        Check.present(value, "a secret's value");
        String trimmed = value.strip();
        if (trimmed.isEmpty()) {
            throw new InvalidJobException("a secret's value is blank; leave the secret out where there is none");
        }
        Check.argument(trimmed, "a secret's value");
        return new Secret(trimmed, null);
    }

    /**
     * Returns a reference to a secret that the backend keeps; backends without such a store refuse it.
     *
     * @throws InvalidJobException if a part is blank
     */
    public static Secret reference(String name, String key) {
        return new Secret(null, new Reference(name, key));
    }

    /** Returns where the backend keeps the secret, or empty if this object has the value itself. */
    public Optional<Reference> reference() {
        return Optional.ofNullable(reference);
    }

    /**
     * Returns the value. Call it only where the value leaves the process for the place it is meant for.
     *
     * @throws UnsupportedFeatureException if this is a reference, whose value only the backend's store has
     */
    public String reveal() {
        if (value == null) {
            throw new UnsupportedFeatureException("this secret is a reference (" + reference
                    + ") and has no value here; give its value with Secret.of,"
                    + " or use a backend that keeps secrets, such as kubernetes");
        }
        return value;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Secret secret
                && Objects.equals(reference, secret.reference)
                && MessageDigest.isEqual(bytes(value), bytes(secret.value));
    }

    /** Returns a constant for values, so that not even a hash of one can leak. */
    @Override
    public int hashCode() {
        return Objects.hashCode(reference);
    }

    /** Returns a placeholder, never the value. */
    @Override
    public String toString() {
        return reference == null ? HIDDEN : "Secret[" + reference.name() + "/" + reference.key() + "]";
    }

    private static byte[] bytes(@Nullable String text) {
        return text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
    }
}
