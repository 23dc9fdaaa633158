package io.github.trainer4j.local;

import io.github.trainer4j.api.Failure;
import io.github.trainer4j.api.Secret;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Takes a job's secrets out of texts that are written to files. Nobody should put one there; but a library below an
 * initializer may quote in an error what it was given.
 */
final class Redaction {
    private static final Pattern USER_INFO = Pattern.compile("(?<=://)[^/@\\s]+@");
    private static final String HIDDEN = "***";
    /** Shorter values are words, and a text without them makes no sense. */
    private static final int SHORTEST = 4;

    private final List<String> values;

    private Redaction(List<String> values) {
        this.values = values;
    }

    static Redaction of(LocalPlan plan) {
        Stream<Secret> secrets = Stream.concat(
                plan.initializers().stream().flatMap(step -> step.spec().secrets().values().stream()),
                plan.request().nodes().secretEnv().values().stream());
        return new Redaction(secrets.map(Secret::reveal)
                .filter(value -> value.length() >= SHORTEST)
                .distinct()
                .toList());
    }

    String text(String text) {
        String result = text;
        for (String value : values) {
            result = result.replace(value, HIDDEN);
        }
        return result;
    }

    Failure failure(Failure failure) {
        return new Failure(
                failure.step(),
                failure.reason(),
                text(failure.message()),
                failure.exitCode(),
                failure.logTail(),
                failure.further().stream().map(this::failure).toList());
    }

    /** Takes names and passwords out of the addresses in a text. */
    static String withoutUserInfo(String text) {
        return USER_INFO.matcher(text).replaceAll(HIDDEN + "@");
    }
}
