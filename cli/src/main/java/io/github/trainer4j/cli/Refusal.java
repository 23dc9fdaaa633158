package io.github.trainer4j.cli;

/** Ends a command with a sentence for people and an exit code. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int code;

    Refusal(int code, String message) {
        super(message);
        this.code = code;
    }

    static Refusal invalid(String message) {
        return new Refusal(Exit.INVALID, message);
    }

    int code() {
        return code;
    }
}
