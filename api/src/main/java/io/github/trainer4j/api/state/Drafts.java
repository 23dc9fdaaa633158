package io.github.trainer4j.api.state;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Names for directories that are made before they are moved to where they belong, and for those that were moved away and
 * are being removed: so that whoever looks sees a directory whole or not at all. The names begin with a dot.
 */
public final class Drafts {
    private static final String INCOMING = ".new-";
    private static final String OUTGOING = ".deleted-";

    private Drafts() {}

    /** Returns a name that nobody else has for a directory to be made; nothing is made. */
    public static Path incoming(Path parent) {
        return parent.resolve(INCOMING + ProcessHandle.current().pid() + "-" + random());
    }

    /** Returns a name that nobody else has for a directory to be removed; nothing is moved. */
    public static Path outgoing(Path parent, String name) {
        return parent.resolve(OUTGOING + name + "-" + random());
    }

    /** Removes what processes left that were killed while they made or removed a directory. */
    public static void sweep(Path parent) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent, ".{new,deleted}-*")) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (name.startsWith(OUTGOING) || isAbandoned(name)) {
                    FileTree.remove(entry, new ArrayList<>());
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // It is only tidying; whoever needs the directory will say what is wrong with it.
            return;
        }
    }

    private static boolean isAbandoned(String incoming) {
        String pid = incoming.substring(INCOMING.length()).replaceAll("-.*", "");
        return pid.matches("\\d{1,18}") && ProcessHandle.of(Long.parseLong(pid)).isEmpty();
    }

    /** Removes a directory that did not come to anything; what is left of it is added to the reason. */
    public static void discard(Path draft, Exception reason) {
        List<String> problems = new ArrayList<>();
        FileTree.remove(draft, problems);
        problems.forEach(problem -> reason.addSuppressed(new IOException("not removed: " + problem)));
    }

    private static String random() {
        byte[] bytes = new byte[6];
        ThreadLocalRandom.current().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
