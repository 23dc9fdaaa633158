package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.trainer4j.api.ConfigurationException;
import io.github.trainer4j.api.TrainingRuntime;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.spi.BackendProvider;
import java.lang.reflect.Modifier;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** The part of the contract about how a backend is found and made, and what it tells of its runtimes. */
interface ProviderContract {
    @Test
    default void theProviderIsFoundOnTheClassPath(Bench bench) throws NoSuchMethodException {
        Class<?> type = bench.provider().getClass();

        assertThat(Modifier.isPublic(type.getModifiers()))
                .as("%s is public", type)
                .isTrue();
        assertThat(Modifier.isPublic(type.getConstructor().getModifiers())).isTrue();
        assertThat(ServiceLoader.load(BackendProvider.class).stream().map(ServiceLoader.Provider::type))
                .as("the classes named in META-INF/services/" + BackendProvider.class.getName())
                .contains(type.asSubclass(BackendProvider.class));
    }

    @Test
    default void theNameIsALowerCaseWord(Bench bench) {
        assertThat(bench.provider().name()).matches("[a-z][a-z0-9-]*");
    }

    @Test
    default void aSettingThatNobodyKnowsIsReported(Bench bench) {
        assertThatThrownBy(() -> bench.configured("no-such-setting", "x"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("no-such-setting");
    }

    @Test
    default void theRuntimesThatJobsCanNameAreListed(Bench bench) {
        String known = bench.job().build().runtime().orElseThrow().name();

        assertThat(bench.backend().runtimes())
                .contains(bench.backend().runtime(known))
                .anyMatch(runtime -> runtime.name().equals(known));
    }

    @Test
    default void aRuntimeTellsWhatItHasOrThatItCannot(Bench bench) throws InterruptedException {
        TrainingRuntime runtime = bench.backend()
                .runtime(bench.job().build().runtime().orElseThrow().name());

        try {
            assertThat(bench.backend().runtimePackages(runtime)).isNotBlank();
        } catch (UnsupportedFeatureException e) {
            assertThat(e).hasMessageContaining(bench.backendName());
        }
    }
}
