package io.github.trainer4j.api.launch;

import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Function;

/**
 * Where a node runs: the only things in which backends differ.
 *
 * @param job the job's name
 * @param workspace the path of the workspace as the node sees it, such as {@code /workspace}
 * @param python the Python interpreter, as the node sees it
 * @param java the JVM launcher, as the node sees it
 * @param classPathSeparator what separates entries of a class path there, {@code :} or {@code ;}
 * @param classPathEntry where a class path entry of this machine is seen by the node
 * @param masterAddress the name or address of node 0
 * @param masterPort the port on which node 0 lets the others meet
 */
public record Placement(
        String job,
        String workspace,
        String python,
        String java,
        String classPathSeparator,
        Function<Path, String> classPathEntry,
        String masterAddress,
        int masterPort) {
    /** The workspace's path in containers and pods. */
    public static final String CONTAINER_WORKSPACE = "/workspace";
    /** The port on which Kubeflow's nodes meet. */
    public static final int DEFAULT_MASTER_PORT = 29500;

    /** No part may be null. */
    public Placement {
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(workspace, "workspace");
        Objects.requireNonNull(python, "python");
        Objects.requireNonNull(java, "java");
        Objects.requireNonNull(classPathSeparator, "classPathSeparator");
        Objects.requireNonNull(classPathEntry, "classPathEntry");
        Objects.requireNonNull(masterAddress, "masterAddress");
    }

    /** Returns the placement in containers of Linux, where the class path lies under the workspace. */
    public static Placement container(String job, String masterAddress, Function<Path, String> classPathEntry) {
        return new Placement(
                job, CONTAINER_WORKSPACE, "python3", "java", ":", classPathEntry, masterAddress, DEFAULT_MASTER_PORT);
    }
}
