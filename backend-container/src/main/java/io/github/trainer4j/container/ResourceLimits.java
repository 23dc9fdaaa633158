package io.github.trainer4j.container;

import io.github.trainer4j.api.Quantity;
import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.UnsupportedFeatureException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Says resources as an engine understands them, and refuses those it does not. */
final class ResourceLimits {
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);

    private ResourceLimits() {}

    /**
     * Returns the limits.
     *
     * @param who whose limits these are, for messages
     * @throws UnsupportedFeatureException if an engine has no such resource
     */
    static Limits of(Product product, Resources resources, String who) {
        OptionalLong cpus = OptionalLong.empty();
        OptionalLong memory = OptionalLong.empty();
        OptionalLong shm = OptionalLong.empty();
        OptionalInt gpus = OptionalInt.empty();
        for (Map.Entry<String, Quantity> resource : resources.amounts().entrySet()) {
            Quantity amount = resource.getValue();
            switch (resource.getKey()) {
                case "cpu" ->
                    cpus = OptionalLong.of(amount.value()
                            .multiply(NANOS)
                            .setScale(0, RoundingMode.CEILING)
                            .longValueExact());
                case "memory" -> memory = OptionalLong.of(amount.toLong());
                case "shm" -> shm = OptionalLong.of(amount.toLong());
                case "gpu", "nvidia.com/gpu" -> gpus = OptionalInt.of((int) amount.toLong());
                default ->
                    throw new UnsupportedFeatureException("backend " + product.backend() + " cannot give " + who
                            + " the resource " + resource.getKey() + "; remove it, or use backend kubernetes");
            }
        }
        return new Limits(cpus, memory, shm, gpus, List.of());
    }
}
