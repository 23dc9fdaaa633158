"""Kubeflow's Python SDK on a cluster, measured: reads one request a line from stdin and answers it with one line.

usage: kubeflow_cluster_bench.py KUBECONFIG NAMESPACE

What fails is answered with NaN.

train NAME         answers the seconds that train() takes; what the job runs ends at once
list               answers the seconds that a list of all jobs takes, and how many there are
fill COUNT         makes that many TrainJobs that no controller works on; clear removes them
follow NAME        answers the seconds that the followed log of node-0 takes, and how many lines it has
make NAME          makes one such
complete NAME      says in a job's status that it is complete; answers when the API server had that (seconds since 1970)
delete NAME        deletes a job, and waits for nothing
"""

import logging
import os
import sys
import time
import traceback

from kubeflow.common.types import KubernetesBackendConfig
from kubeflow.trainer import TrainerClient
from kubeflow.trainer.options.common import Name
from kubeflow.trainer.types import types
from kubernetes import client, config

PLACE = ("trainer.kubeflow.org", "v1alpha1")
IMAGE = "trainer4j-test/torch:1"


def nothing():
    pass


class Peer:
    def __init__(self, kubeconfig, namespace):
        self.namespace = namespace
        self.client = TrainerClient(KubernetesBackendConfig(config_file=kubeconfig, namespace=namespace))
        config.load_kube_config(config_file=kubeconfig)
        self.api = client.CustomObjectsApi()
        self.filled = []

    def train(self, name):
        begin = time.time()
        self.client.train(
            runtime="trainer4j-plain",
            trainer=types.CustomTrainer(func=nothing, image=IMAGE, num_nodes=1),
            options=[Name(name)],
        )
        return time.time() - begin

    def list(self):
        begin = time.time()
        jobs = self.client.list_jobs()
        return f"{time.time() - begin} {len(jobs)}"

    def fill(self, count):
        for i in range(int(count)):
            name = f"bench-{os.getpid()}-{i}"
            self.make(name)
            self.filled.append(name)
        return len(self.filled)

    def make(self, name):
        self.api.create_namespaced_custom_object(
            *PLACE,
            self.namespace,
            "trainjobs",
            {
                "apiVersion": "/".join(PLACE),
                "kind": "TrainJob",
                "metadata": {"name": name},
                "spec": {
                    "suspend": True,
                    # Its own controller leaves it alone then.
                    "managedBy": "kueue.x-k8s.io/multikueue",
                    "runtimeRef": {"name": "trainer4j-plain"},
                    "trainer": {"numNodes": 1, "command": ["true"]},
                },
            },
        )
        return 0

    def clear(self):
        for name in self.filled:
            self.delete(name)
        return len(self.filled)

    def follow(self, name):
        begin = time.time()
        lines = sum(1 for _ in self.client.get_job_logs(name, step="node-0", follow=True))
        return f"{time.time() - begin} {lines}"

    def complete(self, name):
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        condition = {"type": "Complete", "status": "True", "reason": "Bench", "message": "", "lastTransitionTime": now}
        self.api.patch_namespaced_custom_object_status(
            *PLACE, self.namespace, "trainjobs", name, {"status": {"conditions": [condition]}}
        )
        return time.time()

    def delete(self, name):
        self.api.delete_namespaced_custom_object(*PLACE, self.namespace, "trainjobs", name)
        return 0


def main():
    logging.disable(logging.CRITICAL)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    peer = Peer(*sys.argv[1:])
    for line in sys.stdin:
        action, *words = line.split()
        try:
            answer = getattr(peer, action)(*words)
        except Exception:
            # What was made must still be removed.
            traceback.print_exc()
            answer = "NaN"
        print(answer, file=answers, flush=True)


if __name__ == "__main__":
    main()
