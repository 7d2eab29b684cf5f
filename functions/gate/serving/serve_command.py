"""`gate serve`: the API of the deployment on this machine, with a page."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gate.cli.options import A_FILE
from gate.cli.printing import say
from gate.errors import InputError, SettingsError

if TYPE_CHECKING:
    from gate.serving.application import Application
    from gate.serving.entry_guard import Entry
    from gate.serving.local_entrance import LocalEntrance

PORT = 8484
THREADS = 64
CONNECTIONS = 500
IDLE_S = 60
"""Seconds after which a connection that says nothing is closed."""


@click.command(short_help="Serve the API and a page to check, watch, compare and label on.")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen at; any but loopback takes a token."
)
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0: any that is free.")
@click.option("--policy", type=A_FILE, help="When an answer passes: YAML or JSON; without it the default policy.")
@click.option("--token-file", type=A_FILE, help="File that holds the token; or GATE_SERVE_TOKEN.")
@click.option("--callers", "callers_file", type=A_FILE, help="File of who has a token of their own, and which groups.")
@click.option(
    "--name", "names", multiple=True, help="A name under which the server is reached; may be given several times."
)
@click.option("-j", "--jobs", type=click.IntRange(1, 32), default=4, show_default=True, help="Checks at the same time.")
def serve(
    host: str,
    port: int,
    policy: Path | None,
    token_file: Path | None,
    callers_file: Path | None,
    names: tuple[str, ...],
    jobs: int,
) -> None:
    """Serve the API of the deployment on this machine, with a page: check, watch, compare, label, search.

    Runs, reports and labels stay in GATE_HOME. A run that the end of the server cuts off is marked as such, and can be
    started again. Ctrl-C ends the server.

    \b
    gate serve
    gate serve --port 0 --policy strict.yaml
    """
    from filelock import FileLock, Timeout

    from gate import wiring
    from gate.catalogue import Use
    from gate.cli.inputs import read_policy
    from gate.serving.local_entrance import LocalEntrance

    entry = _entry(host, names, token_file, callers_file)
    decided = read_policy(policy, max_bytes=1_000_000) if policy else None
    entrance = LocalEntrance(wiring.current().settings, decided)
    with wiring.entered(entrance):  # a model that cannot be had is said now, not in each run
        entrance.preload((Use.MODEL, Use.REDACTOR, Use.EMBEDDER, Use.EVENTS))
    entrance.folder.mkdir(parents=True, exist_ok=True)
    lock = FileLock(entrance.folder / "lock")
    try:
        with lock.acquire(timeout=0):
            _serve(entrance, entry, host, port, jobs)
    except Timeout:
        hint = "end it, or set GATE_HOME to another folder"
        raise InputError("another server works with this GATE_HOME", hint=hint) from None


def _serve(entrance: LocalEntrance, entry: Entry, host: str, port: int, jobs: int) -> None:
    """Listen, say where, and work until somebody ends it."""
    application = built(entrance, entry, jobs)
    server, address = listening(application, host, port, entrance.settings.max_document_bytes)
    thread = threading.Thread(target=server.run, name="gate-serve", daemon=True)
    thread.start()
    shown = f"[{address[0]}]" if ":" in address[0] else address[0]
    url = f"http://{shown}:{address[1]}/"
    entrance.listen_at(url)
    say(f"gate: {url}  (Ctrl-C ends it)")
    while thread.is_alive():
        thread.join(1)


def built(entrance: LocalEntrance, entry: Entry, jobs: int) -> Application:
    """The application over what is kept, with its workers at work; runs that were cut off are marked."""
    from gate.adapters.reviews.run_table import RUNS, RunTable
    from gate.serving.application import Application
    from gate.serving.checks_now import ChecksNow
    from gate.serving.live_claims import LiveClaims
    from gate.serving.local_runs import LocalRuns
    from gate.serving.own_routes import OwnRoutes

    table, live = RunTable(entrance.folder / RUNS), LiveClaims()
    runs = LocalRuns(table, live, jobs)
    entrance.begin_runs(runs)
    runs.work(entrance)
    return Application(entrance, entry, OwnRoutes(table, live), live, ChecksNow(entrance, jobs), table.forget)


def listening(application: Application, host: str, port: int, most_body: int) -> tuple[Any, tuple[str, int]]:
    """A server that listens and does not work yet, and its address.

    Raises:
        InputError: the address cannot be had.
    """
    from waitress.server import create_server

    from gate.serving.client_connections import HIGH_WATER, Connection

    sockets: dict[int, Any] = {}
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # that requests wait is no news
    try:
        server = create_server(
            application,
            map=sockets,
            host="127.0.0.1" if host == "localhost" else host,
            port=port,
            threads=THREADS,
            connection_limit=CONNECTIONS,
            channel_timeout=IDLE_S,
            outbuf_high_watermark=HIGH_WATER,
            max_request_body_size=max(most_body, 10_000_000),
            ident=None,
            clear_untrusted_proxy_headers=True,
        )
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or str(error)).lower()
        raise InputError(f"{host}:{port}: {why}", hint="--port takes another one, 0 any that is free") from None
    for one in sockets.values():
        one.channel_class = Connection
    return server, (server.effective_host, int(server.effective_port))


def _entry(host: str, names: tuple[str, ...], token_file: Path | None, callers_file: Path | None) -> Entry:
    """Who is let in.

    Raises:
        SettingsError: a token is needed, or is too short; callers were to be kept apart as tenants.
        InputError: the callers cannot be read, or there is a token for everybody beside theirs.
    """
    from gate import wiring
    from gate.cli.inputs import read_text
    from gate.serving.entry_guard import LEAST_TOKEN, LOOPBACK_NAMES, Entry, is_loopback
    from gate.serving.known_callers import read_callers

    if wiring.current().settings.tenant_claim:  # the page lists every run to every caller
        raise SettingsError(
            "gate serve keeps no tenants apart", hint="unset GATE_TENANT_CLAIM; a server for each tenant"
        )
    reached = LOOPBACK_NAMES | {host.lower(), *(name.lower() for name in names)}
    token = wiring.current().settings.serve_token.get_secret_value()
    if token_file is not None:
        token = read_text(token_file, max_bytes=10_000).strip()
    if callers_file is not None:
        if token or token_file is not None:
            raise InputError("--callers: with a token of everybody nobody would be known", hint="leave out the token")
        return Entry(reached, callers=read_callers(callers_file))
    if token and (len(token) < LEAST_TOKEN or not token.isascii() or not token.isprintable() or " " in token):
        raise SettingsError(f"the token needs {LEAST_TOKEN} characters or more of ASCII, without blanks")
    if not token and (token_file is not None or not is_loopback(host)):
        hint = "python -c 'import secrets; print(secrets.token_urlsafe(32))' > token; gate serve --token-file token"
        raise SettingsError(f"whoever reaches {host} could read every run: a token is needed", hint=hint)
    return Entry(reached, token)
