package io.github.trainer4j.cli;

import io.github.trainer4j.api.Event;
import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.Step;
import io.github.trainer4j.api.TrainJob;
import io.github.trainer4j.api.TrainingProgress;
import io.github.trainer4j.api.TrainingRuntime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code -o json} and {@code -o yaml} print; programs rely on it, so fields are added only, never changed. */
final class Forms {
    private Forms() {}

    static Map<String, Object> items(List<?> items) {
        Map<String, Object> form = new LinkedHashMap<>();
        form.put("items", items);
        return form;
    }

    static Map<String, Object> job(TrainJob job) {
        Map<String, Object> form = new LinkedHashMap<>();
        form.put("name", job.name());
        form.put("status", job.status().text());
        job.runtime().ifPresent(runtime -> form.put("runtime", runtime));
        form.put("numNodes", job.numNodes());
        form.put("creationTime", job.creationTime().toString());
        form.put("labels", job.labels());
        form.put("annotations", job.annotations());
        job.workspace().ifPresent(workspace -> form.put("workspace", workspace.toString()));
        form.put("steps", job.steps().stream().map(Forms::step).toList());
        job.failure().ifPresent(failure -> form.put("failure", failure(failure)));
        job.progress().ifPresent(progress -> form.put("progress", progress(progress)));
        return form;
    }

    private static Map<String, Object> step(Step step) {
        Map<String, Object> form = new LinkedHashMap<>();
        form.put("name", step.name());
        form.put("status", step.status().text());
        step.instance().ifPresent(instance -> form.put("instance", instance));
        step.exitCode().ifPresent(code -> form.put("exitCode", code));
        step.reason().ifPresent(reason -> form.put("reason", reason));
        form.put("restarts", step.restarts());
        step.startTime().ifPresent(time -> form.put("startTime", time.toString()));
        step.endTime().ifPresent(time -> form.put("endTime", time.toString()));
        step.image().ifPresent(image -> form.put("image", image));
        form.put("command", step.command());
        step.device().ifPresent(device -> form.put("device", device));
        step.deviceCount().ifPresent(count -> form.put("deviceCount", count));
        step.bytesDone().ifPresent(bytes -> form.put("bytesDone", bytes));
        step.bytesTotal().ifPresent(bytes -> form.put("bytesTotal", bytes));
        return form;
    }

    private static Map<String, Object> failure(Failure failure) {
        Map<String, Object> form = new LinkedHashMap<>();
        failure.step().ifPresent(step -> form.put("step", step));
        form.put("reason", failure.reason());
        form.put("message", failure.message());
        failure.exitCode().ifPresent(code -> form.put("exitCode", code));
        form.put("logTail", failure.logTail());
        form.put("further", failure.further().stream().map(Forms::failure).toList());
        return form;
    }

    private static Map<String, Object> progress(TrainingProgress progress) {
        Map<String, Object> form = new LinkedHashMap<>();
        progress.percent().ifPresent(percent -> form.put("percent", percent));
        progress.remaining().ifPresent(time -> form.put("remainingSeconds", time.toSeconds()));
        form.put("metrics", progress.metrics());
        form.put("updated", progress.updated().toString());
        return form;
    }

    static Map<String, Object> event(Event event) {
        Map<String, Object> form = new LinkedHashMap<>();
        form.put("time", event.time().toString());
        event.step().ifPresent(step -> form.put("step", step));
        form.put("type", event.type().name().toLowerCase(Locale.ROOT));
        form.put("reason", event.reason());
        form.put("message", event.message());
        return form;
    }

    static Map<String, Object> runtime(TrainingRuntime runtime) {
        Map<String, Object> form = new LinkedHashMap<>();
        form.put("name", runtime.name());
        form.put("kind", runtime.scope().kind());
        form.put("framework", runtime.framework());
        form.put("numNodes", runtime.numNodes());
        runtime.numProcPerNode().ifPresent(number -> form.put("numProcPerNode", number));
        runtime.image().ifPresent(image -> form.put("image", image));
        form.put("command", runtime.command());
        form.put("args", runtime.args());
        form.put("env", runtime.env());
        Map<String, Object> resources = new LinkedHashMap<>();
        runtime.resourcesPerNode().amounts().forEach((name, amount) -> resources.put(name, amount.text()));
        form.put("resourcesPerNode", resources);
        form.put("source", runtime.source());
        return form;
    }
}
