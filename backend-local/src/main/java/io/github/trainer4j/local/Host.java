package io.github.trainer4j.local;

import io.github.trainer4j.api.BackendUnavailableException;
import io.github.trainer4j.api.InvalidJobException;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What this host has to run jobs with: programs, interpreters and devices. Immutable. */
final class Host {
    private static final Path SHELL = Path.of("/bin/sh");
    private static final String VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES";

    private static final Set<String> SHELL_VARIABLES = Set.of(
            "IFS",
            "OPTIND",
            "PPID",
            "LINENO",
            "RANDOM",
            "SECONDS",
            "HISTCMD",
            "SHELLOPTS",
            "BASHOPTS",
            "SHLVL",
            "PWD",
            "_");

    private static final Pattern DEVICE_FILE = Pattern.compile("nvidia\\d+");
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Map<String, String> environment;
    private final Path devices;
    private final Optional<String> pythonSetting;
    private final List<String> session;

    /**
     * Looks around.
     *
     * @param environment the environment of this process
     * @param devices the directory of device files, {@code /dev}
     * @param pythonSetting the interpreter that was configured
     * @throws BackendUnavailableException if there is no way to start a process in a session of its own
     */
    Host(Map<String, String> environment, Path devices, Optional<String> pythonSetting) {
        this.environment = Map.copyOf(environment);
        this.devices = devices;
        this.pythonSetting = pythonSetting;
        if (!isProgram(SHELL)) {
            throw new BackendUnavailableException(
                    "backend local starts processes with " + SHELL + ", which this host does not have; install a shell",
                    List.of(),
                    null);
        }
        this.session = session();
    }

    Map<String, String> environment() {
        return environment;
    }

    private List<String> session() {
        List<String> attempts = new ArrayList<>();
        Optional<Path> setsid = find("setsid", environment);
        if (setsid.isPresent()) {
            return List.of(setsid.get().toString());
        }
        attempts.add("setsid: not on PATH");
        // macOS has no setsid, but has perl.
        Optional<Path> perl = find("perl", environment);
        if (perl.isPresent()) {
            return List.of(perl.get().toString(), "-MPOSIX=setsid", "-e", "setsid; exec { $ARGV[0] } @ARGV", "--");
        }
        attempts.add("perl: not on PATH");
        throw new BackendUnavailableException(
                "backend local starts processes in sessions of their own, and found no program that does so; install"
                        + " util-linux or perl",
                attempts,
                null);
    }

    /** Returns the command that starts the command after it in a session of its own, so that no terminal reaches it. */
    List<String> sessionStarter() {
        return session;
    }

    /**
     * Returns where a program is found.
     *
     * @param program its name, or an absolute path
     * @param environment the environment whose {@code PATH} counts
     */
    Optional<Path> find(String program, Map<String, String> environment) {
        try {
            if (program.contains("/")) {
                return Optional.of(Path.of(program)).filter(Host::isProgram);
            }
            return Arrays.stream(environment.getOrDefault("PATH", "").split(File.pathSeparator, -1))
                    // A relative one leads elsewhere from a node's own directory.
                    .filter(directory -> directory.startsWith("/"))
                    .map(directory -> Path.of(directory).resolve(program))
                    .filter(Host::isProgram)
                    .findFirst();
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /**
     * Returns the Python interpreter.
     *
     * @throws InvalidJobException if there is none
     */
    Path python() {
        List<String> names = pythonSetting.map(List::of).orElse(List.of("python3", "python"));
        for (String name : names) {
            Optional<Path> found = find(name, environment);
            if (found.isPresent()) {
                return found.get().toAbsolutePath();
            }
        }
        throw new InvalidJobException("the trainer needs a Python interpreter, and "
                + String.join(" or ", names)
                + (pythonSetting.isPresent()
                        ? ", which the setting local.python names, is no program"
                        : " is not on PATH")
                + "; install Python, or name an interpreter with the setting local.python");
    }

    /** Returns the launcher of the JVM that runs us. */
    Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /**
     * Checks that variables of these names reach a process.
     *
     * @throws InvalidJobException if one does not
     */
    void checkVariables(Iterable<String> names) {
        for (String name : names) {
            if (SHELL_VARIABLES.contains(name)) {
                throw new InvalidJobException("the variable " + name
                        + " belongs to the shell that starts a node, which would change it; choose another name");
            }
            if (!PLAIN_NAME.matcher(name).matches() && find("bash", environment).isEmpty()) {
                throw new InvalidJobException(
                        "the variable " + name + " has a name that sh drops, and there is no bash on"
                                + " PATH; use letters, digits and '_' only, or install bash");
            }
        }
    }

    /** Returns the shell that starts a process with these variables: {@code sh} where it hands them all on, else bash. */
    List<String> shell(Set<String> variables) {
        boolean plain =
                variables.stream().allMatch(name -> PLAIN_NAME.matcher(name).matches());
        return plain
                ? List.of(SHELL.toString())
                : find("bash", environment)
                        .map(bash -> List.of(bash.toString(), "--posix"))
                        .orElse(List.of(SHELL.toString()));
    }

    /** Returns the names of the NVIDIA devices that a job can be given: those this process was given, else all there are. */
    List<String> gpus() {
        String given = environment.get(VISIBLE_DEVICES);
        if (given != null) {
            return Arrays.stream(given.split(","))
                    .map(String::strip)
                    .filter(device -> !device.isEmpty())
                    .toList();
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
                devices,
                file -> DEVICE_FILE.matcher(file.getFileName().toString()).matches())) {
            List<String> names = new ArrayList<>();
            // CUDA numbers the devices it sees from 0, whatever their files are called.
            files.forEach(file -> names.add(Integer.toString(names.size())));
            return names;
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new BackendUnavailableException(
                    "the devices of this host cannot be listed in " + devices + ": " + e.getMessage(), List.of(), e);
        }
    }
}
