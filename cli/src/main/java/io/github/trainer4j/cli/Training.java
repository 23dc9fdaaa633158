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

    Training(Shell shell, TrainerClient client, Format format) {
        this.shell = shell;
        this.client = client;
        this.format = format;
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
            JobPlan plan = client.plan(request);
            named.add(request.withName(plan.job()));
        }
        return named;
    }

    void printPlans(List<TrainJobRequest> requests) {
        requests.forEach(request -> shell.out().print(client.plan(request).toString()));
    }

    /** Starts the jobs and returns the exit code. */
    int run(List<TrainJobRequest> requests, Wishes wishes) throws InterruptedException {
        List<TrainJob> jobs = new ArrayList<>();
        for (TrainJobRequest request : requests) {
            TrainJob job = client.train(request);
            jobs.add(job);
            if (!wishes.stay()) {
                announce(job);
            } else {
                shell.say("Started job " + job.name() + ".");
            }
        }
        int code = Exit.OK;
        for (TrainJob job : jobs) {
            if (wishes.stay()) {
                code = Math.max(code, new Attendance(shell, client).stay(job.name(), wishes));
                announce(client.get(job.name()));
                if (wishes.remove() && code != Exit.TIMEOUT) {
                    client.delete(job.name());
                }
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
