package io.github.trainer4j.testkit.hub;

import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Matches whole decoded paths; {@code *} stands for any characters, slashes too, and all else for itself. */
record PathPattern(String text, Pattern regex) {

    static final PathPattern ANY = of("*");

    static PathPattern of(String text) {
        Objects.requireNonNull(text, "pattern");
        String regex = Arrays.stream(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
        return new PathPattern(text, Pattern.compile(regex, Pattern.DOTALL));
    }

    boolean matches(String path) {
        return regex.matcher(path).matches();
    }
}
