/**
 * What a user says and gets back: the description of a training job, its trainers and initializers, and the job, steps,
 * logs, events and errors that come back. Every type here is immutable and safe to share between threads unless its
 * documentation says otherwise.
 */
package io.github.trainer4j.api;
