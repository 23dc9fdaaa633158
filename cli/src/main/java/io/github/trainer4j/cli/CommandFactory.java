package io.github.trainer4j.cli;

import java.lang.reflect.Constructor;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Makes commands, which are given the shell they act in. */
final class CommandFactory implements IFactory {
    private final Shell shell;

    CommandFactory(Shell shell) {
        this.shell = shell;
    }

    @Override
    public <K> K create(Class<K> type) throws Exception {
        if (!ShellCommand.class.isAssignableFrom(type)) {
            return CommandLine.defaultFactory().create(type);
        }
        Constructor<K> constructor = type.getDeclaredConstructor(Shell.class);
        return constructor.newInstance(shell);
    }
}
