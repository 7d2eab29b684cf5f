"""Which OpenSearch the tests talk to: `OPENSEARCH_URL`, else a container, else a node of our own, else none.

With none, tests are skipped and say why; with `CI` set they fail instead.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.availability import unavailable
from tests.opensearch_node import node

IMAGE = f"opensearchproject/opensearch:{node.VERSION}"


@pytest.fixture(scope="session")
def opensearch_url() -> Iterator[str]:
    """URL of an OpenSearch with k-NN; its indexes may be made and deleted."""
    if url := os.environ.get("OPENSEARCH_URL"):
        yield url
    elif container := _container():
        with _stopping(container) as url:
            yield url
    elif lacking := node.missing():
        unavailable(f"no OPENSEARCH_URL, no Docker, and to run a node this machine lacks {lacking}")
    else:
        with node.cluster() as (member,):
            yield member.url


def _container() -> str:
    """Start a container; empty where Docker is not there or cannot."""
    if shutil.which("docker") is None:
        return ""
    settings = ("discovery.type=single-node", "DISABLE_SECURITY_PLUGIN=true", "OPENSEARCH_JAVA_OPTS=-Xms1g -Xmx1g")
    options = [part for setting in settings for part in ("-e", setting)]
    command = ["docker", "run", "--rm", "-d", "-p", "127.0.0.1:0:9200", *options, IMAGE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


@contextmanager
def _stopping(container: str) -> Iterator[str]:
    try:
        port = subprocess.run(["docker", "port", container, "9200"], capture_output=True, text=True, check=True)
        url = f"http://{port.stdout.splitlines()[0].strip()}"
        for _ in range(180):
            try:
                with urllib.request.urlopen(f"{url}/_cluster/health?wait_for_status=yellow", timeout=10):
                    break
            except OSError:
                time.sleep(1)
        yield url
    finally:
        subprocess.run(["docker", "stop", container], capture_output=True, check=False)
