"""Kubeflow's Python SDK behind a pipe: reads requests from stdin, one JSON object a line, and answers each with one.

usage: kubeflow_peer.py KUBECONFIG NAMESPACE

A request is {"do": NAME, ...}, NAME a method of Peer; its answer is what that returns, or {"error": TEXT}.
"""

import json
import logging
import os
import sys

from kubeflow.common.types import KubernetesBackendConfig
from kubeflow.trainer import TrainerClient
from kubeflow.trainer.options.common import Name
from kubeflow.trainer.types import types


def greet():
    import time

    for i in range(3):
        print("hello", i, flush=True)
        time.sleep(0.5)


def told(job):
    return {
        "name": job.name,
        "status": job.status,
        "runtime": job.runtime.name,
        "numNodes": job.num_nodes,
        "steps": {step.name: step.status for step in job.steps},
    }


class Peer:
    def __init__(self, kubeconfig, namespace):
        self.client = TrainerClient(KubernetesBackendConfig(config_file=kubeconfig, namespace=namespace))

    def train(self, name, runtime, image):
        self.client.train(
            runtime=self.client.get_runtime(runtime),
            trainer=types.CustomTrainer(func=greet, image=image, num_nodes=1),
            options=[Name(name)],
        )
        return {}

    def list(self):
        return {"jobs": [told(job) for job in self.client.list_jobs()]}

    def get(self, name):
        return told(self.client.get_job(name))

    def logs(self, name, step):
        return {"lines": [text.rstrip("\n") for text in self.client.get_job_logs(name, step=step)]}

    def wait(self, name, status):
        return told(self.client.wait_for_job_status(name, status={status}, timeout=120, polling_interval=1))

    def delete(self, name):
        self.client.delete_job(name)
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
