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
}
