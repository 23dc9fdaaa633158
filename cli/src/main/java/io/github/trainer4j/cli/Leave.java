package io.github.trainer4j.cli;

import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.client.TrainerClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What happens when somebody presses Ctrl-C while jobs are launched or waited for. Jobs whose nodes run go on without this
 * process. While some are still being launched by it, it asks, and where nobody can answer or the answer is yes, they are
 * cancelled and removed.
 */
final class Leave {
    private final Shell shell;
    private final TrainerClient client;
    private final ProgressView view;
    private final Runnable end;
    private final Thread worker = Thread.currentThread();
    private final List<String> jobs = new CopyOnWriteArrayList<>();
    private final AtomicBoolean asked = new AtomicBoolean();
    private final AtomicBoolean cancelled = new AtomicBoolean();

    /**
     * Makes one for the current thread, which is interrupted when jobs are cancelled.
     *
     * @param end ends the process at once, when the jobs can be left alone
     */
    Leave(Shell shell, TrainerClient client, ProgressView view, Runnable end) {
        this.shell = shell;
        this.client = client;
        this.view = view;
        this.end = end;
    }

    void started(String job) {
        jobs.add(job);
    }

    boolean cancelled() {
        return cancelled.get();
    }

    /** Acts on a signal. */
    void signal(String name) {
        List<String> launching = launching();
        if (launching.isEmpty()) {
            view.above(() -> jobs.forEach(job -> shell.say("Job " + job + " goes on. Come back with: trainer4j wait "
                    + job + " | logs " + job + " -f | delete " + job + ", each with --backend " + client.backend())));
            end.run();
        } else if (name.equals("TERM") || !shell.terminal().err() || !asked.compareAndSet(false, true)) {
            cancel(launching);
        } else {
            view.above(() -> shell.say(String.join(", ", launching)
                    + ": what is fetched for it needs this process. Cancel it and remove what was made? [y/N]"
                    + " (Ctrl-C again: yes)"));
            Thread answer = new Thread(() -> answer(launching), "answer");
            answer.setDaemon(true);
            answer.start();
        }
    }

    private List<String> launching() {
        return jobs.stream().filter(this::isLaunching).toList();
    }

    private boolean isLaunching(String job) {
        try {
            TrainJob now = client.get(job);
            return Attendance.needsUs(client, now);
        } catch (RuntimeException e) {
            // Out of reach or gone: nothing that this process could do for it.
            return false;
        }
    }

    /** Standard input may be the file of the job. */
    private void answer(List<String> launching) {
        try (BufferedReader terminal = Files.newBufferedReader(Path.of("/dev/tty"), StandardCharsets.UTF_8)) {
            String line = terminal.readLine();
            if (line != null && line.strip().toLowerCase(java.util.Locale.ROOT).startsWith("y")) {
                cancel(launching);
            } else {
                asked.set(false);
                shell.say("Going on.");
            }
        } catch (IOException e) {
            // Without a terminal there is the second Ctrl-C.
            asked.set(true);
        }
    }

    private void cancel(List<String> launching) {
        if (cancelled.compareAndSet(false, true)) {
            shell.say("Cancelling " + String.join(", ", launching) + ".");
            worker.interrupt();
        }
    }

    /** Deletes what was cancelled; what runs already is left alone. */
    void clean() {
        for (String job : launching()) {
            try {
                client.delete(job);
                shell.say("Removed job " + job + ".");
            } catch (TrainerException e) {
                shell.say("trainer4j: " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                shell.say("trainer4j: interrupted; remove it with: trainer4j delete " + job);
                return;
            }
        }
    }
}
