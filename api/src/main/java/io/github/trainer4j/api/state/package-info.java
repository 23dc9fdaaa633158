/**
 * For backends that keep the state of jobs in files of this machine: written so that nobody sees half of one, read so that
 * a damaged one is no surprise, and removed whole.
 */
package io.github.trainer4j.api.state;
