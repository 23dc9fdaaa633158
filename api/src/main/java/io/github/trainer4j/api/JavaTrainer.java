package io.github.trainer4j.api;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs the main class of a JVM program on every node.
 *
 * @param mainClass the fully qualified name of the class with the {@code main} method
 * @param classPath jars and class folders of this machine, in order; a backend that runs images mounts them, or takes
 *     the class path to be inside the image when the list is empty
 * @param jvmOptions options of the JVM, such as {@code -Xmx2g}
 * @param args arguments of the main method
 * @param nodes the number of nodes and what each is given
 */
public record JavaTrainer(
        String mainClass, List<Path> classPath, List<String> jvmOptions, List<String> args, NodeSettings nodes)
        implements Trainer, NodeSettings.Fluent<JavaTrainer> {
    private static final Pattern CLASS_NAME =
            Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");

    /**
     * Copies and checks everything.
     *
     * @throws InvalidJobException if the name is not a class's, a JVM option does not start with {@code -}, or a class path
     *     entry has the character in it that separates entries
     */
    public JavaTrainer {
        if (!CLASS_NAME.matcher(Check.text(mainClass, "the main class")).matches()) {
            throw new InvalidJobException("'" + Check.printable(mainClass)
                    + "' is not the name of a class; give it in full, as in com.example.Train");
        }
        classPath = Check.list(classPath, "classPath");
        for (Path entry : classPath) {
            if (entry.toString().contains(File.pathSeparator)) {
                throw new InvalidJobException("classPath has '" + Check.printable(entry.toString()) + "', but '"
                        + File.pathSeparator + "' separates entries; give each entry for itself, or rename it");
            }
        }
        jvmOptions = Check.arguments(jvmOptions, "jvmOptions");
        for (String option : jvmOptions) {
            if (!option.startsWith("-")) {
                throw new InvalidJobException(
                        "jvmOptions has '" + Check.printable(option)
                                + "', which is no option; give options that start with '-', and arguments of the program with args");
            }
        }
        args = Check.arguments(args, "args");
        Check.present(nodes, "nodes");
    }

    /**
     * Returns a trainer for this class, with an empty class path.
     *
     * @throws InvalidJobException if the name is not a class's
     */
    public static JavaTrainer mainClass(String mainClass) {
        return new JavaTrainer(mainClass, List.of(), List.of(), List.of(), NodeSettings.defaults());
    }

    /** Returns a copy with this class path in place of any before. */
    public JavaTrainer classPath(Path... entries) {
        return classPath(Check.listOf(entries));
    }

    /** Returns a copy with this class path in place of any before. */
    public JavaTrainer classPath(List<Path> entries) {
        return new JavaTrainer(mainClass, entries, jvmOptions, args, nodes);
    }

    /** Returns a copy with these JVM options in place of any before. */
    public JavaTrainer jvmOptions(String... options) {
        return new JavaTrainer(mainClass, classPath, Check.listOf(options), args, nodes);
    }

    /** Returns a copy with these arguments in place of any before. */
    public JavaTrainer args(String... args) {
        return new JavaTrainer(mainClass, classPath, jvmOptions, Check.listOf(args), nodes);
    }

    @Override
    public JavaTrainer nodes(NodeSettings settings) {
        return new JavaTrainer(mainClass, classPath, jvmOptions, args, settings);
    }
}
