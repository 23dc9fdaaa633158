/** What a user of trainer4j says, and gets back: jobs, trainers, initializers, status, events and errors. */
package io.github.trainer4j.api;
