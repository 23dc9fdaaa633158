package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A program that a kubeconfig names to get credentials from, as cloud providers have them. */
final class ExecPlugin {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int WORDS = 2000;

    private ExecPlugin() {}

    /**
     * Runs it, and returns the field {@code status} of its answer.
     *
     * @param exec what the kubeconfig says of it
     * @param file the kubeconfig, beside which a program with a relative path lies
     * @param cluster what the kubeconfig says of the cluster
     * @throws BackendUnavailableException if it fails, with its own words
     */
    static Tree run(Tree exec, Path file, Tree cluster) {
        String name = exec.at("command").text().orElse("");
        List<String> command = new ArrayList<>();
        command.add(name.contains("/") ? file.resolveSibling(name).toString() : name);
        command.addAll(exec.at("args").texts());
        ProcessBuilder builder = new ProcessBuilder(command);
        for (Tree variable : exec.at("env").list()) {
            builder.environment()
                    .put(
                            variable.at("name").text().orElse(""),
                            variable.at("value").text().orElse(""));
        }
        String version = exec.at("apiVersion").text().orElse("");
        builder.environment().put("KUBERNETES_EXEC_INFO", info(version, exec, cluster));
        String answer = run(builder, exec);
        Tree credential;
        try {
            credential = new Tree(Json.parse(answer));
        } catch (IllegalArgumentException e) {
            throw failed(exec, "its answer is no JSON", e);
        }
        if (!credential.at("apiVersion").text().equals(exec.at("apiVersion").text())) {
            throw failed(
                    exec,
                    "it answers in " + credential.at("apiVersion").text().orElse("no version") + ", not in " + version,
                    null);
        }
        return credential.at("status");
    }

    private static String info(String version, Tree exec, Tree cluster) {
        Map<String, Object> spec = new LinkedHashMap<>();
        if (Boolean.TRUE.equals(exec.at("provideClusterInfo").value()) && cluster.value() instanceof Map<?, ?> fields) {
            spec.put("cluster", fields);
        }
        spec.put("interactive", false);
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("kind", "ExecCredential");
        info.put("apiVersion", version);
        info.put("spec", spec);
        return Json.write(info);
    }

    private static String run(ProcessBuilder builder, Tree exec) {
        Process process;
        try {
            process = builder.start();
            process.getOutputStream().close();
        } catch (IOException e) {
            throw failed(exec, e.toString(), e);
        }
        CompletableFuture<String> answer = CompletableFuture.supplyAsync(() -> text(process.getInputStream()));
        CompletableFuture<String> words = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
        try {
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw failed(exec, "it takes longer than " + LIMIT.toSeconds() + " s", null);
            }
            if (process.exitValue() != 0) {
                String said = words.get(LIMIT.toSeconds(), TimeUnit.SECONDS).strip();
                throw failed(
                        exec,
                        "it exits with " + process.exitValue() + ": "
                                + said.substring(Math.max(0, said.length() - WORDS)),
                        null);
            }
            return answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed(exec, "it was interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw failed(exec, "its answer cannot be read: " + e, e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static String text(InputStream in) {
        try (in) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static BackendUnavailableException failed(
            Tree exec, String why, @org.jspecify.annotations.Nullable Throwable cause) {
        return new BackendUnavailableException(
                "the program " + exec.at("command").text().orElse("(none)")
                        + ", which the kubeconfig names to get credentials from, fails: " + why + "; "
                        + exec.at("installHint").text().orElse("run it by hand to see why, or log in again"),
                List.of(),
                cause);
    }
}
