/** Measures what the project promises about speed and memory, as ratios within one run. */
package io.github.trainer4j.benchmarks;
