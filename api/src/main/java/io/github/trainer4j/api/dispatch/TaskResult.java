package io.github.trainer4j.api.dispatch;

import java.time.Duration;

/**
 * The result of a task that succeeded.
 *
 * @param name the task's name
 * @param value what it resulted in
 * @param elapsed how long it took, all attempts together
 * @param attempts how many attempts there were
 * @param <T> the type of the value
 */
public record TaskResult<T>(String name, T value, Duration elapsed, int attempts) {}
