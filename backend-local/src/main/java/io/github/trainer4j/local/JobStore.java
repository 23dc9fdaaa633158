package io.github.trainer4j.local;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.state.Drafts;
import io.github.trainer4j.api.state.FileTree;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** The directories of all jobs: one for each, under its name. Names that start with a dot are on their way in or out. */
final class JobStore {
    private static final String BLANK_EXIT = "   \n";
    private static final String SCRIPT = script();

    private final Path root;

    /**
     * Makes a store.
     *
     * @param root its directory, which need not exist
     */
    JobStore(Path root) {
        this.root = root;
    }

    /** Returns where a job lies, or would lie. */
    JobDirectory directory(String name) {
        return new JobDirectory(root.resolve(name));
    }

    /**
     * Returns where a job lies.
     *
     * @throws JobNotFoundException if there is no such job
     */
    JobDirectory existing(String name) {
        try {
            // A name that no job can have, such as a path, is not even looked for.
            JobDirectory directory = directory(JobName.check(name));
            if (Files.isDirectory(directory.root())) {
                return directory;
            }
        } catch (InvalidJobException e) {
            throw missing(String.valueOf(name));
        }
        throw missing(name);
    }

    static JobNotFoundException missing(String name) {
        return JobNotFoundException.noJob(name, LocalBackend.NAME);
    }

    /** Returns all jobs, in no order. */
    List<JobDirectory> all() {
        List<JobDirectory> all = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
            for (Path entry : entries) {
                if (!entry.getFileName().toString().startsWith(".") && Files.isDirectory(entry)) {
                    all.add(new JobDirectory(entry));
                }
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw unavailable("cannot be read", e);
        } catch (DirectoryIteratorException e) {
            throw unavailable("cannot be read", new IOException(e));
        }
        return all;
    }

    /**
     * Makes the directory of a job under its name, whole or not at all.
     *
     * @throws InvalidJobException if the name is taken
     * @throws BackendUnavailableException if the directory cannot be made
     */
    void claim(JobRecord job) {
        JobDirectory target = directory(job.name());
        if (Files.exists(target.root())) {
            throw InvalidJobException.nameTaken(job.name());
        }
        Path incoming = Drafts.incoming(root);
        try {
            Files.createDirectories(root);
            fill(new JobDirectory(incoming), job);
            // Onto a directory with something in it, and every job's is, a directory cannot be moved.
            Files.move(incoming, target.root(), StandardCopyOption.ATOMIC_MOVE);
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
            Drafts.discard(incoming, e);
            throw InvalidJobException.nameTaken(job.name());
        } catch (IOException e) {
            Drafts.discard(incoming, e);
            if (e instanceof FileSystemException && Files.exists(target.root())) {
                throw InvalidJobException.nameTaken(job.name());
            }
            throw unavailable("cannot be written", e);
        }
    }

    private static void fill(JobDirectory directory, JobRecord job) throws IOException {
        Files.createDirectory(directory.root());
        Files.createDirectory(directory.state());
        Files.createDirectory(directory.logs());
        // Nodes report their progress into it.
        Files.createDirectories(directory.workspace().resolve(Launch.DIRECTORY));
        Files.writeString(directory.script(), SCRIPT);
        for (JobRecord.StepRecord step : job.steps()) {
            if (step.kind() != JobRecord.Kind.INITIALIZER) {
                clearExit(directory, step.name());
            }
            Files.createFile(directory.log(step.name()));
        }
        Files.writeString(directory.record(), job.toJson());
    }

    /** Makes the place that the script writes an exit code to. */
    static void clearExit(JobDirectory directory, String step) throws IOException {
        Files.writeString(directory.exit(step), BLANK_EXIT);
    }

    /**
     * Removes a job's directory. What stands in the way of removing all is returned, as a path with a reason each; the job
     * then still exists.
     */
    List<String> remove(JobDirectory directory) {
        List<String> problems = new ArrayList<>();
        // What may be large or protected goes first, while the job can still be found and deleted again.
        for (Path large : List.of(directory.workspace(), directory.pythonEnvironment(), directory.logs())) {
            FileTree.remove(large, problems);
        }
        if (!problems.isEmpty()) {
            return problems;
        }
        Path outgoing = Drafts.outgoing(root, directory.name());
        try {
            Files.move(directory.root(), outgoing, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return problems;
        } catch (IOException e) {
            problems.add(directory.root() + ": " + e);
            return problems;
        }
        FileTree.remove(outgoing, problems);
        return problems;
    }

    /** Removes what clients left that were killed while they made or removed a job. */
    void sweep() {
        Drafts.sweep(root);
    }

    BackendUnavailableException unavailable(String what, IOException cause) {
        String reason = cause instanceof NotDirectoryException
                ? cause.getMessage() + " is no directory"
                : cause instanceof FileSystemException known && known.getReason() != null
                        ? known.getReason()
                        : cause.toString();
        return new BackendUnavailableException(
                "the directory of local jobs " + root + " " + what + ": " + reason
                        + "; make it writable or free some space, or configure another work directory",
                List.of(),
                cause);
    }

    private static String script() {
        try (InputStream in = JobStore.class.getResourceAsStream("run.sh")) {
            if (in == null) {
                throw new IllegalStateException("run.sh is missing from the jar of backend local");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
