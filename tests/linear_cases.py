"""Every function that reads foreign text, as one that takes a hostile text and does with it what the pipeline does."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from gate.adapters.local_verifier import (
    antonyms,
    guards,
    hedges,
    lexicon,
    local_verifier,
    semantic_roles,
    windows,
)
from gate.adapters.local_verifier.figure_spelling import as_written
from gate.adapters.readers import READERS, documents
from gate.adapters.readers.own_reports import is_report
from gate.adapters.redactors import redactor_named
from gate.claims import code, context, covered
from gate.claims.attribution import source_marks, sources
from gate.claims.attribution.citing import cited
from gate.claims.attribution.listed_sources import Listing
from gate.claims.attribution.source_marks import marks
from gate.claims.history import history_documents
from gate.claims.openers import without_opener
from gate.claims.reading import read_turn
from gate.claims.rewriting.model_claims import accepted_claims
from gate.claims.set_aside import answering
from gate.claims.set_aside.congratulating import congratulates
from gate.claims.set_aside.reasons import forms, non_claim_reason
from gate.claims.set_aside.sentence import Sentence
from gate.claims.short_answers import answer_apart, leaves_open, short_answer
from gate.claims.spans import spans
from gate.claims.tags import read_tag
from gate.decision import numbered_names, quotes
from gate.decision.checks import run_checks
from gate.decision.corrections import corrections, name_correction
from gate.decision.coverage import uncovered
from gate.decision.lookups import names, shown_code
from gate.decision.lookups.names import is_users_file, key_of, look_up, look_up_as_asked, other_value
from gate.decision.pairings import exchanged
from gate.decision.passages import Passage
from gate.decision.policy_document import policy_of
from gate.decision.proper_names import check_names
from gate.decision.quotes import find_quote, with_evidence
from gate.decision.reckoning import known_figures
from gate.errors import AnswerError, GateError, UnmeasuredLanguageError
from gate.local.sentence_stream import SentenceCutter
from gate.model import Answer, Document, NamedSource
from gate.privacy import account_numbers, network_addresses, patterns, pseudonyms
from gate.prompts import fencing, injection, readings, verdicts
from gate.reports import markdown_report
from gate.reports.highlighting import rendered
from gate.repository import diagrams, path_rule, paths
from gate.repository.document_place import place_for
from gate.repository.manifest import Repository
from gate.repository.names import corpus_names, python_scopes
from gate.repository.names.code_stretches import stretches
from gate.repository.names.lexicon import read_lexicon
from gate.repository.names.name_citations import NamedRepository, name_citations
from gate.repository.names.settings import settings_keys
from gate.repository.path_citations import Layouts, citations
from gate.retrieval import chunking, cited_documents, given_passages, passages, query_terms, segment_query
from gate.submission.caps import Caps
from gate.submission.transcripts import table
from gate.submission.transcripts.texts import speakers
from gate.text import clauses, questions, refusals, tokens, visible
from gate.text.composed import composed, lowered, raised
from gate.text.figures import dates, multiples, quantities, rates
from gate.text.figures.letters import blanked
from gate.text.figures.odd_numerals import odd_numerals
from gate.text.formats import strict_json, strict_yaml
from gate.text.formats.html_elements import hides, striking
from gate.text.formats.style_sheets import StyleSheets
from gate.text.languages import document_language, language_of
from gate.text.lookalikes import folded
from gate.text.words import bygone, negation, predicates, untrue_titles, untruth
from gate.text.words.imperatives import tells_to_do
from tests import zipped_documents

Reads = Callable[[str], Any]

CLAIM = 'The "grey tower" is 5 km high, not 3 km, and Dr Moor owns 12 % of it since 3 May 2024.'
PASSAGE = "Dr Moor says the grey tower, which is 3 km high, never was his. He sold 12 % in May 2024."
CAPS = Caps(max_bytes=10**8, max_turns=1_000, max_turn_chars=10**8, max_depth=32)
REPOSITORY = Repository(("README.md", "docs/guide.md", "src/gate/model.py", "src/gate/text.py"))
HELD = ("a.md", "a.py", "a.rs", "a.go", "Makefile", "setup.py", "package.json", "pyproject.toml", "go.mod", "justfile")
ASKED = fencing.fence(CLAIM, [{"content": PASSAGE}])
REDACTOR = redactor_named("patterns,phonenumbers:GB+DE,cards,iban,ip")


def streamed(text: str) -> object:
    """An answer that comes in small pieces."""
    cutter = SentenceCutter()
    return [*(cutter.feed(text[at : at + 16]) for at in range(0, len(text), 16)), cutter.end()]


def lexicon_of(text: str) -> NamedRepository:
    """What a repository has whose files all hold a text, and a program."""
    texts = dict.fromkeys(HELD, text.encode()) | {"src/tern.py": b"def open_flock(path): pass\n"}
    texts["tern/pyproject.toml"] = b'[project]\nscripts = {tern = "tern:main"}'
    repository = Repository(tuple(texts), contents=lambda wanted: (each for each in texts.items() if wanted(each[0])))
    lexicon = read_lexicon(repository)
    assert lexicon
    return NamedRepository(lexicon, repository)


NAMED = lexicon_of("tern fly")


def names_in(text: str, document: str) -> list[Any]:
    """What is said of the names of a text: of an answer where it is no document."""
    place = place_for(document, NAMED.repository, answer=not document)
    return every(name_citations(text, place, NAMED)) + every(stretches(text, restructured=document.endswith(".rst")))


def layouts_in(text: str) -> list[str | None]:
    """What is said of the layout of each path that a text cites, as a page and as the names of a page."""
    pages = (text, f"`{text}`", "\n".join(f"[x]({text[:n]}.md)" for n in (9, 99, 999)))
    cited = [("docs/a.md", each) for page in pages for each in citations("docs/a.md", page, REPOSITORY)]
    layouts = Layouts(cited, REPOSITORY)
    return [layouts.unknown(document, each) for document, each in cited]


SAMPLES = Path(__file__).parents[1] / "events" / "records"
RECORDS = [
    json.loads(path.read_text(encoding="utf-8").partition("\n")[0] if path.suffix == ".jsonl" else path.read_bytes())
    for path in sorted(SAMPLES.glob("*.json*"))
    if path.suffix != ".gz" and path.name != "expected.json"
]
"""A record in every format that is JSON, or several."""


def records_of(text: str) -> None:
    """Every format, with a text wherever a sentence stands in its sample."""
    for document in RECORDS:
        with suppress(GateError):
            for piece in table.pieces("a.json", json.dumps(_said(document, text)), CAPS):
                table.read_piece(piece, CAPS)


def _said(value: Any, text: str) -> Any:
    if isinstance(value, dict):
        return {key: _said(element, text) for key, element in value.items()}
    if isinstance(value, list):
        return [_said(element, text) for element in value]
    return text if isinstance(value, str) and " " in value else value


def texts_of(text: str) -> None:
    """What is no JSON: streams, tables, conversations as plain text, lines."""
    stream = json.dumps({"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]})
    forms = (
        ("a.txt", f"User: {text}\nAssistant: {text}\n{text}"),
        ("a.txt", text),
        ("a.sse", f"data: {stream}\n\n" * 2),
        ("a.sse", f"data: {text}"),
        ("a.csv", f'question,answer,contexts\nq,"{text}",[{text}\n'),
        ("a.csv", f"question,answer,contexts\nq,a,['{text}']\n"),
        ("a.csv", text),
        ("a.jsonl", f"{text}\n{stream}"),
    )
    for name, given in forms:
        with suppress(GateError):
            every(table.pieces(name, given, CAPS))
            table.parse(name, given, CAPS)
    table.kind_of("a.txt", text)
    speakers.document(f"User: {text}\nBot: {text}")


def every(found: Any) -> list[Any]:
    return list(found)


def answered(text: str) -> Any:
    """What the verifier does with its reply."""
    lines = f"LABEL: supported\nJUSTIFICATION: {text}\nQUOTE: {text}\nDOCUMENTS: {text}\nSCORES: {text}"
    for reply in (
        text,
        f"LABEL: {text}",
        lines,
        f'{{"label": "supported", "quote": {json.dumps(text)}}}',
        f"{{{text}}}",
        f"we{text}\nLABEL: supported\nJUSTIFICATION: a",
    ):
        verdicts.parse_verdict(reply)
        with suppress(AnswerError):
            verdicts.read_verdict(reply, ASKED)


def asked(text: str) -> Any:
    verdicts.verdict_question(fencing.fence(text, [{"content": text}], text))
    readings.reading_question(text, [text, text])
    verdicts.write_verdict(Answer(label="supported", reason="entailed", justification=f"a{text}", quote=text), ["d1"])


def quoted(text: str) -> Any:
    for quote in (text[:-8], CLAIM):
        with suppress(AnswerError):
            with_evidence(
                Answer(label="supported", reason="entailed", justification="a", quote=quote, documents=(0,)), [text]
            )


def accepted(text: str) -> Any:
    for reply in (
        f"s1: {text}\ns2: NONE {text}\n{text}",
        "".join(f"s1: {char}\n" for char in text),
        json.dumps({"sentences": [{"sentence": "s1", "claims": [text]}]}),
    ):
        with suppress(AnswerError):
            accepted_claims(["It is b.", text], text, readings.read_reading(reply, 2))


def fenced(text: str) -> Any:
    return fencing.unfence(fencing.fence(text, [{"content": text}, {"content": text}]).text)


def pseudonymized(text: str) -> Any:
    hidden, back = pseudonyms.pseudonymize([CLAIM, text], REDACTOR.find)
    return [back.restore(one) for one in hidden]


def document(location: str, text: str | bytes) -> list[Any]:
    data = text if isinstance(text, bytes) else text.encode()
    return list(READERS[location[location.rindex(".") :]](data, location))


def corpus_file(ending: str, text: str) -> list[Any]:
    with suppress(ValueError, RecursionError):
        return document(f"a{ending}", text.replace("\0", " "))
    return []


def policies(text: str) -> Any:
    """Policies of a text without its end, which no YAML may hold."""
    keys = "".join(f"k{n}: {text[:9]!r}\n" for n in range(len(text) // 16))
    for given in (f'"{text}"', text, keys):
        with suppress(GateError):
            policy_of(strict_yaml.load(given))


def transcript(document: Any) -> Any:
    return table.parse("a.json", json.dumps(document), CAPS)


def guarded(claim: str, evidence: str) -> Any:
    reading = lexicon().read(claim, [evidence])
    return [
        guards.stopped(claim, [evidence], reading, ()),
        *(guard(claim, [evidence], reading) for guard in guards.GUARDS),
    ]


def judged_claim(text: str) -> None:
    with suppress(UnmeasuredLanguageError):
        local_verifier().judge(text, "", [{"content": PASSAGE}])


def weighed(text: str) -> Any:
    """Every plain comparison of a claim with a sentence."""
    for claim, sentence in ((CLAIM, text), (text, PASSAGE)):
        keys = frozenset(tokens.keys(claim))
        hedges.affirms(sentence), hedges.leaves_open(sentence), untruth.framed(sentence), untruth.denies(sentence)
        hedges.supposes(sentence, keys), hedges.clause_about(sentence, tokens.keys(claim))
        (
            untruth.takes_back(sentence),
            untruth.objects(sentence),
            untruth.told_beneath(sentence),
            untruth.corrects(sentence),
            untruth.refuses(sentence),
            bygone.tells_of_the_past(sentence),
            bygone.is_present(sentence),
            bygone.speaks_of_before(sentence),
            bygone.names_the_past(sentence),
            untruth.closes(sentence),
            untruth.says_yes(sentence),
            untrue_titles.named(sentence),
            untrue_titles.among([sentence], sentence),
        )
        semantic_roles.swapped(claim, sentence), semantic_roles.exchanged(claim, sentence)
        antonyms.antonym(tokens.keys(claim), tokens.keys(sentence))
        antonyms.prefixed(tokens.keys(claim), tokens.keys(sentence))


def sourced(text: str) -> Any:
    documents: list[Document] = [
        {"content": text, "id": f"{text}#1", "title": text, "url": text},
        {"content": "a", "id": "b"},
    ]
    for title, url in ((text, ""), ("", f"https://a.b/{text}"), (f"{text} a", text)):
        source = NamedSource(mark="1", title=title, url=url)
        cited_documents.query_of(source), cited_documents.names_something(source)
        cited_documents.is_told(source, documents)
        for document in documents:
            cited_documents.matching(source, [document])


CASES: dict[str, Reads] = {
    "composed": lambda text: (composed(f"{text}½{text}¹"), raised(text), lowered(text)),
    "tokens": lambda text: (tokens.tokens(text), tokens.keys(text)),
    "dates.find_dates": dates.find_dates.__wrapped__,
    "clauses": lambda text: (
        clauses.clauses(text),
        clauses.members(text),
        clauses.statements(text),
        clauses.turns(text),
    ),
    "sentence_stream": streamed,
    "negation": negation.negated,
    "visible": lambda text: (visible.visible(text), visible.one_line(text)),
    "quantities.find_quantities": quantities.find_quantities.__wrapped__,
    "questions.asks": lambda text: (
        questions.asks(text),
        questions.asks(f"{text}?"),
        questions.begins_asking(text),
        questions.asks_whether(text),
        questions.asks_within(text),
        questions.asks_indirectly(text),
        questions.asks_what(text),
        questions.before_asking(f"{text}?"),
        questions.before_asking(f"If {text}, why {text}?"),
        answering.offers(text),
        predicates.ends_done(text),
    ),
    "odd_numerals": lambda text: (every(odd_numerals(text)), every(odd_numerals(f"Ⅻ {text}"))),
    "strict_json.load": lambda text: strict_json.load(json.dumps([text, text])),
    "spans": spans,
    "tags": lambda text: [
        read_tag(f"<b {text}>"),
        read_tag(f'<b a="{text}'),
        read_tag(f"<{text}>"),
        read_tag(f"<b style='{text}'>"),
        read_tag(f"<b style='{'color: red; ' * (len(text) // 12)}{text}'>"),
    ],
    "non_claim_reason": lambda text: (non_claim_reason(text), non_claim_reason(text, "heading")),
    "non_claim_reason of a question": lambda text: non_claim_reason(f"{text}?"),
    "non_claim_reason of an answered question": lambda text: non_claim_reason(f"{text}? Of course", "heading"),
    "non_claim_reason of what is told": lambda text: [
        non_claim_reason(sentence, alone=True, told=forms(text))
        for sentence in (f"Here is {text}:", f"Enjoy the {text}", f"I hope {text} {text}", f"{text}:")
    ],
    "a turn that repeats itself": lambda text: read_turn(  # three times a third: as long as the others
        "Here are the {0}:\n\n{0}\n\nEnjoy the {0}!".format(text[-(len(text) // 3) :])
    ).counts(),
    "read_turn": lambda text: read_turn(text).counts(),
    "read_turn beside a prompt": lambda text: read_turn(f"Yes. {text[:2_000]}", text).counts(),
    "courtesies behind a question": lambda text: read_turn(f"Is {text}? " + "Sure! " * (len(text) // 20)).counts(),
    "headings behind a prompt": lambda text: read_turn("## Answer\n\n" * (len(text) // 40), f"{text}?").counts(),
    "read_turn of a table": lambda text: read_turn(
        "<table><tr><th>a<th>b" + f"<tr><td>{text[:9]}<td><a href=b>{text[-9:]}</a>" * (len(text) // 40)
    ).counts(),
    "read_turn of parts": lambda text: read_turn(text, parts=range(9, len(text), 9)).counts(),
    "context.brief": context.brief,
    "short_answer": lambda text: (short_answer("No.", text), short_answer(text, "Do I need it?")),
    "leaves_open": lambda text: (leaves_open("No.", f"Do I need {text}?"), leaves_open(text, "Do I need 9?")),
    "congratulates": lambda text: (
        congratulates(Sentence(text, "paragraph", frozenset(), followed=True), "I got it."),
        congratulates(Sentence("Congrats on the plot!", "paragraph", frozenset(), followed=True), text[:2_000]),
    ),
    "answer_apart": lambda text: answer_apart(f"The short answer is no: {text}", text[:2_000]),
    "without_opener": without_opener,
    "marks": marks,
    "sources of a link": lambda text: cited(f"{text} {text}", [(len(text) + 1, 2 * len(text) + 1, text)], Listing()),
    "marks of sources": lambda text: (
        every(source_marks.mark_names(text)),
        source_marks.marks_end(text, 0),
        source_marks.marks_behind(text, 0, len(text)),
        source_marks.is_mark_there(text, len(text) // 2, len(text)),
        source_marks.cites_before(text, len(text)),
        source_marks.names_only(text),
    ),
    "names of sources": lambda text: (
        sources.names_sources(text),
        sources.is_labelled(text),
        sources.is_head(text),
    ),
    "sources behind a sentence": lambda text: read_turn(f"It is so. [{text}](https://a.b)\n\nIt is so. Source: {text}"),
    "listed sources": lambda text: read_turn(f"It is so [1]; {text} (Moor, 2020).\n\n[1] Moor (2020). {text}"),
    "keys of settings": lambda text: (
        every(settings_keys.documented_keys(f"{text}\n```yaml\n{text}\n```\n{text}")),
        settings_keys.file_of_block(text, text),
        [every(settings_keys.settings_keys(text, language)) for language in ("yaml", "toml", "ini", "json")],
        every(settings_keys.settings_keys(f"export default {text}", "ts")),
        names_in(f"{text} tern.yml\n\n```toml\n{text}\n[tern]\n{text} = 1\n```\n`{text}` in tern.yml", ""),
        names_in(f"```sh\npip install {text}\ncargo add {text}\n```\n`{text}` feature", ""),
    ),
    "modules of Python": lambda text: (
        python_scopes.module_scope(text.encode("utf-8", "replace"), "a.b"),
        python_scopes.module_scope(f"class A({text}):\n  def f(self): self.{text}\nx = {text}\n".encode(), "a"),
        names_in(f"```python\nfrom tern import {text}\ndef f(a: tern.{text}): a.b()\nx = tern.{text}()\n```", ""),
    ),
    "names in code": lambda text: (
        code.named_in_span(text),
        code.made_here(text),
        code.defined_in(f"def a({text})\n{text}"),
        code.imported_lines(f"from x import (\n{text}"),
        code.listed_names(text),
        code.own_names(f"def {text}", frozenset()),
        code.words_of_name(text),
        code.language_told(text, ""),
        [code.named_in_line(text, language, frozenset()) for language in ("", "sh", "python", "json")],
    ),
    "names of a corpus": lambda text: (
        corpus_names.code_of_markdown(text),
        corpus_names.nearest("--fine", corpus_names.names_in({"content": text})),
        corpus_names.code_within(text, corpus_names.names_in({"content": f"`{text}`"})),
        key_of(text),
    ),
    "shown code": lambda text: (
        shown_code.ShownCode([text]).has(text, text),
        shown_code.ShownCode(["[watch_rail]\n" * 9]).has(text, text),
        shown_code.with_shown(
            [{"text": line, "reason": "code", "turn": 0, "start": 0, "end": 1} for line in text.split("\n")],
            {"characters": 9, "claims": 0, "marks": 0, "set_aside": {"code": 9}, "unread": 9},
            [text],
            {0: text},
        ),
        names.asks_for_a_value(text),
    ),
    "is_users_file": lambda text: (is_users_file("logs/", text), is_users_file(text, "I have logs/.")),
    "other_value": lambda text: (other_value("key: value", [text]), other_value(text, [text])),
    "look_up of what is left open": lambda text: (
        look_up("a b c", [text]),
        look_up("a:", [text]),
        look_up(f"{text}:", [text]),
    ),
    "look_up_as_asked": lambda text: (
        look_up_as_asked("a: 1", "1", [text]),
        look_up_as_asked(f"a: {text}", text, [text]),
    ),
    "look_up": lambda text: (look_up("uv cache purge", [text]), look_up("key: value", [text]), look_up(text, [text])),
    "tells_to_do": tells_to_do,
    "history_documents": lambda text: history_documents(CLAIM, [{"role": "user", "content": text}]),
    "documents of a source": sourced,
    "exchanged of a table": lambda text: exchanged([["a", text], [text, text], ["b", text]], [PASSAGE, CLAIM]),
    "exchanged of evidence": lambda text: exchanged([["a", "b"], ["c", "9 euros"], ["d", "8"]], [text]),
    "exchanged of a row": lambda text: exchanged([["a", "b"], ["c", "9 euros"], ["d", "8"]], [f"a | {text}"]),
    "run_checks of a claim": lambda text: run_checks(text, [PASSAGE]),
    "as_written": lambda text: (
        as_written(f"{CLAIM} {text}", [PASSAGE]),
        as_written("It takes 12 days.", [text, f"{text} twelve days¹ {text}"]),
        as_written("It takes 12 days.", [text.replace(" ", " 12¹ days ")]),
    ),
    "known_figures of a claim": lambda text: known_figures(text, "for 3 of us", f"{text}\n{CLAIM}", [PASSAGE]),
    "known_figures of a question": lambda text: known_figures("3 × 40 = 120", text, "", [f"{PASSAGE} 40"]),
    "known_figures around a claim": lambda text: known_figures("It is 120.", "3 of 40", f"- 1\n- {text} 3", [PASSAGE]),
    "known_figures of evidence": lambda text: known_figures("3 × 40 = 120 on 3 May", "3 on 3 May?", "", [f"40 {text}"]),
    "run_checks of evidence": lambda text: run_checks(CLAIM, [text]),
    "corrections of a claim": lambda text: corrections(f"{CLAIM} {text}", [PASSAGE]),
    "name of a claim": lambda text: name_correction(f"{CLAIM} {text} Anna Moor.", [f"{CLAIM} {text} Anna Kessler."]),
    "corrections by evidence": lambda text: corrections(CLAIM, [f"{PASSAGE} {text}"]),
    "words of a claim that no passage has": lambda text: uncovered(text, [PASSAGE]),
    "run_checks of a claim against two passages": lambda text: run_checks(f"{CLAIM} {text}", [PASSAGE, CLAIM]),
    "numbered names": lambda text: (
        run_checks(f"Plan 7 costs 9 euros. {text}", ["Plan 7 costs 7 euros.", f"Plan 9 costs 9 euros. {text}"]),
        run_checks(f"Plan 7 is closed. {text}", [f"Plan 7 is open.\nPlan 9 is closed. {text}"]),
        numbered_names.all_told_of_another(text, [], [Passage(text)]),
    ),
    "run_checks of two passages": lambda text: run_checks(CLAIM, [CLAIM, f"{PASSAGE} {text}"]),
    "multiples": lambda text: blanked(text, [(one.start, one.end) for one in multiples.find_multiples(text)]),
    "dates that are blanked": lambda text: dates.without_dates(f"3 May 2024 {text}"),
    "rates": lambda text: (rates.rate_of(text, 0, 0), rates.rate_of(text, len(text), len(text))),
    "fence": fenced,
    "formulae": lambda text: every(covered.covered(f"${text}$", formulae=True)),
    "covered": lambda text: (every(covered.covered(text, [(1, 3)])), every(covered.covered(f"[{text}]{{.{text}}}"))),
    "hides": hides,
    "is_report": lambda text: (is_report(text), is_report(f'```\n{text}\n  "gate_version": "')),
    "folded": lambda text: (folded(text), folded(f"н{text}"), negation.plainly(f"н{text}")),
    "questions": asked,
    "answers": answered,
    "find_quote in a passage": lambda text: find_quote(CLAIM, [text]),
    "clauses of a quoted passage": lambda text: quotes._clause(text[:9], text),
    "find_quote of a text": lambda text: find_quote(f"{text[:-8]} .", [text]),
    "evidence of a reply": quoted,
    "check_names": lambda text: (check_names(text, [PASSAGE]), check_names(CLAIM, [text])),
    "refuses": lambda text: [refusals.refuses(f"{said}{text}") for said in ("", "I", "I am")],
    "readings": accepted,
    "claims of a hostile sentence": lambda text: accepted_claims([text], text, [(text[:500], f"{text[1:]} it")]),
    "chunks": lambda text: every(chunking.chunks(text)),
    "passage": lambda text: passages.passage({"text": text, "date": text}),
    "query_terms.words": query_terms.words,
    "query_terms.by_weight": query_terms.by_weight,
    "query of a segment": lambda text: segment_query.queries_from_segment({"use_case": text}, segment_query.Signals()),
    "patterns": lambda text: every(patterns.find(text)),
    "account_numbers": lambda text: every(patterns.find(text, (*account_numbers.CARDS, *account_numbers.IBANS))),
    "network_addresses": lambda text: every(patterns.find(text, network_addresses.IPS)),
    "redact": REDACTOR.redact,
    "pseudonyms": pseudonymized,
    "citations of Markdown": lambda text: every(citations("docs/a.md", text, REPOSITORY)),
    "citations of an answer": lambda text: every(citations("answer", text, REPOSITORY, answer=True)),
    "citations of reStructuredText": lambda text: every(citations("docs/a.rst", text, REPOSITORY)),
    "layouts": layouts_in,
    "citations of one line": lambda text: [
        every(citations("a.md", f"see `{text[:n]}` and {text[n:]}", REPOSITORY, answer=True)) for n in (4_096,)
    ],
    "names of Markdown": lambda text: names_in(text, "docs/a.md"),
    "names of an answer": lambda text: names_in(
        f"{text}\nSee `{text}`:\n```sh\n{text}\n```\n```python\n{text}\n```\n", ""
    ),
    "names of reStructuredText": lambda text: names_in(f"{text}\n.. code:: js\n\n   {text}\n", "docs/a.rst"),
    "names of a repository": lambda text: lexicon_of(text),
    "diagrams": lambda text: (diagrams.paths(text), diagrams.components(text), diagrams.names(text)),
    "paths": lambda text: (paths.without_line(text), paths.printable(text), paths.is_url(text)),
    "shapes": lambda text: (
        path_rule.not_a_path(text, link=True),
        path_rule.not_a_path(text, link=False),
        path_rule.is_domain(text),
    ),
    "records": records_of,
    "given passages": lambda text: (
        given_passages.nearest(text, given_passages.passages_of([{"content": text}])),
        given_passages.speaks_of(CLAIM, [{"content": text}]),
    ),
    "texts of records": texts_of,
    "transcript of text": lambda text: table.parse("a.md", text, CAPS),
    "transcript of messages": lambda text: transcript(
        {"messages": [{"role": "assistant", "content": text, "x": text}]}
    ),
    "transcript of turns": lambda text: transcript({"turns": [{"role": "assistant", "content": text}]}),
    "transcript of choices": lambda text: transcript(
        {"choices": [{"message": {"role": "assistant", "content": text}}]}
    ),
    "transcript of parts": lambda text: transcript({"role": "assistant", "content": [{"type": "text", "text": text}]}),
    "transcript of an output": lambda text: transcript(
        {"output": {"message": {"role": "assistant", "content": [{"text": text}, {"other": text}]}}}
    ),
    "policy": lambda text: policies(text[:-2]),
    "corpus of JSON lines": lambda text: every(READERS[".jsonl"]((json.dumps({"content": text}) + "\n").encode(), "a")),
    "corpus of text": lambda text: document("a.txt", text.replace("\0", " ")),
    "corpus of Markdown": lambda text: document("a.md", text.replace("\0", " ")),
    **{
        f"corpus of {ending}": partial(corpus_file, ending)
        for ending in (".rst", ".mdx", ".adoc", ".csv", ".json", ".yaml", ".toml", ".ipynb", ".eml", ".py", ".go")
    },
    "corpus of Word": lambda text: document("a.docx", zipped_documents.word(zipped_documents.paragraph(text))),
    "corpus of OpenDocument": lambda text: document(
        "a.odt", zipped_documents.open_document(f"<text:p>{zipped_documents.plain(text)}</text:p>")
    ),
    "corpus of books": lambda text: document("a.epub", zipped_documents.epub(f"<p>{zipped_documents.plain(text)}</p>")),
    "corpus of workbooks": lambda text: document(
        "a.xlsx", zipped_documents.workbook({"a": [["b", "c"], [zipped_documents.NO_XML.sub(" ", text)[:30_000], "d"]]})
    ),
    "answer on the page": lambda text: rendered(text, ()),
    "corpus of raw HTML": lambda text: corpus_file(".rst", ".. raw:: html\n\n   " + text.replace("\n", "\n   ")),
    "corpus of HTML": lambda text: document("a.html", text),
    "style sheets beside a page": lambda text: every(
        StyleSheets(lambda _: text.encode("utf-8", "replace")).striking("/a.html", [f"@import {text}"], ["s.css", text])
    ),
    "style sheet": lambda text: every(striking(f"{text}}}.a {{{text}}}")),
    "document of Markdown": lambda text: documents.read_document({"location": "a.md", "text": text.replace("\0", " ")}),
    "document of HTML": lambda text: documents.read_document({"location": "a.html", "text": text.replace("\0", " ")}),
    "first_instruction": injection.first_instruction.__wrapped__,
    "encodes": injection.encodes,
    "windows.split": windows.split.__wrapped__,
    "comparisons": weighed,
    "guards of a claim": lambda text: guarded(text, PASSAGE),
    "guards of evidence": lambda text: guarded(CLAIM, text),
    "local verifier of a claim": judged_claim,
    "document_language": document_language,
    "language_of": language_of,
    "local verifier of evidence": lambda text: local_verifier().judge(CLAIM, "", [{"content": text}]),
    "markdown_report.inert": markdown_report.inert,
}
