/** Golden files of what nodes are given, the same on every backend. */
package io.github.trainer4j.testkit.launch;
