package io.github.trainer4j.api.dispatch;

/**
 * Why a task failed.
 *
 * @param name the task's name
 * @param cause what it threw in its last attempt; a {@link java.util.concurrent.TimeoutException} if it took too long
 */
public record TaskFailure(String name, Throwable cause) {}
