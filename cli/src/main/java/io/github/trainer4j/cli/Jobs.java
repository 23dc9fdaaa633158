package io.github.trainer4j.cli;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.client.yaml.YamlText;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Prints jobs. */
final class Jobs {
    static final Set<Format> FORMATS = EnumSet.allOf(Format.class);

    private Jobs() {}

    /** Prints many jobs, also none. */
    static void print(Shell shell, Format format, List<TrainJob> jobs) {
        switch (format) {
            case JSON -> shell.out().line(JsonText.write(items(jobs)));
            case YAML -> shell.out().print(YamlText.write(items(jobs)));
            case NAME -> jobs.forEach(job -> shell.out().line(job.name()));
            default -> table(shell, format, jobs);
        }
    }

    /** Prints one job, in JSON and YAML as itself and not as a list. */
    static void print(Shell shell, Format format, TrainJob job) {
        switch (format) {
            case JSON -> shell.out().line(JsonText.write(Forms.job(job)));
            case YAML -> shell.out().print(YamlText.write(Forms.job(job)));
            default -> print(shell, format, List.of(job));
        }
    }

    private static Object items(List<TrainJob> jobs) {
        return Forms.items(jobs.stream().map(Forms::job).toList());
    }

    private static void table(Shell shell, Format format, List<TrainJob> jobs) {
        if (jobs.isEmpty()) {
            shell.say("No jobs.");
            return;
        }
        boolean wide = format == Format.WIDE;
        Table table = wide
                ? new Table("NAME", "STATUS", "RUNTIME", "NODES", "AGE", "STEPS", "REASON", "WORKSPACE")
                : new Table("NAME", "STATUS", "RUNTIME", "NODES", "AGE");
        for (TrainJob job : jobs) {
            String runtime = job.runtime().orElse("-");
            String nodes = Integer.toString(job.numNodes());
            String age = age(job.creationTime());
            if (wide) {
                table.row(
                        job.name(),
                        job.status().text(),
                        runtime,
                        nodes,
                        age,
                        steps(job),
                        job.failure().map(Failure::reason).orElse("-"),
                        job.workspace().map(Object::toString).orElse("-"));
            } else {
                table.row(job.name(), job.status().text(), runtime, nodes, age);
            }
        }
        table.print(shell.out());
    }

    /** Returns how many of a job's steps are over, of all. */
    private static String steps(TrainJob job) {
        long over = job.steps().stream()
                .map(Step::status)
                .filter(status -> status.isFinal())
                .count();
        return over + "/" + job.steps().size();
    }

    static String age(Instant since) {
        return span(Duration.between(since, Instant.now()));
    }

    /** Returns a duration in its one or two largest units. */
    static String span(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 120) {
            return seconds + "s";
        }
        if (seconds < 7200) {
            return seconds / 60 + "m" + (seconds < 600 && seconds % 60 != 0 ? seconds % 60 + "s" : "");
        }
        return seconds < 48 * 3600 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
    }
}
