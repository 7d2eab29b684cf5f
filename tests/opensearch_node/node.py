"""Real OpenSearch nodes for the tests, put together from Maven Central artifacts.

    python tests/opensearch_node/node.py build       download, verify and lay out (62 MB, once)
    python tests/opensearch_node/node.py run [N]     build if needed, start N nodes, print the URLs, stop on Ctrl-C

The work folder is `.opensearch` at the root of the repository, or `OPENSEARCH_NODE_WORK`; it is safe to delete.
What runs is the real server with k-NN and neural search, without the distribution's bootstrap checks and security.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

HERE = Path(__file__).resolve().parent
VERSION = "2.19.1"
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
START_S = 180.0
SOURCES = ("pom.xml", "Node.java", "artifacts.sha256", "node.py")

MODULES = {
    "transport-netty4": ("org.opensearch.transport.Netty4Plugin", ("transport-netty4-", "netty-")),
    "lang-painless": (
        "org.opensearch.painless.PainlessPlugin",
        ("lang-painless-", "opensearch-scripting-painless-spi-", "antlr4-", "asm-"),
    ),
    "analysis-common": ("org.opensearch.analysis.common.CommonAnalysisPlugin", ("analysis-common-",)),
    "mapper-extras": ("org.opensearch.index.mapper.MapperExtrasPlugin", ("mapper-extras-",)),
    "reindex": (
        "org.opensearch.index.reindex.ReindexPlugin",
        ("reindex-", "opensearch-rest-client-", "opensearch-ssl-config-", "http", "commons-"),
    ),
}
"""Folder of a module: its class, and how the names of its jars begin; every other jar belongs to lib/."""

DESCRIPTOR = """\
name={name}
description={name}
version={version}
opensearch.version={version}
java.version=11
classname={classname}
extended.plugins=
has.native.controller=false
"""
LOGGING = """\
status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p][%c{1.}] [%node_name]%marker %m%n
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
"""


def missing() -> str:
    """Say what this machine lacks to run a node; empty if nothing."""
    return ", ".join(tool for tool in ("java", "javac", "mvn") if shutil.which(tool) is None)


def work_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Where artifacts and the layout are kept between runs."""
    return Path(environ.get("OPENSEARCH_NODE_WORK") or HERE.parent.parent / ".opensearch").resolve()


def build(work: Path) -> Path:
    """Make sure that the layout is there and is the pinned one; returns its folder."""
    work.mkdir(parents=True, exist_ok=True)
    sources = b"".join((HERE / name).read_bytes() for name in SOURCES)
    stamp = hashlib.sha256(sources).hexdigest()[:16]
    home = work / f"home-{stamp}"
    with FileLock(work / ".lock"):
        if not home.is_dir():
            artifacts = work / "artifacts"
            _download(artifacts)
            unfinished = Path(tempfile.mkdtemp(dir=work))
            _lay_out(artifacts, unfinished)
            unfinished.rename(home)
    return home


def _download(artifacts: Path) -> None:
    command = ["mvn", "-B", "-q", "-f", str(HERE / "pom.xml"), COPY, f"-DoutputDirectory={artifacts}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"Maven could not fetch the node:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    lines = (HERE / "artifacts.sha256").read_text().splitlines()
    expected = {name: digest for digest, name in map(str.split, lines)}
    for name, digest in expected.items():
        if hashlib.sha256((artifacts / name).read_bytes()).hexdigest() != digest:
            raise RuntimeError(f"{name} is not the pinned artifact")
    for extra in {path.name for path in artifacts.iterdir()} - set(expected):
        raise RuntimeError(f"{extra} is not among the pinned artifacts")


def _lay_out(artifacts: Path, home: Path) -> None:
    for folder in ("lib", "config", "modules", "plugins", "classes"):
        (home / folder).mkdir()
    for name, (classname, _) in MODULES.items():
        (home / "modules" / name).mkdir()
        descriptor = DESCRIPTOR.format(name=name, version=VERSION, classname=classname)
        (home / "modules" / name / "plugin-descriptor.properties").write_text(descriptor)
    for artifact in sorted(artifacts.iterdir()):
        if artifact.suffix == ".zip":
            with zipfile.ZipFile(artifact) as archive:
                archive.extractall(home / "plugins" / _plugin_name(archive))
            continue
        module = next((name for name, (_, starts) in MODULES.items() if artifact.name.startswith(starts)), None)
        shutil.copy(artifact, home / "modules" / module if module else home / "lib")
    (home / "config" / "log4j2.properties").write_text(LOGGING)
    (home / "config" / "opensearch.yml").write_text("")
    subprocess.run(["javac", "-d", str(home / "classes"), "-cp", f"{home}/lib/*", str(HERE / "Node.java")], check=True)


def _plugin_name(archive: zipfile.ZipFile) -> str:
    lines = archive.read("plugin-descriptor.properties").decode().splitlines()
    return next(line.partition("=")[2] for line in lines if line.startswith("name="))


@dataclass(frozen=True)
class Member:
    """One running node."""

    name: str
    url: str
    process: subprocess.Popen[bytes]

    def kill(self) -> None:
        """End it at once, as a power cut does."""
        self.process.kill()
        self.process.wait()


@contextmanager
def cluster(count: int = 1, *, heap: str = "512m") -> Iterator[list[Member]]:
    """Run a cluster of `count` nodes with data of its own; it is gone afterwards."""
    home = build(work_folder())
    with tempfile.TemporaryDirectory(prefix="opensearch-", ignore_cleanup_errors=True) as data:
        ports = _free_ports(2 * count)
        members = [_start(home, Path(data), number, ports, count, heap) for number in range(count)]
        try:
            _wait_until_ready(members, Path(data))
            yield members
        finally:
            for member in members:
                member.process.send_signal(signal.SIGTERM)
            for member in members:
                try:
                    member.process.wait(20)
                except subprocess.TimeoutExpired:
                    member.kill()


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def _start(home: Path, data: Path, number: int, ports: list[int], count: int, heap: str) -> Member:
    names = [f"node-{each + 1}" for each in range(count)]
    settings = {
        "cluster.name": "gate-tests",
        "node.name": names[number],
        "path.home": home,
        "path.data": data / names[number],
        "path.logs": data / names[number] / "logs",
        "network.host": "127.0.0.1",
        "http.port": ports[number],
        "transport.port": ports[count + number],
        "node.store.allow_mmap": "false",
        "cluster.routing.allocation.disk.threshold_enabled": "false",
        "action.auto_create_index": "false",
    }
    if count == 1:
        settings["discovery.type"] = "single-node"
    else:
        settings["discovery.seed_hosts"] = ",".join(f"127.0.0.1:{port}" for port in ports[count:])
        settings["cluster.initial_cluster_manager_nodes"] = ",".join(names)
    java = ["java", f"-Xms{heap}", f"-Xmx{heap}", "-XX:+UseSerialGC", "-Dio.netty.noUnsafe=true",
            "-Dlog4j2.disable.jmx=true", "-Djava.awt.headless=true", f"-Dopensearch.path.home={home}"]  # fmt: skip
    command = [
        *java,
        "-cp",
        f"{home}/classes:{home}/lib/*",
        "Node",
        *(f"{key}={value}" for key, value in settings.items()),
    ]
    with (data / f"{names[number]}.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=data, start_new_session=True)
    return Member(names[number], f"http://127.0.0.1:{ports[number]}", process)


def _wait_until_ready(members: list[Member], data: Path) -> None:
    ask = f"{members[0].url}/_cluster/health?wait_for_nodes={len(members)}&wait_for_status=yellow&timeout=5s"
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        for member in members:
            if member.process.poll() is not None:
                raise RuntimeError(f"{member.name} ended:\n{(data / f'{member.name}.log').read_text()[-3000:]}")
        try:
            with urllib.request.urlopen(ask, timeout=10) as answer:
                if not json.load(answer)["timed_out"]:
                    return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError(f"no cluster of {len(members)} nodes within {START_S:.0f} s")


def main() -> None:
    """Build, or run until interrupted."""
    if sys.argv[1:2] == ["build"]:
        print(build(work_folder()))
    elif sys.argv[1:2] == ["run"]:
        with cluster(int((sys.argv[2:] or ["1"])[0])) as members:
            print(" ".join(member.url for member in members), flush=True)
            signal.sigwait({signal.SIGINT, signal.SIGTERM})
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
