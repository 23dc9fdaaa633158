package io.github.trainer4j.api.state;

import java.util.Map;

/** What exit codes say, as a shell gives them: 128 and a signal's number for a process that a signal ended. */
public final class ExitCodes {
    private static final Map<Integer, String> SIGNALS = Map.ofEntries(
            Map.entry(1, "SIGHUP"),
            Map.entry(2, "SIGINT"),
            Map.entry(3, "SIGQUIT"),
            Map.entry(4, "SIGILL"),
            Map.entry(6, "SIGABRT"),
            Map.entry(7, "SIGBUS, as happens to a process when shared memory runs out"),
            Map.entry(8, "SIGFPE"),
            Map.entry(9, "SIGKILL, as the kernel does to a process when memory runs out"),
            Map.entry(11, "SIGSEGV"),
            Map.entry(13, "SIGPIPE"),
            Map.entry(14, "SIGALRM"),
            Map.entry(15, "SIGTERM"));

    private ExitCodes() {}

    /** Returns whether it is the code of a process that was asked to end, or was ended. */
    public static boolean isStop(int code) {
        return code == 128 + 15 || code == 128 + 9;
    }

    /** Returns the words that follow a step's name in a sentence, such as {@code exited with 3}. */
    public static String describe(int code) {
        if (code == 126) {
            return "exited with 126: its program could not be executed";
        }
        if (code == 127) {
            return "exited with 127: a program was not found";
        }
        String signal = SIGNALS.get(code - 128);
        return signal == null ? "exited with " + code : "was ended by " + signal;
    }
}
