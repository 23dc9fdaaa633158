package io.github.trainer4j.cli;

import io.github.trainer4j.api.JobPlan;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainJobRequest;
import io.github.trainer4j.client.TrainerClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Starts jobs, and stays with them as long as is wished. */
final class Training {
    private final Shell shell;
    private final TrainerClient client;
    private final Format format;
    private final boolean plain;

    Training(Shell shell, TrainerClient client, Format format, boolean plain) {
        this.shell = shell;
        this.client = client;
        this.format = format;
        this.plain = plain;
    }

    /**
     * What to do once the jobs are started.
     *
     * @param stay whether to wait for their end
     * @param follow whether to print their logs until then
     * @param remove whether to delete them then
     * @param timeout how long to stay at most
     */
    record Wishes(boolean stay, boolean follow, boolean remove, Optional<Duration> timeout) {}

    /** Plans all jobs, so that none is started where another one is refused. */
    List<TrainJobRequest> check(List<TrainJobRequest> requests) {
        List<TrainJobRequest> named = new ArrayList<>();
        for (TrainJobRequest request : requests) {
            JobPlan plan = RefusedField.explain(client, request);
            named.add(request.withName(plan.job()));
        }
        return named;
    }

    void printPlans(List<TrainJobRequest> requests) {
        requests.forEach(request -> shell.out().print(client.plan(request).toString()));
    }

    /** Starts the jobs and returns the exit code. */
    int run(List<TrainJobRequest> requests, Wishes wishes) throws InterruptedException {
        try (ProgressView view = new ProgressView(shell, plain)) {
            Leave leave =
                    new Leave(shell, client, view, () -> Runtime.getRuntime().halt(Exit.INTERRUPTED));
            try (Interrupts interrupts = Interrupts.to(leave::signal)) {
                return run(requests, wishes, view, leave);
            } catch (InterruptedException e) {
                if (leave.cancelled()) {
                    leave.clean();
                    return Exit.INTERRUPTED;
                }
                throw e;
            }
        }
    }

    private int run(List<TrainJobRequest> requests, Wishes wishes, ProgressView view, Leave leave)
            throws InterruptedException {
        List<TrainJob> jobs = new ArrayList<>();
        for (TrainJobRequest request : requests) {
            request.name().ifPresent(leave::started);
            TrainJob job = client.train(request, view);
            jobs.add(job);
            if (wishes.stay()) {
                view.above(() -> shell.say("Started job " + job.name() + "."));
            } else {
                view.above(() -> announce(job));
            }
        }
        Attendance attendance = new Attendance(shell, client, view);
        int code = Exit.OK;
        for (TrainJob job : jobs) {
            if (!wishes.stay()) {
                attendance.launch(job.name());
                continue;
            }
            int one = attendance.stay(job.name(), wishes);
            code = Math.max(code, one);
            TrainJob last = client.get(job.name());
            view.above(() -> announce(last));
            if (wishes.remove() && one != Exit.TIMEOUT) {
                client.delete(job.name());
            }
        }
        return code;
    }

    private void announce(TrainJob job) {
        if (format == Format.TABLE) {
            shell.out().line(job.name());
        } else {
            Jobs.print(shell, format, job);
        }
        shell.out().flush();
    }
}
