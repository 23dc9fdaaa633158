package io.github.trainer4j.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.Resources;
import io.github.trainer4j.api.UnsupportedFeatureException;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ResourceLimitsTest {
    @Test
    void coresMemorySharedMemoryAndDevicesBecomeLimits() {
        Limits limits = ResourceLimits.of(
                Product.DOCKER,
                Resources.none().cpu("1.5").memory("1Gi").shm("64Mi").gpu(2),
                "a node");

        assertThat(limits)
                .isEqualTo(new Limits(
                        OptionalLong.of(1_500_000_000L),
                        OptionalLong.of(1L << 30),
                        OptionalLong.of(64L << 20),
                        OptionalInt.of(2),
                        List.of()));
    }

    @Test
    void whatNoContainerIsGivenIsRefusedAndNotIgnored() {
        for (Resources resources : new Resources[] {
            Resources.none().with("storage", "1Gi"), Resources.none().with("rdma/hca", "1")
        }) {
            assertThatThrownBy(() -> ResourceLimits.of(Product.DOCKER, resources, "a node"))
                    .isInstanceOf(UnsupportedFeatureException.class)
                    .hasMessageContaining(
                            resources.amounts().keySet().iterator().next())
                    .hasMessageContaining("docker");
        }
    }
}
