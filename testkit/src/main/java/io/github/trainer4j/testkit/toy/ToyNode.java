package io.github.trainer4j.testkit.toy;

import io.github.trainer4j.api.JobStatus;
import io.github.trainer4j.api.launch.Launch;
import io.github.trainer4j.api.launch.LaunchFile;
import io.github.trainer4j.api.launch.NodeLaunch;
import io.github.trainer4j.api.launch.Placement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One node: a process, and the thread that reads what it prints. */
final class ToyNode {
    private static final int KILLED = 128;

    private final ToyStep step;
    private final Process process;
    private final Thread reader;

    private ToyNode(ToyStep step, Process process) {
        this.step = step;
        this.process = process;
        this.reader = new Thread(this::read, "toy-log-" + process.pid());
    }

    static ToyNode start(ToyStep step, NodeLaunch launch, Path workspace, BlockingQueue<ToyNode> ended)
            throws IOException {
        for (LaunchFile file : launch.files()) {
            Path path = workspace.resolve(file.path());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.content());
        }
        // The directory of the progress file.
        Files.createDirectories(workspace.resolve(Launch.DIRECTORY));
        ProcessBuilder builder = new ProcessBuilder(launch.command())
                .directory(workspace.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().putAll(launch.env());
        launch.secretEnv().forEach((name, secret) -> builder.environment().put(name, secret.reveal()));
        ToyNode node = new ToyNode(step, builder.start());
        step.started("pid " + node.process.pid());
        node.reader.start();
        new Thread(() -> node.await(ended), "toy-wait-" + node.process.pid()).start();
        return node;
    }

    ToyStep step() {
        return step;
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                step.log(line);
            }
        } catch (IOException e) {
            step.log("(the log ends here: " + e + ")");
        }
    }

    private void await(BlockingQueue<ToyNode> ended) {
        try {
            process.waitFor();
            ended.add(this);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Records that the process has ended, once all that it printed is read; returns its exit code. */
    int finish() throws InterruptedException {
        int code = process.waitFor();
        // Not for ever: a child that it left behind may hold its output open.
        reader.join(1000);
        step.ended(
                OptionalInt.of(code),
                code == 0 ? JobStatus.COMPLETE : JobStatus.FAILED,
                code == 0 ? "Completed" : "ExitCode");
        return code;
    }

    static String describe(int exitCode) {
        return exitCode > KILLED && exitCode <= KILLED + 64
                ? "was killed by signal " + (exitCode - KILLED)
                : "exited with " + exitCode;
    }

    /** Asks the processes and all their children to end, and kills those that have not when the grace is over. */
    static void stop(List<ToyNode> nodes, Duration grace) {
        Set<ProcessHandle> all = handles(nodes);
        all.forEach(ProcessHandle::destroy);
        await(all, grace);
        // Those that came in the meantime.
        all.addAll(handles(nodes));
        all.forEach(ProcessHandle::destroyForcibly);
        await(all, grace);
    }

    private static Set<ProcessHandle> handles(List<ToyNode> nodes) {
        Set<ProcessHandle> all = new LinkedHashSet<>();
        for (ToyNode node : nodes) {
            all.add(node.process.toHandle());
            node.process.descendants().forEach(all::add);
        }
        return all;
    }

    private static void await(Set<ProcessHandle> handles, Duration time) {
        CompletableFuture<?>[] exits =
                handles.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        boolean interrupted = false;
        try {
            CompletableFuture.allOf(exits).get(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (TimeoutException e) {
            // The caller goes on to kill.
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    static Placement withFreePort(Placement p) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new Placement(
                    p.job(),
                    p.workspace(),
                    p.python(),
                    p.java(),
                    p.classPathSeparator(),
                    p.classPathEntry(),
                    p.masterAddress(),
                    socket.getLocalPort());
        }
    }
}
