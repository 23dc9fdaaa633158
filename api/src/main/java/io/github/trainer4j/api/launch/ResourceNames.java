package io.github.trainer4j.api.launch;

import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.NearNames;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What resources are called in a job, and on Kubernetes, where those that a vendor's plug-in brings have the vendor's domain
 * in their names.
 */
public final class ResourceNames {
    private static final String MIG = "mig-";
    private static final Map<String, String> ALIASES = Map.of(
            "gpu",
            "nvidia.com/gpu",
            "storage",
            "ephemeral-storage",
            "npu",
            "huawei.com/Ascend910",
            "tpu",
            "google.com/tpu");
    private static final Map<String, String> SHORT =
            ALIASES.entrySet().stream().collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

    /** The names without a domain that containers of a cluster can be given. */
    private static final List<String> STANDARD = List.of("cpu", "memory", "ephemeral-storage");

    private ResourceNames() {}

    /**
     * Returns the cluster's name of a resource of a job. A device with a domain keeps its name, whether anybody here knows
     * it or not; of a name without one the case does not matter.
     *
     * @throws InvalidJobException if no cluster has such a resource
     */
    public static String inCluster(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (name.contains("/") || name.startsWith("hugepages-")) {
            return name;
        }
        if (STANDARD.contains(lower)) {
            return lower;
        }
        if (ALIASES.containsKey(lower)) {
            return ALIASES.get(lower);
        }
        if (lower.startsWith(MIG)) {
            return "nvidia.com/" + lower;
        }
        throw new InvalidJobException("a cluster has no resource '" + name
                + "'; give cpu, memory, storage, shm, gpu, npu, tpu, mig-<profile>, or the name of a device with its"
                + " domain, as in rdma/hca"
                + NearNames.hint(name, List.of("cpu", "memory", "storage", "shm", "gpu", "npu", "tpu")));
    }

    /** Returns what jobs call a resource of the cluster. */
    public static String inJob(String name) {
        return SHORT.getOrDefault(name, name);
    }
}
