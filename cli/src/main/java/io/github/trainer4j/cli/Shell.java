package io.github.trainer4j.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;

/**
 * What surrounds a command.
 *
 * @param out for data, and nothing else
 * @param err for everything that is said to people
 * @param in where {@code -} is read from
 * @param directory what relative paths start at
 * @param environment the variables of the process
 * @param terminal what is a terminal
 */
record Shell(Out out, Out err, InputStream in, Path directory, Map<String, String> environment, Terminal terminal) {
    /**
     * What the launcher found out of the terminal; the JVM cannot ask.
     *
     * @param in whether standard input is one
     * @param out whether standard output is one
     * @param err whether standard error is one
     * @param columns its width
     */
    record Terminal(boolean in, boolean out, boolean err, int columns) {
        static final Terminal NONE = new Terminal(false, false, false, 80);

        /** Reads what the launcher says: which of 0, 1 and 2 is a terminal, and its size as stty tells it. */
        static Terminal of(String descriptors, String size) {
            int columns = 80;
            String[] parts = size.strip().split("\\s+", -1);
            if (parts.length == 2 && parts[1].matches("[1-9]\\d{0,4}")) {
                columns = Integer.parseInt(parts[1]);
            }
            return new Terminal(
                    descriptors.contains("0"), descriptors.contains("1"), descriptors.contains("2"), columns);
        }
    }

    static Shell ofProcess() {
        return new Shell(
                new Out(new FileOutputStream(FileDescriptor.out)),
                new Out(new FileOutputStream(FileDescriptor.err)),
                System.in,
                Path.of(""),
                System.getenv(),
                Terminal.of(System.getProperty("launcher.terminal", ""), System.getProperty("launcher.size", "")));
    }

    /** Says something to people, at once. */
    void say(String line) {
        try {
            err.line(line);
            err.flush();
        } catch (java.io.UncheckedIOException e) {
            // Nobody listens; what is done goes on.
        }
    }

    /** Returns a path of the command line. */
    Path path(String text) {
        return directory.resolve(text);
    }
}
