"""How many true sentences are called supported beside documents that speak of something else.

`python -m tests.quality.elsewhere` takes sentences of `training/chat.jsonl` that taught no encoder and that their own
document carries, and has the local verifier judge each beside ten passages of three other documents. Whatever comes
out supported there was judged by how it sounds. Beside its own document the same sentence is to be supported.
"""

from __future__ import annotations

import random
from collections import Counter

from gate.adapters.local_verifier import local_verifier
from training import data

SENTENCES, OTHERS, PASSAGES = 400, 3, 10


def measured() -> Counter[str]:
    """Labels of the sentences, `elsewhere` and `at home`."""
    _, held = data.split(data.read(data.CHAT))
    texts = {row.group: row.evidence for row in held}
    true = [row for row in held if row.supported]
    verifier, found = local_verifier(), Counter[str]()
    for row in random.Random(1).sample(true, SENTENCES):
        chance = random.Random(row.id)
        others = chance.sample(sorted(texts.keys() - {row.group}), OTHERS)
        elsewhere = chance.sample([text for name in others for text in texts[name]], PASSAGES)
        for place, passages in (("elsewhere", elsewhere), ("at home", list(row.evidence[:PASSAGES]))):
            judged = verifier.judge(row.claim, "", [{"content": text} for text in passages])
            found[f"{place}: {judged.answer.label}"] += 1
    return found


if __name__ == "__main__":
    for name, count in sorted(measured().items()):
        print(f"{name}: {count} of {SENTENCES}")
