package io.github.trainer4j.transfer.http;

import io.github.trainer4j.api.InitializerException;
import java.net.URI;
import java.util.Locale;

/** Scheme, host and port: what a credential belongs to. The host of an IPv6 address has no brackets here. */
record Origin(boolean secure, String host, int port) {
    static Origin of(URI uri) {
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        boolean secure = scheme.equals("https");
        if ((!secure && !scheme.equals("http")) || uri.getHost() == null) {
            throw new InitializerException(
                    "'" + withoutQuery(uri) + "' is not an address with http:// or https:// and a host",
                    "BadAddress",
                    null);
        }
        String host = uri.getHost().toLowerCase(Locale.ROOT);
        if (host.startsWith("[")) {
            host = host.substring(1, host.length() - 1);
        }
        return new Origin(secure, host, uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80);
    }

    /** Signed links are as good as a password, so no message has more of an address than its path. */
    static String withoutQuery(URI uri) {
        return (uri.getScheme() == null ? "" : uri.getScheme() + "://")
                + (uri.getHost() == null ? "" : uri.getHost())
                + (uri.getPort() < 0 ? "" : ":" + uri.getPort())
                + (uri.getRawPath() == null ? "" : uri.getRawPath());
    }

    /** Returns host and port as in a {@code Host} header, or in a CONNECT when the port is always wanted. */
    String authority(boolean always) {
        String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return !always && port == (secure ? 443 : 80) ? name : name + ":" + port;
    }

    @Override
    public String toString() {
        return (secure ? "https://" : "http://") + authority(false);
    }
}
