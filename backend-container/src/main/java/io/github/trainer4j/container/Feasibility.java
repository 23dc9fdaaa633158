package io.github.trainer4j.container;

import io.github.trainer4j.api.UnsupportedFeatureException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Refuses what the engine at hand would ignore without a word, and what it cannot do. */
final class Feasibility {
    private final Product product;
    private final boolean strictLimits;

    /**
     * Makes a check.
     *
     * @param strictLimits whether a limit that the engine ignores is an error; otherwise a warning tells of it
     */
    Feasibility(Product product, boolean strictLimits) {
        this.product = product;
        this.strictLimits = strictLimits;
    }

    /**
     * Checks a plan against the engine that is to carry it out, and returns what people should know.
     *
     * @param facts what the engine says of itself; asked for only if the plan has something in it that is not for every engine
     * @throws UnsupportedFeatureException if the engine cannot do all of it
     */
    List<String> check(ContainerPlan plan, Supplier<EngineFacts> facts) {
        List<String> warnings = new ArrayList<>();
        for (ContainerSpec container : containers(plan)) {
            String warning = limits(container, facts);
            if (!warning.isEmpty() && !warnings.contains(warning)) {
                warnings.add(warning);
            }
            devices(container, facts);
        }
        return warnings;
    }

    private static List<ContainerSpec> containers(ContainerPlan plan) {
        return Stream.concat(
                        plan.initializers().stream().flatMap(initializer -> initializer.container().stream()),
                        plan.nodes().stream())
                .toList();
    }

    private String limits(ContainerSpec container, Supplier<EngineFacts> facts) {
        if (!container.limits().needsControlGroups() || !facts.get().ignoresLimits()) {
            return "";
        }
        String sentence =
                "this engine (rootless " + facts.get() + " on a machine with control groups of version 1) ignores the"
                        + " limits of cpu and memory of a container";
        if (strictLimits) {
            throw new UnsupportedFeatureException("backend " + product.backend() + " cannot limit " + container.step()
                    + ": " + sentence + "; remove the limits, set " + product.backend()
                    + ".strict-limits to false to go on without them, or use an engine on control groups of version 2");
        }
        return sentence;
    }

    private void devices(ContainerSpec container, Supplier<EngineFacts> facts) {
        boolean named = container.surroundings().devices().stream().anyMatch(Surroundings.Device::isCdi);
        boolean gpus = container.limits().gpus().orElse(0) > 0;
        if (!named && !gpus) {
            return;
        }
        EngineFacts engine = facts.get();
        boolean podman = engine.dialect() == Dialect.PODMAN;
        if ((named || podman) && !engine.knowsDeviceNames()) {
            throw new UnsupportedFeatureException("backend " + product.backend() + " cannot give " + container.step()
                    + " its devices: " + engine + " would ignore them without a word; "
                    + (podman
                            ? "Podman 5.4 and later do it, and so does Docker"
                            : "Docker 25 and later know such names; give the paths of the devices instead"));
        }
    }
}
