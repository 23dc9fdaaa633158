package io.github.trainer4j.api;

/** A backend was asked for something that it cannot do; the message says which backend can. Nothing was started. */
public final class UnsupportedFeatureException extends TrainerException {
    private static final long serialVersionUID = 1L;

    /** Makes the error; the message names the feature, the backend and what to use instead. */
    public UnsupportedFeatureException(String message) {
        super(message, null);
    }

    /** Returns the error of a backend that is no cluster for an initializer that only a cluster can run. */
    public static UnsupportedFeatureException needsCluster(InitializerSpec initializer, String backend) {
        return new UnsupportedFeatureException("backend " + backend + " cannot run the "
                + initializer.target().step() + " of "
                + Check.printable(initializer.storageUri())
                + ", because " + initializer.scheme() + ":// needs Kubernetes; use backend kubernetes");
    }

    /** Returns the error of a backend that is no cluster for a runtime whose nodes only meet where a cluster prepares it. */
    public static UnsupportedFeatureException needsCluster(TrainingRuntime runtime, String backend) {
        return new UnsupportedFeatureException("the runtime " + runtime.name() + " (" + runtime.framework()
                + ") starts its nodes with MPI, which backend " + backend
                + " does not do; use backend kubernetes, or a runtime such as torch-distributed");
    }
}
