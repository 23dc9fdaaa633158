package io.github.trainer4j.container;

import com.github.dockerjava.transport.DockerHttpClient;
import io.github.trainer4j.container.EngineException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Files on an engine's machine: volumes, and what is copied into containers and out of them. */
final class EngineFiles {
    /** A copy takes as long as its bytes need. */
    private static final Duration COPY_LIMIT = Duration.ofHours(12);

    private final EngineConnection connection;

    EngineFiles(EngineConnection connection) {
        this.connection = connection;
    }

    /** Does something with a tar archive while it comes. */
    interface Reading {
        void read(InputStream tar) throws IOException;
    }

    /**
     * Makes a volume.
     *
     * @throws EngineException of kind CONFLICT if there is one of this name that is not the job's
     */
    void createVolume(String name, Map<String, String> labels) {
        String what = "create the volume " + name;
        Map<String, @Nullable Object> made = connection.complete(
                what, () -> connection.post(what, "/volumes/create", Map.of("Name", name, "Labels", labels)));
        // An engine that has one of this name gives that.
        if (!uid(made).equals(labels.getOrDefault(Labels.UID, ""))) {
            throw new EngineException(
                    Kind.CONFLICT,
                    "there is a volume " + name + " already, which is not the job's; remove it, or choose another name"
                            + " for the job",
                    null);
        }
    }

    /** Removes the volume of a job, if it is there. */
    void removeVolume(String name, String uid) {
        String what = "remove the volume " + name;
        String path = "/volumes/" + encoded(name);
        try {
            Map<String, @Nullable Object> found = connection.call(what, () -> connection.get(what, path));
            if (uid(found).equals(uid)) {
                connection.call(what, () -> {
                    connection.stream(what, "DELETE", path).close();
                    return true;
                });
            }
        } catch (EngineException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }

    private static String uid(Map<String, @Nullable Object> volume) {
        return volume.get("Labels") instanceof Map<?, ?> labels ? String.valueOf(labels.get(Labels.UID)) : "";
    }

    /** Puts what a tar archive has into a directory of a container, which need not run. */
    void put(String container, String directory, InputStream tar) {
        String what = "take files for the container " + container;
        connection.call(what, COPY_LIMIT, () -> {
            connection.put(what, archive(container, directory), tar);
            return true;
        });
    }

    /** Has a directory of a container read as a tar archive. */
    void get(String container, String directory, Reading reading) {
        String what = "give the files of the container " + container;
        connection.call(what, COPY_LIMIT, () -> {
            try (DockerHttpClient.Response response = connection.stream(what, "GET", archive(container, directory))) {
                reading.read(response.getBody());
                return true;
            }
        });
    }

    private static String archive(String container, String directory) {
        return "/containers/" + container + "/archive?path=" + encoded(directory);
    }

    /**
     * Whether the engine sees a directory of this machine. Docker looks whether it does before it looks for the image,
     * so that an image that nobody has is enough to ask; Podman does not, and says nothing.
     */
    Optional<Boolean> sees(Path directory) {
        String what = "say whether it sees " + directory;
        Map<String, Object> mount =
                Map.of("Type", "bind", "Source", directory.toString(), "Target", "/probe", "ReadOnly", true);
        Map<String, Object> body = Map.of(
                "Image",
                "trainer4j-probe/" + UUID.randomUUID() + ":none",
                "HostConfig",
                Map.of("Mounts", List.of(mount)));
        try {
            connection.call(what, () -> connection.post(what, "/containers/create", body));
            return Optional.empty();
        } catch (EngineException e) {
            return switch (e.kind()) {
                case NOT_FOUND -> Optional.of(true);
                case REFUSED -> Optional.of(false);
                case CONFLICT, FAILED -> Optional.empty();
                case LOST, TIMEOUT, INTERRUPTED -> throw e;
            };
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
