package io.github.trainer4j.api.launch;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** How the nodes of each framework find one another: the variables that Kubeflow Trainer's plug-ins set. */
final class Rendezvous {
    /** Frameworks whose processes are started on all nodes by one program. */
    private static final Set<String> MPI = Set.of("deepspeed", "mlx", "mpi", "openmpi");

    /** Frameworks that need what only a cluster sets up: host files, keys, a step that starts the others. */
    private static final Set<String> CLUSTER_ONLY = Set.of("deepspeed", "mlx", "mpi", "openmpi", "flux");

    private static final Set<String> TORCH_NAMES =
            Set.of("PET_NNODES", "PET_NPROC_PER_NODE", "PET_NODE_RANK", "PET_MASTER_ADDR", "PET_MASTER_PORT");
    private static final Map<String, Set<String>> RESERVED = Map.of(
            "torch",
            TORCH_NAMES,
            "torchtune",
            TORCH_NAMES,
            "jax",
            Set.of("JAX_NUM_PROCESSES", "JAX_PROCESS_ID", "JAX_COORDINATOR_ADDRESS"),
            "xgboost",
            Set.of("DMLC_TRACKER_URI", "DMLC_TRACKER_PORT", "DMLC_TASK_ID", "DMLC_NUM_WORKER"));
    private static final Set<String> MPI_NAMES = Set.of(
            "OMPI_MCA_orte_default_hostfile",
            "OMPI_MCA_orte_keep_fqdn_hostnames",
            "OMPI_MCA_orte_set_default_slots",
            "OMPI_MCA_plm_rsh_args");

    private Rendezvous() {}

    static boolean isMpi(String framework) {
        return MPI.contains(framework);
    }

    static boolean needsCluster(String framework) {
        return CLUSTER_ONLY.contains(framework);
    }

    static Set<String> reserved(String framework) {
        return isMpi(framework) ? MPI_NAMES : RESERVED.getOrDefault(framework, Set.of());
    }

    static Map<String, String> env(Launch launch, int rank, Placement placement) {
        Map<String, String> env = new LinkedHashMap<>();
        String nodes = Integer.toString(launch.numNodes());
        String address = placement.masterAddress();
        String port = Integer.toString(placement.masterPort());
        switch (launch.framework()) {
            case "torch", "torchtune" -> {
                env.put("PET_NNODES", nodes);
                env.put("PET_NPROC_PER_NODE", Integer.toString(launch.numProcPerNode()));
                env.put("PET_NODE_RANK", Integer.toString(rank));
                if (!launch.isBuiltin()) {
                    // torchtune is told on its command line.
                    env.put("PET_MASTER_ADDR", address);
                    env.put("PET_MASTER_PORT", port);
                }
            }
            case "jax" -> {
                env.put("JAX_NUM_PROCESSES", nodes);
                env.put("JAX_PROCESS_ID", Integer.toString(rank));
                env.put("JAX_COORDINATOR_ADDRESS", address + ":" + port);
            }
            case "xgboost" -> {
                env.put("DMLC_TRACKER_URI", address);
                env.put("DMLC_TRACKER_PORT", port);
                env.put("DMLC_TASK_ID", Integer.toString(rank));
                env.put("DMLC_NUM_WORKER", Integer.toString(launch.numNodes() * Math.max(1, launch.gpus())));
            }
            default -> {
                // Other frameworks bring their own way to meet.
            }
        }
        return env;
    }
}
