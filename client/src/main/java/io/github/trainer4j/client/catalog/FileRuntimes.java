package io.github.trainer4j.client.catalog;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.client.yaml.Yaml;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Runtimes in a file, or in all YAML files that lie directly in a directory, in the order of their names.
 *
 * @param path the file or directory
 */
record FileRuntimes(Path path) implements RuntimeSource {
    @Override
    public List<TrainingRuntime> read() {
        if (!Files.isDirectory(path)) {
            return RuntimeYaml.read(path);
        }
        List<TrainingRuntime> runtimes = new ArrayList<>();
        for (Path file : yamlFiles()) {
            runtimes.addAll(RuntimeYaml.readAny(Yaml.documents(file, file.toString()), file.toString()));
        }
        if (runtimes.isEmpty()) {
            throw new ConfigurationException(List.of(path + " has no YAML file with a runtime in it"));
        }
        return runtimes;
    }

    private Iterable<Path> yamlFiles() {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path, FileRuntimes::isYaml)) {
            TreeSet<Path> sorted = new TreeSet<>();
            entries.forEach(sorted::add);
            return sorted;
        } catch (IOException e) {
            throw new ConfigurationException(List.of(path + " cannot be listed: " + e));
        }
    }

    private static boolean isYaml(Path file) {
        return isYaml(file.getFileName().toString()) && Files.isRegularFile(file);
    }

    /** Editors keep hidden copies beside a file. */
    static boolean isYaml(String fileName) {
        return (fileName.endsWith(".yaml") || fileName.endsWith(".yml")) && !fileName.startsWith(".");
    }
}
