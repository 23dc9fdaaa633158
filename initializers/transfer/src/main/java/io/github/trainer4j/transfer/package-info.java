/** The download engine that all initializers share. */
package io.github.trainer4j.transfer;
