package io.github.trainer4j.container;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.state.Drafts;
import io.github.trainer4j.api.state.FileTree;
import io.github.trainer4j.api.state.StateFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The directories of the jobs of this machine's clients: {@code containers/<job>} is a job's workspace, as the Python SDK
 * has it, and {@code containers/.trainer4j/<job>} its state. A name is claimed by moving a finished state into place.
 */
final class JobStore {

    private final Path containers;
    private final Path states;

    JobStore(Path workDirectory) {
        this.containers = workDirectory.resolve("containers");
        this.states = containers.resolve(".trainer4j");
    }

    /** Returns where a job lies, or would lie. */
    JobDirectory directory(String name) {
        return new JobDirectory(states.resolve(name), containers.resolve(name));
    }

    /** Returns where a job lies, if it has files here. */
    Optional<JobDirectory> find(String name) {
        try {
            // A name that no job can have, such as a path, is not even looked for.
            return Optional.of(directory(JobName.check(name))).filter(JobStore::exists);
        } catch (InvalidJobException e) {
            return Optional.empty();
        }
    }

    /** Returns all jobs that have files here, in no order. */
    List<JobDirectory> all() {
        List<JobDirectory> all = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(states)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                JobDirectory directory = directory(name);
                if (!name.startsWith(".") && exists(directory)) {
                    all.add(directory);
                }
            }
            return all;
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw unavailable("cannot be read", e);
        } catch (DirectoryIteratorException e) {
            throw unavailable("cannot be read", new IOException(e));
        }
    }

    static boolean exists(JobDirectory directory) {
        return Files.isRegularFile(directory.record())
                && !(Files.exists(directory.workspaceMade()) && !Files.isDirectory(directory.workspace()));
    }

    /**
     * Makes the directories of a job, whole or not at all.
     *
     * @throws InvalidJobException if the name is taken
     * @throws BackendUnavailableException if the directories cannot be made
     */
    JobDirectory claim(JobRecord job) {
        JobDirectory target = directory(job.name());
        if (exists(target)) {
            throw InvalidJobException.nameTaken(job.name());
        }
        Path incoming = Drafts.incoming(states);
        try {
            makeParents();
            Drafts.sweep(states);
            discardRemains(target);
            JobDirectory draft = new JobDirectory(incoming, target.workspace());
            Files.createDirectory(incoming);
            Files.createDirectory(draft.steps());
            Files.createDirectory(draft.logs());
            Files.writeString(draft.record(), job.toJson());
            // Onto a directory with something in it, and every job's is, a directory cannot be moved.
            Files.move(incoming, target.state(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            Drafts.discard(incoming, e);
            if (e instanceof FileSystemException && Files.isDirectory(target.state())) {
                throw InvalidJobException.nameTaken(job.name());
            }
            throw unavailable("cannot be written", e);
        }
        makeWorkspace(target);
        return target;
    }

    private void makeParents() throws IOException {
        if (!Files.isDirectory(containers)) {
            Files.createDirectories(containers.toAbsolutePath().getParent());
            try {
                // What is in a workspace is open to every user id a container may have; nobody else may come this far.
                Files.createDirectory(
                        containers, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException e) {
                // Another client was quicker.
            } catch (UnsupportedOperationException e) {
                Files.createDirectories(containers);
            }
        }
        Files.createDirectories(states);
    }

    /** Makes a directory of a name that nobody else has. */
    Path probe() {
        try {
            makeParents();
            return Files.createDirectory(Drafts.incoming(states));
        } catch (IOException e) {
            throw unavailable("cannot be written", e);
        }
    }

    private void makeWorkspace(JobDirectory target) {
        try {
            Files.createDirectory(target.workspace());
            openToAll(target.workspace());
            StateFiles.mark(target.workspaceMade());
        } catch (FileAlreadyExistsException e) {
            Drafts.discard(target.state(), e);
            throw new InvalidJobException(
                    "the directory " + target.workspace() + " of a job '" + target.name()
                            + "' exists already, though there is no such job of this backend; remove it, or choose another"
                            + " name",
                    e);
        } catch (IOException e) {
            Drafts.discard(target.state(), e);
            throw unavailable("cannot be written", e);
        }
    }

    /** Lets every user write there: who runs in a container is up to its image. */
    static void openToAll(Path directory) throws IOException {
        try {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (UnsupportedOperationException e) {
            // A file system without such permissions has nothing to open.
            return;
        }
    }

    /** Removes the state of a job that somebody else has removed, or whose claim was never finished. */
    private static void discardRemains(JobDirectory target) {
        if (Files.isDirectory(target.state()) && !exists(target)) {
            FileTree.remove(target.state(), new ArrayList<>());
        }
    }

    /** Removes a job's state; what stands in the way is added to the problems. */
    void removeState(JobDirectory directory, List<String> problems) {
        Path outgoing = Drafts.outgoing(states, directory.name());
        try {
            Files.move(directory.state(), outgoing, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return;
        } catch (IOException e) {
            problems.add(directory.state() + ": " + e);
            return;
        }
        FileTree.remove(outgoing, problems);
    }

    /** Returns the directory in which all workspaces lie. */
    Path containers() {
        return containers;
    }

    private BackendUnavailableException unavailable(String what, IOException cause) {
        return new BackendUnavailableException(
                "the directory of container jobs " + containers + " " + what + ": " + advice(cause), List.of(), cause);
    }

    /** Says what is wrong with a directory, and what to do. */
    static String advice(IOException cause) {
        String reason = cause instanceof FileSystemException known && known.getReason() != null
                ? known.getReason()
                : cause.getClass() == IOException.class && cause.getMessage() != null
                        ? cause.getMessage()
                        : cause.toString();
        return reason + "; make it writable or free some space, or configure another work directory";
    }
}
