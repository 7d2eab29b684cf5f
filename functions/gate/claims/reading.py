"""The reading of a turn: what becomes of each character that a reader sees."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from math import inf
from typing import Literal

from gate.claims.attribution.citing import Link, cited, links_within, only_links
from gate.claims.attribution.listed_sources import Listing, listing_of, lists_by_label
from gate.claims.attribution.source_marks import Mark, without
from gate.claims.attribution.sources import is_labelled, names_sources, source_blocks
from gate.claims.cells import head_reason, row_below, stated, table_of, tabled
from gate.claims.code import (
    Named,
    defined_in,
    imported_lines,
    language_told,
    listed_names,
    made_here,
    named_in_line,
    named_in_span,
    own_names,
    says_more,
    words_of_name,
)
from gate.claims.context import LONGEST, UNTRUE, Surroundings
from gate.claims.lines import bare_headings, parted, signature
from gate.claims.markdown import Block
from gate.claims.message_parts import blocks_of_parts
from gate.claims.set_aside.answering import offers
from gate.claims.set_aside.lead_ins import announced, announces, is_shown_by
from gate.claims.set_aside.parting import parts_at
from gate.claims.set_aside.reasons import forms, may_repeat, non_claim_reason
from gate.claims.set_aside.sentence import QUOTED, SIGNS, SYMBOLS, TICKS
from gate.claims.set_aside.user_prompt import UserPrompt
from gate.claims.short_answers import answer_apart
from gate.claims.spans import Span, spans_of
from gate.claims.told import Titles
from gate.model import UNREAD, ClaimKind, NamedSource, NonClaimReason, ReadingCounts
from gate.text.questions import QUESTION
from gate.text.words.imperatives import tells_to_do
from gate.text.words.untrue_titles import among, named
from gate.text.words.untruth import crossed, denies, objects

Became = Literal["claim", "set_aside", "mark", "between"]

_WORD = re.compile(r"[^\W_]")
_ANSWER = re.compile(r"(?i)\b(?:answers?|antwort|réponse|respuesta|risposta|resposta|antwoord)\b")
_FIGURE_ALONE = re.compile(r"[\d\s.,'%]+")
_AROUND_FIGURE = "()[]*_\"'.,;:"
_NEAR_SIGN = 20
"""Characters beside a statement in which a sign that belongs to it stands."""
_BESIDE: tuple[NonClaimReason | None, ...] = ("greeting", "template", "sources", "markup")
"""What is set aside and says nothing of the matter, so that what stands before it goes on behind it."""
_NEAR = 20
"""Statements before a source in which the claim that it belongs to is looked for."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of rendered text, `blocks[block].text[first:last]`, and what became of it.

    Attributes:
        became: `claim`; `set_aside`: asserts nothing, or is not read; `mark`: points at a source; `between`: blanks,
            bullets and punctuation outside of any sentence.
        statement: place in `statements`, of a claim, of its marks and of what is set aside.
    """

    block: int
    first: int
    last: int
    became: Became
    statement: int | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, a heading or the like: a claim, or set aside for a reason.

    Attributes:
        start, end: offsets in the turn.
        text: as rendered, on one line, without marks of sources.
        reason: why it is no claim; None for a claim.
        context: what it needs to be understood.
        lead: what it completes, and is judged with: "The warranty does not cover:".
        states: what cells of a row, or a short answer, state where they say yes or no; its claims instead of `text`.
        table: of a row, the heads, itself and the rows around it, cell by cell.
        cites: the sources that it names, as it names them.
        sources: those that it cites, with what the answer says of them.
    """

    start: int
    end: int
    text: str
    reason: NonClaimReason | None = None
    kind: ClaimKind = "statement"
    context: str = ""
    lead: str = ""
    states: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    cites: tuple[str, ...] = ()
    sources: tuple[NamedSource, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """How much of a turn is read: the rest is accounted for, `too_many` or `too_long`, and not looked into.

    Attributes:
        claims: that lie behind `after`, an offset; the next one and all that follows is not read.
        sentences: claims or not.
        characters: of a sentence.
    """

    claims: float = inf
    sentences: float = inf
    characters: float = inf
    after: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """A turn as its reader sees it.

    `parts`, block by block and in order, hold every character of the blocks' texts exactly once.
    """

    blocks: list[Block]
    parts: list[Part]
    statements: list[Statement]

    def counts(self) -> ReadingCounts:
        """Characters by what became of them, blanks aside."""
        became: Counter[str] = Counter()
        reasons: Counter[NonClaimReason] = Counter()
        for part in self.parts:
            size = len("".join(self.blocks[part.block].text[part.first : part.last].split()))
            reason = self._reason(part)
            if reason:
                reasons[reason] += size
            became["set_aside" if reason else part.became] += size
        return ReadingCounts(
            characters=became.total(),
            claims=became["claim"],
            marks=became["mark"],
            set_aside=dict(sorted(reasons.items())),
            unread=sum(reasons[reason] for reason in UNREAD),
        )

    def beyond(self, offset: int) -> Reading:
        """What begins or goes on behind `offset` of the turn, as it was read with what stands before it."""
        statements = [one for one in self.statements if one.end > offset]
        places = {id(one): place for place, one in enumerate(statements)}
        parts = []
        for part in self.parts:
            if self.blocks[part.block].source(part.first, part.last)[1] > offset:
                last = None if part.statement is None else places.get(id(self.statements[part.statement]))
                parts.append(replace(part, statement=last))
        return Reading(self.blocks, parts, statements)

    def _reason(self, part: Part) -> NonClaimReason | None:
        if part.statement is None or part.became == "mark":
            return None
        return self.statements[part.statement].reason


def added(counts: Iterable[ReadingCounts]) -> ReadingCounts:
    """The counts of several turns as one."""
    total: Counter[str] = Counter()
    reasons: Counter[NonClaimReason] = Counter()
    for one in counts:
        total.update({name: one[name] for name in ("characters", "claims", "marks", "unread")})
        reasons.update(one["set_aside"])
    return ReadingCounts(
        characters=total["characters"],
        claims=total["claims"],
        marks=total["marks"],
        set_aside=dict(sorted(reasons.items())),
        unread=total["unread"],
    )


def read_turn(
    turn: str,
    prompt: str = "",
    parts: Sequence[int] = (),
    titles: Collection[str] = (),
    limits: ReadingLimits = ReadingLimits(),
) -> Reading:
    """Read a turn.

    Args:
        prompt: what the user asked.
        parts: where each part of the message but the first begins.
        titles: see `source_blocks`.
        limits: how much of it is read; without them all of it.
    """
    blocks = [row for block in blocks_of_parts(turn, parts) for row in tabled(block)]
    listed = source_blocks(blocks, titles)
    listed |= lists_by_label(blocks, listed, titles)
    listing = listing_of(blocks, listed)
    blocks, listed = parted(blocks, listed)
    signed, bare = signature(blocks), bare_headings(blocks)
    reading = Reading(blocks, [], [])
    around, names, asked = Surroundings(prompt), dict[str, int](), UserPrompt(prompt)
    defined = frozenset[str]().union(*(defined_in(block.text) for block in blocks if block.kind == "code"))
    cut = [
        piece
        for span in spans_of(blocks)
        for sentence in _label_apart(blocks[span.block], span)
        for piece in _clause_apart(blocks[span.block], sentence, asked)
    ]
    told, shown, said, head = _Told(cut, asked, limits), "", "", None
    above = Titles(among(_titles(cut), f"{prompt} {turn}"))
    claims, counted = 0, 0
    for number, span in enumerate(cut):
        _fill(reading, span.block, span.first)
        claims += sum(not one.reason and one.end > limits.after for one in reading.statements[counted:])
        counted = len(reading.statements)
        if beyond := _beyond(limits, span, number, claims, listed):
            _add_aside(reading, span.block, span.first, span.last, beyond)
            continue
        head = reading.blocks[span.block] if span.kind == "head" else head
        shown = shown if _is_title(reading.blocks[span.block]) else span.text
        if span.kind == "image":
            _add_aside(reading, span.block, span.first, span.last, "image")
            continue
        if not _WORD.search(span.text) and not SYMBOLS.search(span.text):
            if _answers_by_sign(span, said):
                _add_aside(reading, span.block, span.first, span.last, "unclear")
            else:
                _add(reading, span.block, span.first, span.last, "between")
            continue
        if span.kind == "code":
            _read_code(reading, span, names, around, defined)
            continue
        links = links_within(reading.blocks[span.block].links, span.first, span.last)
        struck = _struck(reading.blocks[span.block], span)
        found, sources = cited(span.text, links, listing, struck)
        text = " ".join(without(span.text, sorted([*struck, *((one.start, one.end) for one in found)])).split())
        if struck and not _WORD.search(text):
            _add_parts(reading, span, found, struck, "between")
            continue
        before = cut[number - 1] if number else None
        behind = span.block not in listed and before is not None and before.block == span.block
        reason: NonClaimReason | None
        if behind and found and not _WORD.search(text):
            reason = "sources"
            _cite_before(reading, sources)
        elif behind and _only_names(span.text, links):
            reason = "sources"
            _cite_before(reading, _named(span.text, links, listing))
        elif span.block in listed or (_is_title(reading.blocks[span.block]) and _names_source(span.text, shown)):
            reason = "sources"
        elif span.kind == "item" and _leads_within(text, links):
            reason = "heading"
        elif span.announces:
            reason = "lead_in"
        elif _runs_in(turn, cut, number) and _heads(text, asked, said):
            reason = "heading"
        elif span.block in signed:
            reason = "greeting"
        else:
            following = cut[number + 1] if number + 1 < len(cut) else None
            reason = _reason(text, span, asked, following is not None, said)
            if reason is None and may_repeat(text):
                reason = _reason(text, span, asked, following is not None, said, told.words)
            if not reason and following is not None and following.kind == "code" and is_shown_by(text, following.text):
                reason = "lead_in"
            if reason == "heading" and span.block in bare:
                reason = None
            if reason == "heading" and span.kind == "head":
                reason = head_reason(reading.blocks[span.block], row_below(reading.blocks, span.block))
        cites = dict.fromkeys([*(name for mark in found for name in mark.cites), *(href for _, _, href in links)])
        cells = stated(reading.blocks[span.block], head) if span.kind == "row" and not (found or struck) else ()
        statement, place = _statement(reading, span, text, reason, around, above, cells), len(reading.statements)
        reason = statement.reason
        statement = replace(statement, cites=tuple(cites), sources=() if reason else tuple(sources))
        if span.kind == "row" and not (reason or struck):
            statement = replace(statement, table=table_of(reading.blocks, span.block, head))
        reading.statements.append(statement)
        passes_by = span.announces or reason in (*_BESIDE, "opinion") or _is_label_of_answer(text, reason)
        said = said if passes_by else span.text[-LONGEST:]
        _add_parts(reading, span, found, struck, "set_aside" if reason else "claim", place)
        _read_code_spans(reading, span, names, text, defined)
    _fill(reading, len(reading.blocks), 0)
    return reading


def _beyond(
    limits: ReadingLimits, span: Span, number: int, claims: int, listed: Collection[int]
) -> NonClaimReason | None:
    """Why a sentence, behind so many others and claims, is not read; None: it is."""
    if claims > limits.claims or number >= limits.sentences:
        return "too_many"
    is_sentence = span.kind not in ("code", "image") and span.block not in listed
    return "too_long" if is_sentence and len(span.text) > limits.characters else None


def _answers_by_sign(span: Span, before: str) -> bool:
    """Whether signs without a word say yes or no: a row of ticks, a thumb behind a question that is no offer."""
    if span.kind == "row":
        return bool(SIGNS.search(span.text))
    return bool(TICKS.search(span.text) and QUESTION.search(before) and not offers(before))


def _is_label_of_answer(text: str, reason: NonClaimReason | None) -> bool:
    """Whether what is set aside only says that an answer follows, so that it is one to what stands before: "Answer"."""
    return reason in ("heading", "lead_in") and bool(_ANSWER.search(text)) and bool(announces(text))


def _label_apart(block: Block, span: Span) -> list[Span]:
    """A sentence, and before it the label that announces it: "Short answer:"."""
    at = announced(span.text) if span.kind in ("paragraph", "item") and not is_labelled(span.text) else 0
    if not at:
        return [span]
    return [
        _stretch(block, span, 0, len(span.text[:at].rstrip(" *_")), announces=True),
        _stretch(block, span, at, len(span.text)),
    ]


def _clause_apart(block: Block, span: Span, prompt: UserPrompt) -> list[Span]:
    """A sentence as its clauses, where one of two is an abstention or a short answer: "The short answer is no: …"."""
    if span.kind not in ("paragraph", "item") or span.announces:
        return [span]
    turn = answer_apart(span.text, prompt.text) or parts_at(span.text, prompt)
    if turn is None:
        return [span]
    return [_stretch(block, span, 0, turn[0]), _stretch(block, span, turn[1], len(span.text))]


def _stretch(block: Block, span: Span, start: int, end: int, *, announces: bool = False) -> Span:
    first, last = span.first + start, span.first + end
    return Span(*block.source(first, last), span.text[start:end], span.kind, span.block, first, last, announces)


def _statement(
    reading: Reading,
    span: Span,
    text: str,
    reason: NonClaimReason | None,
    around: Surroundings,
    titles: Titles,
    cells: tuple[str, ...],
) -> Statement:
    block = reading.blocks[span.block]
    context = around.context(text, span.kind, block.level, span.block)
    title = _is_titled(text, span, reason)
    told = "said" if reason or title else titles.told(text, span.kind, block.level, span.block)
    lead = "" if reason else around.completes(text, span.kind, block.level, span.block)
    lead = UNTRUE if told == "untrue" else lead
    states = () if reason or lead else cells or around.answers(text)
    drawbacks = around.lists_drawbacks(span.kind, block.level, span.block)
    if not (reason or lead or states or drawbacks) and _is_crossed(block, span):
        lead = UNTRUE
    lead = lead or ("" if reason or states else around.titled(text, span.kind, block.level))
    is_open = not (reason or states) and around.leaves_open(text)
    if not span.announces or QUOTED.search(text):
        around.note(text, span.kind, block.level, span.block, reason, context)
        if reason not in _BESIDE:
            titles.note(text, span.kind, block.level, span.block, titles=title)
    if told == "unclear" or is_open:
        return Statement(span.start, span.end, text, "unclear")
    kind: ClaimKind = "instruction" if not reason and tells_to_do(text) else "statement"
    return Statement(span.start, span.end, text, reason, kind, "" if reason else context, lead, states)


def _is_titled(text: str, span: Span, reason: NonClaimReason | None) -> bool:
    """Whether it stands over what follows it: a heading, a lead-in, a label, a question whose answers follow."""
    if reason in ("heading", "lead_in"):
        return True
    colon = span.kind != "heading" and text.rstrip("*_ ").endswith((":", "："))
    return colon or (span.alone and bool(named(text)))


def _titles(cut: Iterable[Span]) -> Iterator[str]:
    """What may be a title among the sentences of a turn, and the labels of sentences."""
    for span in cut:
        yield from span.text.split(", ") if span.kind == "head" else (span.text, span.text.partition(":")[0])


def _is_crossed(block: Block, span: Span) -> bool:
    """Whether a sign beside a statement, or in it, says that it is untrue: "❌ Refunds take 14 days."."""
    before = block.text[max(0, span.first - _NEAR_SIGN) : span.first]
    behind = block.text[span.last : span.last + _NEAR_SIGN]
    return crossed(before, span.text, behind)


def _read_code(
    reading: Reading, span: Span, names: dict[str, int], around: Surroundings, defined: frozenset[str]
) -> None:
    """Read a block of code line by line: what it names and says; a line of which nothing can be looked up is unread.

    So is one that says more than it names: its names are looked up beside that.

    Args:
        defined: names that a block of the turn gives to what it makes.
    """
    block = reading.blocks[span.block]
    language = language_told(span.text, block.language.strip("{}.").lower())
    local, listed, at = made_here(span.text) | defined, imported_lines(span.text), span.first
    for number, line in enumerate(span.text.split("\n")):
        first, at = at, at + len(line) + 1
        skipped = len(line) - len(line.lstrip("+- ")) if language == "diff" else len(line) - len(line.lstrip())
        line, first = line[skipped:].rstrip(), first + skipped
        if not _WORD.search(line):
            continue
        as_written = "" if language == "diff" else language
        found = listed_names(line) if number in listed else named_in_line(line, as_written, local)
        _fill(reading, span.block, first)
        places = _name(reading, span.block, first, found, names, around.lead or around.before)
        if not places or says_more(line, found):
            reason: NonClaimReason = "code" if places or not _only_makes(line, local) else "heading"
            found, places = [], [len(reading.statements)]
            reading.statements.append(Statement(*block.source(first, first + len(line)), line, reason))
        became: Became = "claim" if found else "set_aside"
        _add(reading, span.block, first, first + len(line), became, places[0])


def _only_makes(line: str, local: frozenset[str]) -> bool:
    """Whether a line of code has names of its own alone, each of which says no more than a heading does."""
    own = own_names(line, local)
    return bool(own) and all(non_claim_reason(words_of_name(name), "heading") == "heading" for name in own)


def _read_code_spans(
    reading: Reading, span: Span, names: dict[str, int], sentence: str, defined: frozenset[str]
) -> None:
    """Look for names in the code spans of a sentence, but those that the turn's own code defines."""
    block = reading.blocks[span.block]
    begins = bisect_left(block.code, span.first, key=lambda one: one[1])
    for start, end in takewhile(lambda one: one[0] < span.last, block.code[begins:]):
        code = block.text[start:end]
        found = [one for one in named_in_span(code) if code[one.start : one.end] not in defined]
        _name(reading, span.block, start, found, names, sentence)


def _name(
    reading: Reading, block: int, first: int, found: Iterable[Named], names: dict[str, int], context: str
) -> list[int]:
    """Add what code names, each name of a turn once; returns the places of its statements."""
    places = []
    for one in found:
        start, end = first + one.start, first + one.end
        text = " ".join(reading.blocks[block].text[start:end].split())
        if text and text not in names:
            names[text] = len(reading.statements)
            offsets = reading.blocks[block].source(start, end)
            reading.statements.append(
                Statement(*offsets, text, None, one.kind, f"{context} {one.about}".strip()[-LONGEST:])
            )
        if text:
            places.append(names[text])
    return places


def _is_title(block: Block) -> bool:
    return block.kind == "alternative" and block.label == "title"


def _names_source(title: str, shown: str) -> bool:
    """Whether a title says where a statement is from, and is no figure that what is shown does not have: 200, and 900
    where one points at it."""
    return names_sources(title) and (not _FIGURE_ALONE.fullmatch(title) or _has_figure(shown, title.strip()))


def _has_figure(text: str, figure: str) -> bool:
    """Whether a figure stands whole in a text: 900 is none of 1900, 1,900 or 900.5."""
    found = [token.strip(_AROUND_FIGURE) for token in text.split()]
    wanted = figure.split()
    places = [at for at in range(len(found)) if found[at : at + len(wanted)] == wanted]
    return any(not found[at - 1][-1:].isdigit() for at in places if at) or 0 in places


def _runs_in(turn: str, cut: Sequence[Span], number: int) -> bool:
    """Whether a sentence in bold letters heads the paragraph or item that it begins: "**Book early.** Groups …"."""
    span = cut[number]
    begins = not number or cut[number - 1].block != span.block or cut[number - 1].announces
    goes_on = number + 1 < len(cut) and cut[number + 1].block == span.block
    if span.kind not in ("paragraph", "item") or not (begins and goes_on):
        return False
    before = span if not number or not cut[number - 1].announces else cut[number - 1]
    behind = turn[span.end : span.end + 2]
    return any(turn[max(0, before.start - 2) : before.start] == sign == behind for sign in ("**", "__"))


def _heads(text: str, prompt: UserPrompt, before: str) -> bool:
    """Whether a sentence in bold letters is no more than a heading, and no answer to what is asked before it."""
    bare = text.rstrip(".!")
    answers = non_claim_reason(bare, "heading", prompt=prompt, before=before) is None
    return not answers and non_claim_reason(bare, "heading") == "heading"


def _leads_within(text: str, links: Sequence[Link]) -> bool:
    """Whether an item is a line of a table of contents: a link to a heading of the same text."""
    within = bool(links) and all(href.startswith("#") for _, _, href in links)
    return within and only_links(text, links) and non_claim_reason(text, "heading") == "heading"


def _only_names(text: str, links: Sequence[Link]) -> bool:
    """Whether a sentence does no more than name a source of the one before: "[Refund policy](…)", "Source: …"."""
    labelled = is_labelled(text)
    return (bool(labelled) or only_links(text, links)) and names_sources(text[labelled:], linked=bool(links))


def _named(text: str, links: Sequence[Link], listing: Listing) -> list[NamedSource]:
    if links:
        return [source for start, end, href in links if (source := listing.linked(text[start:end], href))]
    source = listing.named(text[is_labelled(text) :].strip(" ."))
    return [source] if source else []


def _cite_before(reading: Reading, sources: list[NamedSource]) -> None:
    """Let the claim before cite some sources more; names in its code stand between."""
    for place in range(len(reading.statements) - 1, max(-1, len(reading.statements) - _NEAR), -1):
        last = reading.statements[place]
        if not last.reason and last.kind != "name":
            reading.statements[place] = replace(last, sources=(*last.sources, *sources))
            return


def _reason(
    text: str, span: Span, prompt: UserPrompt, followed: bool, before: str = "", told: frozenset[str] = frozenset()
) -> NonClaimReason | None:
    if not _WORD.search(text) and not SYMBOLS.search(text):
        return "fragment"
    return non_claim_reason(
        text, span.kind, prompt=prompt, followed=followed, before=before, alone=span.alone, told=told
    )


@dataclass(frozen=True)
class _Told:
    """What the sentences of a turn tell that are judged whatever the others say.

    Words of a sentence that denies something tell the opposite of what repeats them. So may all words of an answer that
    calls a part of itself untrue.
    """

    cut: Sequence[Span]
    prompt: UserPrompt
    limits: ReadingLimits

    @cached_property
    def words(self) -> frozenset[str]:
        if any(named(span.text) or objects(span.text) or crossed("", span.text, "") for span in self.cut):
            return frozenset()
        every = forms(" ".join(span.text for span in self.cut))
        looked_into = (span for at, span in enumerate(self.cut) if not _beyond(self.limits, span, at, 0, ()))
        affirmed = (span for span in looked_into if not denies(span.text))
        claims = (span.text for span in affirmed if not _reason(span.text, span, self.prompt, True, told=every))
        return frozenset().union(*map(forms, claims))


def _struck(block: Block, span: Span) -> list[tuple[int, int]]:
    """Where in the text of a span stands what is crossed out."""
    begins = bisect_left(block.struck, span.first + 1, key=lambda one: one[1])
    inside = takewhile(lambda one: one[0] < span.last, block.struck[begins:])
    return [(max(start, span.first) - span.first, min(end, span.last) - span.first) for start, end in inside]


def _add_parts(
    reading: Reading,
    span: Span,
    found: Iterable[Mark],
    struck: Iterable[tuple[int, int]],
    became: Became,
    place: int | None = None,
) -> None:
    """Account for a span: what became of it, its marks, and what is crossed out in it."""
    at = span.first
    out = sorted([*((mark.start, mark.end, True) for mark in found), *((first, last, False) for first, last in struck)])
    for first, last, is_mark in out:
        first, last = span.first + first, span.first + last
        _add(reading, span.block, at, first, became, place)
        if is_mark:
            _add(reading, span.block, first, last, "mark", place)
        else:
            _add_aside(reading, span.block, first, last, "struck")
        at = last
    _add(reading, span.block, at, span.last, became, place)


def _add_aside(reading: Reading, block: int, first: int, last: int, reason: NonClaimReason) -> None:
    """Account for what nobody reads, with its reason."""
    _add(reading, block, first, last, "set_aside", len(reading.statements))
    text = " ".join(reading.blocks[block].text[first:last].split())
    reading.statements.append(Statement(*reading.blocks[block].source(first, last), text, reason))


def _fill(reading: Reading, block: int, first: int) -> None:
    """Account for what lies between the last part and the place that comes next."""
    at, done = (reading.parts[-1].block, reading.parts[-1].last) if reading.parts else (0, 0)
    while at < block:
        _add(reading, at, done, len(reading.blocks[at].text), "between")
        at, done = at + 1, 0
    if block < len(reading.blocks):
        _add(reading, block, done, first, "between")


def _add(reading: Reading, block: int, first: int, last: int, became: Became, statement: int | None = None) -> None:
    if last > first:
        reading.parts.append(Part(block, first, last, became, statement))
