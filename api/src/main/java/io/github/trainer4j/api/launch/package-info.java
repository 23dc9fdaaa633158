/**
 * Turns a trainer into what each node is given: files, a command and an environment. Pure functions, the same on every
 * backend, with the names that Kubeflow Trainer gives a training process.
 */
package io.github.trainer4j.api.launch;
