package io.github.trainer4j.cli;

import io.github.trainer4j.api.JobOption;
import io.github.trainer4j.api.TrainJobField;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.client.TrainerClient;
import io.github.trainer4j.client.TrainerClientBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The namespaces of the jobs of a file. A cluster's backend works in one; others have none, where the name says nothing of
 * how a job runs, so that the same file runs there too.
 *
 * @param jobs the jobs without their namespaces
 * @param names the namespaces
 */
record Namespaces(List<TrainJobRequest> jobs, Set<String> names) {
    private static final String FIELD = "metadata.namespace";
    private static final String KUBERNETES = "kubernetes";

    static Namespaces of(List<TrainJobRequest> requests) {
        List<TrainJobRequest> jobs = new ArrayList<>();
        Set<String> names = new TreeSet<>();
        for (TrainJobRequest request : requests) {
            List<JobOption> others = new ArrayList<>();
            for (JobOption option : request.options()) {
                if (option instanceof TrainJobField field && field.path().equals(FIELD)) {
                    names.add(String.valueOf(field.value()));
                } else {
                    others.add(option);
                }
            }
            jobs.add(request.toBuilder().options(others).build());
        }
        return new Namespaces(List.copyOf(jobs), names);
    }

    /** Makes a client that works in the namespace of the jobs. */
    TrainerClient client(Shell shell, Supplier<TrainerClientBuilder> builder) {
        TrainerClient client = builder.get().build();
        if (names.isEmpty()) {
            return client;
        }
        if (!client.backend().equals(KUBERNETES)) {
            shell.say("Note: " + FIELD + " (" + String.join(", ", names) + ") means nothing to backend "
                    + client.backend() + ".");
            return client;
        }
        client.close();
        if (names.size() > 1) {
            throw Refusal.invalid(FIELD + ": the jobs are in several namespaces (" + String.join(", ", names)
                    + "), and one command works in one; give a file for each");
        }
        return builder.get()
                .set("kubernetes.namespace", names.iterator().next())
                .build();
    }
}
