package io.github.trainer4j.cli;

import io.github.trainer4j.api.TrainJob;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Picks jobs by their labels, as kubectl does with equality.
 *
 * @param terms what all must hold
 */
record Selector(List<Predicate<TrainJob>> terms) {
    private static final Pattern TERM =
            Pattern.compile("\\s*(!?)\\s*([-A-Za-z0-9_./]+)\\s*(?:(==?|!=)\\s*([-A-Za-z0-9_.]*))?\\s*");

    static Selector of(String text) {
        List<Predicate<TrainJob>> terms = new ArrayList<>();
        for (String term : text.isBlank() ? new String[0] : text.split(",", -1)) {
            Matcher parts = TERM.matcher(term);
            if (!parts.matches() || (!parts.group(1).isEmpty() && parts.group(3) != null)) {
                throw Refusal.invalid("the selector '" + text + "' has '" + term
                        + "' in it; write key=value, key!=value, key or !key, with commas between");
            }
            terms.add(term(parts));
        }
        return new Selector(terms);
    }

    private static Predicate<TrainJob> term(Matcher parts) {
        String key = parts.group(2);
        if (parts.group(3) == null) {
            boolean wanted = parts.group(1).isEmpty();
            return job -> job.labels().containsKey(key) == wanted;
        }
        String value = parts.group(4);
        boolean wanted = !parts.group(3).equals("!=");
        return job -> value.equals(job.labels().get(key)) == wanted;
    }

    boolean fits(TrainJob job) {
        return terms.stream().allMatch(term -> term.test(job));
    }
}
