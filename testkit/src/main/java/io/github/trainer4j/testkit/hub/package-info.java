/**
 * A server that speaks the Hugging Face Hub's download protocol on loopback, and plays faults on demand.
 *
 * <p>{@link io.github.trainer4j.testkit.hub.FakeHub} is the place to start. It needs nothing but the JDK, so a test of a
 * downloader runs over real sockets without a network.
 */
package io.github.trainer4j.testkit.hub;
