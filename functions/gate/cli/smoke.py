"""`gate smoke`: a deployed gate tried once from end to end, and everything removed again."""

from __future__ import annotations

import json
import secrets
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import click

from gate.cli.printing import say
from gate.text.visible import one_line

FACT = "Probe {} weighs 200 grams."
FALSE = "Probe {} weighs 900 tonnes."
EMPTY = "Hello! How can I help you today?"
Found = TypeVar("Found")
PAUSE_S = 1.0
"""Between looks at what an upload has become."""


@click.command(short_help="Try a deployed gate once from end to end, and clean up.")
@click.option("--remote", "stack", required=True, metavar="STACK", help="The name of its stack.")
@click.option("--corpus", "index", default="trusted_docs", show_default=True, help="The corpus that is tried.")
@click.option("--tenant", default="", help="Whose the document and the checks are; the API must let callers name one.")
@click.option(
    "--timeout", type=click.FloatRange(min=1), default=900, show_default=True, help="Seconds that all of it may take."
)
def smoke(stack: str, index: str, tenant: str, timeout: float) -> None:
    """Upload a document, check a true, an empty and a false answer, a batch and a broken file, and remove it all.

    Each step is a line with its seconds; the first one that fails ends it, and says what to do. Your credentials need
    what docs/deploy.md names under `Try it`. A true answer must pass, the others must not: which of review and block
    they get is the policy's.

    \b
    gate smoke --remote ReliabilityGate
    gate smoke --remote ReliabilityGate --corpus prices --tenant acme

    \b
    Exit codes:
    0  all of it works
    2  something is set up wrongly; the line says what
    3  something failed
    """
    from gate.errors import GateError, InputError

    failure: GateError | None = None
    probe: Probe | None = None
    try:
        probe = Probe(stack, index, tenant, timeout)
        for name, step in probe.steps():
            began = time.monotonic()
            say(f"ok      {name:<10} {step()}, {time.monotonic() - began:.1f} s")
    except GateError as error:
        failure = error
        doing = probe.doing if probe else "stack"
        say(one_line(f"failed  {doing:<10} {error.safe_message}{f' ({error.hint})' if error.hint else ''}"))
    finally:
        if probe:
            say(one_line(f"ok      {'clean-up':<10} {probe.clean_up()}"))
    if failure is not None:
        raise click.exceptions.Exit(2 if isinstance(failure, InputError) or failure.code == "SettingsError" else 3)


class Probe:
    """One pass through a deployment.

    Args:
        stack: its name, under which it publishes where things are.
        timeout: seconds from now on, for all of it.

    Raises:
        SettingsError: no stack of that name is in this account and region.
    """

    def __init__(self, stack: str, index: str, tenant: str, timeout: float) -> None:
        from gate import wiring

        self._until = time.monotonic() + timeout
        self._api = wiring.current().remote_gate(stack, timeout)
        self._bucket = self._api.published(stack, "UploadsBucket")
        self._uploads = wiring.current().uploads()
        self._by_token = bool(wiring.current().settings.remote_token)
        self._number = str(10_000 + secrets.randbelow(90_000))
        self._index, self._tenant = index, tenant
        self._search = {"index": index} | ({"tenant": tenant} if tenant else {})
        self._keys: list[str] = []
        self._runs: list[str] = []
        self._tokens, self._dollars = 0, 0.0
        self.doing = "stack"

    def steps(self) -> Iterator[tuple[str, Callable[[], str]]]:
        """What is tried, by name; each one needs those before it. Uploads are of no tenant that a token names."""
        steps = {
            "bootstrap": self._bootstrap,
            "corpus": self._take_in,
            "citation": self._cite,
            "pass": lambda: self._check(FACT, "pass"),
            "review": lambda: self._check(EMPTY, "review", "block"),
            "block": lambda: self._check(FALSE, "block", "review"),
            "rerun": self._rerun,
            "form": self._upload_by_form,
            **({} if self._by_token else {"upload": self._upload, "batch": self._batch, "failure": self._fail}),
            "delete": self._delete,
        }
        for self.doing, step in steps.items():
            yield self.doing, step

    def clean_up(self) -> str:
        """Remove what is still there; what cannot be removed is named."""
        from gate.errors import GateError

        left = []
        for names, remove in ((self._runs, self._api.forget), (self._keys, self._remove)):
            for name in [*names]:
                try:
                    remove(name)
                except GateError as error:
                    left.append(f"{name} is left: {error.safe_message}")
        spent = f"{self._tokens} tokens of the model were spent, ${self._dollars:.4f}"
        return "; ".join([spent, *left])

    def _bootstrap(self) -> str:
        from gate.cli.doctor import bootstrap_said

        return bootstrap_said()

    def _take_in(self) -> str:
        line = {"id": self._document, "content": FACT.format(self._number), "tenant": self._tenant or "gate-smoke"}
        self._put(f"corpora/{self._index}/{self._document}.jsonl", json.dumps(line))
        self._wait_for(lambda: True if self._cited() else None, "the document is not in the index")
        return "a document was taken in"

    @property
    def _document(self) -> str:
        return f"smoke-{self._number}"

    def _cited(self) -> bool:
        reason = f"interested in: {FACT.format(self._number)}"
        segment = {"use_case": "weight of probes", "reasons": [reason]}
        found = self._api.cite({"segment": segment, "search": self._search, "details": True})
        return any(self._number in json.dumps(citation) for citation in found)

    def _cite(self) -> str:
        self._wait_for(lambda: True if self._cited() else None, "the document is not found")
        return "the document is found"

    def _check(self, text: str, *outcomes: str) -> str:
        request = {"name": "smoke.md", "text": text.format(self._number), "search": self._search}
        return self._outcome(self._api.check(request, key=uuid.uuid4().hex)["id"], *outcomes)

    def _rerun(self) -> str:
        return self._outcome(self._api.rerun(self._runs[0], key=uuid.uuid4().hex)["id"], "pass")

    def _upload_by_form(self) -> str:
        turn = {"role": "assistant", "content": FACT.format(self._number)}
        request, document = {"name": "smoke.json", "search": self._search}, json.dumps({"turns": [turn]}).encode()
        return self._outcome(self._api.upload(request, document, key=uuid.uuid4().hex)["id"], "pass")

    def _upload(self) -> str:
        return self._outcome(self._started("md", FACT.format(self._number)), "pass")

    def _batch(self) -> str:
        texts = (FACT, FALSE)
        lines = [{"turns": [{"role": "assistant", "content": text.format(self._number)}]} for text in texts]
        run_id = self._started("jsonl", "\n".join(json.dumps(line) for line in lines))
        first = self._outcome(f"{run_id}-000001", "pass")
        return f"{first} and {self._outcome(f'{run_id}-000002', 'block', 'review')}"

    def _fail(self) -> str:
        return self._outcome(self._started("json", '{"neither": "a transcript"}'), "error")

    def _delete(self) -> str:
        from gate.errors import InputError

        count = len(self._runs)
        for run_id in [*self._runs]:
            self._api.forget(run_id)
            try:
                self._api.report(run_id)
            except InputError:
                self._runs.remove(run_id)
        for key in [*self._keys]:
            self._remove(key)
        self._wait_for(lambda: None if self._cited() else True, "the document is still found")
        return f"{count} runs and the document are gone"

    def _outcome(self, run_id: str, *outcomes: str) -> str:
        """Wait for a run, and for one of these outcomes of it.

        Raises:
            DependencyError: it comes to another.
        """
        from gate.cli.remote import read_report
        from gate.errors import DependencyError

        status = self._wait_for(lambda: self._ended(run_id), f"{run_id} has no outcome")
        self._runs.append(run_id)
        found = str(status["outcome"])
        if found == "error" and "error" not in outcomes:
            hint = "gate doctor with the deployment's settings, and the log of its functions"
            raise DependencyError(f"{run_id}: {status.get('error')}: {status.get('message')}", hint=hint)
        report = read_report(run_id, self._api.report(run_id))
        if spent := report.spent:
            self._tokens += spent.input + spent.output
            self._dollars += spent.dollars or 0.0
        if found not in outcomes:
            named = report.decision["policy"].get("version") if report.decision else None
            wanted = " or ".join(outcomes)
            raise DependencyError(
                f"{run_id}: {found}, and not {wanted}, by policy version {named}", hint=f"gate report {run_id}"
            )
        return found

    def _ended(self, run_id: str) -> Mapping[str, Any] | None:
        """How a run ended; None: it runs, or is not there yet."""
        from gate.errors import InputError

        try:
            status = self._api.status(run_id, wait=1)
        except InputError:
            return None
        return status if status.get("outcome") and status.get("report") else None

    def _started(self, ending: str, text: str) -> str:
        """Upload a transcript; returns the id of its run, which the upload and the policy in force give."""
        from gate import wiring
        from gate.services.submissions import team_policy
        from gate.submission.events import Upload

        key = f"transcripts/{self._document}.{ending}"
        version = self._put(key, text)
        with wiring.entered(wiring.current().changed(policy=f"s3://{self._bucket}/config/policy.json")):
            policy = team_policy().version
        return Upload(self._bucket, key, version, len(text)).run_id(policy)

    def _put(self, key: str, text: str) -> str:
        self._keys.append(key)
        return self._uploads.put(self._bucket, key, text.encode())

    def _remove(self, key: str) -> None:
        self._uploads.remove(self._bucket, key)
        self._keys.remove(key)

    def _wait_for(self, look: Callable[[], Found | None], otherwise: str) -> Found:
        """Look until there is something.

        Raises:
            DependencyError: there is nothing in time.
        """
        from gate.errors import DependencyError

        while (found := look()) is None:
            if time.monotonic() > self._until:
                raise DependencyError(f"{otherwise} within the time given", hint="--timeout; the log of its functions")
            time.sleep(PAUSE_S)
        return found
