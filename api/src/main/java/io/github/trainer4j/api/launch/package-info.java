/**
 * Turns a trainer into what each node is given: files, a command and an environment. Pure functions, the same on every
 * backend, with the names that Kubeflow Trainer gives a training process, and Kubernetes its resources and references.
 */
package io.github.trainer4j.api.launch;
