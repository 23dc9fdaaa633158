package io.github.trainer4j.container;

import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.api.model.Version;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an engine says about itself.
 *
 * @param dialect which of the two it is
 * @param version its version
 * @param memory the bytes of memory of its machine
 * @param rootless whether it runs without the rights of root
 * @param cgroupVersion which control groups its machine has, {@code 1} or {@code 2}
 * @param selinux whether files need a label before containers may use them
 * @param architecture the kind of its processors, in the words of images
 */
record EngineFacts(
        Dialect dialect,
        String version,
        OptionalLong memory,
        boolean rootless,
        String cgroupVersion,
        boolean selinux,
        String architecture) {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

    static EngineFacts of(Version version, Info info) {
        boolean podman = version.getComponents() != null
                && version.getComponents().stream()
                        .anyMatch(
                                component -> String.valueOf(component.getName()).startsWith("Podman"));
        Long memory = info.getMemTotal();
        List<String> security = info.getSecurityOptions() == null ? List.of() : info.getSecurityOptions();
        return new EngineFacts(
                podman ? Dialect.PODMAN : Dialect.DOCKER,
                String.valueOf(version.getVersion()),
                memory == null || memory <= 0 ? OptionalLong.empty() : OptionalLong.of(memory),
                Boolean.TRUE.equals(info.getRawValues().get("Rootless"))
                        || security.stream().anyMatch(option -> option.contains("name=rootless")),
                String.valueOf(info.getRawValues().getOrDefault("CgroupVersion", "")),
                security.stream().anyMatch(option -> option.contains("name=selinux")),
                architecture(String.valueOf(info.getArchitecture())));
    }

    /** Returns the word of images for a kind of processor, for which Docker has the kernel's. */
    static String architecture(String word) {
        return switch (word) {
            case "x86_64" -> "amd64";
            case "aarch64" -> "arm64";
            case "null" -> "";
            default -> word;
        };
    }

    /** Whether limits of processor and memory are ignored, and without a word. */
    boolean ignoresLimits() {
        return rootless && !cgroupVersion.equals("2");
    }

    /** Whether devices can be given by the names that their vendors' tools write down (CDI). */
    boolean knowsDeviceNames() {
        return dialect == Dialect.PODMAN ? isAtLeast(5, 4) : isAtLeast(25, 0);
    }

    /** Whether it says of a container that memory ran out; before version 5 podman does not where it should. */
    boolean tellsOutOfMemory() {
        return dialect == Dialect.DOCKER || isAtLeast(5, 0);
    }

    private boolean isAtLeast(int major, int minor) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            // A build of somebody's own, and most likely a new one.
            return true;
        }
        int first = Integer.parseInt(parts.group(1));
        return first > major || (first == major && Integer.parseInt(parts.group(2)) >= minor);
    }

    @Override
    public String toString() {
        return (dialect == Dialect.PODMAN ? "Podman " : "Docker ") + version;
    }
}
