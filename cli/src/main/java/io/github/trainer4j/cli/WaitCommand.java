package io.github.trainer4j.cli;

import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.WaitOptions;
import io.github.trainer4j.client.TrainerClient;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "wait",
        description = "Waits until a job has a status; the exit code tells how it went.",
        footerHeading = "%nExample:%n",
        footer = "  trainer4j wait led --for=Complete --timeout 2h && echo done")
final class WaitCommand extends ClientCommand {
    @Parameters(paramLabel = "NAME", description = "The job.")
    String name = "";

    @Option(
            names = "--for",
            paramLabel = "STATUS",
            split = ",",
            description = "Created, Running, Complete or Failed, or several with commas between; by default Complete.")
    List<String> statuses = List.of("Complete");

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "For at most so long, as in 30m; by default for ever.")
    @Nullable
    Duration timeout;

    WaitCommand(Shell shell) {
        super(shell);
    }

    @Override
    public Integer call() throws InterruptedException {
        Format format = format(Jobs.FORMATS);
        JobStatus[] wanted = statuses.stream().map(WaitCommand::status).toArray(JobStatus[]::new);
        WaitOptions options = WaitOptions.forStatus(wanted).within(timeout == null ? Attendance.FOR_EVER : timeout);
        try (TrainerClient client = builder().build();
                ProgressView view = new ProgressView(shell, root().noColor)) {
            TrainJob job = client.waitFor(name, options.onChange(view::onChange));
            if (root().format != null) {
                view.above(() -> Jobs.print(shell, format, job));
            }
        }
        return Exit.OK;
    }

    private static JobStatus status(String word) {
        return Arrays.stream(JobStatus.values())
                .filter(status -> status != JobStatus.UNKNOWN
                        && status.text()
                                .toLowerCase(Locale.ROOT)
                                .equals(word.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> Refusal.invalid(
                        "'" + word + "' is no status to wait for; write Created, Running, Complete or Failed"));
    }
}
