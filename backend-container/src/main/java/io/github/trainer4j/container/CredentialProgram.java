package io.github.trainer4j.container;

import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.container.EngineException.Kind;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A program {@code docker-credential-NAME} that keeps logins. What it prints is shown to nobody. */
final class CredentialProgram {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
    private static final int MOST_OUTPUT = 1 << 20;

    private final String program;
    private final Map<String, String> environment;
    private final Duration limit;

    /**
     * Makes one.
     *
     * @param name what stands for it in the file
     * @param environment what it is given; its {@code PATH} is where it is looked for
     * @param limit how long it may take
     */
    CredentialProgram(String name, Map<String, String> environment, Duration limit) {
        this.program = "docker-credential-" + name;
        this.environment = environment;
        this.limit = limit;
    }

    String program() {
        return program;
    }

    /**
     * Asks for the login at a registry.
     *
     * @param source the file that names the helper, for people
     * @return the login, or empty if it has none
     * @throws IOException if it cannot say; the message has nothing that it printed
     */
    Optional<RegistryLogin> get(String server, String source) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(executable().toString(), "get");
        builder.environment().clear();
        builder.environment().putAll(environment);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        Process process = builder.start();
        try {
            FutureTask<String> reading = new FutureTask<>(() -> {
                try (OutputStream question = process.getOutputStream()) {
                    question.write(server.getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                    // One that ends without reading the question may have answered all the same.
                    return answer(process);
                }
                return answer(process);
            });
            Thread reader = new Thread(reading, program);
            reader.setDaemon(true);
            reader.start();
            long end = System.nanoTime() + limit.toNanos();
            String answer = reading.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (!process.waitFor(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException();
            }
            return login(process.exitValue(), answer, server, source);
        } catch (TimeoutException e) {
            throw new IOException(program + " did not answer within " + limit.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw new IOException(program + " could not be asked", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(Kind.INTERRUPTED, "interrupted while " + program + " was asked for a login", e);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String answer(Process process) throws IOException {
        try (InputStream output = process.getInputStream()) {
            return new String(output.readNBytes(MOST_OUTPUT), StandardCharsets.UTF_8);
        }
    }

    private Optional<RegistryLogin> login(int exit, String answer, String server, String source) throws IOException {
        if (exit != 0) {
            if (answer.contains("credentials not found")) {
                return Optional.empty();
            }
            throw new IOException(program + " ended with exit code " + exit + "; try 'echo " + server + " | " + program
                    + " get' by hand");
        }
        Map<String, @Nullable Object> fields;
        try {
            fields = Json.parseObject(answer);
        } catch (Json.MalformedJsonException e) {
            // Without the cause, whose message may quote what was read.
            throw new IOException(program + " printed no JSON");
        }
        if (fields.get("Username") instanceof String user
                && fields.get("Secret") instanceof String secret
                && !secret.isBlank()) {
            try {
                return Optional.of(RegistryLogin.of(server, user, Secret.of(secret), program + ", named in " + source));
            } catch (InvalidJobException e) {
                throw new IOException(program + " printed a secret that cannot be used");
            }
        }
        return Optional.empty();
    }

    private Path executable() throws IOException {
        if (!NAME.matcher(program).matches()) {
            throw new IOException("'" + program + "' is no name of a program");
        }
        for (String directory : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            Path file = Path.of(directory).resolve(program);
            if (!directory.isBlank() && Files.isExecutable(file) && Files.isRegularFile(file)) {
                return file;
            }
        }
        throw new IOException("there is no program " + program + " in the directories of PATH");
    }
}
