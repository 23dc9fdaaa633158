package io.github.trainer4j.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** Runs benchmarks by name, or all of them, and prints their figures. */
public final class Benchmarks {
    private static final int ROUNDS = 7;

    private Benchmarks() {}

    /** One measurement, which prints its own figures. */
    interface Benchmark {
        void run() throws Exception;
    }

    /**
     * Runs the benchmarks that the arguments name; all without arguments.
     *
     * @throws Exception if one fails
     */
    public static void main(String[] args) throws Exception {
        Map<String, Benchmark> benchmarks = new LinkedHashMap<>();
        benchmarks.put("dispatch", DispatchBenchmark::run);
        benchmarks.put("start", LocalBenchmarks::start);
        benchmarks.put("list", LocalBenchmarks::list);
        benchmarks.put("many", LocalBenchmarks::many);
        benchmarks.put("logs", LogBenchmark::run);
        benchmarks.put("containers", ContainerBenchmarks::run);
        benchmarks.put("cluster", ClusterBenchmarks::run);
        for (String name : args.length == 0 ? benchmarks.keySet() : List.of(args)) {
            Benchmark benchmark = benchmarks.get(name);
            if (benchmark == null) {
                throw new IllegalArgumentException("no benchmark " + name + "; there are " + benchmarks.keySet());
            }
            System.out.println("== " + name);
            benchmark.run();
        }
    }

    /** Returns the median of several rounds, in milliseconds. */
    static double median(Callable<Double> milliseconds) throws Exception {
        double[] rounds = new double[ROUNDS];
        for (int i = 0; i < rounds.length; i++) {
            rounds[i] = milliseconds.call();
        }
        java.util.Arrays.sort(rounds);
        return rounds[ROUNDS / 2];
    }

    static double millisecondsSince(long nanoTime) {
        return (System.nanoTime() - nanoTime) / 1e6;
    }

    static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, "  " + format + "%n", values);
    }
}
