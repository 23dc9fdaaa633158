package io.github.trainer4j.container;

import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.Trainer;
import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.launch.Placement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The class path of a job's JVMs: jars and folders of this machine, which containers see read-only, or have copies of in
 * their workspace where the engine sees nothing of this machine.
 */
final class ClassPath {
    /** Where copies lie in the workspace. */
    static final String DIRECTORY = Launch.DIRECTORY + "/classpath";

    private static final String PLACE = "/opt/trainer4j/classpath";

    private final boolean copied;
    private final Map<Path, String> places = new LinkedHashMap<>();
    private final List<Mount> mounts = new ArrayList<>();
    private final Map<String, Path> copies = new LinkedHashMap<>();

    private ClassPath(boolean copied) {
        this.copied = copied;
    }

    /**
     * Returns the class path of a trainer; empty for one that has none.
     *
     * @param copied whether containers have copies of it
     * @throws InvalidJobException if an entry does not exist
     */
    static ClassPath of(Optional<Trainer> trainer, boolean copied) {
        ClassPath classPath = new ClassPath(copied);
        if (trainer.orElse(null) instanceof JavaTrainer java) {
            for (Path entry : java.classPath()) {
                if (!classPath.places.containsKey(entry)) {
                    classPath.add(entry);
                }
            }
        }
        return classPath;
    }

    private void add(Path entry) {
        boolean wildcard = entry.endsWith("*");
        Path absolute = entry.toAbsolutePath().normalize();
        Path source = wildcard ? absolute.resolveSibling("").normalize() : absolute;
        if (!Files.exists(source)) {
            throw new InvalidJobException(
                    "the class path has " + absolute + ", which does not exist; build it, or correct the path");
        }
        String name = "/" + places.size() + (source.getFileName() == null ? "" : "/" + source.getFileName());
        String place = copied ? Placement.CONTAINER_WORKSPACE + "/" + DIRECTORY + name : PLACE + name;
        if (copied) {
            copies.put(DIRECTORY + name, source);
        } else {
            mounts.add(Mount.readOnly(source.toString(), place));
        }
        places.put(entry, wildcard ? place + "/*" : place);
    }

    /** Returns where a container sees an entry. */
    String inContainer(Path entry) {
        return places.getOrDefault(entry, entry.toString());
    }

    List<Mount> mounts() {
        return mounts;
    }

    /** Returns what is to be copied, by where it is wanted in the workspace. */
    Map<String, Path> copies() {
        return copies;
    }
}
