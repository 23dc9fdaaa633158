package io.github.trainer4j.datacache;

import io.github.trainer4j.api.InitializerSpec;
import io.github.trainer4j.api.InvalidJobException;
import io.github.trainer4j.api.NearNames;
import io.github.trainer4j.api.Quantity;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The options of {@code cache://}, which are the fields of Kubeflow's cache initializer. */
final class DataCacheOptions {
    static final String METADATA_LOC = "metadata_loc";
    static final String CLUSTER_SIZE = "cluster_size";
    static final String HEAD_CPU = "head_cpu";
    static final String HEAD_MEM = "head_mem";
    static final String WORKER_CPU = "worker_cpu";
    static final String WORKER_MEM = "worker_mem";
    static final String IAM_ROLE = "iam_role";
    static final String READINESS_INITIAL_DELAY = "readiness_initial_delay_seconds";
    static final String READINESS_PERIOD = "readiness_period_seconds";
    static final String READINESS_TIMEOUT = "readiness_timeout_seconds";
    static final String READINESS_FAILURES = "readiness_failure_threshold";

    /** One head, and at least two nodes with data. */
    static final int SMALLEST_CLUSTER = 3;

    private static final List<String> ALL = List.of(
            METADATA_LOC,
            CLUSTER_SIZE,
            HEAD_CPU,
            HEAD_MEM,
            WORKER_CPU,
            WORKER_MEM,
            IAM_ROLE,
            READINESS_INITIAL_DELAY,
            READINESS_PERIOD,
            READINESS_TIMEOUT,
            READINESS_FAILURES);
    private static final Pattern WHOLE = Pattern.compile("\\d{1,9}");
    private static final Pattern URI = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://[^/\\s]\\S*");
    private static final Pattern ROLE = Pattern.compile("arn:[^:\\s]+:iam:[^:\\s]*:[^:\\s]*:role/\\S+");
    private static final int LONGEST = 200;

    private DataCacheOptions() {}

    /**
     * Checks the options and secrets of a specification.
     *
     * @throws InvalidJobException if one is unknown or malformed, or {@code metadata_loc} is missing
     */
    static void check(InitializerSpec spec) {
        spec.options().keySet().forEach(DataCacheOptions::known);
        for (String name : spec.secrets().keySet()) {
            known(name);
            throw new InvalidJobException("the option '" + name
                    + "' of cache:// is given as a secret, but would be seen in the cluster; give it as an option");
        }
        Map<String, String> options = spec.options();
        if (!options.containsKey(METADATA_LOC)) {
            throw new InvalidJobException(
                    "cache:// needs the option 'metadata_loc': where the table's metadata file lies,"
                            + " as in s3://bucket/schema/table/metadata/v1.metadata.json");
        }
        each(options, METADATA_LOC, DataCacheOptions::location);
        each(options, CLUSTER_SIZE, value -> atLeast(CLUSTER_SIZE, SMALLEST_CLUSTER, value));
        for (String name : List.of(HEAD_CPU, HEAD_MEM, WORKER_CPU, WORKER_MEM)) {
            each(options, name, value -> amount(name, value));
        }
        each(options, IAM_ROLE, DataCacheOptions::role);
        each(options, READINESS_INITIAL_DELAY, value -> atLeast(READINESS_INITIAL_DELAY, 0, value));
        for (String name : List.of(READINESS_PERIOD, READINESS_TIMEOUT, READINESS_FAILURES)) {
            each(options, name, value -> atLeast(name, 1, value));
        }
    }

    private static void known(String name) {
        if (!ALL.contains(name)) {
            throw new InvalidJobException("'" + shown(name) + "' is not an option of cache://; there are "
                    + String.join(", ", ALL) + NearNames.hint(name, ALL));
        }
    }

    private static void each(Map<String, String> options, String name, Consumer<String> check) {
        String value = options.get(name);
        if (value != null) {
            check.accept(value);
        }
    }

    private static void location(String value) {
        String authority = value.replaceFirst("^[^:]*://", "").replaceFirst("/.*$", "");
        if (!URI.matcher(value).matches() || authority.contains("@")) {
            // Not shown: a mistyped address may have a password in it.
            throw new InvalidJobException(
                    "the option 'metadata_loc' of cache:// is no address of a file, or has a user in"
                            + " it; write it as in s3://bucket/schema/table/metadata/v1.metadata.json");
        }
    }

    private static void atLeast(String name, int least, String value) {
        if (!WHOLE.matcher(value).matches() || Integer.parseInt(value) < least) {
            throw new InvalidJobException("the option '" + name + "' of cache:// is '" + shown(value)
                    + "'; give a whole number of at least " + least
                    + (name.equals(CLUSTER_SIZE) ? ": the nodes with data, which are two or more, and the head" : ""));
        }
    }

    private static void amount(String name, String value) {
        try {
            if (new Quantity(value).value().compareTo(BigDecimal.ZERO) > 0) {
                return;
            }
        } catch (InvalidJobException e) {
            throw new InvalidJobException("the option '" + name + "' of cache://: " + e.getMessage(), e);
        }
        throw new InvalidJobException(
                "the option '" + name + "' of cache:// is '" + shown(value) + "'; give more than 0");
    }

    private static void role(String value) {
        if (!ROLE.matcher(value).matches()) {
            throw new InvalidJobException("the option 'iam_role' of cache:// is '" + shown(value)
                    + "'; write it as in arn:aws:iam::123456789012:role/name");
        }
    }

    /** Shortens and escapes, so that a hostile text cannot take part in the layout of a log. */
    static String shown(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints().limit(LONGEST).forEach(c -> {
            if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                shown.append(String.format("\\u%04x", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown + (text.codePointCount(0, text.length()) > LONGEST ? "…" : "");
    }
}
