"""The command `gate`: one module per subcommand, imported when it is asked for.

Exit codes, for every subcommand: 0 the policy lets it pass, 1 the policy says review or block,
2 bad input, settings or usage, 3 the run failed.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import IO, Any

import click

from gate import __version__
from gate.cleanup import end_programs
from gate.cli.printing import say
from gate.errors import GateError, InputError, SettingsError
from gate.text.encodable import encodable
from gate.text.visible import one_line, visible

COMMANDS: dict[str, str] = {
    "check": "gate.cli.check:check",
    "explain": "gate.cli.explain:explain",
    "correct": "gate.cli.correct:correct",
    "diff": "gate.cli.diff:diff",
    "summary": "gate.cli.summary:summary",
    "rerun": "gate.cli.rerun:rerun",
    "report": "gate.cli.rerun:report",
    "evaluate": "gate.cli.evaluate:evaluate",
    "label": "gate.cli.label:label",
    "calibrate": "gate.cli.calibrate:calibrate",
    "ask": "gate.cli.ask:ask",
    "cite": "gate.cli.cite:cite",
    "index": "gate.cli.index:index",
    "audit-docs": "gate.cli.audit_docs:audit_docs",
    "baseline": "gate.cli.baseline:baseline",
    "init": "gate.cli.init:init",
    "config": "gate.cli.configuration:config",
    "ledger": "gate.cli.ledger:ledger",
    "annotate": "gate.cli.annotate:annotate",
    "serve": "gate.serving.serve_command:serve",
    "review": "gate.serving.review_command:review",
    "mcp": "gate.integrations.mcp_command:mcp",
    "hook": "gate.integrations.stop_hook:hook",
    "cost": "gate.cli.cost:cost",
    "doctor": "gate.cli.doctor:doctor",
    "smoke": "gate.cli.smoke:smoke",
    "completion": "gate.cli.completion:completion",
}
"""Subcommand → `module:attribute`. `gate --help` imports them all: what is heavy is imported inside the function."""

MEANT = {
    "audit": "audit-docs",
    "compare": "diff",
    "help": "--help",
    "search": "ask",
    "verify": "check",
    "version": "--version",
}
"""What other programs call what this one calls otherwise."""

EXTRAS = {
    **dict.fromkeys(("boto3", "botocore", "opensearchpy"), "local,aws"),
    **dict.fromkeys(("aws_lambda_powertools", "waitress"), "local,serve"),
    "mcp": "local,mcp",
}
"""Extras that bring a package beside `local`."""

EXIT_PASS, EXIT_POLICY, EXIT_INPUT, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_TERMINATED = 0, 1, 2, 3, 130, 143


class Terminated(KeyboardInterrupt):
    """SIGTERM: ends the command as an interrupt does, with its clean-up."""


class Failure(click.ClickException):
    """An expected error as the user meets it: one line, a hint, an exit code; never a traceback."""

    exit_code = EXIT_FAILED

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the line and the hint on stderr."""
        say(f"gate: {one_line(self.message)}", file=file, err=file is None)
        if self.hint:
            say(f"hint: {one_line(self.hint)}", file=file, err=file is None)


class Mendable(Failure):
    """A failure that the caller can mend: input, settings, a package that is not installed."""

    exit_code = EXIT_INPUT


def failure_of(error: GateError) -> Failure:
    """Return the error as the user meets it."""
    kind = Mendable if isinstance(error, InputError | SettingsError) else Failure
    return kind(error.safe_message, hint=error.hint)


def report_failure(error: GateError) -> int:
    """Say what went wrong and go on; returns the exit code that it stands for."""
    failure = failure_of(error)
    failure.show()
    return failure.exit_code


class LazyGroup(click.Group):
    """A group whose subcommands are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the subcommand."""
        target = COMMANDS.get(cmd_name)
        if target is None:
            return None
        module, _, attribute = target.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the command that somebody may have meant."""
        from gate.text.nearest import nearest

        if not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            hint = f"did you mean gate {MEANT[args[0]]}?" if args[0] in MEANT else nearest(args[0], list(COMMANDS))
            raise Mendable(f"{args[0]}: there is no such command", hint=hint)
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse names that no report can hold: bytes that are not UTF-8 arrive as halves of surrogate pairs."""
        for each in args:
            if not encodable(each):
                raise Mendable(f"{each}: the name is not UTF-8", hint="rename the file, or type the name anew")
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand; what is expected to go wrong becomes one clear line."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise click.UsageError(one_line(error.format_message()), ctx=error.ctx) from None
        except GateError as error:
            raise failure_of(error) from None
        except OSError as error:
            if isinstance(error, BrokenPipeError):
                raise  # click ends quietly where nobody reads on
            place = f"{error.filename}: " if error.filename else ""
            hint = "GATE_HOME names the folder that the gate writes to"
            raise Failure(f"{place}{(error.strerror or type(error).__name__).lower()}", hint=hint) from None
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] == "gate":
                raise
            extras = EXTRAS.get(error.name or "", "local")
            hint = f"pip install 'llm-reliability-gate[{extras}]'"
            raise Mendable(f"the package {error.name!r} is not installed", hint=hint) from None
        except Terminated:
            say("gate: terminated", err=True)
            ctx.exit(EXIT_TERMINATED)
        except KeyboardInterrupt:
            say("gate: interrupted", err=True)
            ctx.exit(EXIT_INTERRUPTED)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 pass, 1 the policy says review or block, 2 bad input or settings, 3 the run failed.",
)
@click.version_option(__version__, prog_name="gate")
@click.option(
    "--config",
    metavar="FILE",
    type=click.Path(path_type=Path),
    envvar="GATE_CONFIG",
    help="Read options of `check` and `audit-docs` from this TOML file (`gate config`).",
)
@click.pass_context
def group(context: click.Context, config: Path | None) -> None:
    """Check what a language model wrote, claim by claim, against documents you trust.

    \b
    gate check answer.md --corpus docs/        a table, and the exit code says whether it passes
    gate check answer.md --corpus docs/ -o report.html
    gate index add docs/ --corpus handbook     keep a corpus for many checks
    gate ask "Who pays for returns?" --corpus handbook --explain
    """
    if config is not None:
        from gate.cli.configuration import read

        context.default_map = {**read(config)}


def main() -> None:
    """Run the command. A bug prints its traceback and exits 3: it must not look like a decision of the policy."""
    signal.signal(signal.SIGTERM, _terminate)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not where whoever started us ignores it
        signal.signal(signal.SIGINT, _interrupt)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # noqa: TID251 - it reads every package's metadata
    try:
        group(prog_name="gate")
    except SystemExit as end:
        if end.code in (EXIT_INTERRUPTED, EXIT_TERMINATED):
            sys.stdout.flush()
            end_programs()
            os._exit(end.code)  # threads under way would write again what has just been removed
        raise
    except Exception:  # noqa: BLE001 - the last line of defence, so that the exit code stays true
        say(visible(traceback.format_exc()), err=True, nl=False)
        sys.exit(EXIT_FAILED)


def _terminate(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one must not cut the clean-up short
    raise Terminated


def _interrupt(*_: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt
