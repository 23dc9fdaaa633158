package io.github.trainer4j.container;

import com.github.dockerjava.api.model.Version;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which engine answers, and in which version. Engines say it in the head of their answer to a ping; that they are not asked
 * for more is what makes a first call quick: Podman on Debian looks its helpers up in the database of packages for it, which
 * takes a second.
 *
 * @param dialect which of the two it is
 * @param number its version
 */
record EngineVersion(Dialect dialect, String number) {
    private static final Pattern NUMBER = Pattern.compile("(\\d+)\\.(\\d+).*");
    private static final Pattern SERVER = Pattern.compile("(Docker|Libpod)/(\\S+).*");

    /** Reads the head of an answer; empty if it does not tell, as behind a proxy that names itself. */
    static Optional<EngineVersion> of(Map<String, List<String>> headers) {
        for (Map.Entry<String, List<String>> header : headers.entrySet()) {
            if (header.getKey().equalsIgnoreCase("Server")) {
                for (String value : header.getValue()) {
                    Matcher server = SERVER.matcher(value);
                    if (server.matches()) {
                        return Optional.of(new EngineVersion(
                                server.group(1).equals("Docker") ? Dialect.DOCKER : Dialect.PODMAN, server.group(2)));
                    }
                }
            }
        }
        return Optional.empty();
    }

    static EngineVersion of(Version version) {
        boolean podman = version.getComponents() != null
                && version.getComponents().stream()
                        .anyMatch(
                                component -> String.valueOf(component.getName()).startsWith("Podman"));
        return new EngineVersion(podman ? Dialect.PODMAN : Dialect.DOCKER, String.valueOf(version.getVersion()));
    }

    /** Whether it says of a container that memory ran out; before version 5 podman does not where it should. */
    boolean tellsOutOfMemory() {
        return dialect == Dialect.DOCKER || isAtLeast(5, 0);
    }

    boolean isAtLeast(int major, int minor) {
        Matcher parts = NUMBER.matcher(number);
        if (!parts.matches()) {
            // A build of somebody's own, and most likely a new one.
            return true;
        }
        int first = Integer.parseInt(parts.group(1));
        return first > major || (first == major && Integer.parseInt(parts.group(2)) >= minor);
    }

    @Override
    public String toString() {
        return (dialect == Dialect.PODMAN ? "Podman " : "Docker ") + number;
    }
}
