package io.github.trainer4j.kubernetes;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a real cluster with Kubeflow Trainer 2.3 has said of jobs, as a part of the resources that it gave. */
record Recorded(Tree trainJob, List<Pod> pods) {
    static Recorded of(String name) {
        Tree recorded = new Tree(Serialization.unmarshal(text(name), Map.class));
        List<Pod> pods = recorded.at("pods").list().stream()
                .map(pod -> Serialization.unmarshal(Serialization.asJson(pod.value()), Pod.class))
                .toList();
        return new Recorded(recorded.at("trainJob"), pods);
    }

    static List<Event> events() {
        return events("events");
    }

    static List<Event> events(String name) {
        List<Event> events = new ArrayList<>();
        for (Object event : Serialization.unmarshal(text(name), List.class)) {
            events.add(Serialization.unmarshal(Serialization.asJson(event), Event.class));
        }
        return events;
    }

    private static String text(String name) {
        try (InputStream in = Recorded.class.getResourceAsStream(name + ".json")) {
            if (in == null) {
                throw new IllegalArgumentException("nothing was recorded as " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<PodFacts> facts() {
        return pods.stream().map(PodFacts::of).toList();
    }

    /** Returns the same with another status of the TrainJob. */
    Recorded status(String json) {
        Map<String, Object> changed = new LinkedHashMap<>();
        if (trainJob.value() instanceof Map<?, ?> map) {
            map.forEach((key, value) -> changed.put(String.valueOf(key), value));
        }
        changed.put("status", Serialization.unmarshal(json, Map.class));
        return new Recorded(new Tree(changed), pods);
    }

    /** Returns the same with pods that were changed. */
    Recorded pods(Consumer<Pod> change) {
        List<Pod> changed = new ArrayList<>();
        for (Pod pod : pods) {
            Pod copy = Serialization.clone(pod);
            change.accept(copy);
            changed.add(copy);
        }
        return new Recorded(trainJob, changed);
    }

    Recorded with(List<Pod> others) {
        return new Recorded(trainJob, others);
    }
}
