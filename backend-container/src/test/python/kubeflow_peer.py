"""Kubeflow's Python SDK behind a pipe: reads requests from stdin, one JSON object a line, and answers each with one.

usage: kubeflow_peer.py docker|podman ENGINE-ADDRESS

A request is {"do": NAME, ...}, NAME a method of Peer; its answer is what that returns, or {"error": TEXT}.
"""

import json
import logging
import os
import sys

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


def told(job):
    return {
        "name": job.name,
        "status": job.status,
        "runtime": job.runtime.name,
        "numNodes": job.num_nodes,
        "steps": {step.name: step.status for step in job.steps},
    }


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

    def train(self, name, function, dataset=None, model=None):
        initializer = None
        if dataset or model:
            initializer = types.Initializer(
                dataset=types.HuggingFaceDatasetInitializer(storage_uri=dataset) if dataset else None,
                model=types.HuggingFaceModelInitializer(storage_uri=model) if model else None,
            )
        self.backend.train(
            runtime="torch-distributed",
            initializer=initializer,
            trainer=types.CustomTrainer(func=FUNCTIONS[function], image=TORCH, num_nodes=1, env=SHELL),
            options=[Name(name)],
        )
        return {}

    def list(self):
        return {"jobs": [told(job) for job in self.backend.list_jobs()]}

    def get(self, name):
        return told(self.backend.get_job(name))

    def logs(self, name, step):
        # Followed, because the SDK's adapter for podman gives nothing else: a generator's name in place of the text.
        return {"lines": "".join(self.backend.get_job_logs(name, follow=True, step=step)).splitlines()}

    def wait(self, name, status):
        return told(self.backend.wait_for_job_status(name, status={status}, timeout=120, polling_interval=1))

    def delete(self, name):
        self.backend.delete_job(name)
        return {}


def main():
    logging.disable(logging.CRITICAL)
    # What others print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    peer = Peer(*sys.argv[1:])
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(peer, request.pop("do"))(**request)
        except Exception as e:
            answer = {"error": f"{type(e).__name__}: {e}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
