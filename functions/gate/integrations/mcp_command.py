"""`gate mcp`: an MCP server on the standard streams."""

from __future__ import annotations

from pathlib import Path

import click

from gate.cli.options import A_FILE
from gate.errors import InputError


@click.command(short_help="Serve agents over MCP: check an answer, find evidence, verify paths.")
@click.option("--corpus", metavar="NAME|PATH", help="What answers are checked against.")
@click.option("--repo", type=A_FILE, help="The repository in which cited paths must exist.")
@click.option("--policy", type=A_FILE, help="When an answer passes: YAML or JSON; without it the default policy.")
def mcp(corpus: str | None, repo: Path | None, policy: Path | None) -> None:
    """Serve agents over the Model Context Protocol, on the standard streams.

    An agent is given check_answer, explain_claim and find_evidence, and with --repo verify_names. It names no file:
    corpus, repository and policy are those of this command. Needs the extra `mcp`.

    \b
    gate mcp --corpus docs/ --repo .
    """
    from gate.cli.inputs import read_policy
    from gate.integrations.mcp_requests import log_visibly, serve
    from gate.integrations.mcp_server import server
    from gate.local.gate import Gate

    if repo is not None and not repo.is_dir():
        raise InputError(f"--repo {repo}: there is no such folder")
    decided = read_policy(policy, max_bytes=1_000_000) if policy else None
    log_visibly()
    serve(server(Gate(corpus, policy=decided), repo))
