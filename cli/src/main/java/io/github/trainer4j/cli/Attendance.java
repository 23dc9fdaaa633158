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

/** Stays with a job until it is over, or only until it needs this process no more. */
final class Attendance {
    /** As good as for ever, and still a duration that can be added to. */
    static final Duration FOR_EVER = Duration.ofDays(3650);

    private static final long LOOK_MILLIS = 1000;

    private final Shell shell;
    private final TrainerClient client;
    private final ProgressView view;

    Attendance(Shell shell, TrainerClient client, ProgressView view) {
        this.shell = shell;
        this.client = client;
        this.view = view;
    }

    /** Returns whether a job would fail if this process ended: clusters launch by themselves, other backends by us. */
    static boolean needsUs(TrainerClient client, TrainJob job) {
        return job.status() == JobStatus.CREATED && !client.backend().equals("kubernetes");
    }

    /** Waits until a job needs this process no more. */
    void launch(String job) throws InterruptedException {
        if (needsUs(client, client.get(job))) {
            client.waitFor(
                    job,
                    WaitOptions.forStatus(JobStatus.RUNNING, JobStatus.COMPLETE, JobStatus.FAILED)
                            .within(FOR_EVER));
        }
    }

    /** Waits or follows, and returns the exit code. */
    int stay(String job, Training.Wishes wishes) throws InterruptedException {
        Duration limit = wishes.timeout().orElse(FOR_EVER);
        Timer looks = new Timer("looks", true);
        try {
            looks.schedule(look(job), 0, LOOK_MILLIS);
            if (wishes.follow()) {
                follow(job, limit);
            } else {
                TrainJob last =
                        client.waitFor(job, WaitOptions.complete().within(limit).onChange(view::onChange));
                view.onChange(last);
            }
            return Exit.OK;
        } catch (JobFailedException | WaitTimeoutException e) {
            view.above(() -> shell.say("trainer4j: " + e.getMessage()));
            return Exit.of(e);
        } finally {
            looks.cancel();
        }
    }

    private TimerTask look(String job) {
        return new TimerTask() {
            @Override
            public void run() {
                try {
                    view.onChange(client.get(job));
                } catch (RuntimeException e) {
                    // Deleted, closed or out of reach: the wait itself tells of it.
                    cancel();
                }
            }
        };
    }

    private void follow(String job, Duration limit) throws InterruptedException {
        long begin = System.nanoTime();
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
            logs.forEach(line -> view.above(() -> {
                shell.out().line(line.toString());
                shell.out().flush();
            }));
        } finally {
            timer.cancel();
        }
        TrainJob last = client.get(job);
        Duration left = limit.minusNanos(System.nanoTime() - begin);
        if (!last.status().isFinal() && left.compareTo(Duration.ZERO) > 0) {
            // The log is at its end before the job is: what nodes left in an engine's volume is copied in between.
            last = client.waitFor(
                    job,
                    WaitOptions.forStatus(JobStatus.COMPLETE, JobStatus.FAILED).within(left));
        }
        if (!last.status().isFinal()) {
            throw new WaitTimeoutException(last, Set.of(JobStatus.COMPLETE), limit, client.events(job));
        }
        view.onChange(last);
        if (last.status() == JobStatus.FAILED) {
            throw new JobFailedException(last);
        }
    }
}
