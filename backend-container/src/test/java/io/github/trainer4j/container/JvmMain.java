package io.github.trainer4j.container;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Runs in a container, with nothing but its own class path. */
public final class JvmMain {
    private JvmMain() {}

    /** Prints its arguments. */
    public static void main(String[] args) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        out.println(String.join("|", args));
    }
}
