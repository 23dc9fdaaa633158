package io.github.trainer4j.api;

/**
 * A wish that only some backends can fulfil. A backend refuses every option whose type it does not know, with an error
 * that names the option and the backend. A plug-in may define options of its own.
 */
public interface JobOption {
    /** Returns the name by which errors speak of the option, such as {@code imagePullPolicy}. */
    String optionName();
}
