package io.github.trainer4j.api.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** How containers install Python packages and tell theirs: by small Python programs, for an image may have no shell. */
public final class PythonPackages {
    private static final String PATH = Launch.DIRECTORY + "/install.py";
    private static final String LIST = """
            import subprocess, sys
            print('Python: ' + sys.version, flush=True)
            for command in ([sys.executable, '-m', 'pip', 'list', '--disable-pip-version-check'], ['nvidia-smi']):
                try:
                    if subprocess.call(command) != 0:
                        print(' '.join(command) + ' failed', flush=True)
                except OSError as error:
                    print(command[0] + ': ' + str(error), flush=True)
            """;

    private PythonPackages() {}

    /** Returns the program that {@link #installing} needs in the workspace. */
    public static LaunchFile installer() {
        try (InputStream in = PythonPackages.class.getResourceAsStream("install.py")) {
            if (in == null) {
                throw new IllegalStateException("install.py is missing from the jar of the api");
            }
            return new LaunchFile(PATH, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the command by which a container first installs packages and then runs.
     *
     * @param install what installs, as {@link PipCommand#command()} has it
     * @param command what runs afterwards
     */
    public static List<String> installing(List<String> install, List<String> command) {
        List<String> all = new ArrayList<>();
        all.add(install.get(0));
        all.add(Placement.CONTAINER_WORKSPACE + "/" + PATH);
        all.add(Integer.toString(install.size()));
        all.addAll(install);
        all.addAll(command);
        return all;
    }

    /** Returns the command by which a container tells its Python, its packages and its GPUs. */
    public static List<String> listing() {
        return List.of("python3", "-c", LIST);
    }
}
