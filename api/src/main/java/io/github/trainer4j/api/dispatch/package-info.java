/**
 * Runs named tasks in parallel: the first failure cancels the rest. Backends fetch datasets and models with it, pull
 * images and build environments.
 */
package io.github.trainer4j.api.dispatch;
