package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.JobName;
import io.github.trainer4j.api.JobNotFoundException;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.api.spi.Backend;
import io.github.trainer4j.api.spi.Settings;
import io.github.trainer4j.testkit.RequiresEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What tests of jobs on a real cluster have in common: a backend, and jobs of which nothing is left afterwards. */
@RequiresEngine("TRAINER4J_TEST_KUBECONFIG")
@Timeout(300)
abstract class ClusterTests {
    static final String NAMESPACE = System.getenv("TRAINER4J_TEST_KUBE_NAMESPACE");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<String> jobs = new ArrayList<>();

    @TempDir
    Path directory;

    private Backend backend;

    @BeforeEach
    void open() {
        backend = backend("TRAINER4J_TEST_KUBECONFIG", NAMESPACE);
    }

    /** Returns what is configured beside the cluster and the namespace. */
    Map<String, String> settings() {
        return Map.of();
    }

    /** Makes one more backend, for the user whose kubeconfig a variable of the environment names. */
    final Backend backend(String kubeconfig, String namespace) {
        Map<String, String> all = new LinkedHashMap<>(settings());
        all.put("kubeconfig", System.getenv(kubeconfig));
        all.put("namespace", namespace);
        Settings settings = Settings.of(all);
        Backend made = new KubernetesBackendProvider().create(settings, Plans.context(directory));
        settings.check();
        return made;
    }

    @AfterEach
    void close() throws InterruptedException {
        for (String job : jobs) {
            try {
                backend.delete(job);
            } catch (JobNotFoundException e) {
                // The test has deleted it, or it was refused.
            }
        }
        backend.close();
    }

    final Backend backend() {
        return backend;
    }

    /** Returns a fresh name, whose job is deleted in the end. */
    final String name() {
        String name = JobName.generate();
        jobs.add(name);
        return name;
    }

    final TrainJobRequest.Builder job(String runtime) {
        return TrainJobRequest.builder().name(name()).runtime(runtime);
    }

    final TrainJob train(TrainJobRequest.Builder request) {
        return backend.train(request.build(), ProgressListener.none());
    }

    final TrainJob await(String name, Predicate<TrainJob> reached) throws Exception {
        return Jobs.await(backend, name, PATIENCE, reached);
    }
}
