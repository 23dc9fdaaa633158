/**
 * A small HTTP client for sources: {@code GET} with ranges, connections that are used again and can be cut off from any
 * thread at any time, redirects that carry no credential to another origin.
 *
 * <p>The clients of the JDK cannot be cut off: a read that hangs holds the lock that closing needs, until its timeout.
 */
package io.github.trainer4j.transfer.http;
