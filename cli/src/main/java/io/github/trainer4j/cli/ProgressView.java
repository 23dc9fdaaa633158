package io.github.trainer4j.cli;

import io.github.trainer4j.api.ProgressEvent;
import io.github.trainer4j.api.ProgressListener;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Shows on standard error how far initializers and nodes are: bars that move on a terminal, else a line now and then. Safe
 * for several threads.
 */
final class ProgressView implements ProgressListener, AutoCloseable {
    private static final long DRAW_MILLIS = 200;
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long RATE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Shell shell;
    private final boolean bars;
    private final Map<String, Transfer> transfers = new LinkedHashMap<>();
    private final Map<String, String> states = new LinkedHashMap<>();
    private final ScheduledExecutorService painter;
    private int drawn;

    /**
     * Makes a view.
     *
     * @param plain whether there are to be no bars, even on a terminal
     */
    ProgressView(Shell shell, boolean plain) {
        this.shell = shell;
        this.bars = shell.terminal().err()
                && !plain
                && !"dumb".equals(shell.environment().get("TERM"));
        this.painter = Executors.newSingleThreadScheduledExecutor(runnable -> {
            Thread thread = new Thread(runnable, "progress");
            thread.setDaemon(true);
            return thread;
        });
        if (bars) {
            ScheduledFuture<?> unused =
                    painter.scheduleWithFixedDelay(this::draw, DRAW_MILLIS, DRAW_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** How far one step is, and how fast. */
    private static final class Transfer {
        private long done;
        private OptionalLong total = OptionalLong.empty();
        private double rate;
        private long rated = System.nanoTime();
        private long ratedDone;
        private long told = System.nanoTime() - LINE_NANOS;

        void update(long bytes, OptionalLong all) {
            long now = System.nanoTime();
            if (rated == 0 || bytes < ratedDone) {
                rated = now;
                ratedDone = bytes;
            } else if (now - rated >= RATE_NANOS) {
                double measured = (bytes - ratedDone) * 1e9 / (now - rated);
                rate = rate == 0 ? measured : 0.7 * rate + 0.3 * measured;
                rated = now;
                ratedDone = bytes;
            }
            done = bytes;
            total = all;
        }
    }

    @Override
    public synchronized void onProgress(ProgressEvent event) {
        Transfer transfer = transfers.computeIfAbsent(event.step(), step -> new Transfer());
        transfer.update(event.bytesDone(), event.bytesTotal());
        long now = System.nanoTime();
        boolean whole = event.bytesTotal().isPresent()
                && event.bytesDone() >= event.bytesTotal().getAsLong();
        if (!bars && (now - transfer.told >= LINE_NANOS || (whole && transfer.told != Long.MAX_VALUE))) {
            // Told for the last time when it is whole.
            transfer.told = whole ? Long.MAX_VALUE : now;
            shell.say(Bar.line(event.step(), transfer.done, transfer.total, transfer.rate, 100));
        }
    }

    /** Shows a job as it stands now. */
    synchronized void onChange(TrainJob job) {
        tell(job.name(), job.status().text());
        for (Step step : job.steps()) {
            step.bytesDone()
                    .ifPresent(done -> transfers
                            .computeIfAbsent(step.name(), name -> new Transfer())
                            .update(done, step.bytesTotal()));
            tell(
                    step.name(),
                    step.status().text()
                            + step.reason().map(reason -> " (" + reason + ")").orElse(""));
        }
    }

    private void tell(String what, String state) {
        if (!state.equals(states.put(what, state)) && !bars) {
            shell.say(what + " is " + state);
        }
    }

    /** Lets something be printed where the bars stand. */
    synchronized void above(Runnable printing) {
        erase();
        printing.run();
    }

    private synchronized void draw() {
        erase();
        int width = Math.max(1, shell.terminal().columns() - 1);
        List<String> lines = new ArrayList<>();
        transfers.forEach((step, transfer) -> {
            if (!"Complete".equals(states.get(step))) {
                lines.add(Bar.line(step, transfer.done, transfer.total, transfer.rate, width));
            }
        });
        Map<String, List<String>> byState = new LinkedHashMap<>();
        states.forEach((what, state) ->
                byState.computeIfAbsent(state, key -> new ArrayList<>()).add(what));
        byState.forEach((state, names) -> {
            String line = state + ": " + String.join(" ", names);
            lines.add(line.length() <= width ? line : line.substring(0, width));
        });
        if (!lines.isEmpty()) {
            shell.err().print(String.join("\n", lines) + "\n");
            shell.err().flush();
            drawn = lines.size();
        }
    }

    private void erase() {
        if (drawn > 0) {
            shell.err().print("\u001b[" + drawn + "A\u001b[J");
            shell.err().flush();
            drawn = 0;
        }
    }

    @Override
    public void close() {
        painter.shutdownNow();
        synchronized (this) {
            erase();
        }
    }
}
