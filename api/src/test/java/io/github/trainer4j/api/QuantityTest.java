package io.github.trainer4j.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Amounts mean what they mean to Kubernetes. */
class QuantityTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "2, 2",
        "0.5, 0.5",
        ".5, 0.5",
        "5., 5",
        "+3, 3",
        "007, 7",
        "500m, 0.5",
        "1n, 0.000000001",
        "1u, 0.000001",
        "1k, 1000",
        "1M, 1000000",
        "1G, 1000000000",
        "1T, 1000000000000",
        "1P, 1000000000000000",
        "1E, 1000000000000000000",
        "1Ki, 1024",
        "1Mi, 1048576",
        "4Gi, 4294967296",
        "1Ti, 1099511627776",
        "1Pi, 1125899906842624",
        "1Ei, 1152921504606846976",
        "1.5Gi, 1610612736",
        "0.5Mi, 524288",
        "1e3, 1000",
        "1E3, 1000",
        "1e+3, 1000",
        "12e6, 12000000",
        "1e-3, 0.001",
        "1.5e3, 1500"
    })
    void anAmountHasItsValueInBaseUnits(String text, BigDecimal expected) {
        assertThat(new Quantity(text).value()).isEqualByComparingTo(expected);
        assertThat(new Quantity(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "1K",
                "1ki",
                "1mi",
                "1g",
                "1GB",
                "1Gib",
                "1B",
                "1 Gi",
                " 1",
                "1 ",
                "1,5",
                "1.5.5",
                ".",
                "+",
                "e3",
                "Gi",
                "1e",
                "1e3.5",
                "1e3k",
                "1km",
                "0x10",
                "1_000",
                "1e1000",
                "NaN",
                "Infinity",
                "½",
                "١",
                "１"
            })
    void whatKubernetesRefusesIsRefused(String text) {
        assertThatThrownBy(() -> new Quantity(text))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("'" + text + "' is not an amount; write for example");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "500m, 1", "1500m, 2", "1n, 1", "0, 0", "1e-999, 1", "1.5Ki, 1536", "1Ei, 1152921504606846976"})
    void partsAreRoundedUpToWholeOnes(String text, long expected) {
        assertThat(new Quantity(text).toLong()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"8Ei", "9223372036854775808", "10E", "1e999"})
    void whatDoesNotFitIntoALongSaysSo(String text) {
        assertThatThrownBy(() -> new Quantity(text).toLong())
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining(text + " is too large");
    }

    @ParameterizedTest
    @CsvSource({"1, true", "1.0, true", "1000m, true", "1e3, true", "0.5, false", "1500m, false", "1e999, true"})
    void wholeAmountsAreTold(String text, boolean whole) {
        assertThat(new Quantity(text).isWhole()).isEqualTo(whole);
    }

    @Test
    void resourcesKeepTheirOrderAndTheirNames() {
        Resources resources =
                Resources.none().with("rdma/hca", "1").memory("4Gi").cpu(2).with("huawei.com/Ascend910", "8");

        assertThat(resources.amounts().keySet()).containsExactly("rdma/hca", "memory", "cpu", "huawei.com/Ascend910");
        assertThat(resources.get("memory")).contains(new Quantity("4Gi"));
        assertThat(resources.get("Memory")).isEmpty();
        assertThat(Resources.none().isEmpty()).isTrue();
        assertThat(resources.isEmpty()).isFalse();
    }

    @Test
    void gpusAreCountedUnderEitherName() {
        assertThat(Resources.none().gpu(2).gpus()).hasValue(2);
        assertThat(Resources.none().with("nvidia.com/gpu", "4").gpus()).hasValue(4);
        assertThat(Resources.none().with("nvidia.com/mig-1g.5gb", "1").gpus()).isEmpty();
        assertThat(Resources.none().cpu("0.5").shm("1Gi").gpus()).isEmpty();
    }
}
