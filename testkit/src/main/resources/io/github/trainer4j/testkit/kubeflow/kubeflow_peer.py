"""Kubeflow's Python SDK behind a pipe: reads requests from stdin, one JSON object a line, and answers each with one.

A request is {"do": NAME, ...}, NAME a method of the peer; its answer is what that returns, or {"error": TEXT}.
"""

import json
import logging
import os
import sys


class Peer:
    """What the SDK does in the same way wherever jobs run; train and logs are added by those who extend it."""

    def __init__(self, sdk):
        self.sdk = sdk

    def list(self):
        return {"jobs": [told(job) for job in self.sdk.list_jobs()]}

    def get(self, name):
        return told(self.sdk.get_job(name))

    def wait(self, name, status):
        return told(self.sdk.wait_for_job_status(name, status={status}, timeout=120, polling_interval=1))

    def delete(self, name):
        self.sdk.delete_job(name)
        return {}


def told(job):
    return {
        "name": job.name,
        "status": job.status,
        "runtime": job.runtime.name,
        "numNodes": job.num_nodes,
        "steps": {step.name: step.status for step in job.steps},
    }


def serve(peer_of):
    """Answers all requests with the peer that is made of the program's arguments."""
    logging.disable(logging.CRITICAL)
    # What others print must not come between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    peer = peer_of(*sys.argv[1:])
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(peer, request.pop("do"))(**request)
        except Exception as e:
            answer = {"error": f"{type(e).__name__}: {e}"}
        print(json.dumps(answer), file=answers, flush=True)
