package io.github.trainer4j.cli;

import io.github.trainer4j.api.Secret;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code KEY=VALUE} in the forms that options take. */
final class Given {
    private static final int LARGEST = 1 << 20;

    private final Shell shell;

    Given(Shell shell) {
        this.shell = shell;
    }

    /** Splits at the first equals sign. */
    Map<String, String> pairs(List<String> texts, String option) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw Refusal.invalid("'" + text + "' of " + option + " has not the form KEY=VALUE");
            }
            put(pairs, text.substring(0, equals), text.substring(equals + 1), option);
        }
        return pairs;
    }

    private static <V> void put(Map<String, V> map, String key, V value, String option) {
        if (map.putIfAbsent(key, value) != null) {
            throw Refusal.invalid("'" + key + "' is given twice by " + option + "; give it once");
        }
    }

    /** Reads the lines of files: {@code KEY=VALUE}, or a key alone for the variable of this process; # begins a comment. */
    Map<String, String> environmentFiles(List<String> files) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String file : files) {
            int number = 0;
            for (String line : text(file, "--env-file").lines().toList()) {
                number++;
                String plain = line.strip();
                if (plain.isEmpty() || plain.startsWith("#")) {
                    continue;
                }
                int equals = plain.indexOf('=');
                String key = equals < 0 ? plain : plain.substring(0, equals).strip();
                if (key.isEmpty()) {
                    throw Refusal.invalid(file + " line " + number + ": a name is missing before '='");
                }
                // As docker reads such files: quotes belong to the value.
                Optional<String> value = equals < 0
                        ? Optional.ofNullable(shell.environment().get(key))
                        : Optional.of(plain.substring(equals + 1));
                value.ifPresent(text -> variables.put(key, text));
            }
        }
        return variables;
    }

    /** Reads secrets: a key alone is a variable of this process, {@code KEY=@FILE} the content of a file. */
    Map<String, Secret> secrets(List<String> texts, String option) {
        Map<String, Secret> secrets = new LinkedHashMap<>();
        for (String text : texts) {
            int equals = text.indexOf('=');
            String key = equals < 0 ? text : text.substring(0, equals);
            put(secrets, key, secret(key, equals < 0 ? "" : text.substring(equals + 1), option), option);
        }
        return secrets;
    }

    private Secret secret(String key, String from, String option) {
        if (from.isEmpty()) {
            String value = shell.environment().get(key);
            if (value == null) {
                throw Refusal.invalid("the environment has no variable " + key + ", of which " + option
                        + " takes the value; set it, or write " + key + "=@FILE");
            }
            return Secret.of(value);
        }
        return secretOfFile(key, from, option);
    }

    /** A secret on a command line is seen by everybody who lists processes, and stays in the shell's history. */
    Secret secretOfFile(String key, String from, String option) {
        if (!from.startsWith("@") || from.length() == 1) {
            throw Refusal.invalid("the value of " + key
                    + " is a secret, which others could see on the command line; put it into a file and write " + option
                    + " " + key + "=@FILE");
        }
        return Secret.of(text(from.substring(1), option));
    }

    private String text(String file, String option) {
        Path path = shell.path(file);
        try {
            if (Files.isDirectory(path) || Files.size(path) > LARGEST) {
                throw Refusal.invalid("the file " + file + " of " + option + " is "
                        + (Files.isDirectory(path) ? "a directory" : "larger than " + LARGEST + " bytes"));
            }
            return Files.readString(path, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw Refusal.invalid("the file " + file + " of " + option + " is not UTF-8 text");
        } catch (IOException e) {
            throw Refusal.invalid("the file " + file + " of " + option + " cannot be read: " + e.getMessage());
        }
    }
}
