package io.github.trainer4j.container;

import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import io.github.trainer4j.api.Trainer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The class path of a job's JVMs: jars and folders of this machine, which containers see read-only. */
final class ClassPath {
    private static final String PLACE = "/opt/trainer4j/classpath/";

    private final Map<Path, String> places;
    private final List<Mount> mounts;

    private ClassPath(Map<Path, String> places, List<Mount> mounts) {
        this.places = places;
        this.mounts = mounts;
    }

    /**
     * Returns the class path of a trainer; empty for one that has none.
     *
     * @throws InvalidJobException if an entry does not exist
     */
    static ClassPath of(Optional<Trainer> trainer) {
        Map<Path, String> places = new LinkedHashMap<>();
        List<Mount> mounts = new ArrayList<>();
        if (trainer.orElse(null) instanceof JavaTrainer java) {
            for (Path entry : java.classPath()) {
                if (!places.containsKey(entry)) {
                    add(entry, places, mounts);
                }
            }
        }
        return new ClassPath(places, mounts);
    }

    private static void add(Path entry, Map<Path, String> places, List<Mount> mounts) {
        boolean wildcard = entry.endsWith("*");
        Path absolute = entry.toAbsolutePath().normalize();
        Path source = wildcard ? absolute.resolveSibling("").normalize() : absolute;
        if (!Files.exists(source)) {
            throw new InvalidJobException(
                    "the class path has " + absolute + ", which does not exist; build it, or correct the path");
        }
        String place = PLACE + mounts.size() + (source.getFileName() == null ? "" : "/" + source.getFileName());
        mounts.add(Mount.readOnly(source.toString(), place));
        places.put(entry, wildcard ? place + "/*" : place);
    }

    /** Returns where a container sees an entry. */
    String inContainer(Path entry) {
        return places.getOrDefault(entry, entry.toString());
    }

    List<Mount> mounts() {
        return mounts;
    }
}
