package io.github.trainer4j.datacache;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InitializerTarget;
import io.github.trainer4j.testkit.InitializerContract;
import io.github.trainer4j.testkit.InitializerUnderTest;
import java.nio.file.Path;

class DataCacheContractTest extends InitializerContract {
    private static final String METADATA = "s3://bucket/schema/table/metadata/v1.metadata.json";

    @Override
    protected InitializerUnderTest initializer(Path work) {
        return InitializerUnderTest.of(
                        new DataCacheInitializerProvider(),
                        InitializerSpec.dataset("cache://schema/table").option("metadata_loc", METADATA))
                .targets(InitializerTarget.DATASET)
                .withoutFetcher()
                .option("cluster_size", "5")
                .option("head_cpu", "500m")
                .option("head_mem", "1Gi")
                .option("worker_cpu", "2")
                .option("worker_mem", "2Gi")
                .option("iam_role", "arn:aws:iam::123456789012:role/reader")
                .option("readiness_initial_delay_seconds", "0")
                .option("readiness_period_seconds", "1")
                .option("readiness_timeout_seconds", "5")
                .option("readiness_failure_threshold", "3")
                .malformed(
                        InitializerSpec.dataset("cache://schema/table"),
                        InitializerSpec.dataset("cache://schema").option("metadata_loc", METADATA));
    }
}
