/** For programs that use Guice themselves. */
package io.github.trainer4j.client.guice;
