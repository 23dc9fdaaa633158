/** A source of data of one's own: one class and one services file. */
package io.github.trainer4j.examples.plugin;
