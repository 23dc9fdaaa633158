package io.github.trainer4j.api;

/**
 * Leaves a job of a cluster to another controller than Kubeflow Trainer's own.
 *
 * @param controller its name, such as {@code kueue.x-k8s.io/multikueue}
 */
public record ManagedBy(String controller) implements JobOption {
    /**
     * Checks the name.
     *
     * @throws InvalidJobException if it is blank
     */
    public ManagedBy {
        Check.text(controller, "managedBy");
    }

    @Override
    public String optionName() {
        return "managedBy";
    }
}
