"""The labelled sets: reading them, keeping test claims out, and splitting off what calibrates.

Nothing here is shipped. The sets are found through the environment variable GATE_DATA; their README says what may
be trained on. `TEST` is measured on and never trained on.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from training import pages

TEST = ("wice-claim-doc-test-a", "factcheckgpt-test-a", "fever-sym-dev", "scifact-rte-dev")
TRAIN = (
    "wice-claim-doc-dev",
    "wice-claim-oracle-dev",
    "wice-nst-gold-train",
    "factcheckgpt-train",
    "fever-rte-dev",
    "fm2-dev",
    "cadnli-train",
    "cadnli-test",
    "snli-dev",
    "snli-test",
    "scifact-rte-train",
    "begin-wow-dev",
    "begin-cmu-dev",
    "summedits-ectsum-all",
    "summedits-samsum-all",
    "summedits-sales_email-all",
)
"""Sets whose licence allows weights trained on them to ship."""
LONG = ("factcg-doc-train", "factcg-musique-train")
"""Claims over several sentences, permitted too: the encoder alone sees them, the counts were fitted without."""
WRITTEN = "written"
"""Sentences of answers that were written for this project, in `written.jsonl`: over passages of the sets above, which
stand there by name alone, and over invented ones."""
CHAT = "chat"
"""Sentences of answers as chat models give them, in `chat.jsonl`: remote paraphrase, the asker's case, and twins that
differ in what they mean and hardly in their words; over invented documents, each line with a name for its own."""
PAGES = "pages"
"""The same over real documentation, in `pages.jsonl`, which names the stretches that `training.pages` reads."""
OURS = (WRITTEN, CHAT, PAGES)
MEANT = {
    "s": ("supports", "supported"),
    "p": ("partially_supported", "weakly_supported"),
    "u": ("neutral", "unsupported"),
    "c": ("refutes", "unsupported"),
}
"""What the marks of `written.jsonl` say: stated, stated in part, not stated, stated otherwise."""
HELD_OUT = {
    "wice-claim-doc-dev": 0.5,
    "factcheckgpt-train": 1 / 3,
    "fever-rte-dev": 0.023,
    "fm2-dev": 0.17,
    "cadnli-train": 0.02,
    "cadnli-test": 0.04,
    "snli-dev": 0.008,
    "snli-test": 0.008,
    "scifact-rte-train": 0.21,
    "begin-wow-dev": 0.2,
    "begin-cmu-dev": 0.2,
    "summedits-ectsum-all": 0.2,
    "summedits-samsum-all": 0.2,
    "summedits-sales_email-all": 0.2,
    "factcg-doc-train": 0.12,
    "factcg-musique-train": 0.12,
    "written": 0.2,
    "chat": 0.12,
    "pages": 0.12,
}
"""Share of each set that only calibrates: the encoder never sees it."""
SALT = "gate-1"
WRITTEN_FILE = Path(__file__).with_name("written.jsonl")
CHAT_FILE = Path(__file__).with_name("chat.jsonl")


@dataclass(frozen=True)
class Row:
    """One labelled claim: `label` as the source says it, `label3` one of the project's three."""

    set: str
    id: str
    claim: str
    evidence: tuple[str, ...]
    label: str
    label3: str
    group: str = ""
    extra: dict[str, Any] = field(default_factory=dict, compare=False, hash=False)

    @property
    def supported(self) -> bool:
        return self.label3 == "supported"


def folder() -> Path:
    """Where the labelled sets are."""
    given = os.environ.get("GATE_DATA")
    if not given:
        raise SystemExit("GATE_DATA is not set: it names the folder that holds the labelled sets")
    return Path(given)


def read(name: str) -> list[Row]:
    """Read one set."""
    if name == WRITTEN:
        return written()
    if name in (CHAT, PAGES):
        return chat(CHAT_FILE if name == CHAT else pages.FILE, name)
    with (folder() / f"{name}.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [
        Row(
            name,
            str(row["id"]),
            row["claim"],
            tuple(text for text in row["evidence"] if text and text.strip()),
            str(row["label"]),
            row["label3"],
            row.get("group", ""),
            row.get("extra") or {},
        )
        for row in rows
    ]


def written() -> list[Row]:
    """Every sentence of `written.jsonl` and its twins, beside the passages that its answer was written from."""
    told = [json.loads(line) for line in WRITTEN_FILE.read_text(encoding="utf-8").splitlines()]
    wanted = {tuple(ref) for one in told for ref in one.get("refs", ())}
    texts = {(row.set, row.id): row.evidence for name in sorted({name for name, _ in wanted}) for row in read(name)}
    found = []
    for one in told:
        passages = one.get("passages") or [text for ref in one["refs"] for text in texts[tuple(ref)]]
        claims = [(place, *claim) for place, claim in enumerate(one["sentences"])] + one["twins"]
        for number, (place, claim, mark) in enumerate(claims):
            id_, (label, label3) = f"{one['pack']}#{place}.{number}", MEANT[mark]
            found.append(Row(WRITTEN, id_, claim, tuple(passages), label, label3, one["pack"]))
    return found


def chat(file: Path, name: str) -> list[Row]:
    """Every sentence of the answers in `chat.jsonl`, or `pages.jsonl`, and its twins, as a reader sees them, beside the
    passages of its document."""
    told = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    texts = {one["doc"]: tuple(one["passages"]) for one in told if "passages" in one}
    texts |= {one["doc"]: pages.passages(one) for one in told if "file" in one}
    found = []
    for place, one in enumerate(told):
        claims = [(at, *claim) for at, claim in enumerate(one.get("sentences", ()))] + one.get("twins", [])
        for number, (at, claim, mark) in enumerate(claims):
            id_, (label, label3) = f"{one['doc']}-{place}#{at}.{number}", MEANT[mark]
            found.append(Row(name, id_, re.sub(r"\*\*|`", "", claim), texts[one["doc"]], label, label3, one["doc"]))
    return found


def claim_hash(claim: str) -> str:
    """Hash of the claim in lower case, letters and digits alone: the same claim however it is typeset."""
    return hashlib.sha256(re.sub(r"[\W_]+", "", claim.casefold()).encode()).hexdigest()[:24]


def test_hashes() -> frozenset[str]:
    """Hashes of every claim that is measured on."""
    return frozenset(claim_hash(row.claim) for name in TEST for row in read(name))


def training(names: tuple[str, ...] = TRAIN) -> tuple[list[Row], dict[str, int]]:
    """Read sets to train on without the claims that are tested on; also how many rows of each set fell."""
    tested = test_hashes()
    kept: list[Row] = []
    dropped: dict[str, int] = {}
    for name in names:
        rows = read(name)
        clean = [row for row in rows if row.evidence and claim_hash(row.claim) not in tested]
        dropped[name] = len(rows) - len(clean)
        kept += clean
    return kept, dropped


def check_clean(rows: list[Row]) -> None:
    """Stop when a test claim is among `rows`."""
    tested = test_hashes()
    if bad := [row.id for row in rows if claim_hash(row.claim) in tested or row.set in TEST]:
        raise SystemExit(f"{len(bad)} test claims among the training rows, first: {bad[0]}")


def unit(row: Row) -> str:
    """What must stay on one side of a split: the claim, the document of SummEdits, the claim behind a WiCE chunk, the
    answer of a written sentence, the document of one of a chat."""
    if row.set.startswith("summedits"):
        return row.set + hashlib.sha256("".join(row.evidence).encode()).hexdigest()
    if row.set.startswith("wice-claim"):
        return "wice" + row.id.split("#")[0]
    if row.set in OURS:
        return row.set + row.group
    return claim_hash(row.claim)


def share(text: str) -> float:
    """A number in [0, 1) that depends on the text alone: splits that never move."""
    return int(hashlib.sha256((SALT + text).encode()).hexdigest()[:12], 16) / 16**12


def split(rows: list[Row]) -> tuple[list[Row], list[Row]]:
    """Part rows into those the encoder may see and those that calibrate, by claim."""
    calibrating = {unit(row) for row in rows if share(unit(row)) < HELD_OUT.get(row.set, 0.0)}
    held = [row for row in rows if unit(row) in calibrating and row.set in HELD_OUT]
    seen = [row for row in rows if unit(row) not in calibrating]
    return seen, held


def draws(rows: list[Row], count: int, seed: int) -> Iterator[Row]:
    """Draw `count` rows, each as often as any other give or take one."""
    chance = random.Random(seed)
    while count > 0:
        order = chance.sample(rows, len(rows))[:count]
        yield from order
        count -= len(order)
