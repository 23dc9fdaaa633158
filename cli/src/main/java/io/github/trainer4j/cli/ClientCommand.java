package io.github.trainer4j.cli;

import io.github.trainer4j.client.TrainerClient;
import io.github.trainer4j.client.TrainerClientBuilder;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParentCommand;

/** A command that asks a backend. */
abstract class ClientCommand extends ShellCommand {
    @ParentCommand
    @Nullable
    RootCommand root;

    ClientCommand(Shell shell) {
        super(shell);
    }

    final RootCommand root() {
        return Objects.requireNonNull(root, "root");
    }

    /** Returns a builder with what the command line says. */
    final TrainerClientBuilder builder() {
        TrainerClientBuilder builder = TrainerClient.builder()
                .environment(shell.environment())
                .currentDirectory(shell.directory().toAbsolutePath());
        root().settings.forEach(builder::set);
        root().backend().ifPresent(builder::backend);
        return builder;
    }

    /** Returns the format that was asked for, or the default one. */
    final Format format(Set<Format> possible) {
        Format format = root().format == null ? Format.TABLE : root().format;
        if (!possible.contains(format)) {
            List<String> words =
                    possible.stream().sorted().map(Format::toString).toList();
            throw Refusal.invalid("-o " + format + " has no meaning here; use " + String.join(" or ", words));
        }
        return format;
    }
}
