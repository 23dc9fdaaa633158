package io.github.trainer4j.api;

import java.util.Optional;

/**
 * Gives a job of a cluster a persistent volume of its own as the workspace that its initializers and nodes share. It
 * goes when the job is deleted.
 *
 * @param size how much the volume holds
 * @param storageClass what kind of storage; empty: the cluster's default
 * @param accessMode from where it can be used at once
 */
public record WorkspaceClaim(Quantity size, Optional<String> storageClass, AccessMode accessMode) implements JobOption {
    /** From where a volume can be used at once. */
    public enum AccessMode {
        /** All pods that use it run on one machine. */
        READ_WRITE_ONCE("ReadWriteOnce"),
        /** Pods on several machines use it; few kinds of storage can do that. */
        READ_WRITE_MANY("ReadWriteMany");

        private final String text;

        AccessMode(String text) {
            this.text = text;
        }

        /** Returns the name that Kubernetes gives it, such as {@code ReadWriteOnce}. */
        public String text() {
            return text;
        }
    }

    /**
     * Checks everything.
     *
     * @throws InvalidJobException if a part is null, or the storage class is no name
     */
    public WorkspaceClaim {
        Check.present(size, "the size of the workspace claim");
        Check.present(storageClass, "the storage class").ifPresent(name -> Check.name(name, "the storage class"));
        Check.present(accessMode, "the access mode");
    }

    /** Returns a claim of this size, such as {@code 20Gi}, of the default storage, for pods on one machine. */
    public static WorkspaceClaim of(String size) {
        return new WorkspaceClaim(new Quantity(size), Optional.empty(), AccessMode.READ_WRITE_ONCE);
    }

    /** Returns a copy of this kind of storage. */
    public WorkspaceClaim storageClass(String name) {
        return new WorkspaceClaim(size, Optional.of(Check.name(name, "the storage class")), accessMode);
    }

    /** Returns a copy that can be used from there at once. */
    public WorkspaceClaim accessMode(AccessMode mode) {
        return new WorkspaceClaim(size, storageClass, mode);
    }

    @Override
    public String optionName() {
        return "workspaceClaim";
    }
}
