package io.github.trainer4j.testkit.hub;

import java.util.function.Predicate;

/** Which requests a fault is for, how many of them it lets pass, and how often it strikes then. */
record Target(String text, Predicate<RecordedRequest> filter, int skip, int times) {

    static final Target ALL = new Target("", request -> true, 0, Integer.MAX_VALUE);

    Target {
        if (skip < 0) {
            throw new IllegalArgumentException("Cannot skip " + skip + " answers; give 0 or more.");
        }
        if (times < 1) {
            throw new IllegalArgumentException("A fault that strikes " + times + " times is none; give 1 or more.");
        }
    }

    Target narrowed(String how, Predicate<RecordedRequest> also) {
        return new Target(text + how, filter.and(also), skip, times);
    }

    Target skipping(int answers) {
        return new Target(text + ", not the first " + answers, filter, answers, times);
    }

    Target limited(int answers) {
        return new Target(text + ", " + answers + " times", filter, skip, answers);
    }
}
