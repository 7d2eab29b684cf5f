"""Why an answer is not supported, where it is judged against the model's contexts and the corpus both."""

from __future__ import annotations

from gate.decision.accounting import is_unchecked
from gate.model import Cause, Verdict

SAID: dict[Cause, str] = {
    "made_up": "Neither the contexts nor the corpus say so: the model made it up.",
    "not_retrieved": "The corpus says so and the contexts do not: retrieval missed it.",
    "wrong_context": "The contexts say so and the corpus says otherwise: the context is wrong.",
}
BEYOND = "Only the contexts say so, and the corpus is silent:"


def told_apart(by_corpus: Verdict, by_contexts: Verdict, *, speaks: bool) -> Verdict:
    """One verdict of two: the corpus decides, and where it is silent the contexts do, weakly.

    Args:
        speaks: whether a passage of the corpus speaks of the same, so that its not saying so means something.
    """
    usage = {**by_corpus["usage"]}
    for name, count in by_contexts["usage"].items():
        usage[name] = usage.get(name, 0) + count
    unread = next((one for one in (by_corpus, by_contexts) if is_unchecked(one)), None)
    if unread is not None:
        return {**unread, "usage": usage}
    known, given = by_corpus["label"] != "unsupported", by_contexts["label"] != "unsupported"
    if known and given:
        return {**by_corpus, "usage": usage}
    if given and not speaks:
        return {
            **by_contexts,
            "label": "weakly_supported",
            "reason": "partial",
            "justification": f"{BEYOND} {by_contexts['justification']}",
            "scores": {},
            "doubt": None,
            "usage": usage,
        }
    cause: Cause = "not_retrieved" if known else "wrong_context" if given else "made_up"
    justification = f"{SAID[cause]} {by_corpus['justification']}"
    return {**by_corpus, "justification": justification, "cause": cause, "usage": usage}
