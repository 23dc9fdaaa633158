package io.github.trainer4j.datacache;

import io.github.trainer4j.api.InitializerDescription;
import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import java.time.Duration;

/**
 * Says which table a cluster serves to the nodes from a cache in its memory:
 *
 * <pre>{@code
 * TrainJobRequest.builder()
 *         .dataset(DataCache.dataset("cache://schema/table")
 *                 .metadataLocation("s3://bucket/schema/table/metadata/v1.metadata.json")
 *                 .dataNodes(4))
 * }</pre>
 *
 * <p>Before the nodes start, the cluster's dataset-initializer makes the cache: a head and the data nodes. Training code
 * reads the rows from the head. Only a cluster can do that; other backends refuse it. What is not said here, the training
 * runtime says or Kubeflow's image: one core and 1 GiB for the head, two cores and 2 GiB for each of two data nodes.
 *
 * <p>It stands for an {@link InitializerSpec} whose options have the names of Kubeflow's variables in lower case:
 * {@code metadata_loc}, {@code cluster_size}, {@code head_cpu}, {@code head_mem}, {@code worker_cpu}, {@code worker_mem},
 * {@code iam_role}, {@code readiness_initial_delay_seconds}, {@code readiness_period_seconds},
 * {@code readiness_timeout_seconds}, {@code readiness_failure_threshold}. Immutable: every method returns a new object.
 */
public final class DataCache implements InitializerDescription {
    private final InitializerSpec spec;

    private DataCache(InitializerSpec spec) {
        this.spec = spec;
    }

    /**
     * Starts the description of a dataset, {@code cache://SCHEMA/TABLE}.
     *
     * @throws InvalidJobException if the URI has no scheme or nothing after it
     */
    public static DataCache dataset(String storageUri) {
        return new DataCache(InitializerSpec.dataset(storageUri));
    }

    /** Says where the metadata file of the Iceberg table lies; needed. */
    public DataCache metadataLocation(String uri) {
        return option(DataCacheOptions.METADATA_LOC, uri);
    }

    /**
     * Spreads the table over this number of nodes, beside the head.
     *
     * @throws InvalidJobException if it is less than two
     */
    public DataCache dataNodes(int dataNodes) {
        if (dataNodes < DataCacheOptions.SMALLEST_CLUSTER - 1 || dataNodes == Integer.MAX_VALUE) {
            throw new InvalidJobException(
                    "dataNodes of cache:// is " + dataNodes + "; a cache has two or more, give such a number");
        }
        return option(DataCacheOptions.CLUSTER_SIZE, Integer.toString(dataNodes + 1));
    }

    /** Gives the head so many cores and so much memory, for example {@code "1"} and {@code "2Gi"}. */
    public DataCache head(String cpu, String memory) {
        return option(DataCacheOptions.HEAD_CPU, cpu).option(DataCacheOptions.HEAD_MEM, memory);
    }

    /** Gives each data node so many cores and so much memory, for example {@code "4"} and {@code "16Gi"}. */
    public DataCache worker(String cpu, String memory) {
        return option(DataCacheOptions.WORKER_CPU, cpu).option(DataCacheOptions.WORKER_MEM, memory);
    }

    /** Reads the table with this role, such as {@code arn:aws:iam::123456789012:role/reader}. */
    public DataCache iamRole(String role) {
        return option(DataCacheOptions.IAM_ROLE, role);
    }

    /**
     * Asks the cache's containers whether they are ready after this delay, and again after each period.
     *
     * @throws InvalidJobException if one is not a number of whole seconds
     */
    public DataCache readiness(Duration initialDelay, Duration period) {
        return option(DataCacheOptions.READINESS_INITIAL_DELAY, seconds(initialDelay))
                .option(DataCacheOptions.READINESS_PERIOD, seconds(period));
    }

    /**
     * Takes a container for not ready that gives no answer in this time so often.
     *
     * @throws InvalidJobException if the time is not a number of whole seconds
     */
    public DataCache readinessFailure(Duration timeout, int failures) {
        return option(DataCacheOptions.READINESS_TIMEOUT, seconds(timeout))
                .option(DataCacheOptions.READINESS_FAILURES, Integer.toString(failures));
    }

    private static String seconds(Duration duration) {
        if (duration.toNanosPart() != 0) {
            throw new InvalidJobException(
                    "the readiness of cache:// is asked for in whole seconds, not after " + duration + "; round it");
        }
        return Long.toString(duration.toSeconds());
    }

    /**
     * Returns the description, on which more can be set.
     *
     * @throws InvalidJobException if the URI or an option is malformed, or the metadata's location is missing
     */
    @Override
    public InitializerSpec spec() {
        new DataCacheInitializerProvider().create(spec);
        return spec;
    }

    private DataCache option(String name, String value) {
        return new DataCache(spec.option(name, value));
    }
}
