"""Kubeflow's Python SDK, measured: reads one request a line from stdin and answers it with one line.

usage: kubeflow_bench.py docker|podman ENGINE-ADDRESS

train NAME NODES   starts a job; answers when it was asked to (seconds since 1970)
fetch NAME         the same, with two initializers of 3 s
fail NAME          the same, with an initializer that fails after 0.5 s beside one of 3 s; answers the seconds until the error
list               answers the seconds that a list of all jobs takes, and how many there are
fill COUNT         makes that many containers labelled as jobs of one node; clear removes them
delete NAME        deletes a job
"""

import logging
import os
import sys
import time

from kubeflow.trainer.backends.container.backend import ContainerBackend
from kubeflow.trainer.backends.container.types import ContainerBackendConfig, TrainingRuntimeSource
from kubeflow.trainer.options.common import Name
from kubeflow.trainer.types import types

IMAGE = "trainer4j-test/torch:1"
INITIALIZER = "trainer4j-test/initializer:1"
# Instead of torchrun: what a node does is not what is measured.
SHELL = {"BASH_FUNC_torchrun%%": "() { exec sleep 600; }"}
LABEL = "trainer.kubeflow.org/"


def nothing():
    pass


class Peer:
    def __init__(self, engine, address):
        self.backend = ContainerBackend(
            ContainerBackendConfig(
                container_runtime=engine,
                container_host=address,
                pull_policy="Never",
                runtime_source=TrainingRuntimeSource(sources=[]),
                dataset_initializer_image=INITIALIZER,
                model_initializer_image=INITIALIZER,
            )
        )
        self.client = self.backend._adapter.client
        self.filled = []

    def start(self, name, nodes=1, dataset=None, model=None):
        initializer = None
        if dataset:
            initializer = types.Initializer(
                dataset=types.HuggingFaceDatasetInitializer(storage_uri=dataset),
                model=types.HuggingFaceModelInitializer(storage_uri=model),
            )
        begin = time.time()
        self.backend.train(
            runtime="torch-distributed",
            initializer=initializer,
            trainer=types.CustomTrainer(func=nothing, image=IMAGE, num_nodes=int(nodes), env=SHELL),
            options=[Name(name)],
        )
        return begin

    def train(self, name, nodes):
        return self.start(name, nodes)

    def fetch(self, name):
        return self.start(name, dataset="hf://test/sleep-3", model="hf://test/sleep-3")

    def fail(self, name):
        begin = time.time()
        try:
            self.start(name, dataset="hf://test/fail-after-0.5", model="hf://test/sleep-3")
        except RuntimeError:
            return time.time() - begin
        raise AssertionError("it did not fail")

    def list(self):
        begin = time.time()
        jobs = self.backend.list_jobs()
        return f"{time.time() - begin} {len(jobs)}"

    def fill(self, count):
        network = f"bench-{os.getpid()}-net"
        self.client.networks.create(network, labels={LABEL + "runtime-name": "torch-distributed"})
        for i in range(int(count)):
            name = f"bench-{os.getpid()}-{i}"
            self.filled.append(
                self.client.containers.create(
                    IMAGE,
                    ["true"],
                    name=f"{name}-node-0",
                    labels={
                        LABEL + "trainjob-name": name,
                        LABEL + "step": "node-0",
                        LABEL + "network-id": network,
                    },
                )
            )
        return len(self.filled)

    def clear(self):
        for container in self.filled:
            container.remove(force=True)
        self.client.networks.get(f"bench-{os.getpid()}-net").remove()
        return len(self.filled)

    def delete(self, name):
        for found in self.backend._get_job_containers(name):
            container = self.client.containers.get(found["id"])
            container.kill()
            container.remove(force=True)
        self.client.networks.get(f"{name}-net").remove()
        return 0


def main():
    logging.disable(logging.CRITICAL)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    peer = Peer(*sys.argv[1:])
    for line in sys.stdin:
        action, *words = line.split()
        print(getattr(peer, action)(*words), file=answers, flush=True)


if __name__ == "__main__":
    main()
