/** The snippets of README and guides as programs, so that the build compiles them; a test compares the texts. */
package io.github.trainer4j.examples.guide;
