package io.github.trainer4j.cli;

import java.util.concurrent.Callable;

/** A command that acts in a shell. */
abstract class ShellCommand implements Callable<Integer> {
    final Shell shell;

    ShellCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public abstract Integer call() throws Exception;
}
