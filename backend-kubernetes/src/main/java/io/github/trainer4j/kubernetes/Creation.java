package io.github.trainer4j.kubernetes;

import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.TrainerException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes what a plan says: what the TrainJob refers to first, then the TrainJob, to which the rest is given. */
final class Creation {
    private static final Logger LOG = LoggerFactory.getLogger(Creation.class);

    private final Cluster cluster;
    private final KubernetesPlan plan;
    private final Deque<Runnable> undo = new ArrayDeque<>();

    Creation(Cluster cluster, KubernetesPlan plan) {
        this.cluster = cluster;
        this.plan = plan;
    }

    /** Returns the TrainJob as the cluster has it; nothing is left if it cannot be made. */
    Tree run() {
        String name = plan.name();
        Tree made;
        try {
            if (!plan.secrets().isEmpty()) {
                cluster.companions().createSecret(name, plan.secrets());
                undo.push(() -> cluster.companions().deleteSecret(name));
            }
            if (!plan.files().isEmpty()) {
                cluster.companions().createConfigMap(name, plan.files());
                undo.push(() -> cluster.companions().deleteConfigMap(name));
            }
            made = cluster.createTrainJob(plan.trainJob());
        } catch (TrainerException e) {
            TrainerException told = e instanceof Refusal.Conflict ? InvalidJobException.nameTaken(name) : e;
            undo(told);
            throw told;
        }
        String uid = made.at("metadata", "uid").text().orElse("");
        adopt(name, uid);
        if (!plan.claim().isEmpty()) {
            claim(name, uid);
        }
        return made;
    }

    /** Pods wait for the claim; made after the TrainJob, it belongs to that from the first, and is never left behind. */
    private void claim(String name, String uid) {
        try {
            cluster.companions().createClaim(name, uid, plan.claim());
        } catch (TrainerException e) {
            undo.push(() -> cluster.deleteTrainJob(name));
            undo(e);
            throw e;
        }
    }

    private void undo(TrainerException reason) {
        for (Runnable step : undo) {
            try {
                step.run();
            } catch (TrainerException e) {
                reason.addSuppressed(e);
            }
        }
    }

    /** The job is there, whatever comes of this: deleting it removes what was not given to it. */
    private void adopt(String name, String uid) {
        try {
            if (!plan.secrets().isEmpty()) {
                cluster.companions().adoptSecret(name, uid);
            }
            if (!plan.files().isEmpty()) {
                cluster.companions().adoptConfigMap(name, uid);
            }
        } catch (TrainerException e) {
            LOG.warn(
                    "{}, made for job {}, will stay if kubectl deletes the job, and go only if trainer4j does: {}",
                    Names.companion(name),
                    name,
                    e.getMessage());
        }
    }
}
