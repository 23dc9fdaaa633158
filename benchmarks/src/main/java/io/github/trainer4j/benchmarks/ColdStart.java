package io.github.trainer4j.benchmarks;

import io.github.trainer4j.client.TrainerClient;

/** A program that asks a cluster one thing and ends. */
public final class ColdStart {
    private ColdStart() {}

    /** Prints the names of the runtimes; the arguments are a kubeconfig and a namespace. */
    public static void main(String[] args) {
        try (TrainerClient client = ClusterBenchmarks.client(args[0], args[1])) {
            client.runtimes().forEach(runtime -> System.out.println(runtime.name()));
        }
    }
}
