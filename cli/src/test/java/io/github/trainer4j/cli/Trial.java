package io.github.trainer4j.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Runs commands in this JVM, with a home directory of their own. */
final class Trial {
    private final Path directory;
    private final Map<String, String> environment = new HashMap<>();
    private String input = "";
    private Shell.Terminal terminal = Shell.Terminal.NONE;

    Trial(Path directory) {
        this.directory = directory;
        environment.put("HOME", directory.toString());
        environment.put("PATH", System.getenv("PATH"));
        environment.put("TRAINER4J_BACKEND", "local");
    }

    /**
     * What a command did.
     *
     * @param code its exit code
     * @param out standard output
     * @param err standard error
     */
    record Result(int code, String out, String err) {}

    Trial with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    Trial without(String variable) {
        environment.remove(variable);
        return this;
    }

    Trial typing(String text) {
        input = text;
        return this;
    }

    Trial at(Shell.Terminal seen) {
        terminal = seen;
        return this;
    }

    Path file(String name, String content) {
        try {
            return Files.writeString(directory.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Result run(String... args) {
        return run(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), args);
    }

    Result run(InputStream in, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Shell shell = new Shell(new Out(out), new Out(err), in, directory, environment, terminal);
        int code = new Trainer4j(shell).run(args);
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
