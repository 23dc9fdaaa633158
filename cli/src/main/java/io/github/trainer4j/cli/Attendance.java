package io.github.trainer4j.cli;

import io.github.trainer4j.api.JobFailedException;
import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.LogQuery;
import io.github.trainer4j.api.LogStream;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.WaitOptions;
import io.github.trainer4j.api.WaitTimeoutException;
import io.github.trainer4j.client.TrainerClient;
import java.time.Duration;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;

/** Stays with a job until it is over. */
final class Attendance {
    /** As good as for ever, and still a duration that can be added to. */
    static final Duration FOR_EVER = Duration.ofDays(3650);

    private final Shell shell;
    private final TrainerClient client;

    Attendance(Shell shell, TrainerClient client) {
        this.shell = shell;
        this.client = client;
    }

    /** Waits or follows, and returns the exit code. */
    int stay(String job, Training.Wishes wishes) throws InterruptedException {
        Duration limit = wishes.timeout().orElse(FOR_EVER);
        try {
            if (wishes.follow()) {
                follow(job, limit);
            } else {
                client.waitFor(
                        job,
                        WaitOptions.complete()
                                .within(limit)
                                .onChange(changed -> shell.say(changed.name() + " is "
                                        + changed.status().text())));
            }
            return Exit.OK;
        } catch (JobFailedException | WaitTimeoutException e) {
            shell.say("trainer4j: " + e.getMessage());
            return Exit.of(e);
        }
    }

    private void follow(String job, Duration limit) throws InterruptedException {
        Timer timer = new Timer("timeout", true);
        try (LogStream logs = client.logs(job, LogQuery.all().following())) {
            timer.schedule(
                    new TimerTask() {
                        @Override
                        public void run() {
                            logs.close();
                        }
                    },
                    limit.toMillis());
            logs.forEach(line -> {
                shell.out().line(line.toString());
                shell.out().flush();
            });
        } finally {
            timer.cancel();
        }
        TrainJob last = client.get(job);
        if (!last.status().isFinal()) {
            throw new WaitTimeoutException(last, Set.of(JobStatus.COMPLETE), limit, client.events(job));
        }
        if (last.status() == JobStatus.FAILED) {
            throw new JobFailedException(last);
        }
    }
}
