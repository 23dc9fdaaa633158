package io.github.trainer4j.testkit;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** A program for JVM nodes: prints a system property and its arguments, these as UTF-8 in hexadecimal digits. */
final class EchoProgram {
    static final String PROPERTY = "contract.property";

    private EchoProgram() {}

    public static void main(String[] args) {
        System.out.println(System.getProperty(PROPERTY));
        for (String arg : args) {
            System.out.println(HexFormat.of().formatHex(arg.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
