package io.github.trainer4j.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Writes the {@link RuntimePatch} of one job's pods, with the names and structures that Kubernetes gives its fields:
 *
 * <pre>{@code
 * .option(PodPatch.of("node")
 *         .nodeSelector("accelerator", "a100")
 *         .toleration(Map.of("key", "gpu", "operator", "Exists", "effect", "NoSchedule"))
 *         .volume("scratch", Map.of("emptyDir", Map.of()))
 *         .mount("scratch", "/scratch")
 *         .build())
 * }</pre>
 *
 * <p>Several patches of a job become one; two different values for one place are refused. The methods change this object
 * and return it. Not for use by several threads at once.
 */
public final class PodPatch {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private final List<String> steps;
    private Map<String, String> labels = Map.of();
    private Map<String, String> annotations = Map.of();
    private final Map<String, Object> pod = new LinkedHashMap<>();
    private Map<String, String> nodeSelector = Map.of();
    private final Map<String, List<Object>> lists = new LinkedHashMap<>();
    private final List<Object> mounts = new ArrayList<>();
    private final Map<String, Object> container = new LinkedHashMap<>();

    private PodPatch(List<String> steps) {
        this.steps = steps;
    }

    /**
     * Starts the patch of all pods of these steps: {@code node}, {@code launcher}, {@code dataset-initializer},
     * {@code model-initializer}, or another of the runtime's replicated jobs.
     *
     * @throws InvalidJobException if a name is malformed
     */
    public static PodPatch of(String step, String... more) {
        List<String> steps = new ArrayList<>(List.of(name(step, "step")));
        for (String other : more) {
            steps.add(name(other, "step"));
        }
        return new PodPatch(steps);
    }

    /** Adds a label to the pods, whose key is not there yet. */
    public PodPatch label(String key, String value) {
        labels = Check.labels(Check.plus(labels, key, value, "labels of pods"), "labels of pods");
        return this;
    }

    /** Adds an annotation to the pods, whose key is not there yet. */
    public PodPatch annotation(String key, String value) {
        annotations =
                Check.annotations(Check.plus(annotations, key, value, "annotations of pods"), "annotations of pods");
        return this;
    }

    /** Wants nodes of the cluster with this label. */
    public PodPatch nodeSelector(String key, String value) {
        nodeSelector = Check.labels(Check.plus(nodeSelector, key, value, "nodeSelector"), "nodeSelector");
        return this;
    }

    /** Accepts nodes of the cluster with a taint, as in {@code {"key": "gpu", "operator": "Exists"}}. */
    public PodPatch toleration(Map<String, ?> toleration) {
        return element("tolerations", Check.present(toleration, "a toleration"));
    }

    /** Says where pods should be and where not, as in {@code {"nodeAffinity": {…}}}. */
    public PodPatch affinity(Map<String, ?> affinity) {
        return field("affinity", Check.present(affinity, "affinity"));
    }

    /** Keeps the pods from being scheduled until this gate is taken off them. */
    public PodPatch schedulingGate(String name) {
        return element("schedulingGates", Map.of("name", Check.text(name, "a scheduling gate")));
    }

    /** Lets the pods act in the cluster as this service account. */
    public PodPatch serviceAccount(String name) {
        return field("serviceAccountName", Check.name(name, "the service account"));
    }

    /** Pulls images with the login in this Secret. */
    public PodPatch imagePullSecret(String name) {
        return element("imagePullSecrets", Map.of("name", Check.name(name, "the image pull secret")));
    }

    /** Says as whom the pods run, as in {@code {"fsGroup": 2000, "runAsUser": 1000}}. */
    public PodPatch securityContext(Map<String, ?> securityContext) {
        return field("securityContext", Check.present(securityContext, "securityContext"));
    }

    /** Says what the steps' own containers may do, as in {@code {"allowPrivilegeEscalation": false}}. */
    public PodPatch containerSecurityContext(Map<String, ?> securityContext) {
        once(container, "securityContext", Check.present(securityContext, "the container's securityContext"));
        return this;
    }

    /**
     * Gives the pods a volume, as in {@code {"emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}}}.
     *
     * @throws InvalidJobException if the name is malformed or given twice
     */
    public PodPatch volume(String name, Map<String, ?> source) {
        Map<String, Object> volume = new LinkedHashMap<>();
        volume.put("name", name(name, "volume"));
        volume.putAll(Check.present(source, "the volume's source"));
        List<Object> volumes = lists.computeIfAbsent("volumes", field -> new ArrayList<>());
        if (volumes.stream().anyMatch(other -> other instanceof Map<?, ?> map && name.equals(map.get("name")))) {
            throw new InvalidJobException("the pods' volume " + name + " is given twice; give it once");
        }
        volumes.add(volume);
        return this;
    }

    /**
     * Shows a volume of the pods, given here or by the runtime, in the steps' own containers.
     *
     * @throws InvalidJobException if the path is not absolute
     */
    public PodPatch mount(String volume, String path) {
        mounts.add(mounted(volume, path));
        return this;
    }

    /** Shows a volume as {@link #mount} does, but nothing can be written to it. */
    public PodPatch readOnlyMount(String volume, String path) {
        Map<String, Object> mount = mounted(volume, path);
        mount.put("readOnly", true);
        mounts.add(mount);
        return this;
    }

    private static Map<String, Object> mounted(String volume, String path) {
        if (!Check.text(path, "the path of a mount").startsWith("/")) {
            throw new InvalidJobException("the volume " + Check.printable(volume) + " is mounted at '"
                    + Check.printable(path) + "'; give an absolute path");
        }
        Map<String, Object> mount = new LinkedHashMap<>();
        mount.put("name", name(volume, "volume"));
        mount.put("mountPath", path);
        return mount;
    }

    /**
     * Returns the patch.
     *
     * @throws InvalidJobException if nothing is patched
     */
    public RuntimePatch build() {
        Map<String, Object> spec = new LinkedHashMap<>(pod);
        putUnlessEmpty(spec, "nodeSelector", nodeSelector);
        spec.putAll(lists);
        Map<String, Object> metadata = new LinkedHashMap<>();
        putUnlessEmpty(metadata, "labels", labels);
        putUnlessEmpty(metadata, "annotations", annotations);
        if (spec.isEmpty() && metadata.isEmpty() && mounts.isEmpty() && container.isEmpty()) {
            throw new InvalidJobException("a patch of pods is empty; leave it out or say what to change");
        }
        List<Object> jobs = new ArrayList<>();
        for (String step : steps) {
            Map<String, Object> template = new LinkedHashMap<>();
            putUnlessEmpty(template, "metadata", metadata);
            putUnlessEmpty(template, "spec", withContainer(spec, step));
            jobs.add(Map.of("name", step, "template", Map.of("spec", Map.of("template", template))));
        }
        return new RuntimePatch(Map.of("template", Map.of("spec", Map.of("replicatedJobs", jobs))));
    }

    private Map<String, Object> withContainer(Map<String, Object> spec, String step) {
        if (mounts.isEmpty() && container.isEmpty()) {
            return spec;
        }
        Map<String, Object> own = new LinkedHashMap<>();
        // The container that trains is called node, whichever job starts it.
        own.put("name", step.equals("launcher") ? "node" : step);
        own.putAll(container);
        if (!mounts.isEmpty()) {
            own.put("volumeMounts", mounts);
        }
        Map<String, Object> with = new LinkedHashMap<>(spec);
        with.put("containers", List.of(own));
        return with;
    }

    private PodPatch field(String name, Object value) {
        once(pod, name, value);
        return this;
    }

    private PodPatch element(String list, Object value) {
        lists.computeIfAbsent(list, field -> new ArrayList<>()).add(value);
        return this;
    }

    private static void once(Map<String, Object> fields, String name, Object value) {
        if (fields.putIfAbsent(name, value) != null) {
            throw new InvalidJobException("the pods' " + name + " is given twice; give it once");
        }
    }

    private static void putUnlessEmpty(Map<String, Object> map, String key, Map<String, ?> value) {
        if (!value.isEmpty()) {
            map.put(key, value);
        }
    }

    private static String name(String value, String what) {
        if (!NAME.matcher(Check.present(value, "the name of a " + what)).matches()) {
            throw new InvalidJobException("'" + Check.printable(value) + "' is not the name of a " + what
                    + "; use at most 63 lower-case letters, digits and '-'");
        }
        return value;
    }
}
