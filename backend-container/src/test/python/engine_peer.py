"""Kubeflow's Python SDK on a container engine.

usage: engine_peer.py docker|podman ENGINE-ADDRESS
"""

import kubeflow_peer
from kubeflow.trainer.backends.container.backend import ContainerBackend
from kubeflow.trainer.backends.container.types import ContainerBackendConfig, TrainingRuntimeSource
from kubeflow.trainer.options.common import Name
from kubeflow.trainer.types import types

TORCH = "trainer4j-test/torch:1"
INITIALIZER = "trainer4j-test/initializer:1"


def greet():
    import os
    import time

    print("hello, the dataset is", "there" if os.path.exists("/workspace/dataset/given.txt") else "missing", flush=True)
    while not os.path.exists("/workspace/go"):
        time.sleep(0.1)
    print("bye", flush=True)


def fail():
    print("about to fail", flush=True)
    raise SystemExit(3)


# The SDK starts a script with the options of a torchrun that is newer than the image's.
SHELL = {"BASH_FUNC_torchrun%%": '() { python "${!#}"; }'}
FUNCTIONS = {"greet": greet, "fail": fail}


class Peer(kubeflow_peer.Peer):
    def __init__(self, engine, address):
        super().__init__(
            ContainerBackend(
                ContainerBackendConfig(
                    container_runtime=engine,
                    container_host=address,
                    pull_policy="Never",
                    runtime_source=TrainingRuntimeSource(sources=[]),
                    dataset_initializer_image=INITIALIZER,
                    model_initializer_image=INITIALIZER,
                )
            )
        )

    def train(self, name, function, dataset=None, model=None):
        initializer = None
        if dataset or model:
            initializer = types.Initializer(
                dataset=types.HuggingFaceDatasetInitializer(storage_uri=dataset) if dataset else None,
                model=types.HuggingFaceModelInitializer(storage_uri=model) if model else None,
            )
        self.sdk.train(
            runtime="torch-distributed",
            initializer=initializer,
            trainer=types.CustomTrainer(func=FUNCTIONS[function], image=TORCH, num_nodes=1, env=SHELL),
            options=[Name(name)],
        )
        return {}

    def logs(self, name, step):
        # Followed, because the SDK's adapter for podman gives nothing else: a generator's name in place of the text.
        return {"lines": "".join(self.sdk.get_job_logs(name, follow=True, step=step)).splitlines()}


if __name__ == "__main__":
    kubeflow_peer.serve(Peer)
