"""Splits the assistant's turns into claims and accounts for every sentence that is none."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import dropwhile, islice, pairwise, takewhile
from typing import Any

from gate import wiring
from gate.catalogue import MAX_BRANCHES
from gate.claims.attribution.sources import title_of
from gate.claims.history import history_documents
from gate.claims.reading import ReadingLimits, Statement, added, read_turn
from gate.claims.rewriting.model_claims import accepted_claims
from gate.errors import AnswerError, BudgetReachedError
from gate.model import MOST_SOURCES, MOST_SOURCES_OF_A_RUN, CitedStretch, Claim, NamedSource, NonClaim, ReadingCounts
from gate.ports import ClaimReader
from gate.prompts.readings import CONTEXT_CHARS, SENTENCES_A_CALL
from gate.services.budgets.estimate import estimate_of
from gate.services.run import together
from gate.submission.answers import answers
from gate.text.languages import language_of

SENTENCES_A_CLAIM = 5
"""So many sentences of a run are read for each claim that it may have: questions alone would take minutes."""


def extract_claims(state: dict[str, Any]) -> None:
    """Read every assistant turn: each sentence is one claim, or set aside with its reason.

    Where the settings say so a model reads the sentences: several claims may then point at the same one.

    Reads:
        `transcript`; `contexts`, whose titles an answer may list where they decide (`against`): whoever submits them
        with it would vouch for it by a title; `config`: `titles`, those of passages that are searched in place of a
        corpus, and `checked_to`: so many characters of the last turn were checked before, and are context alone.
    Writes:
        `claims`: with `claim_id`, `turn`, offsets and `branch`; `non_claims`; `reading`: what became of the characters,
        counted; `branches`: the claims again, one list a Map iteration, at most `MAX_BRANCHES` of them; `estimate`:
        what verifying them may cost, None where it costs nothing. Where that is more than the budget holds there are no
        branches: nothing is spent on half an answer.
    """
    claims: list[Claim] = []
    non_claims: list[NonClaim] = []
    counts: list[ReadingCounts] = []
    turns = state["transcript"]["turns"]
    config = state.get("config") or {}
    deciding = state.get("contexts") or () if config.get("against") == "contexts" else ()
    given = [*(one.get("title") or "" for one in deciding), *(config.get("titles") or ())]
    titles = frozenset(filter(None, map(title_of, given)))
    for number, _, offset in answers(state):
        counts.append(_read_turn(turns, number, claims, non_claims, offset, titles))
    for source in islice((source for claim in claims for source in claim["sources"]), MOST_SOURCES_OF_A_RUN, None):
        source["beyond"] = True
    branches = grouped(claims, MAX_BRANCHES)
    for branch, group in enumerate(branches):
        for claim in group:
            claim["branch"] = branch
    state["claims"] = claims
    state["non_claims"] = non_claims
    state["reading"] = added(counts)
    state["estimate"] = estimate_of(claims)
    state["branches"] = [] if state["estimate"] and state["estimate"]["stopped"] else branches


def _read_turn(
    turns: list[dict[str, Any]],
    number: int,
    claims: list[Claim],
    non_claims: list[NonClaim],
    offset: int,
    titles: Collection[str],
) -> ReadingCounts:
    text = turns[number]["content"]
    prompt = _prompt(turns[:number])
    settings = wiring.current().settings
    room = settings.max_claims - len(claims)
    limits = ReadingLimits(
        claims=room,
        sentences=SENTENCES_A_CLAIM * settings.max_claims - len(claims) - len(non_claims),
        characters=2 * settings.max_claim_chars,  # marks of sources are no part of a claim
        after=offset,
    )
    reading = read_turn(text, prompt, turns[number].get("parts", ()), titles, limits)
    reading = reading.beyond(offset) if offset else reading
    reading.statements[:] = _within(reading.statements, room)
    for place, texts in enumerate(_texts(turns, number, reading.statements)):
        if len(texts) > room:  # several out of one sentence or row
            room, texts = 0, []
            reading.statements[place] = replace(reading.statements[place], reason="too_many")
        room -= len(texts)
        statement = reading.statements[place]
        start, end = statement.start, statement.end
        if statement.reason:
            _set_aside(non_claims, statement, number, text)
        for said in texts:
            claim = Claim(
                text=said,
                source_prompt=prompt,
                source_response=text,
                claim_id=f"c{len(claims) + 1:04d}",
                turn=number,
                start=start,
                end=end,
                kind=statement.kind,
                context=statement.context,
                cites=list(statement.cites),
                sources=_sources(statement, turns[number].get("cited") or ()),
            )
            if statement.lead:
                claim["lead"] = statement.lead
            if statement.table and said == texts[0]:
                claim["table"] = [*map(list, statement.table)]
            if language := language_of(said):
                claim["language"] = language
            if wiring.current().settings.history:
                claim["history"] = history_documents(said, turns[:number])
            claims.append(claim)
    return reading.counts()


def _prompt(turns: Sequence[dict[str, Any]]) -> str:
    """What the user said last, with whatever he said right before it: "Can I return it?", "I bought it in May."."""
    asked = dropwhile(lambda turn: turn["role"] != "user", reversed(turns))
    said = takewhile(lambda turn: turn["role"] != "assistant", asked)
    return "\n".join(reversed([turn["content"] for turn in said if turn["role"] == "user"]))


def _sources(statement: Statement, cited: Sequence[CitedStretch]) -> list[NamedSource]:
    """The sources that a statement cites; where a chat API names them, a bare number beside them says nothing more."""
    beside = [
        NamedSource(mark=one["title"] or one["url"], title=one["title"], url=one["url"])
        for one in cited
        if one["start"] < statement.end and statement.start < one["end"]
    ]
    own = [one for one in statement.sources if not beside or one["title"] or one["url"]]
    return list({(one["mark"], one["title"], one["url"]): one for one in (*own, *beside)}.values())[: MOST_SOURCES + 1]


def _within(statements: Sequence[Statement], room: int) -> Iterator[Statement]:
    """The statements, of which no more are claims than there is room for, and none is longer than a claim may be."""
    longest = wiring.current().settings.max_claim_chars
    for one in statements:
        if one.reason:
            yield one
        elif len(one.text) > longest:
            yield replace(one, reason="too_long")
        elif room <= 0:
            yield replace(one, reason="too_many")
        else:
            room -= 1
            yield one


def _set_aside(non_claims: list[NonClaim], statement: Statement, number: int, text: str) -> None:
    """Note what is no claim; the sentences for which there is no room are one stretch."""
    start, end, reason = statement.start, statement.end, statement.reason
    last = non_claims[-1] if non_claims else None
    if last and reason == "too_many" == last["reason"] and last["turn"] == number:
        last["end"] = max(last["end"], end)
    elif reason:
        non_claims.append(NonClaim(text=text[start:end], reason=reason, turn=number, start=start, end=end))


def _texts(turns: list[dict[str, Any]], number: int, statements: Sequence[Statement]) -> list[list[str]]:
    """For each statement its claims; none for one that is set aside."""
    text = turns[number]["content"]
    found = [[] if one.reason else list(one.states) or [one.text] for one in statements]
    reader = wiring.current().claim_reader()
    if reader is not None:
        prose = (one.kind != "name" and not one.states for one in statements)
        places = [place for place, is_prose in enumerate(prose) if is_prose and found[place]]
        before = "\n".join(turn["content"][-CONTEXT_CHARS:] for turn in turns[:number])[-CONTEXT_CHARS:]
        groups = [places[start : start + SENTENCES_A_CALL] for start in range(0, len(places), SENTENCES_A_CALL)]
        work = []
        for group in groups:
            start = statements[group[0]].start
            context = f"{before}\n{text[max(0, start - CONTEXT_CHARS) : start]}"
            work.append((context, [statements[at].text for at in group]))
        read = [one for group in together(partial(_ask, reader), work) for one in group]
        for place, one in zip(places, read, strict=True):
            found[place] = one
    return found


def _ask(reader: ClaimReader, group: tuple[str, list[str]]) -> list[list[str]]:
    """Have a model read some sentences in their context; where its answer is of no use they stand as they are."""
    context, texts = group[0][-CONTEXT_CHARS:], group[1]
    try:
        reading = reader.read(context, texts)
    except (AnswerError, BudgetReachedError):
        return [[text] for text in texts]
    return accepted_claims(texts, context, reading)


def grouped(claims: list[Claim], most: int) -> list[list[Claim]]:
    """Cut `claims` into at most `most` runs of nearly equal length, in order."""
    count = min(most, len(claims))
    bounds = [len(claims) * number // count for number in range(count + 1)] if count else [0]
    return [claims[start:end] for start, end in pairwise(bounds)]
