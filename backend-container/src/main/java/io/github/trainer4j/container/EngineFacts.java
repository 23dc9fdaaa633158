package io.github.trainer4j.container;

import com.github.dockerjava.api.model.Info;
import java.util.List;
import java.util.OptionalLong;

/**
 * What an engine says about itself.
 *
 * @param version which engine it is
 * @param memory the bytes of memory of its machine
 * @param rootless whether it runs without the rights of root
 * @param cgroupVersion which control groups its machine has, {@code 1} or {@code 2}
 * @param selinux whether files need a label before containers may use them
 * @param architecture the kind of its processors, in the words of images
 */
record EngineFacts(
        EngineVersion version,
        OptionalLong memory,
        boolean rootless,
        String cgroupVersion,
        boolean selinux,
        String architecture) {
    static EngineFacts of(EngineVersion version, Info info) {
        Long memory = info.getMemTotal();
        List<String> security = info.getSecurityOptions() == null ? List.of() : info.getSecurityOptions();
        return new EngineFacts(
                version,
                memory == null || memory <= 0 ? OptionalLong.empty() : OptionalLong.of(memory),
                Boolean.TRUE.equals(info.getRawValues().get("Rootless"))
                        || security.stream().anyMatch(option -> option.contains("name=rootless")),
                String.valueOf(info.getRawValues().getOrDefault("CgroupVersion", "")),
                security.stream().anyMatch(option -> option.contains("name=selinux")),
                architecture(String.valueOf(info.getArchitecture())));
    }

    Dialect dialect() {
        return version.dialect();
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
        return dialect() == Dialect.PODMAN ? version.isAtLeast(5, 4) : version.isAtLeast(25, 0);
    }

    @Override
    public String toString() {
        return version.toString();
    }
}
