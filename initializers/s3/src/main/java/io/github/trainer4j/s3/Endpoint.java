package io.github.trainer4j.s3;

import io.github.trainer4j.api.InvalidJobException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a store other than Amazon's listens.
 *
 * @param scheme {@code http} or {@code https}
 * @param authority host, and port unless it is the scheme's own
 * @param path what stands before every bucket: empty, or a path that starts but does not end with {@code /}
 * @param schemeGiven whether the user wrote the scheme; {@code https} is taken otherwise
 */
record Endpoint(String scheme, String authority, String path, boolean schemeGiven) {
    private static final Pattern FORM = Pattern.compile("(?:(?<scheme>[A-Za-z][A-Za-z0-9+.-]*)://)?"
            + "(?<host>[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+])"
            + "(?::(?<port>[0-9]{1,5}))?"
            + "(?<path>(/[A-Za-z0-9._~-]+)*)/*");

    /**
     * Reads {@code host}, {@code host:port} or an http or https URL.
     *
     * @param name what the text is, for errors
     * @throws InvalidJobException if it is none of these
     */
    static Endpoint of(String name, String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw wrong(name, text);
        }
        String scheme =
                form.group("scheme") == null ? "https" : form.group("scheme").toLowerCase(Locale.ROOT);
        int ownPort = scheme.equals("http") ? 80 : 443;
        int port = form.group("port") == null ? ownPort : Integer.parseInt(form.group("port"));
        if (!(scheme.equals("http") || scheme.equals("https")) || port < 1 || port > 65_535) {
            throw wrong(name, text);
        }
        String host = form.group("host").toLowerCase(Locale.ROOT);
        return new Endpoint(
                scheme, port == ownPort ? host : host + ":" + port, form.group("path"), form.group("scheme") != null);
    }

    private static InvalidJobException wrong(String name, String text) {
        // Whatever stands before an @ may be a password.
        String shown = text.indexOf('@') < 0 ? text : "…" + text.substring(text.lastIndexOf('@'));
        return new InvalidJobException(name + " is '" + Shown.text(shown)
                + "'; write host:port (then https is used), http://host:port or https://host:port, without user,"
                + " query or fragment");
    }

    /** Returns the URL. */
    @Override
    public String toString() {
        return scheme + "://" + authority + path;
    }
}
