/** The backend that runs training jobs on Kubernetes clusters with Kubeflow Trainer. */
package io.github.trainer4j.kubernetes;
