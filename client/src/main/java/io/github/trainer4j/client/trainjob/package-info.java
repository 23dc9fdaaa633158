/** Jobs as files: TrainJob resources of Kubeflow Trainer, as {@code kubectl apply} takes them. */
package io.github.trainer4j.client.trainjob;
