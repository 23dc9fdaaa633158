/** The client that runs a training job on the backend its configuration names. */
package io.github.trainer4j.client;
