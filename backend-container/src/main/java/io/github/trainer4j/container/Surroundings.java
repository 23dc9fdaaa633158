package io.github.trainer4j.container;

import io.github.trainer4j.api.Quantity;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.spi.Settings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What all containers of a backend are given, initializers among them, whatever the job says; a job's own variables win.
 *
 * @param volumes what they see of the engine's machine
 * @param env variables
 * @param secretEnv variables whose values nobody should see: the address of a proxy may have a password in it
 * @param labels labels
 * @param network the network they are in; empty: one of the job's own
 * @param user the user they run as; empty: the image's
 * @param userns the user namespace they run in
 * @param extraHosts names that they know, each with {@code :} and an address
 * @param ulimits limits of their processes
 * @param devices devices that they see
 * @param shm bytes of {@code /dev/shm}
 * @param ipc whose shared memory they see
 * @param readOnly whether their own file system cannot be written
 */
record Surroundings(
        List<Mount> volumes,
        Map<String, String> env,
        Map<String, Secret> secretEnv,
        Map<String, String> labels,
        Optional<String> network,
        Optional<String> user,
        Optional<String> userns,
        List<String> extraHosts,
        List<Ulimit> ulimits,
        List<Device> devices,
        OptionalLong shm,
        Optional<String> ipc,
        boolean readOnly) {
    static final Surroundings NONE = new Surroundings(
            List.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            List.of(),
            List.of(),
            OptionalLong.empty(),
            Optional.empty(),
            false);

    private static final Pattern ULIMIT = Pattern.compile("([a-z]+)=(-?\\d+)(?::(-?\\d+))?");
    private static final Pattern HOST = Pattern.compile("[^:\\s]+:\\S+");
    private static final Pattern VARIABLE = Pattern.compile("[-._a-zA-Z][-._a-zA-Z0-9]*");
    private static final List<String> PROXIES = List.of("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY");

    /**
     * A limit of processes.
     *
     * @param name its name, such as {@code nofile}
     * @param soft what holds at first
     * @param hard up to where a process may raise it
     */
    record Ulimit(String name, long soft, long hard) {}

    /**
     * A device.
     *
     * @param path where the engine's machine has it, or its name as a CDI device
     * @param target where containers see it
     * @param permissions what they may do: some of {@code rwm}
     */
    record Device(String path, String target, String permissions) {
        /** Whether it is a name such as {@code nvidia.com/gpu=all}, which the engine looks up. */
        boolean isCdi() {
            return !path.startsWith("/");
        }
    }

    Surroundings {
        volumes = List.copyOf(volumes);
        env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
        secretEnv = Collections.unmodifiableMap(new LinkedHashMap<>(secretEnv));
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        extraHosts = List.copyOf(extraHosts);
        ulimits = List.copyOf(ulimits);
        devices = List.copyOf(devices);
    }

    /**
     * Reads the settings.
     *
     * @param environment the environment of this process, whose proxies can be handed on
     */
    static Surroundings read(Settings settings, Map<String, String> environment) {
        Map<String, Secret> proxies = new LinkedHashMap<>();
        if (settings.flag("proxy-from-environment", false)) {
            for (String name : PROXIES) {
                for (String spelling : List.of(name, name.toLowerCase(java.util.Locale.ROOT))) {
                    String value = environment.getOrDefault(spelling, "");
                    if (!value.isBlank()) {
                        proxies.put(spelling, Secret.of(value));
                    }
                }
            }
        }
        Map<String, String> env = settings.map("env");
        env.keySet().stream()
                .filter(name -> !VARIABLE.matcher(name).matches())
                .forEach(name -> settings.problem(
                        "env." + name,
                        "a variable's name is letters, digits, '_', '-' or '.', and starts with no digit"));
        env.keySet().forEach(proxies::remove);
        return new Surroundings(
                volumes(settings),
                env,
                proxies,
                labels(settings),
                settings.text("network").filter(network -> !network.isBlank()),
                settings.text("user"),
                settings.text("userns"),
                matching(settings, "extra-hosts", HOST, "a name, ':' and an address, as in registry:10.0.0.7"),
                ulimits(settings),
                devices(settings),
                bytes(settings, "shm-size"),
                settings.text("ipc"),
                settings.flag("read-only", false));
    }

    private static List<Mount> volumes(Settings settings) {
        List<Mount> volumes = new ArrayList<>();
        for (String text : settings.list("volumes")) {
            String[] parts = text.split(":", -1);
            boolean fits = (parts.length == 2 || parts.length == 3) && !parts[0].isBlank() && parts[1].startsWith("/");
            if (!fits) {
                settings.problem(
                        "volumes",
                        "'" + text + "' is not a path or the name of a volume, ':' and a path in the container, as in"
                                + " /data:/data:ro");
                continue;
            }
            String options = parts.length == 3 ? parts[2] : "rw";
            if (!options.matches("(ro|rw)(\\+[zZ])?")) {
                settings.problem(
                        "volumes",
                        "'" + text + "' ends with '" + options
                                + "'; write ro or rw, with +z or +Z to have it labelled for" + " SELinux");
                continue;
            }
            volumes.add(new Mount(parts[0], parts[1], options.replace('+', ',')));
        }
        return volumes;
    }

    private static Map<String, String> labels(Settings settings) {
        Map<String, String> labels = settings.map("labels");
        labels.keySet().stream()
                .filter(Labels::isReserved)
                .forEach(name -> settings.problem("labels." + name, "this label is the backend's own; choose another"));
        return labels;
    }

    private static List<Ulimit> ulimits(Settings settings) {
        List<Ulimit> ulimits = new ArrayList<>();
        for (String text :
                matching(settings, "ulimits", ULIMIT, "a name, '=' and one or two numbers, as in nofile=4096:8192")) {
            Matcher parts = ULIMIT.matcher(text);
            if (parts.matches()) {
                try {
                    long soft = Long.parseLong(parts.group(2));
                    ulimits.add(new Ulimit(
                            parts.group(1), soft, parts.group(3) == null ? soft : Long.parseLong(parts.group(3))));
                } catch (NumberFormatException e) {
                    settings.problem("ulimits", "'" + text + "' has a number that is too large");
                }
            }
        }
        return ulimits;
    }

    private static List<Device> devices(Settings settings) {
        List<Device> devices = new ArrayList<>();
        for (String text : settings.list("devices")) {
            if (!text.startsWith("/") && text.contains("=")) {
                devices.add(new Device(text, text, "rwm"));
                continue;
            }
            String[] parts = text.split(":", -1);
            if (!text.startsWith("/") || parts.length > 3) {
                settings.problem(
                        "devices",
                        "'" + text
                                + "' is neither a path, as in /dev/fuse or /dev/sda:/dev/xvda:r, nor the name of a CDI"
                                + " device, as in nvidia.com/gpu=all");
                continue;
            }
            devices.add(
                    new Device(parts[0], parts.length > 1 ? parts[1] : parts[0], parts.length > 2 ? parts[2] : "rwm"));
        }
        return devices;
    }

    private static List<String> matching(Settings settings, String key, Pattern pattern, String expected) {
        List<String> good = new ArrayList<>();
        for (String text : settings.list(key)) {
            if (pattern.matcher(text).matches()) {
                good.add(text);
            } else {
                settings.problem(key, "'" + text + "' is not " + expected);
            }
        }
        return good;
    }

    private static OptionalLong bytes(Settings settings, String key) {
        Optional<String> text = settings.text(key);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(new Quantity(text.get().strip()).toLong());
        } catch (TrainerException e) {
            settings.problem(key, String.valueOf(e.getMessage()));
            return OptionalLong.empty();
        }
    }
}
