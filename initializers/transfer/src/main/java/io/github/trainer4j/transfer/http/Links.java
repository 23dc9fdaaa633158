package io.github.trainer4j.transfer.http;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses as servers write them. */
public final class Links {
    private static final String ALLOWED = "-._~:/?[]@!$&'()*+,;=";
    private static final Pattern NEXT = Pattern.compile("<([^>]*)>\\s*;[^,<]*rel=\"?next\"?(?:[;,\\s].*)?");

    private Links() {}

    /**
     * Resolves a link of an answer; characters that an address cannot have are encoded, a fragment and a login dropped.
     *
     * @throws IOException if even so it is no address
     */
    public static URI resolve(URI base, String link) throws IOException {
        StringBuilder text = new StringBuilder();
        int fragment = link.indexOf('#');
        byte[] bytes =
                (fragment < 0 ? link : link.substring(0, fragment)).strip().getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            int c = bytes[i] & 0xff;
            boolean plain = c < 128 && (Character.isLetterOrDigit(c) || ALLOWED.indexOf(c) >= 0);
            boolean escape = c == '%' && i + 2 < bytes.length && isHex(bytes[i + 1]) && isHex(bytes[i + 2]);
            if (plain || escape) {
                text.append((char) c);
            } else {
                text.append(String.format("%%%02X", c));
            }
        }
        try {
            URI uri = base.resolve(new URI(text.toString()));
            return uri.getRawUserInfo() == null ? uri : new URI(uri.toString().replaceFirst("//[^/@]*@", "//"));
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw new IOException("the answer of " + Origin.withoutQuery(base) + " has a link that is no address", e);
        }
    }

    private static boolean isHex(byte b) {
        return Character.digit(b, 16) >= 0;
    }

    /** Returns the link of a header {@code Link} that is marked as the next page. */
    public static Optional<String> next(String header) {
        Matcher matcher = NEXT.matcher(header);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** Returns whether two addresses have one scheme, host and port. */
    public static boolean sameOrigin(URI one, URI other) {
        return Origin.of(one).equals(Origin.of(other));
    }

    /** Encodes the names of a path for an address: everything but letters, digits and {@code -._~}, and the slashes. */
    public static String encodePath(String path) {
        StringBuilder text = new StringBuilder();
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            int c = b & 0xff;
            if (c < 128 && (Character.isLetterOrDigit(c) || "-._~/".indexOf(c) >= 0)) {
                text.append((char) c);
            } else {
                text.append(String.format("%%%02X", c));
            }
        }
        return text.toString();
    }

    /** Returns an address without its query, which may be a signature, for logs and errors. */
    public static String shown(URI uri) {
        return Origin.withoutQuery(uri);
    }
}
