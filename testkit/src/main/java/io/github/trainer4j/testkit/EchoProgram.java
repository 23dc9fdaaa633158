package io.github.trainer4j.testkit;

import io.github.trainer4j.api.JavaTrainer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Objects;

/** A program for JVM nodes: prints a system property and its arguments, these as UTF-8 in hexadecimal digits. */
final class EchoProgram {
    static final String PROPERTY = "contract.property";

    private EchoProgram() {}

    /** Makes a trainer that runs this program from a class path with nothing else in it, which every user may read. */
    static JavaTrainer trainer(Path directory) throws IOException {
        String name = EchoProgram.class.getName();
        String file = name.replace('.', '/') + ".class";
        Path target = directory.resolve(file);
        Files.createDirectories(target.getParent());
        try (InputStream in = EchoProgram.class.getClassLoader().getResourceAsStream(file)) {
            Files.copy(Objects.requireNonNull(in, file), target);
        }
        return JavaTrainer.mainClass(name).classPath(directory);
    }

    public static void main(String[] args) {
        System.out.println(System.getProperty(PROPERTY));
        for (String arg : args) {
            System.out.println(HexFormat.of().formatHex(arg.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
