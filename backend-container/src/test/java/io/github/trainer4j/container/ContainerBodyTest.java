package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.json.Json;
import io.github.trainer4j.api.spi.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ContainerBodyTest {
    private static final EngineFacts DOCKER = new EngineFacts(
            new EngineVersion(Dialect.DOCKER, "26.1.5"), OptionalLong.of(8L << 30), false, "2", false, "amd64");
    private static final EngineFacts PODMAN = new EngineFacts(
            new EngineVersion(Dialect.PODMAN, "5.4.2"), OptionalLong.of(8L << 30), false, "2", false, "amd64");

    @Test
    void aPlainContainerIsTheSmallestBody() {
        assertThat(Json.write(new ContainerBody(DOCKER).of(spec(Limits.NONE, Map.of()), JobNetwork.of("net-id"))))
                .isEqualTo("{\"Image\":\"img:1\",\"Env\":[\"A=1\",\"TOKEN=t\"],\"Labels\":{\"l\":\"v\"},"
                        + "\"WorkingDir\":\"/workspace\",\"Entrypoint\":[\"sh\"],\"Cmd\":[\"-c\",\"true\"],"
                        + "\"HostConfig\":{\"NetworkMode\":\"net-id\",\"Binds\":[\"/work/j:/workspace:rw\"],"
                        + "\"ShmSize\":4294967296}}");
    }

    @Test
    void limitsAreGivenInTheEnginesUnits() {
        Limits limits = new Limits(
                OptionalLong.of(1_500_000_000),
                OptionalLong.of(1 << 30),
                OptionalLong.of(64 << 20),
                OptionalInt.empty(),
                List.of());

        Map<?, ?> host = host(DOCKER, limits, Map.of());

        assertThat(host.get("NanoCpus")).isEqualTo(1_500_000_000L);
        assertThat(host.get("Memory")).isEqualTo(1L << 30);
        assertThat(host.get("ShmSize")).isEqualTo(64L << 20);
    }

    @Test
    void sharedMemoryIsNoLargerThanTheMemory() {
        Limits limits = new Limits(
                OptionalLong.empty(), OptionalLong.of(1 << 30), OptionalLong.empty(), OptionalInt.empty(), List.of());

        assertThat(host(DOCKER, limits, Map.of()).get("ShmSize")).isEqualTo(1L << 30);
    }

    @Test
    void gpusAreDeviceRequestsOnDocker() {
        Limits two = new Limits(
                OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.of(2), List.of());

        assertThat(host(DOCKER, two, Map.of()).get("DeviceRequests"))
                .isEqualTo(List.of(Map.of("Capabilities", List.of(List.of("gpu")), "Count", 2)));
        assertThat(host(DOCKER, two.withGpuIds(List.of("2", "3")), Map.of()).get("DeviceRequests"))
                .isEqualTo(List.of(Map.of("Capabilities", List.of(List.of("gpu")), "DeviceIDs", List.of("2", "3"))));
    }

    @Test
    void gpusAreNamesOnPodman() {
        Limits two = new Limits(
                OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalInt.of(2), List.of());

        assertThat(host(PODMAN, two, Map.of()).get("DeviceRequests"))
                .isEqualTo(
                        List.of(Map.of("Driver", "cdi", "DeviceIDs", List.of("nvidia.com/gpu=0", "nvidia.com/gpu=1"))));
    }

    @Test
    void whatIsSetForAllContainersIsThere() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("env.A", "loses");
        settings.put("env.B", "2");
        settings.put("labels.team", "x");
        settings.put("volumes", "/data:/data:ro, cache:/cache");
        settings.put("ulimits", "nofile=1000:2000, memlock=-1");
        settings.put("devices", "/dev/fuse, vendor.com/thing=all");
        settings.put("extra-hosts", "registry:10.0.0.7");
        settings.put("network", "host");
        settings.put("user", "1000:1000");
        settings.put("ipc", "host");
        settings.put("read-only", "true");

        Map<String, Object> body = new ContainerBody(DOCKER).of(spec(Limits.NONE, settings), JobNetwork.of("net-id"));
        Map<?, ?> host = (Map<?, ?>) body.get("HostConfig");

        assertThat(body.get("Env")).isEqualTo(List.of("A=1", "B=2", "TOKEN=t"));
        assertThat(body.get("Labels")).isEqualTo(Map.of("team", "x", "l", "v"));
        assertThat(body.get("User")).isEqualTo("1000:1000");
        assertThat(host.get("NetworkMode")).isEqualTo("host");
        assertThat(host.get("Binds")).isEqualTo(List.of("/work/j:/workspace:rw", "/data:/data:ro", "cache:/cache:rw"));
        assertThat(host.get("Ulimits"))
                .isEqualTo(List.of(
                        Map.of("Name", "nofile", "Soft", 1000L, "Hard", 2000L),
                        Map.of("Name", "memlock", "Soft", -1L, "Hard", -1L)));
        assertThat(host.get("Devices"))
                .isEqualTo(List.of(
                        Map.of("PathOnHost", "/dev/fuse", "PathInContainer", "/dev/fuse", "CgroupPermissions", "rwm")));
        assertThat(host.get("DeviceRequests"))
                .isEqualTo(List.of(Map.of("Driver", "cdi", "DeviceIDs", List.of("vendor.com/thing=all"))));
        assertThat(host.get("ExtraHosts")).isEqualTo(List.of("registry:10.0.0.7"));
        assertThat(host.get("IpcMode")).isEqualTo("host");
        assertThat(host.containsKey("ShmSize")).isFalse();
        assertThat(host.get("ReadonlyRootfs")).isEqualTo(true);
    }

    @Test
    void filesAreLabelledWhereSelinuxWantsIt() {
        EngineFacts selinux = new EngineFacts(
                new EngineVersion(Dialect.PODMAN, "5.4.2"), OptionalLong.empty(), false, "2", true, "amd64");

        assertThat(host(selinux, Limits.NONE, Map.of("volumes", "/a:/a:ro+Z")).get("Binds"))
                .isEqualTo(List.of("/work/j:/workspace:rw,z", "/a:/a:ro,Z"));
    }

    @Test
    void aNameThatNoResolverAsksForGetsAShortOne() {
        String name = "x".repeat(63) + "-node-0";
        ContainerSpec spec = step(name, "node-0");

        assertThat(new ContainerBody(DOCKER).of(spec, JobNetwork.of("n")).get("NetworkingConfig"))
                .isEqualTo(Map.of("EndpointsConfig", Map.of("n", Map.of("Aliases", List.of("node-0")))));
        assertThat(ContainerBody.neighbourName(name, "node-0")).isEqualTo("node-0");
        assertThat(ContainerBody.neighbourName("job-node-0", "node-0")).isEqualTo("job-node-0");
    }

    @Test
    void allNodesAreToldWhereTheFirstOneIsAndOnlyItIsThere() {
        JobNetwork network = new JobNetwork("n", Optional.of(new JobNetwork.Master("j-node-0", "10.0.0.254")));

        Map<String, Object> first = new ContainerBody(PODMAN).of(spec(Limits.NONE, Map.of()), network);
        Map<String, Object> second = new ContainerBody(PODMAN).of(step("j-node-1", "node-1"), network);
        Map<String, Object> initializer =
                new ContainerBody(PODMAN).of(step("j-dataset-initializer", "dataset-initializer"), network);

        assertThat(first.get("NetworkingConfig"))
                .isEqualTo(Map.of(
                        "EndpointsConfig", Map.of("n", Map.of("IPAMConfig", Map.of("IPv4Address", "10.0.0.254")))));
        assertThat(second).doesNotContainKey("NetworkingConfig");
        for (Map<String, Object> node : List.of(first, second)) {
            assertThat(((Map<?, ?>) node.get("HostConfig")).get("ExtraHosts"))
                    .isEqualTo(List.of("j-node-0:10.0.0.254"));
        }
        assertThat(((Map<?, ?>) initializer.get("HostConfig")).containsKey("ExtraHosts"))
                .isFalse();
    }

    @Test
    void theHighestAddressIsTheLastButOne() {
        assertThat(Subnet.highest("10.89.1.0/24")).hasValue("10.89.1.254");
        assertThat(Subnet.highest("172.18.0.0/16")).hasValue("172.18.255.254");
        assertThat(Subnet.highest("10.1.2.16/28")).hasValue("10.1.2.30");
        assertThat(Subnet.highest("10.1.2.16/30")).isEmpty();
        assertThat(Subnet.highest("fd00::/64")).isEmpty();
    }

    @Test
    void anImageThatIsRunAsItIsKeepsItsEntryPoint() {
        ContainerSpec spec = step("j-node-0", "node-0");

        assertThat(new ContainerBody(DOCKER).of(spec, JobNetwork.of("n"))).doesNotContainKeys("Entrypoint", "Cmd");
    }

    private static ContainerSpec step(String name, String step) {
        return new ContainerSpec(
                name,
                step,
                "img:1",
                List.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                List.of(),
                "/",
                Limits.NONE,
                Surroundings.NONE);
    }

    private static Map<?, ?> host(EngineFacts facts, Limits limits, Map<String, String> settings) {
        return (Map<?, ?>) new ContainerBody(facts)
                .of(spec(limits, settings), JobNetwork.of("net-id"))
                .get("HostConfig");
    }

    private static ContainerSpec spec(Limits limits, Map<String, String> settings) {
        Settings read = Settings.of(settings);
        Surroundings surroundings = Surroundings.read(read, Map.of());
        read.check();
        return new ContainerSpec(
                        "j-node-0",
                        "node-0",
                        "img:1",
                        List.of("sh", "-c", "true"),
                        Map.of("A", "1"),
                        Map.of("TOKEN", Secret.of("t")),
                        Map.of("l", "v"),
                        List.of(Mount.writable("/work/j", "/workspace")),
                        "/workspace",
                        limits,
                        Surroundings.NONE)
                .within(surroundings);
    }
}
