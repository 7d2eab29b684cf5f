"""Pairs drawn once and kept as tokens: a GPU takes them faster than they are made.

    PYTHONPATH=functions:. python -m training.drawn build/drawn-1.npz --kind mixed --pairs 120000 --seed 1

Kinds: `mixed` draws from `pairs.MIX` without sentences of ours beside their own documents, `written`, `chat` and
`pages` take each sentence of that file `--pairs` times, `altered` claims that have no target, `held` the rows that
calibrate, once each.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from gate.adapters.local_verifier.windows import WIDE_WORDS
from training import data, pairs
from training.altered import Altered
from training.fit_idf import fit_idf
from training.pairs import Mixer, Pair, evidence_window
from training.train_encoder import Encoding, claim_only_weights

Grouped = tuple[Pair, str, str]
"""A pair, what keeps it beside its twins, and its set."""


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("out", type=Path)
    options.add_argument("--kind", choices=("mixed", *data.OURS, "altered", "held"), required=True)
    options.add_argument("--pairs", type=int, default=100_000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    rows, _ = data.training((*data.TRAIN, *data.LONG, *data.OURS))
    seen, held = data.split(rows)
    data.check_clean(seen)
    idf = fit_idf([row for row in rows if row.set in data.TRAIN])
    mixer = Mixer(seen, idf, claim_only_weights(seen) if given.kind == "mixed" else {}, given.seed)
    drawn: dict[str, Iterable[Grouped]] = {
        "mixed": islice(_mixed(mixer), given.pairs),
        **{name: _own(mixer, name, given.pairs) for name in data.OURS},
        "altered": islice(_alone(Altered(mixer)), given.pairs),
        "held": _held(held, idf),
    }
    save(given.out, drawn[given.kind])


def _mixed(mixer: Mixer) -> Iterator[Grouped]:
    mixer.names = [name for name in pairs.MIX if name not in data.OURS]
    mixer.shares = [pairs.MIX[name] for name in mixer.names]
    return _alone(mixer)


def _alone(source: Iterable[Pair]) -> Iterator[Grouped]:
    return ((pair, str(number), "") for number, pair in enumerate(source))


def _own(mixer: Mixer, name: str, times: int) -> Iterator[Grouped]:
    """Each sentence of a set of ours so often, at first with the window that ships, then with others."""
    for turn in range(times):
        for row in mixer.sets[name]:
            words = WIDE_WORDS if turn == 0 else None
            said = mixer.said_otherwise(row.claim) if turn else row.claim
            pair = Pair(said, mixer.window(said, list(row.evidence), words), pairs.target(row))
            yield pair, f"{turn} {row.id.rpartition('.')[0]}", row.set


def _held(rows: list[data.Row], idf: dict[str, float]) -> Iterator[Grouped]:
    for row in rows:
        pair = Pair(row.claim, evidence_window(row.claim, list(row.evidence), idf, WIDE_WORDS), pairs.target(row))
        yield pair, row.id, f"{row.set}/{row.label.lower()}"


def save(path: Path, drawn: Iterable[Grouped]) -> None:
    """Write pairs as arrays: `tokens` one after the other, and for each pair `sizes`, `claims` (how many tokens up to
    and with the first separator), `targets` (NaN: only known not to be supported), `weights`, `groups` and `sets`."""
    encode = Encoding()
    flat, sizes, claims, targets, weights, groups, sets = [], [], [], [], [], [], []
    for pair, group, name in drawn:
        ids, segments = encode(pair.claim, pair.evidence)
        flat.append(np.array(ids, dtype=np.uint16))
        sizes.append(len(ids))
        claims.append(len(ids) - sum(segments))
        targets.append(pair.target or (np.nan,) * 3)
        weights.append(pair.weight)
        groups.append(group)
        sets.append(name)
    names = sorted(set(sets))
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(
        path,
        tokens=np.concatenate(flat),
        sizes=np.array(sizes, dtype=np.uint16),
        claims=np.array(claims, dtype=np.uint8),
        targets=np.array(targets, dtype=np.float16),
        weights=np.array(weights, dtype=np.float16),
        groups=np.unique(groups, return_inverse=True)[1].astype(np.int32),
        sets=np.array([names.index(name) for name in sets], dtype=np.uint8),
        names=np.array(json.dumps(names)),
    )
    print(f"{path}: {len(sizes)} pairs, {sum(sizes)} tokens")


if __name__ == "__main__":
    main()
