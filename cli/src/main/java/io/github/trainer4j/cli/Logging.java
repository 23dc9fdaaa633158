package io.github.trainer4j.cli;

/** What the libraries say goes to standard error: warnings, or all with {@code -v}. */
final class Logging {
    private static final String PREFIX = "org.slf4j.simpleLogger.";

    private Logging() {}

    /** Acts before the first logger is made, or not at all. */
    static void configure(boolean verbose) {
        System.setProperty(PREFIX + "defaultLogLevel", verbose ? "info" : "error");
        System.setProperty(PREFIX + "log.io.github.trainer4j", verbose ? "debug" : "warn");
        System.setProperty(PREFIX + "showThreadName", Boolean.toString(verbose));
        System.setProperty(PREFIX + "showLogName", Boolean.toString(verbose));
        System.setProperty(PREFIX + "levelInBrackets", "true");
    }
}
