package io.github.trainer4j.local;

import io.github.trainer4j.api.TrainerException;
import io.github.trainer4j.api.dispatch.Task;
import io.github.trainer4j.api.dispatch.TaskContext;
import io.github.trainer4j.api.launch.PipCommand;
import io.github.trainer4j.api.state.Cause;
import io.github.trainer4j.api.state.ExitCodes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Makes a Python environment for a job and installs its packages there. */
final class PythonEnvironmentTask implements Task.Body<Boolean> {
    private static final String STEP = LocalPlan.ENVIRONMENT_STEP;

    private final LaunchSite site;
    private final JobDirectory directory;
    private final JobRecord record;
    private final LaunchedStep step;
    private final Path hostPython;
    private final List<String> install;
    private final Map<String, String> environment;

    /**
     * Makes the task.
     *
     * @param install the command that installs the packages, run by the environment's own interpreter
     * @param environment the environment of the job's first node
     */
    PythonEnvironmentTask(
            LaunchSite site,
            JobDirectory directory,
            JobRecord record,
            LaunchedStep step,
            Path hostPython,
            List<String> install,
            Map<String, String> environment) {
        this.site = site;
        this.directory = directory;
        this.record = record;
        this.step = step;
        this.hostPython = hostPython;
        this.install = List.copyOf(install);
        this.environment = new LinkedHashMap<>(environment);
    }

    @Override
    public Boolean run(TaskContext task) throws IOException, InterruptedException {
        step.started(task.attempt());
        Path script = directory.root().resolve("environment.py");
        Files.writeString(script, script());
        process(
                "making the environment",
                List.of(
                        hostPython.toString(),
                        script.toString(),
                        directory.pythonEnvironment().toString()));
        PipCommand pip = PipCommand.of(install);
        pip.secretEnv().forEach((name, value) -> environment.put(name, value.reveal()));
        process("pip", pip.command());
        step.completed();
        return true;
    }

    private void process(String what, List<String> command) throws IOException, InterruptedException {
        Files.deleteIfExists(directory.process(STEP));
        JobStore.clearExit(directory, STEP);
        Process process =
                StepProcess.start(site.host(), directory, STEP, command, environment, Optional.empty(), record.grace());
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            stop();
            throw e;
        }
        StepProcess ended = StepProcess.read(directory, STEP, site.processes());
        if (ended.exitCode().isEmpty()) {
            throw new TrainerException(
                    what + " was killed and left no exit code", null, record.name(), STEP, Cause.PROCESS_LOST);
        }
        int code = ended.exitCode().getAsInt();
        if (code != 0) {
            throw new TrainerException(
                    what + " " + ExitCodes.describe(code) + "; see its log",
                    null,
                    record.name(),
                    STEP,
                    Cause.EXIT_CODE);
        }
    }

    /** Nothing else of the job runs yet, so that all of it is what is to be stopped. */
    private void stop() {
        TreeStop tree = site.settlement().treeStop(directory, record);
        while (!tree.advance()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        step.log("stopped");
    }

    private static String script() throws IOException {
        try (InputStream in = PythonEnvironmentTask.class.getResourceAsStream("environment.py")) {
            if (in == null) {
                throw new IOException("environment.py is missing from the jar of backend local");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
