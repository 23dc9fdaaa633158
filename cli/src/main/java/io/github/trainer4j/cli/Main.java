package io.github.trainer4j.cli;

/** The entry of the program. */
public final class Main {
    private Main() {}

    /** Runs one command and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new Trainer4j(Shell.ofProcess()).run(args));
    }
}
