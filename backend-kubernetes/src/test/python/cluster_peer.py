"""Kubeflow's Python SDK on a cluster.

usage: cluster_peer.py KUBECONFIG NAMESPACE
"""

import kubeflow_peer
from kubeflow.common.types import KubernetesBackendConfig
from kubeflow.trainer import TrainerClient
from kubeflow.trainer.options.common import Name
from kubeflow.trainer.types import types


def greet():
    import time

    for i in range(3):
        print("hello", i, flush=True)
        time.sleep(0.5)


class Peer(kubeflow_peer.Peer):
    def __init__(self, kubeconfig, namespace):
        super().__init__(TrainerClient(KubernetesBackendConfig(config_file=kubeconfig, namespace=namespace)))

    def train(self, name, runtime, image):
        self.sdk.train(
            runtime=self.sdk.get_runtime(runtime),
            trainer=types.CustomTrainer(func=greet, image=image, num_nodes=1),
            options=[Name(name)],
        )
        return {}

    def logs(self, name, step):
        return {"lines": [text.rstrip("\n") for text in self.sdk.get_job_logs(name, step=step)]}


if __name__ == "__main__":
    kubeflow_peer.serve(Peer)
