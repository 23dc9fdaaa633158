package io.github.trainer4j.api;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs a Python script on every node. The script is read when the trainer is made and travels as a file of the same
 * name and bytes, on every backend; it is never passed through a shell.
 *
 * @param fileName the script's file name, such as {@code train.py}
 * @param source the script's text
 * @param args the script's arguments, one element for each
 * @param packagesToInstall requirements for pip, such as {@code numpy==2.1}, installed before the script starts
 * @param pipIndexUrls package indexes: the first is pip's {@code --index-url}, the rest {@code --extra-index-url}; empty:
 *     those of the environment variable {@code DEFAULT_PIP_INDEX_URLS}, else pip's own
 * @param nodes the number of nodes and what each is given
 */
public record CustomTrainer(
        String fileName,
        String source,
        List<String> args,
        List<String> packagesToInstall,
        List<String> pipIndexUrls,
        NodeSettings nodes)
        implements Trainer, NodeSettings.Fluent<CustomTrainer> {
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}");
    private static final long LARGEST = 8L << 20;

    /**
     * Copies and checks everything.
     *
     * @throws InvalidJobException if the file name is a path or empty, the source is blank, or a requirement looks like
     *     an option of pip
     */
    public CustomTrainer {
        if (!FILE_NAME.matcher(Check.text(fileName, "the script's file name")).matches()) {
            throw new InvalidJobException("the script's file name '" + Check.printable(fileName)
                    + "' is not a plain file name; use letters, digits, '_', '-' and '.', as in train.py");
        }
        if (Check.noNul(source, "the script's source").isBlank()) {
            throw new InvalidJobException("the script " + fileName + " is empty; give it some code to run");
        }
        args = Check.arguments(args, "args");
        packagesToInstall = Check.texts(packagesToInstall, "packagesToInstall");
        pipIndexUrls = Check.texts(pipIndexUrls, "pipIndexUrls");
        for (String requirement : packagesToInstall) {
            if (requirement.startsWith("-")) {
                throw new InvalidJobException("packagesToInstall has '" + Check.printable(requirement)
                        + "', which is an option of pip and not a package; give indexes with pipIndexUrls");
            }
        }
        for (String url : pipIndexUrls) {
            if (!url.startsWith("https://") && !url.startsWith("http://") && !url.startsWith("file://")) {
                throw new InvalidJobException("pipIndexUrls has '" + Check.printable(url)
                        + "'; an index is a URL that starts with https://, http:// or file://");
            }
        }
        Check.present(nodes, "nodes");
    }

    /**
     * Returns a trainer for the script in this file, which is read at once.
     *
     * @throws InvalidJobException if there is no such file, it cannot be read, is not UTF-8, or is over 8 MiB
     */
    public static CustomTrainer script(Path file) {
        Check.present(file, "the script's path");
        if (!Files.isRegularFile(file)) {
            throw new InvalidJobException("there is no script " + file.toAbsolutePath() + "; check the path");
        }
        try {
            if (Files.size(file) > LARGEST) {
                throw new InvalidJobException("the script " + file + " has " + Files.size(file) + " bytes; at most "
                        + LARGEST + " are taken; put data into the dataset or the image");
            }
            return source(file.getFileName().toString(), Files.readString(file, StandardCharsets.UTF_8));
        } catch (CharacterCodingException e) {
            throw new InvalidJobException("the script " + file + " is not UTF-8 text", e);
        } catch (IOException e) {
            throw new InvalidJobException("the script " + file + " cannot be read: " + e, e);
        }
    }

    /**
     * Returns a trainer for a script given as text.
     *
     * @throws InvalidJobException if the file name is not plain or the source is blank
     */
    public static CustomTrainer source(String fileName, String source) {
        return new CustomTrainer(fileName, source, List.of(), List.of(), List.of(), NodeSettings.defaults());
    }

    /** Returns a copy with these arguments in place of any before. */
    public CustomTrainer args(String... args) {
        return args(asList(args));
    }

    /** Returns a copy with these arguments in place of any before. */
    public CustomTrainer args(List<String> args) {
        return new CustomTrainer(fileName, source, args, packagesToInstall, pipIndexUrls, nodes);
    }

    /** Returns a copy that installs these packages in place of any before. */
    public CustomTrainer packagesToInstall(String... requirements) {
        return new CustomTrainer(fileName, source, args, asList(requirements), pipIndexUrls, nodes);
    }

    /** Returns a copy that installs from these indexes in place of any before. */
    public CustomTrainer pipIndexUrls(String... urls) {
        return new CustomTrainer(fileName, source, args, packagesToInstall, asList(urls), nodes);
    }

    @Override
    public CustomTrainer nodes(NodeSettings settings) {
        return new CustomTrainer(fileName, source, args, packagesToInstall, pipIndexUrls, settings);
    }

    /** Unlike {@link List#of}, lets nulls through to the check that names the field. */
    static List<String> asList(String... values) {
        List<String> list = new ArrayList<>();
        java.util.Collections.addAll(list, values);
        return list;
    }
}
