package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.trainer4j.api.BackendUnavailableException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One context of what kubectl is configured with: where a cluster is, and who we are there. Of several files the first counts that has
 * something of a name, as for kubectl.
 *
 * @param cluster the fields of the cluster
 * @param clusterFile the file that has it; paths in it begin there
 * @param user the fields of the user
 * @param userFile the file that has the user
 * @param namespace the namespace of the context
 */
record Kubeconfig(Tree cluster, Path clusterFile, Tree user, Path userFile, Optional<String> namespace) {
    private record Document(Path file, Tree content) {}

    /**
     * Reads the files anew.
     *
     * @param tried takes where was looked in vain
     * @return the context that is asked for; empty if there is no file
     * @throws BackendUnavailableException if a file cannot be read, or has no such context
     */
    static Optional<Kubeconfig> find(KubernetesSettings settings, List<String> tried) {
        List<Document> documents = new ArrayList<>();
        for (Path file : files(settings)) {
            read(file, tried).ifPresent(documents::add);
        }
        if (documents.isEmpty()) {
            if (settings.kubeconfig().isPresent()) {
                throw unusable(settings.kubeconfig().get().toString(), "there is no such file, or it is empty", null);
            }
            return Optional.empty();
        }
        return Optional.of(choose(documents, settings.context()));
    }

    private static List<Path> files(KubernetesSettings settings) {
        if (settings.kubeconfig().isPresent()) {
            return List.of(settings.kubeconfig().get());
        }
        String listed = settings.environment().getOrDefault("KUBECONFIG", "");
        if (listed.isBlank()) {
            return List.of(settings.home().resolve(".kube").resolve("config"));
        }
        List<Path> files = new ArrayList<>();
        for (String file : listed.split(File.pathSeparator, -1)) {
            if (!file.isBlank()) {
                files.add(Path.of(file));
            }
        }
        return files;
    }

    private static Optional<Document> read(Path file, List<String> tried) {
        try {
            Object content = Serialization.unmarshal(Files.readString(file), Map.class);
            if (content == null) {
                tried.add(file + ": is empty");
                return Optional.empty();
            }
            return Optional.of(new Document(file.toAbsolutePath(), new Tree(content)));
        } catch (NoSuchFileException e) {
            tried.add(file + ": no such file");
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            throw unusable(file.toString(), e.toString(), e);
        }
    }

    private static Kubeconfig choose(List<Document> documents, Optional<String> wanted) {
        String files = String.join(
                ", ", documents.stream().map(one -> one.file().toString()).toList());
        String name = wanted.or(() -> documents.stream()
                        .flatMap(one -> one.content().at("current-context").text().stream())
                        .findFirst())
                .orElseThrow(() -> unusable(
                        files,
                        "it has no current-context; choose one of " + names(documents)
                                + " with the setting kubernetes.context",
                        null));
        Found context = find(documents, "contexts", "context", name)
                .orElseThrow(
                        () -> unusable(files, "it has no context " + name + "; there are: " + names(documents), null));
        Found cluster = named(documents, context, "clusters", "cluster", files);
        Found user = context.fields().at("user").text().isEmpty()
                ? new Found(Tree.EMPTY, cluster.file())
                : named(documents, context, "users", "user", files);
        return new Kubeconfig(
                cluster.fields(),
                cluster.file(),
                user.fields(),
                user.file(),
                context.fields().at("namespace").text());
    }

    private record Found(Tree fields, Path file) {}

    private static Found named(List<Document> documents, Found context, String list, String kind, String files) {
        String name = context.fields().at(kind).text().orElse("");
        return find(documents, list, kind, name)
                .orElseThrow(() -> unusable(
                        files, "its context names the " + kind + " '" + name + "', which it does not have", null));
    }

    private static Optional<Found> find(List<Document> documents, String list, String kind, String name) {
        for (Document document : documents) {
            Tree found = document.content().at(list).find("name", name).at(kind);
            if (found.isPresent()) {
                return Optional.of(new Found(found, document.file()));
            }
        }
        return Optional.empty();
    }

    private static String names(List<Document> documents) {
        return String.join(
                ", ",
                documents.stream()
                        .flatMap(one -> one.content().at("contexts").list().stream())
                        .flatMap(context -> context.at("name").text().stream())
                        .distinct()
                        .toList());
    }

    private static BackendUnavailableException unusable(
            String file, String why, @org.jspecify.annotations.Nullable Throwable cause) {
        return new BackendUnavailableException(
                "the kubeconfig " + file + " cannot be used: " + why
                        + "; mend it, or name another with the setting kubernetes.kubeconfig",
                List.of(),
                cause);
    }
}
