/**
 * The client: {@link io.github.trainer4j.client.TrainerClient} runs training jobs on the backend that configuration
 * names.
 */
package io.github.trainer4j.client;
