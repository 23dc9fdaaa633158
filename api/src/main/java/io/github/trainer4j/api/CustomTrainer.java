package io.github.trainer4j.api;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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
    private static final Pattern INDEX_URL = Pattern.compile("(https?|file)://\\S+");
    private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/@\\s]+@");
    private static final int LARGEST = 8 << 20;

    /**
     * Copies and checks everything.
     *
     * @throws InvalidJobException if the file name is a path or empty, the source is blank or over 8 MiB, a requirement
     *     looks like an option of pip, or an index is no URL
     */
    public CustomTrainer {
        if (!FILE_NAME.matcher(Check.text(fileName, "the script's file name")).matches()) {
            throw new InvalidJobException("the script's file name '" + Check.printable(fileName)
                    + "' is not a plain file name; use letters, digits, '_', '-' and '.', as in train.py");
        }
        if (Check.portable(source, "the script's source").isBlank()) {
            throw new InvalidJobException("the script " + fileName + " is empty; give it some code to run");
        }
        if (source.length() > LARGEST || source.getBytes(StandardCharsets.UTF_8).length > LARGEST) {
            throw tooLarge(fileName);
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
            if (!INDEX_URL.matcher(url).matches()) {
                // Not shown: a mistyped address may still have a password in it.
                throw new InvalidJobException("pipIndexUrls[" + pipIndexUrls.indexOf(url)
                        + "] is no address of an index; write a URL that starts with https://, http:// or file:// and has"
                        + " no blanks");
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
                throw tooLarge(file.toString());
            }
            return source(file.getFileName().toString(), Files.readString(file, StandardCharsets.UTF_8));
        } catch (CharacterCodingException e) {
            throw new InvalidJobException("the script " + file + " is not UTF-8 text; save it as UTF-8", e);
        } catch (IOException e) {
            throw new InvalidJobException(
                    "the script " + file + " cannot be read: " + e + "; check its permissions", e);
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
        return args(Check.listOf(args));
    }

    /** Returns a copy with these arguments in place of any before. */
    public CustomTrainer args(List<String> args) {
        return new CustomTrainer(fileName, source, args, packagesToInstall, pipIndexUrls, nodes);
    }

    /** Returns a copy that installs these packages in place of any before. */
    public CustomTrainer packagesToInstall(String... requirements) {
        return new CustomTrainer(fileName, source, args, Check.listOf(requirements), pipIndexUrls, nodes);
    }

    /** Returns a copy that installs from these indexes in place of any before. */
    public CustomTrainer pipIndexUrls(String... urls) {
        return new CustomTrainer(fileName, source, args, packagesToInstall, Check.listOf(urls), nodes);
    }

    @Override
    public CustomTrainer nodes(NodeSettings settings) {
        return new CustomTrainer(fileName, source, args, packagesToInstall, pipIndexUrls, settings);
    }

    private static InvalidJobException tooLarge(String script) {
        return new InvalidJobException("the script " + script + " has more than " + LARGEST
                + " bytes; put data into the dataset or the image");
    }

    /** Returns a text without the script's own, and without the passwords that addresses of indexes may have. */
    @Override
    public String toString() {
        return "CustomTrainer[fileName=" + fileName + ", source=" + source.length() + " characters, args=" + args
                + ", packagesToInstall=" + packagesToInstall + ", pipIndexUrls="
                + USER_INFO.matcher(pipIndexUrls.toString()).replaceAll("***@") + ", nodes=" + nodes + "]";
    }
}
