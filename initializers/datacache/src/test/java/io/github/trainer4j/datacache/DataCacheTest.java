package io.github.trainer4j.datacache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.Secret;
import io.github.trainer4j.api.spi.Initializer;
import io.github.trainer4j.api.spi.InitializerPlan;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DataCacheTest {
    private static final String METADATA = "s3://bucket/schema/table/metadata/v1.metadata.json";

    private static DataCache table() {
        return DataCache.dataset("cache://schema/table").metadataLocation(METADATA);
    }

    private static Initializer initializer(DataCache cache) {
        return new DataCacheInitializerProvider().create(cache.spec());
    }

    @Test
    void allThatIsSaidIsAVariableOfTheContainer() {
        InitializerPlan plan = initializer(table().dataNodes(4)
                        .head("1", "2Gi")
                        .worker("500m", "16Gi")
                        .iamRole("arn:aws:iam::123456789012:role/reader")
                        .readiness(Duration.ofSeconds(5), Duration.ofMinutes(1))
                        .readinessFailure(Duration.ofSeconds(7), 9))
                .plan();

        assertThat(plan.environment())
                .containsExactly(
                        entry("STORAGE_URI", "cache://schema/table"),
                        entry("METADATA_LOC", METADATA),
                        entry("CLUSTER_SIZE", "5"),
                        entry("HEAD_CPU", "1"),
                        entry("HEAD_MEM", "2Gi"),
                        entry("WORKER_CPU", "500m"),
                        entry("WORKER_MEM", "16Gi"),
                        entry("IAM_ROLE", "arn:aws:iam::123456789012:role/reader"),
                        entry("READINESS_INITIAL_DELAY_SECONDS", "5"),
                        entry("READINESS_PERIOD_SECONDS", "60"),
                        entry("READINESS_TIMEOUT_SECONDS", "7"),
                        entry("READINESS_FAILURE_THRESHOLD", "9"));
        assertThat(plan.secretEnvironment()).isEmpty();
    }

    @Test
    void whatIsNotSaidIsLeftToTheRuntimeAndTheImage() {
        assertThat(initializer(table()).plan().environment()).containsOnlyKeys("STORAGE_URI", "METADATA_LOC");
    }

    @Test
    void onlyAClusterCanDoIt() {
        assertThat(initializer(table()).needsCluster()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cache://schema",
                "cache://schema/",
                "cache:///table",
                "cache://schema/table/",
                "cache://schema/table/more",
                "cache://sch ema/table",
                "cache://schema/table?x=1",
                "cache://user@schema/table"
            })
    void aUriThatNamesNoTableIsRefused(String uri) {
        InitializerSpec spec = InitializerSpec.dataset(uri).option("metadata_loc", METADATA);

        assertThatThrownBy(() -> new DataCacheInitializerProvider().create(spec))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("cache://SCHEMA/TABLE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cache://schema/table", "cache://my.schema/Table_1-b", "cache://schéma/表"})
    void aTableMayHaveAnyName(String uri) {
        InitializerSpec spec = InitializerSpec.dataset(uri).option("metadata_loc", METADATA);

        assertThat(new DataCacheInitializerProvider().create(spec).plan().storageUri())
                .isEqualTo(uri);
    }

    @ParameterizedTest
    @CsvSource({
        "cluster_size, 2, at least 3",
        "cluster_size, three, at least 3",
        "cluster_size, 99999999999, at least 3",
        "head_cpu, much, is not an amount",
        "head_mem, 0, more than 0",
        "worker_cpu, -1, is not an amount",
        "worker_mem, 2 Gi, is not an amount",
        "iam_role, reader, arn:aws:iam::123456789012:role/name",
        "readiness_initial_delay_seconds, -1, at least 0",
        "readiness_period_seconds, 0, at least 1",
        "readiness_timeout_seconds, 1.5, at least 1",
        "readiness_failure_threshold, 0, at least 1",
        "num_data_nodes, 4, there are metadata_loc",
        "worker_memory, 4Gi, worker_mem",
    })
    void anOptionOutOfItsFormIsRefusedByName(String name, String value, String words) {
        InitializerSpec spec = InitializerSpec.dataset("cache://schema/table")
                .option("metadata_loc", METADATA)
                .option(name, value);

        assertThatThrownBy(() -> new DataCacheInitializerProvider().create(spec))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"metadata.json", "s3://", "s3://key:geheim@bucket/metadata.json", "s3://bucket/a b"})
    void aPlaceOfMetadataThatIsNoAddressIsRefusedAndNotShown(String place) {
        DataCache cache = DataCache.dataset("cache://schema/table").metadataLocation(place);

        assertThatThrownBy(cache::spec)
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("'metadata_loc'")
                .hasMessageNotContaining("geheim");
    }

    @Test
    void aTableNeedsItsMetadata() {
        assertThatThrownBy(DataCache.dataset("cache://schema/table")::spec)
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("needs the option 'metadata_loc'");
    }

    @Test
    void nothingOfItIsASecret() {
        InitializerSpec spec = table().spec().secret("head_cpu", Secret.of("geheim"));

        assertThatThrownBy(() -> new DataCacheInitializerProvider().create(spec))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("'head_cpu' of cache:// is given as a secret")
                .hasMessageNotContaining("geheim");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE})
    void aCacheHasTwoDataNodesOrMore(int nodes) {
        assertThatThrownBy(() -> table().dataNodes(nodes))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("two or more");
    }

    @Test
    void readinessIsAskedForInWholeSeconds() {
        assertThatThrownBy(() -> table().readiness(Duration.ofMillis(1500), Duration.ofSeconds(1)))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("PT1.5S");
    }
}
