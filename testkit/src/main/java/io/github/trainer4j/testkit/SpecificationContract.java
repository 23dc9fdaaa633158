package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.UnsupportedFeatureException;
import io.github.trainer4j.api.spi.InitializerPlan;
import io.github.trainer4j.api.spi.InitializerProvider;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.Locale;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** The part of the contract of initializers about what is said before anything is fetched. */
interface SpecificationContract {
    @Test
    default void theSchemeIsThatOfTheUriInLowerCase(FetchBench bench) {
        String scheme = bench.under().provider().scheme();

        assertThat(scheme)
                .isEqualTo(bench.under().spec().scheme())
                .isEqualTo(scheme.toLowerCase(Locale.ROOT))
                .matches("[a-z][a-z0-9+.-]*");
    }

    @Test
    default void theProviderIsFoundOnTheClassPath(FetchBench bench) throws NoSuchMethodException {
        Class<?> type = bench.under().provider().getClass();

        assertThat(Modifier.isPublic(type.getModifiers()))
                .as("%s is public", type)
                .isTrue();
        assertThat(Modifier.isPublic(type.getConstructor().getModifiers())).isTrue();
        assertThat(ServiceLoader.load(InitializerProvider.class).stream().map(ServiceLoader.Provider::type))
                .as("the classes named in META-INF/services/" + InitializerProvider.class.getName())
                .contains(type.asSubclass(InitializerProvider.class));
    }

    @Test
    default void creatingAndPlanningDoNoInputOrOutput(FetchBench bench) throws IOException {
        assumeThat(bench.under().requests())
                .as("a count of the source's requests")
                .isPresent();
        int before = bench.under().requests().orElseThrow().getAsInt();

        bench.create().plan();
        bench.create().fetcher();

        assertThat(bench.under().requests().orElseThrow().getAsInt())
                .as("requests that the source has seen")
                .isEqualTo(before);
    }

    @Test
    default void aPlanIsTheSameEachTime(FetchBench bench) {
        var initializer = bench.create();

        InitializerPlan plan = initializer.plan();

        assertThat(initializer.plan()).isEqualTo(plan);
        assertThat(bench.create().plan()).isEqualTo(plan);
    }

    @Test
    default void thePlanHasTargetAndUri(FetchBench bench) {
        for (InitializerTarget target : bench.under().targets()) {
            InitializerPlan plan = bench.create(bench.under().spec(target)).plan();

            assertThat(plan.target()).isEqualTo(target);
            assertThat(plan.storageUri()).isEqualTo(bench.under().spec().storageUri());
            assertThat(plan.environment()).containsEntry("STORAGE_URI", plan.storageUri());
        }
    }

    @Test
    default void aTargetThatItCannotFetchIsRefused(FetchBench bench) {
        for (InitializerTarget target : InitializerTarget.values()) {
            if (!bench.under().targets().contains(target)) {
                assertThatThrownBy(() -> bench.create(bench.under().spec(target)))
                        .isInstanceOf(UnsupportedFeatureException.class)
                        .hasMessageContaining(target.directory());
            }
        }
    }

    @Test
    default void anOptionBecomesAVariable(FetchBench bench) {
        bench.under().options().forEach((name, value) -> {
            InitializerPlan plan =
                    bench.create(bench.under().spec().option(name, value)).plan();

            assertThat(plan.environment()).containsEntry(name.toUpperCase(Locale.ROOT), value);
        });
    }

    @Test
    default void anOptionThatItDoesNotKnowIsRefused(FetchBench bench) {
        assertThatThrownBy(() -> bench.create(bench.under().spec().option("no_such_option", "x")))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("no_such_option");
        assertThatThrownBy(
                        () -> bench.create(bench.under().spec().secret("no_such_secret", Secret.of("canary-secret"))))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("no_such_secret")
                .hasMessageNotContaining("canary-secret");
    }

    @Test
    default void aSecretIsInTheSecretEnvironmentAndNowhereElse(FetchBench bench) {
        assumeThat(bench.under().secretOption())
                .as("an option that takes a secret")
                .isPresent();
        String name = bench.under().secretOption().orElseThrow();
        Secret secret = Secret.of("canary-secret");

        var initializer = bench.create(bench.under().spec().secret(name, secret));
        InitializerPlan plan = initializer.plan();

        assertThat(plan.secretEnvironment()).containsEntry(name.toUpperCase(Locale.ROOT), secret);
        assertThat(plan.environment()).doesNotContainKey(name.toUpperCase(Locale.ROOT));
        assertThat(plan.environment().values()).noneMatch(value -> value.contains("canary-secret"));
        assertThat(plan.storageUri()).doesNotContain("canary-secret");
        assertThat(plan.toString()).doesNotContain("canary-secret");
        assertThat(initializer.toString()).doesNotContain("canary-secret");
    }

    @Test
    default void whatIsMalformedIsRefusedWithAWordOnIt(FetchBench bench) {
        assertThat(bench.under().malformed())
                .as("specifications that must be refused")
                .isNotEmpty();
        for (InitializerSpec spec : bench.under().malformed()) {
            assertThatThrownBy(() -> bench.create(spec))
                    .as("for " + spec)
                    .isInstanceOf(InvalidJobException.class)
                    .extracting(Throwable::getMessage)
                    .asString()
                    .isNotBlank();
        }
    }

    @Test
    default void nullIsNotASpecification(FetchBench bench) {
        assertThatThrownBy(() -> bench.create(nothing()))
                .isInstanceOfAny(NullPointerException.class, TrainerException.class);
    }

    @SuppressWarnings("NullAway") // What the test above is about.
    private static InitializerSpec nothing() {
        return null;
    }
}
