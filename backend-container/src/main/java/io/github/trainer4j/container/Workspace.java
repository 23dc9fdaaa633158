package io.github.trainer4j.container;

import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.launch.Placement;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Where the files of a job are for its containers. */
sealed interface Workspace {
    /** Returns the workspace of a job. */
    static Workspace of(JobRecord record) {
        return record.volume().isPresent() ? new Volume(record, record.volume().get()) : new Shared();
    }

    /** Makes it, before there is a container. */
    void make(Engine engine);

    /**
     * Gets it ready for whichever user containers run as, before there is one.
     *
     * @param image an image that the engine has
     */
    void open(Engine engine, String image, JobDirectory directory);

    /**
     * Puts what the nodes need there, through one of them, before any is started.
     *
     * @param further files and directories of this machine, by where they are wanted in the workspace
     */
    void fill(Engine engine, String node, JobDirectory directory, Map<String, Path> further) throws IOException;

    /** Whether what the nodes leave there has to be copied to this machine. */
    boolean isElsewhere();

    /** Copies what the nodes left there, but for what initializers fetched, to this machine. */
    void fetch(Engine engine, String node, JobDirectory directory);

    /** Removes what of it is not on this machine. */
    void remove(Engine engine);

    /** A directory of this machine, which the engine sees, too. */
    record Shared() implements Workspace {
        @Override
        public void make(Engine engine) {}

        @Override
        public void open(Engine engine, String image, JobDirectory directory) {}

        @Override
        public void fill(Engine engine, String node, JobDirectory directory, Map<String, Path> further) {}

        @Override
        public boolean isElsewhere() {
            return false;
        }

        @Override
        public void fetch(Engine engine, String node, JobDirectory directory) {}

        @Override
        public void remove(Engine engine) {}
    }

    /** A volume of an engine that does not see the directories of this machine. */
    record Volume(JobRecord record, String name) implements Workspace {
        private static final String PLACE = Placement.CONTAINER_WORKSPACE;

        @Override
        public void make(Engine engine) {
            engine.files().createVolume(name, labels());
        }

        private Map<String, String> labels() {
            Map<String, String> labels = new LinkedHashMap<>();
            labels.put(Labels.JOB, record.name());
            labels.put(Labels.UID, record.uid());
            return labels;
        }

        /**
         * Through a container that is never started: from outside of the volume alone can its rights be changed, and the
         * job's own containers may have a file system that cannot be written.
         */
        @Override
        public void open(Engine engine, String image, JobDirectory directory) {
            ContainerSpec spec = new ContainerSpec(
                    name,
                    "workspace",
                    image,
                    List.of("true"),
                    Map.of(),
                    Map.of(),
                    labels(),
                    List.of(mount(directory, Optional.of(name))),
                    "/",
                    Limits.NONE,
                    Surroundings.NONE);
            String id = engine.create(spec, "none");
            try {
                // Docker gives an empty volume the rights that the directory has in an image, once more for each
                // container.
                String root = PLACE.substring(1);
                TarStream tar = new TarStream()
                        .openDirectory(root, directory.workspace())
                        .openDirectory(root + "/" + Launch.DIRECTORY, directory.workspace());
                engine.files().put(id, "/", tar.open());
            } finally {
                Uninterrupted.run(() -> engine.remove(id));
            }
        }

        @Override
        public void fill(Engine engine, String node, JobDirectory directory, Map<String, Path> further)
                throws IOException {
            TarStream tar = new TarStream();
            try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory.workspace())) {
                for (Path path : paths) {
                    tar.tree(path.getFileName().toString(), path);
                }
            }
            for (Map.Entry<String, Path> each : further.entrySet()) {
                tar.tree(each.getKey(), each.getValue());
            }
            tar.openDirectory(Launch.DIRECTORY, directory.workspace());
            engine.files().put(node, PLACE, tar.open());
        }

        @Override
        public boolean isElsewhere() {
            return true;
        }

        @Override
        public void fetch(Engine engine, String node, JobDirectory directory) {
            Set<String> inputs = record.initializers().stream()
                    .map(step -> step.name().replace("-initializer", ""))
                    .collect(Collectors.toSet());
            Predicate<String> wanted = path -> {
                if (directory.isDeleted(record)) {
                    throw new CancellationException("the job is being deleted");
                }
                return !inputs.contains(path.replaceFirst("/.*", "")) && !path.startsWith(ClassPath.DIRECTORY);
            };
            engine.files().get(node, PLACE, tar -> new TarFiles(directory.workspace(), wanted).read(tar));
        }

        @Override
        public void remove(Engine engine) {
            engine.files().removeVolume(name, record.uid());
        }
    }

    /** Returns the name of the volume of a job that has one. */
    static String volumeName(String job) {
        return job + "-workspace";
    }

    /** Returns what a container sees as the job's workspace. */
    static Mount mount(JobDirectory directory, Optional<String> volume) {
        return Mount.writable(
                volume.orElseGet(() -> directory.workspace().toAbsolutePath().toString()),
                Placement.CONTAINER_WORKSPACE);
    }
}
