package io.github.trainer4j.local;

import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.JavaTrainer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks whether a main class is where a JVM would look for it, without loading anything. */
final class JavaClassPath {
    private static final Logger LOG = LoggerFactory.getLogger(JavaClassPath.class);
    private static final Set<String> PLACES =
            Set.of("-cp", "-classpath", "-p", "-m", "-jar", "--class-path", "--module-path", "--module");

    private JavaClassPath() {}

    /**
     * Checks the class path of a trainer.
     *
     * @param inEnvironment whether the job's environment has a class path
     * @throws InvalidJobException if an entry does not exist, or the main class is in none
     */
    static void check(JavaTrainer trainer, boolean inEnvironment) {
        Deque<Path> entries = new ArrayDeque<>();
        for (Path entry : trainer.classPath()) {
            boolean wildcard = entry.endsWith("*");
            Path place = wildcard ? parent(entry) : entry;
            if (!Files.exists(place)) {
                throw new InvalidJobException("the class path has " + entry.toAbsolutePath()
                        + ", which does not exist; build it, or correct the path");
            }
            if (wildcard) {
                entries.addAll(jars(place));
            } else {
                entries.add(entry);
            }
        }
        boolean elsewhere = trainer.jvmOptions().stream()
                .map(option -> option.replaceAll("=.*", ""))
                .anyMatch(option -> PLACES.contains(option) || option.startsWith("@"));
        if (elsewhere || (entries.isEmpty() && inEnvironment)) {
            return;
        }
        List<String> unreadable = new ArrayList<>();
        if (!contains(entries, trainer.mainClass().replace('.', '/') + ".class", unreadable)) {
            throw new InvalidJobException("the main class " + trainer.mainClass() + " is not on the class path "
                    + (trainer.classPath().isEmpty()
                            ? "(which is empty)"
                            : trainer.classPath().toString())
                    + "; correct its name, or add the jar or folder that has it"
                    + unreadable.stream().map(problem -> "\n  " + problem).collect(Collectors.joining()));
        }
    }

    private static boolean contains(Deque<Path> entries, String file, List<String> unreadable) {
        Set<Path> seen = new HashSet<>();
        while (!entries.isEmpty()) {
            Path entry = entries.remove().toAbsolutePath().normalize();
            if (!seen.add(entry)) {
                continue;
            }
            if (Files.isDirectory(entry)) {
                if (Files.isRegularFile(entry.resolve(file))) {
                    return true;
                }
            } else if (Files.isRegularFile(entry)) {
                try (JarFile jar = new JarFile(entry.toFile(), false)) {
                    if (jar.getEntry(file) != null) {
                        return true;
                    }
                    entries.addAll(further(entry, jar.getManifest()));
                } catch (IOException e) {
                    // A JVM leaves it out without a word; here the words help whoever misses a class.
                    unreadable.add(entry + " is no folder and no readable jar: " + e.getMessage());
                }
            }
        }
        return false;
    }

    /** Returns the entries that a jar's manifest adds. */
    private static List<Path> further(Path jar, @Nullable Manifest manifest) {
        if (manifest == null) {
            return List.of();
        }
        String classPath = manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
        Deque<Path> entries = new ArrayDeque<>();
        StringTokenizer words = new StringTokenizer(classPath == null ? "" : classPath);
        while (words.hasMoreTokens()) {
            String entry = words.nextToken();
            try {
                URI uri = jar.toUri().resolve(entry);
                if ("file".equals(uri.getScheme())) {
                    entries.add(Path.of(uri));
                }
            } catch (IllegalArgumentException e) {
                LOG.debug("{} names {} in its class path, which is no URL; a JVM ignores it, too", jar, entry);
            }
        }
        return List.copyOf(entries);
    }

    private static Path parent(Path wildcard) {
        Path parent = wildcard.getParent();
        return parent == null ? Path.of("") : parent;
    }

    private static Deque<Path> jars(Path folder) {
        Deque<Path> jars = new ArrayDeque<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
            files.forEach(jars::add);
        } catch (IOException | InvalidPathException e) {
            throw new InvalidJobException("the class path has " + folder + "/*, which cannot be listed: " + e, e);
        }
        return jars;
    }
}
