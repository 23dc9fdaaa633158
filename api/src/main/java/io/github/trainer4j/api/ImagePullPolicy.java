package io.github.trainer4j.api;

/** When images are pulled; an option of the backends that run images. */
public enum ImagePullPolicy implements JobOption {
    /** Pull what is not there yet. */
    IF_NOT_PRESENT("IfNotPresent"),
    /** Pull each time. */
    ALWAYS("Always"),
    /** Take only what is there. */
    NEVER("Never");

    private final String text;

    ImagePullPolicy(String text) {
        this.text = text;
    }

    /** Returns the name that Kubernetes gives it, such as {@code IfNotPresent}. */
    public String text() {
        return text;
    }

    @Override
    public String optionName() {
        return "imagePullPolicy";
    }
}
