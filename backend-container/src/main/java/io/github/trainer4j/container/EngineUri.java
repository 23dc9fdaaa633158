package io.github.trainer4j.container;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** Reads the addresses of engines as people and other programs write them. */
final class EngineUri {
    private static final int PLAIN_PORT = 2375;
    private static final int TLS_PORT = 2376;

    private EngineUri() {}

    /** Returns the address of a socket; its path may have any characters. */
    static URI ofSocket(Path path) {
        try {
            return URI.create("unix://" + new URI(null, null, path.toString(), null).getRawPath());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(path + " is no path of a socket", e);
        }
    }

    /**
     * Reads an address.
     *
     * @param tls whether TLS will be spoken, which decides the port where none is given
     * @throws IllegalArgumentException if it is none that can be used; the message says why
     */
    static URI parse(String text, boolean tls) {
        String stripped = text.strip();
        if (stripped.startsWith("unix:")) {
            String path = stripped.substring("unix:".length());
            path = path.startsWith("//") ? path.substring(2) : path;
            if (!path.startsWith("/") || path.length() == 1 || path.indexOf('\0') >= 0) {
                throw malformed(text);
            }
            return ofSocket(Path.of(decoded(path)));
        }
        if (stripped.startsWith("ssh:")) {
            throw new IllegalArgumentException("'" + withoutPassword(text)
                    + "' is reached by ssh, which is not supported; forward its socket with 'ssh -nNT -L"
                    + " /tmp/engine.sock:/var/run/docker.sock HOST', and say unix:///tmp/engine.sock as host");
        }
        try {
            URI uri = new URI(stripped);
            if ("tcp".equals(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null) {
                int port = uri.getPort() >= 0 ? uri.getPort() : tls ? TLS_PORT : PLAIN_PORT;
                return new URI("tcp", null, uri.getHost(), port, uri.getPath(), null, null);
            }
        } catch (URISyntaxException e) {
            throw malformed(text);
        }
        throw malformed(text);
    }

    private static String decoded(String path) {
        try {
            String text = new URI(path).getPath();
            return text == null ? path : text;
        } catch (URISyntaxException e) {
            // A path as it is, with a blank for example.
            return path;
        }
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException("'" + withoutPassword(text)
                + "' is not the address of an engine; write for example unix:///var/run/docker.sock or"
                + " tcp://host:2376");
    }

    private static String withoutPassword(String text) {
        return text.replaceAll("//[^/@]*@", "//");
    }
}
