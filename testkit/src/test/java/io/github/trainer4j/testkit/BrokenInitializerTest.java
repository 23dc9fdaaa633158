package io.github.trainer4j.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.spi.FetchContext;
import io.github.trainer4j.api.spi.Fetcher;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import io.github.trainer4j.api.spi.InitializerProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The contract can fail: each mistake that an initializer may make is found by the test that is there for it. */
class BrokenInitializerTest {
    private static final AtomicInteger REQUESTS = new AtomicInteger();

    private static volatile InitializerProvider broken;

    /** Run by the launcher alone. */
    static final class OnABrokenInitializer extends InitializerContract {
        @Override
        protected InitializerUnderTest initializer(Path work) {
            assumeThat(broken).as("the mistake to make").isNotNull();
            return told(broken);
        }
    }

    static InitializerUnderTest told(InitializerProvider provider) {
        return InitializerUnderTest.of(provider, InitializerSpec.dataset("toy://3x1000"))
                .file("file-0.txt", "a".repeat(1000))
                .file("file-1.txt", "b".repeat(1000))
                .file("file-2.txt", "c".repeat(1000))
                .option("suffix", ".txt")
                .secretOption("token")
                .requests(REQUESTS::get)
                .fails(FaultySource::failOnce)
                .hangs(FaultySource::hangOnce, FaultySource::hangsNow)
                .malformed(InitializerSpec.dataset("toy://many"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"specifying", "fetching"})
    void anInitializerIsFoundOutThat(String what, String test, InitializerProvider provider) {
        broken = provider;
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectMethod(OnABrokenInitializer.class, test, FetchBench.class))
                .build();

        LauncherFactory.create().execute(request, listener);

        broken = null;
        TestExecutionSummary summary = listener.getSummary();
        assertThat(summary.getTestsFoundCount()).as("tests called " + test).isEqualTo(1);
        assertThat(summary.getFailures())
                .extracting(TestExecutionSummary.Failure::getException)
                .as("how the contract fails for an initializer that " + what)
                .hasSize(1)
                .hasOnlyElementsOfTypes(AssertionError.class, TrainerException.class);
    }

    static Stream<Arguments> specifying() {
        return Stream.of(
                mistake("is not in the services file", "theProviderIsFoundOnTheClassPath", planning(plan -> plan)),
                mistake("asks its source when it is created", "creatingAndPlanningDoNoInputOrOutput", creating(spec -> {
                    REQUESTS.incrementAndGet();
                    return spec;
                })),
                mistake("plans something else each time", "aPlanIsTheSameEachTime", planning(plan -> {
                    Map<String, String> environment = new HashMap<>(plan.environment());
                    environment.put("TIME", Long.toString(System.nanoTime()));
                    return new InitializerPlan(plan.target(), plan.storageUri(), environment, plan.secretEnvironment());
                })),
                mistake(
                        "always plans for the dataset",
                        "thePlanHasTargetAndUri",
                        planning(plan -> new InitializerPlan(
                                InitializerTarget.DATASET,
                                plan.storageUri(),
                                plan.environment(),
                                plan.secretEnvironment()))),
                mistake(
                        "forgets the storage URI",
                        "thePlanHasTargetAndUri",
                        planning(plan -> new InitializerPlan(
                                plan.target(), plan.storageUri(), Map.of(), plan.secretEnvironment()))),
                mistake(
                        "drops options",
                        "anOptionBecomesAVariable",
                        creating(spec -> withOptions(spec, Map.of(), spec.secrets()))),
                mistake("takes any option", "anOptionThatItDoesNotKnowIsRefused", creating(spec -> {
                    Map<String, String> known = new HashMap<>(spec.options());
                    known.keySet().retainAll(Set.of("suffix"));
                    return withOptions(spec, known, spec.secrets());
                })),
                mistake("shows a secret", "aSecretIsInTheSecretEnvironmentAndNowhereElse", planning(plan -> {
                    Map<String, String> environment = new HashMap<>(plan.environment());
                    plan.secretEnvironment().forEach((name, secret) -> environment.put(name, secret.reveal()));
                    return new InitializerPlan(plan.target(), plan.storageUri(), environment, Map.of());
                })),
                mistake(
                        "takes any URI",
                        "whatIsMalformedIsRefusedWithAWordOnIt",
                        creating(spec -> InitializerSpec.of(spec.target(), "toy://3x1000"))));
    }

    static Stream<Arguments> fetching() {
        return Stream.of(
                mistake(
                        "leaves a file out",
                        "anEmptyDirectoryGetsAllFilesAndNothingElse",
                        after((directory, context) -> Files.delete(directory.resolve("file-1.txt")))),
                mistake(
                        "leaves a temporary file behind",
                        "anEmptyDirectoryGetsAllFilesAndNothingElse",
                        after((directory, context) -> Files.writeString(directory.resolve("file-3.tmp"), "x"))),
                mistake(
                        "writes beside its directory",
                        "anEmptyDirectoryGetsAllFilesAndNothingElse",
                        after((directory, context) -> Files.writeString(directory.resolveSibling("beside.txt"), "x"))),
                mistake(
                        "never reports the whole",
                        "progressReachesTheWhole",
                        after((directory, context) -> context.progress(1500, OptionalLong.of(3000)))),
                mistake("fetches all again", "aSecondFetchLeavesTheFilesAsTheyAre", around(right -> (to, context) -> {
                    for (Path file : Stream.of("file-0.txt", "file-1.txt", "file-2.txt")
                            .map(to::resolve)
                            .toList()) {
                        Files.deleteIfExists(file);
                    }
                    Bench.pause(20);
                    right.fetch(to, context);
                })),
                mistake("looks at names only", "aTruncatedFileIsFetchedAgain", around(right -> (to, context) -> {
                    if (!Files.exists(to.resolve("file-2.txt"))) {
                        right.fetch(to, context);
                    }
                })),
                mistake("looks at sizes only", "aFileWithOtherBytesIsFetchedAgain", around(right -> (to, context) -> {
                    if (!Files.exists(to.resolve("file-0.txt")) || Files.size(to.resolve("file-0.txt")) != 1000) {
                        right.fetch(to, context);
                    }
                })),
                mistake(
                        "believes its note of the first try",
                        "aMissingFileIsFetchedAgain",
                        around(right -> (to, context) -> {
                            if (!Files.exists(to.resolve(".done"))) {
                                Files.writeString(to.resolve(".done"), "");
                                right.fetch(to, context);
                            }
                        })),
                mistake(
                        "writes under the last name at once",
                        "afterAFailureTheNextFetchBelievesNothingThatIsNotTrue",
                        around(right -> (to, context) -> {
                            Files.writeString(to.resolve("file-2.txt"), "c");
                            right.fetch(to, context);
                        })),
                mistake("is deaf to an interrupt", "anInterruptEndsAFetchAtOnce", around(right -> (to, context) -> {
                    try {
                        right.fetch(to, context);
                    } catch (InterruptedException e) {
                        Bench.pause(15_000);
                    }
                })),
                mistake(
                        "takes an interrupt for an error",
                        "anInterruptEndsAFetchAtOnce",
                        around(right -> (to, context) -> {
                            try {
                                right.fetch(to, context);
                            } catch (InterruptedException e) {
                                throw new IOException("stopped", e);
                            }
                        })),
                mistake("uses one place for all", "twoFetchesAtOnceDoNotDisturbEachOther", sharing()),
                mistake("logs a secret", "aFetchLogsNoSecret", loggingSecrets()));
    }

    private static Arguments mistake(String what, String test, InitializerProvider provider) {
        return Arguments.of(what, test, provider);
    }

    /** Makes the right initializer for another specification. */
    private static InitializerProvider creating(UnaryOperator<InitializerSpec> wrong) {
        return provider(spec -> new FaultySource().create(wrong.apply(spec)));
    }

    /** Fetches rightly, but plans wrongly. */
    private static InitializerProvider planning(UnaryOperator<InitializerPlan> wrong) {
        return provider(spec -> {
            Initializer right = new FaultySource().create(spec);
            return initializer(() -> wrong.apply(right.plan()), right.fetcher());
        });
    }

    /** Plans rightly, but fetches wrongly. */
    private static InitializerProvider around(UnaryOperator<Fetcher> wrong) {
        return provider(spec -> {
            Initializer right = new FaultySource().create(spec);
            return initializer(right::plan, right.fetcher().map(wrong));
        });
    }

    /** Does something more once all is fetched. */
    private static InitializerProvider after(Fetcher more) {
        return around(right -> (directory, context) -> {
            right.fetch(directory, context);
            more.fetch(directory, context);
        });
    }

    /** Keeps what it does in one field for all fetches. */
    private static InitializerProvider sharing() {
        Path[] current = new Path[1];
        return around(right -> (directory, context) -> {
            current[0] = directory;
            Bench.pause(200);
            right.fetch(current[0], context);
        });
    }

    private static InitializerProvider loggingSecrets() {
        return provider(spec -> {
            Initializer right = new FaultySource().create(spec);
            return initializer(right::plan, right.fetcher().map(fetcher -> (Path directory, FetchContext context) -> {
                spec.secrets().values().forEach(secret -> context.log("token " + secret.reveal()));
                fetcher.fetch(directory, context);
            }));
        });
    }

    private static InitializerSpec withOptions(
            InitializerSpec spec, Map<String, String> options, Map<String, Secret> secrets) {
        return new InitializerSpec(
                spec.target(),
                spec.storageUri(),
                options,
                secrets,
                spec.image(),
                spec.timeout(),
                spec.retries(),
                spec.resources());
    }

    private interface Creation {
        Initializer create(InitializerSpec spec);
    }

    private static InitializerProvider provider(Creation creation) {
        return new InitializerProvider() {
            @Override
            public String scheme() {
                return "toy";
            }

            @Override
            public Initializer create(InitializerSpec spec) {
                return creation.create(spec);
            }
        };
    }

    private static Initializer initializer(Supplier<InitializerPlan> plan, Optional<Fetcher> fetcher) {
        return new Initializer() {
            @Override
            public InitializerPlan plan() {
                return plan.get();
            }

            @Override
            public Optional<Fetcher> fetcher() {
                return fetcher;
            }
        };
    }
}
