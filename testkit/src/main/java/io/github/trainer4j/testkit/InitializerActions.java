package io.github.trainer4j.testkit;

import java.util.List;

/**
 * What an initializer of the contract is to do, one action after the other. In a storage URI the actions are joined by
 * {@code _}, as in {@code test://lines-3_fail-after-1}. Having done them all it leaves a file {@code given.txt} in its
 * directory, and logs each action when it begins.
 *
 * @param text the actions as a URI has them
 */
public record InitializerActions(String text) {
    /** Returns the action that only leaves the file. */
    public static InitializerActions ok() {
        return new InitializerActions("ok");
    }

    /** Returns the action that waits so many seconds. */
    public static InitializerActions sleep(int seconds) {
        return new InitializerActions("sleep-" + seconds);
    }

    /** Returns the action that writes a file of so many bytes. */
    public static InitializerActions size(int bytes) {
        return new InitializerActions("size-" + bytes);
    }

    /** Returns the action that logs so many lines. */
    public static InitializerActions lines(int count) {
        return new InitializerActions("lines-" + count);
    }

    /** Returns the action that fails after so many seconds; the last line it logs names the URI. */
    public static InitializerActions failAfter(int seconds) {
        return new InitializerActions("fail-after-" + seconds);
    }

    /** Returns the action that fails in the first attempts at one workspace. */
    public static InitializerActions flaky(int failures) {
        return new InitializerActions("flaky-" + failures);
    }

    /** Returns the action that never ends. */
    public static InitializerActions hang() {
        return new InitializerActions("hang");
    }

    /** Returns these actions, followed by others. */
    public InitializerActions then(InitializerActions next) {
        return new InitializerActions(text + "_" + next.text);
    }

    /** Returns each action. */
    List<String> each() {
        return List.of(text.split("_"));
    }
}
