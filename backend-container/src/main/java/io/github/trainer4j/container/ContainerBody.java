package io.github.trainer4j.container;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Says a container's specification in the words of the engines' interface: the body of a request to create it. */
final class ContainerBody {
    /** The longest name that a resolver asks for. */
    private static final int LONGEST_NAME = 63;

    private static final String CDI = "cdi";
    private static final String NVIDIA = "nvidia.com/gpu=";

    private final EngineFacts facts;

    ContainerBody(EngineFacts facts) {
        this.facts = facts;
    }

    /**
     * Returns the body.
     *
     * @param network the job's network
     */
    Map<String, Object> of(ContainerSpec spec, JobNetwork network) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("Image", spec.image());
        body.put("Env", spec.wireEnvironment());
        body.put("Labels", spec.labels());
        body.put("WorkingDir", spec.workingDirectory());
        if (!spec.command().isEmpty()) {
            // The command stands in place of the image's entry point, as it does in a pod.
            body.put("Entrypoint", List.of(spec.command().get(0)));
            body.put("Cmd", spec.command().subList(1, spec.command().size()));
        }
        spec.surroundings().user().ifPresent(user -> body.put("User", user));
        body.put("HostConfig", host(spec, network));
        Map<String, Object> endpoint = endpoint(spec, network);
        if (!endpoint.isEmpty() && spec.surroundings().network().isEmpty()) {
            body.put("NetworkingConfig", Map.of("EndpointsConfig", Map.of(network.id(), endpoint)));
        }
        return body;
    }

    private static Map<String, Object> endpoint(ContainerSpec spec, JobNetwork network) {
        Map<String, Object> endpoint = new LinkedHashMap<>();
        if (spec.name().length() > LONGEST_NAME) {
            endpoint.put("Aliases", List.of(spec.step()));
        }
        network.master()
                .filter(master -> master.container().equals(spec.name()))
                .ifPresent(master -> endpoint.put("IPAMConfig", Map.of("IPv4Address", master.address())));
        return endpoint;
    }

    /** Returns the name by which its neighbours find a container. */
    static String neighbourName(String container, String step) {
        return container.length() > LONGEST_NAME ? step : container;
    }

    private Map<String, Object> host(ContainerSpec spec, JobNetwork network) {
        Surroundings around = spec.surroundings();
        Limits limits = spec.limits();
        Map<String, Object> host = new LinkedHashMap<>();
        host.put("NetworkMode", around.network().orElse(network.id()));
        host.put("Binds", spec.mounts().stream().map(this::bind).toList());
        put(host, "Memory", limits.memory());
        put(host, "NanoCpus", limits.nanoCpus());
        if (around.ipc().isPresent()) {
            host.put("IpcMode", around.ipc().get());
        } else {
            put(host, "ShmSize", shm(limits, around));
        }
        around.userns().ifPresent(mode -> host.put("UsernsMode", mode));
        List<String> hosts = new ArrayList<>(around.extraHosts());
        if (spec.step().startsWith("node-") && around.network().isEmpty()) {
            network.master().map(JobNetwork.Master::host).ifPresent(hosts::add);
        }
        if (!hosts.isEmpty()) {
            host.put("ExtraHosts", hosts);
        }
        if (!around.ulimits().isEmpty()) {
            host.put(
                    "Ulimits",
                    around.ulimits().stream()
                            .map(limit -> Map.of("Name", limit.name(), "Soft", limit.soft(), "Hard", limit.hard()))
                            .toList());
        }
        if (around.readOnly()) {
            host.put("ReadonlyRootfs", true);
            // Hardly a program does without a place for temporary files.
            host.put("Tmpfs", Map.of("/tmp", "rw,exec"));
        }
        devices(spec, host);
        if (facts.dialect() == Dialect.PODMAN) {
            // A file: what goes into the system's journal is not read back as it was written.
            host.put("LogConfig", Map.of("Type", "k8s-file"));
        }
        return host;
    }

    private String bind(Mount mount) {
        boolean relabel = facts.selinux() && mount.options().length() == 2;
        return mount.toBind() + (relabel ? ",z" : "");
    }

    /** As much as a data loader may need: what is not used costs nothing, and the engines' own 64 MB are soon used up. */
    private OptionalLong shm(Limits limits, Surroundings around) {
        if (limits.shm().isPresent()) {
            return limits.shm();
        }
        if (around.shm().isPresent() || facts.memory().isEmpty()) {
            return around.shm();
        }
        // Half of the memory, as Linux gives its own /dev/shm.
        long half = facts.memory().getAsLong() / 2;
        return OptionalLong.of(Math.min(half, limits.memory().orElse(half)));
    }

    private void devices(ContainerSpec spec, Map<String, Object> host) {
        List<Map<String, Object>> requests = new ArrayList<>();
        gpus(spec.limits(), requests);
        List<String> named = new ArrayList<>();
        List<Map<String, String>> paths = new ArrayList<>();
        for (Surroundings.Device device : spec.surroundings().devices()) {
            if (device.isCdi()) {
                named.add(device.path());
            } else {
                paths.add(Map.of(
                        "PathOnHost", device.path(),
                        "PathInContainer", device.target(),
                        "CgroupPermissions", device.permissions()));
            }
        }
        if (!named.isEmpty()) {
            requests.add(byName(named));
        }
        if (!requests.isEmpty()) {
            host.put("DeviceRequests", requests);
        }
        if (!paths.isEmpty()) {
            host.put("Devices", paths);
        }
    }

    private void gpus(Limits limits, List<Map<String, Object>> requests) {
        int count = limits.gpus().orElse(0);
        if (count == 0) {
            return;
        }
        if (facts.dialect() == Dialect.PODMAN) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                names.add(NVIDIA
                        + (limits.gpuIds().isEmpty() ? i : limits.gpuIds().get(i)));
            }
            requests.add(byName(names));
            return;
        }
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("Capabilities", List.of(List.of("gpu")));
        if (limits.gpuIds().isEmpty()) {
            request.put("Count", count);
        } else {
            request.put("DeviceIDs", limits.gpuIds());
        }
        requests.add(request);
    }

    private static Map<String, Object> byName(List<String> names) {
        return Map.of("Driver", CDI, "DeviceIDs", names);
    }

    private static void put(Map<String, Object> map, String key, OptionalLong value) {
        if (value.isPresent()) {
            map.put(key, value.getAsLong());
        }
    }
}
