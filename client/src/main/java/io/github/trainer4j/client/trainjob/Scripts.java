package io.github.trainer4j.client.trainjob;

import io.github.trainer4j.api.CustomTrainer;
import io.github.trainer4j.api.NodeSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A Python script as a command that needs nothing beside it: a small program, given to the interpreter, writes the script
 * that follows it into a file, installs packages, and runs it, on torch runtimes by torch's launcher.
 */
final class Scripts {
    private static final String BOOTSTRAP = """
            import os, subprocess, sys
            name, source, packages, indexes = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
            rest = sys.argv[5:]
            packages, indexes, args = rest[:packages], rest[packages:packages + indexes], rest[packages + indexes:]
            if packages:
                pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--quiet"]
                for index, url in enumerate(indexes):
                    pip += ["--extra-index-url" if index else "--index-url", url]
                subprocess.check_call(pip + packages)
            directory = os.path.join(os.environ.get("TRAINJOB_WORKSPACE", "/tmp"), ".trainer4j", "code")
            os.makedirs(directory, exist_ok=True)
            script = os.path.join(directory, name)
            partial = script + "." + str(os.getpid())
            with open(partial, "w", encoding="utf-8", newline="") as file:
                file.write(source)
            os.replace(partial, script)
            launcher = ["-m", "torch.distributed.run"] if "PET_NNODES" in os.environ else []
            os.execv(sys.executable, [sys.executable] + launcher + [script] + args)
            """;

    private Scripts() {}

    /** Returns the command and its arguments. */
    static List<String> command(CustomTrainer trainer) {
        List<String> command = new ArrayList<>(List.of(
                "python3",
                "-c",
                BOOTSTRAP,
                trainer.fileName(),
                trainer.source(),
                Integer.toString(trainer.packagesToInstall().size()),
                Integer.toString(trainer.pipIndexUrls().size())));
        command.addAll(trainer.packagesToInstall());
        command.addAll(trainer.pipIndexUrls());
        command.addAll(trainer.args());
        return command;
    }

    /** Returns the script within a command, if it is one that was made here. */
    static Optional<CustomTrainer> read(List<String> command, NodeSettings nodes) {
        if (command.size() < 7 || !command.subList(0, 3).equals(List.of("python3", "-c", BOOTSTRAP))) {
            return Optional.empty();
        }
        try {
            int packages = 7 + Integer.parseInt(command.get(5));
            int indexes = packages + Integer.parseInt(command.get(6));
            return Optional.of(new CustomTrainer(
                    command.get(3),
                    command.get(4),
                    command.subList(indexes, command.size()),
                    command.subList(7, packages),
                    command.subList(packages, indexes),
                    nodes));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            // Somebody changed it: it is a command like any other.
            return Optional.empty();
        }
    }
}
