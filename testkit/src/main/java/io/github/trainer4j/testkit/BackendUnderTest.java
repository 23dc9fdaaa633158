package io.github.trainer4j.testkit;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.RuntimeRef;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.spi.BackendProvider;
import io.github.trainer4j.api.spi.InitializerProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Tells {@link BackendContract} how to make a backend and what its world is like. What is not said has a default that
 * suits a backend that runs processes of this machine; a backend that runs images says at least which:
 *
 * <pre>{@code
 * return BackendUnderTest.of(new DockerBackendProvider())
 *         .setting("host", "unix:///var/run/docker.sock")
 *         .image("busybox:1")
 *         .initializers((target, actions) -> InitializerSpec.of(target, "hf://test/" + actions.text())
 *                 .image("initializer-stand-in:1"), new HuggingFaceInitializerProvider())
 *         .slower(3);
 * }</pre>
 *
 * <p>The methods change this object and return it. Not for use by several threads at once.
 */
public final class BackendUnderTest {
    private static final List<String> FRAMEWORKS = List.of("plain", "torch", "jax", "xgboost");

    private final BackendProvider provider;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Set<Feature> lacking = EnumSet.noneOf(Feature.class);
    private final List<InitializerProvider> initializerProviders = new ArrayList<>();
    private Optional<String> image = Optional.empty();
    private Optional<String> javaImage = Optional.empty();
    private Optional<String> gracePeriod = Optional.empty();
    private BiFunction<String, Set<InitializerTarget>, RuntimeRef> runtimes =
            (framework, targets) -> RuntimeRef.named(runtimeName(framework));
    private List<String> shell = List.of("sh", "-c");
    private BiFunction<InitializerTarget, InitializerActions, InitializerSpec> initializers =
            (target, actions) -> InitializerSpec.of(target, "test://" + actions.text());
    private Supplier<List<String>> processes = HostProcesses::commandLines;
    private Function<String, List<String>> traces = job -> List.of();
    private Duration patience = Duration.ofSeconds(60);
    private int slowness = 1;

    private BackendUnderTest(BackendProvider provider) {
        this.provider = provider;
    }

    /** Starts to tell about the backends that this provider makes. */
    public static BackendUnderTest of(BackendProvider provider) {
        return new BackendUnderTest(provider);
    }

    /** Gives the backend a setting, as the configuration would; the key is without the backend's name in front. */
    public BackendUnderTest setting(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /** Says which image the nodes run. It needs a POSIX shell with the usual small programs; busybox is enough. */
    public BackendUnderTest image(String image) {
        this.image = Optional.of(image);
        return this;
    }

    /** Says which image runs Java programs, where that is another than the nodes' usual one. */
    public BackendUnderTest javaImage(String image) {
        this.javaImage = Optional.of(image);
        return this;
    }

    /**
     * Names the setting that says how long a process may take to end by itself before it is killed. The contract then sets
     * it to one second, and to more only where it looks whether a process is given its time: the first process of a
     * container is deaf to a plain TERM, so each container that is stopped takes all the time there is. Without this call
     * the backend's own default holds, which must be three seconds at least.
     */
    public BackendUnderTest gracePeriod(String key) {
        this.gracePeriod = Optional.of(key);
        return setting(key, "1s");
    }

    /**
     * Says which runtime jobs are to name for a framework: {@code plain} (any that the launch knows no variables for),
     * {@code torch}, {@code jax} or {@code xgboost}. Without this call they name {@code contract-plain} and so on, which
     * the contract puts into the backend's runtime catalog. For a backend that has runtimes of its own, such as a cluster,
     * where a runtime has its initializers and each of its jobs runs all of them.
     *
     * @param choice chooses by the framework and by what the job fetches
     */
    public BackendUnderTest runtimes(BiFunction<String, Set<InitializerTarget>, RuntimeRef> choice) {
        this.runtimes = choice;
        return this;
    }

    /** Says what a script follows on a command line; {@code sh -c} if this is never called. */
    public BackendUnderTest shell(String... command) {
        this.shell = List.of(command);
        return this;
    }

    /**
     * Says which initializer does these actions. Without this call it is the one of {@link ActionsInitializerProvider},
     * which runs within this JVM; where initializers are containers, give an image that does the actions.
     *
     * @param byActions makes the specification for a target and the actions
     * @param providers the providers that the registry of the backend needs for it
     */
    public BackendUnderTest initializers(
            BiFunction<InitializerTarget, InitializerActions, InitializerSpec> byActions,
            InitializerProvider... providers) {
        this.initializers = byActions;
        this.initializerProviders.addAll(List.of(providers));
        return this;
    }

    /** Says what the backend lacks. */
    public BackendUnderTest without(Feature... features) {
        lacking.addAll(List.of(features));
        return this;
    }

    /** Says how many times as long as a host's process things may take; all patience of the contract is multiplied by it. */
    public BackendUnderTest slower(int times) {
        this.slowness = times;
        return this;
    }

    /**
     * Says how to list the command lines of all processes that run where the nodes run. The contract looks there for
     * processes that should be gone. Without this call these are the processes of this machine, containers' among them.
     */
    public BackendUnderTest processes(Supplier<List<String>> commandLines) {
        this.processes = commandLines;
        return this;
    }

    /**
     * Says how to list whatever exists outside for a job of this name: containers, networks, pods. Once the job is
     * deleted, nothing may be left of it.
     */
    public BackendUnderTest traces(Function<String, List<String>> ofJob) {
        this.traces = ofJob;
        return this;
    }

    /** For tests of the contract itself, which wait in vain for what a broken backend never does. */
    BackendUnderTest patience(Duration patience) {
        this.patience = patience;
        return this;
    }

    BackendProvider provider() {
        return provider;
    }

    /** The settings with the backend's name in front. */
    Map<String, String> settings() {
        Map<String, String> full = new LinkedHashMap<>();
        settings.forEach((key, value) -> full.put(provider.name() + "." + key, value));
        return full;
    }

    Optional<String> javaImage() {
        return javaImage;
    }

    Optional<String> gracePeriod() {
        return gracePeriod;
    }

    boolean has(Feature feature) {
        return !lacking.contains(feature);
    }

    RuntimeRef runtime(String framework) {
        return runtimes.apply(framework, Set.of());
    }

    /** The same request with the runtime that suits what it fetches, if it names one of the contract's. */
    TrainJobRequest onFittingRuntime(TrainJobRequest request) {
        Set<InitializerTarget> targets =
                request.initializers().stream().map(InitializerSpec::target).collect(Collectors.toSet());
        for (String framework : FRAMEWORKS) {
            if (request.runtime().equals(Optional.of(runtime(framework)))) {
                return request.toBuilder()
                        .runtime(runtimes.apply(framework, targets))
                        .build();
            }
        }
        return request;
    }

    /** The runtimes that the backend finds in its catalog. */
    List<TrainingRuntime> catalog() {
        List<TrainingRuntime> list = new ArrayList<>();
        for (String framework : FRAMEWORKS) {
            TrainingRuntime runtime = TrainingRuntime.of(runtime(framework).name(), framework, "the contract");
            list.add(image.map(runtime::withImage).orElse(runtime));
        }
        return list;
    }

    List<String> shell() {
        return shell;
    }

    InitializerSpec initializer(InitializerTarget target, InitializerActions actions) {
        return initializers.apply(target, actions);
    }

    List<InitializerProvider> initializerProviders() {
        return List.copyOf(initializerProviders);
    }

    List<String> processes() {
        return processes.get();
    }

    List<String> traces(String job) {
        return traces.apply(job);
    }

    Duration patience() {
        return patience.multipliedBy(slowness);
    }

    int slowness() {
        return slowness;
    }

    private static String runtimeName(String framework) {
        return "contract-" + framework;
    }
}
