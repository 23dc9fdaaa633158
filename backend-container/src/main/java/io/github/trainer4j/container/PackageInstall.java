package io.github.trainer4j.container;

import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.launch.LaunchFile;
import io.github.trainer4j.api.launch.Placement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Has a node install packages before its program starts: by a small Python program, for an image may have no shell. */
final class PackageInstall {
    private static final String PATH = Launch.DIRECTORY + "/install.py";

    private PackageInstall() {}

    /** Returns the program that installs. */
    static LaunchFile file() {
        try (InputStream in = PackageInstall.class.getResourceAsStream("install.py")) {
            if (in == null) {
                throw new IllegalStateException("install.py is missing from the jar of the container backend");
            }
            return new LaunchFile(PATH, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the command that first installs and then runs. */
    static List<String> command(List<String> install, List<String> command) {
        List<String> all = new ArrayList<>();
        all.add(install.get(0));
        all.add(Placement.CONTAINER_WORKSPACE + "/" + PATH);
        all.add(Integer.toString(install.size()));
        all.addAll(install);
        all.addAll(command);
        return all;
    }
}
