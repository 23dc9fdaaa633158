package io.github.trainer4j.cli;

/** How data is printed. */
enum Format {
    /** Columns for people. */
    TABLE,
    /** More columns. */
    WIDE,
    /** For programs; docs/cli/schema.json says what is in it. */
    JSON,
    /** The same as YAML. */
    YAML,
    /** Names alone, one in a line. */
    NAME;

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
