/** The command line {@code trainer4j}; a program, not a library. */
package io.github.trainer4j.cli;
