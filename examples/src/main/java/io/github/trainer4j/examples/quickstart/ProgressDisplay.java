package io.github.trainer4j.examples.quickstart;

import io.github.trainer4j.api.ProgressEvent;
import io.github.trainer4j.api.ProgressListener;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Shows how far the initializers are: one line that is written over on a terminal, a line for each change elsewhere. */
final class ProgressDisplay implements ProgressListener {
    private final boolean terminal = terminal();
    private final Map<String, String> states = new TreeMap<>();

    @Override
    public void onProgress(ProgressEvent event) {
        String total = event.bytesTotal().isPresent()
                ? " of " + kilobytes(event.bytesTotal().getAsLong())
                : "";
        states.put(event.step(), event.step() + " " + kilobytes(event.bytesDone()) + total + " kB");
        String line = String.join("   ", states.values());
        if (terminal) {
            System.out.print("\r  " + line + "   ");
            System.out.flush();
        } else {
            System.out.println("  " + line);
        }
    }

    void end() {
        if (terminal) {
            System.out.println();
        }
    }

    /** From JDK 22 on there is a console also where there is no terminal; the variable tells them apart on both. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean terminal() {
        return System.getenv("TERM") != null && System.getenv("CI") == null && System.console() != null;
    }

    private static String kilobytes(long bytes) {
        return String.format(Locale.ROOT, "%,d", bytes / 1000);
    }
}
