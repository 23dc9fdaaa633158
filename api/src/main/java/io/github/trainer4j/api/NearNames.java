package io.github.trainer4j.api;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Finds what somebody probably meant by a name that does not exist. */
public final class NearNames {
    private static final int MOST = 3;
    /** Longer names have no near ones, and comparing them takes long. */
    private static final int LONGEST = 256;

    private NearNames() {}

    /** Returns at most three known names that are a few letters away, the nearest first. */
    public static List<String> of(String wrong, Collection<String> known) {
        if (wrong.length() > LONGEST) {
            return List.of();
        }
        int limit = Math.max(2, wrong.length() / 3);
        return known.stream()
                .distinct()
                .filter(name -> Math.abs(name.length() - wrong.length()) <= limit)
                .filter(name -> distance(wrong, name) <= limit)
                .sorted(Comparator.<String>comparingInt(name -> distance(wrong, name))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(MOST)
                .toList();
    }

    /** Returns {@code "; did you mean a or b?"}, or an empty text when nothing is near. */
    public static String hint(String wrong, Collection<String> known) {
        List<String> near = of(wrong, known);
        return near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
    }

    /** The Levenshtein distance, without regard to case. */
    private static int distance(String left, String right) {
        String a = left.toLowerCase(Locale.ROOT);
        String b = right.toLowerCase(Locale.ROOT);
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(change, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
