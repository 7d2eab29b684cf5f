"""`gate correct`: the answer of a report with the figures that its evidence has, and everything else as it was."""

from __future__ import annotations

import json
import re
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from click.testing import CliRunner, Result
from hypothesis import strategies as st

from gate import cli, wiring
from gate.errors import InputError
from gate.reports import render
from gate.reports.corrected.correcting import correct
from gate.reports.corrected.edits import applied, changes_of
from gate.reports.corrected.unified import unified
from gate.reports.model import Replaced, Report
from gate.trail.trail_entries import read_entry
from tests.entrance import Entrance
from tests.growth import superlinear
from tests.hostile_text import FORBIDDEN, NASTY
from tests.report_builders import a_report_of_texts

EVIDENCE = "The pass costs 9 euros. Boats leave at nine. Parcels arrive within 5 days in June."
a_report_of = partial(a_report_of_texts, evidence=[EVIDENCE])
WRONG = "The pass costs 12 euros."
RIGHT = "The pass costs 9 euros."
MADE_UP = "The founder sailed around the world."


def edited(report: Report, turn: int = 0, **how: Any) -> str:
    """The text of a turn with the edits that its report can be given."""
    return applied(report.turns[turn].content, changes_of(correct(report, **how).edits, turn))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (WRONG, RIGHT),
        ("The pass costs **12 euros**.", "The pass costs **9 euros**."),
        (f"Hello!\n\n- Boats leave at nine.\n- {WRONG}\n", f"Hello!\n\n- Boats leave at nine.\n- {RIGHT}\n"),
        (f"> {WRONG}\r\n>\r\n> Boats leave at nine.\r\n", f"> {RIGHT}\r\n>\r\n> Boats leave at nine.\r\n"),
        (f"👩‍🚀 𝔸 Zoë!\n\n{WRONG} 🎉", f"👩‍🚀 𝔸 Zoë!\n\n{RIGHT} 🎉"),
        ("The pass costs 12\neuros.", "The pass costs 9 euros."),
        (f"```sh\npay 12 euros\n```\n\n{WRONG}", f"```sh\npay 12 euros\n```\n\n{RIGHT}"),
        (f"{WRONG} Boats leave at nine. {WRONG}", f"{RIGHT} Boats leave at nine. {RIGHT}"),
        ("The pass costs 12 euros [1].\n\n[1]: https://x.example/12", "The pass costs 9 euros [1].\n\n[1]: https://x.example/12"),
    ],
    ids=["alone", "bold", "item", "quoted lines of Windows", "astral", "wrapped", "code", "twice", "cited"],
)  # fmt: skip
def test_a_figure_is_put_in_and_everything_else_stays(before: str, after: str) -> None:
    assert edited(a_report_of(before)) == after


@pytest.mark.parametrize(
    "text",
    [
        "The pass costs **12** euros.",
        "The pass costs 12&nbsp;euros.",
        "The [pass costs 12 euros](https://x.example/12 euros).",
    ],
    ids=["half of it bold", "an entity", "in an address too"],
)
def test_a_figure_that_does_not_stand_as_it_reads_is_left_to_a_person(text: str) -> None:
    found = correct(a_report_of(text))
    assert not found.edits
    assert [claim.claim_id for claim, _ in found.left] == ["c0001"]


def test_what_is_not_edited_says_what_there_is_to_do_and_why() -> None:
    found = correct(a_report_of(f"The pass costs **12** euros. {MADE_UP}"))
    assert [to_do for _, to_do in found.left] == [
        "Instead of “12 euros” the evidence has “9 euros”. "
        "Not done here: formatting, a mark or personal data stands within the figure.",
        "Remove it, or add a document that says so to the corpus.",
    ]


def test_a_figure_is_not_put_in_where_another_of_the_sentence_would_still_differ() -> None:
    (left,) = correct(a_report_of("The pass costs 12 euros, a dog 40 kilograms.")).left
    assert "Not done here: with it something would still differ" in left[1]


def test_a_corrected_sentence_says_which_passage_has_the_figure_and_which_words_none_has() -> None:
    found = correct(a_report_of("The pass by Holm costs 12 euros."))
    (change,) = found.edits[0].changes
    assert (change.said, change.text, change.passage, change.sentence) == ("12 euros", "9 euros", "p0", RIGHT)
    assert found.beside == {"c0001": ("Holm",)}


def test_a_figure_that_begins_a_sentence_keeps_its_capital() -> None:
    evidence = "The bill is paid in three monthly parts with Klarna."
    report = a_report_of("Four monthly parts pay the bill with Klarna.", evidence=[evidence])
    assert edited(report) == "Three monthly parts pay the bill with Klarna."


@pytest.mark.parametrize(
    ("how", "before", "after"),
    [
        ("leave", f"Boats leave at nine. {MADE_UP}", f"Boats leave at nine. {MADE_UP}"),
        ("strike", f"Boats leave at nine. {MADE_UP}", f"Boats leave at nine. ~~{MADE_UP}~~"),
        ("strike", f"{MADE_UP[:-1]} [3].", f"~~{MADE_UP[:-1]} [3].~~"),
        ("strike", "Hello!\n\n- Boats fly at night (Passage 3)", "Hello!\n\n- ~~Boats fly at night (Passage 3)~~"),
        ("remove", f"Boats leave at nine. {MADE_UP}", "Boats leave at nine."),
        ("remove", f"{MADE_UP} Boats leave at nine.", "Boats leave at nine."),
        ("remove", f"- Boats leave at nine.\n- {MADE_UP} It rains.\n- {RIGHT}", f"- Boats leave at nine.\n- {RIGHT}"),
        ("remove", f"{RIGHT}\n\n{MADE_UP}\n\nBoats leave at nine.", f"{RIGHT}\n\nBoats leave at nine."),
        ("remove", f"# Boats fly at night\n\n{RIGHT}\n", f"# Boats fly at night\n\n{RIGHT}\n"),
        ("remove", f"Boats leave at nine. **{MADE_UP}**", f"Boats leave at nine. **{MADE_UP}**"),
        ("remove", f"| a | b |\n|---|---|\n| founder | sailed |\n\n{RIGHT}", f"| a | b |\n|---|---|\n| founder | sailed |\n\n{RIGHT}"),  # noqa: E501
    ],
)  # fmt: skip
def test_sentences_without_support_stay_unless_somebody_asks(how: str, before: str, after: str) -> None:
    assert edited(a_report_of(before), unsupported=how) == after


def test_a_sentence_that_another_claim_stands_in_is_not_taken_out() -> None:
    report = a_report_of(MADE_UP)
    beside = report.claims[0].model_copy(update={"claim_id": "c0002", "status": "supported", "text": "He sailed."})
    found = correct(report.model_copy(update={"claims": (*report.claims, beside)}), unsupported="remove")
    assert not found.edits


def test_only_what_is_asked_for_is_edited() -> None:
    text = f"{WRONG} {MADE_UP} {WRONG}"
    assert edited(a_report_of(text), only=["c0003"], unsupported="remove") == f"{WRONG} {MADE_UP} {RIGHT}"
    with pytest.raises(InputError, match="c0009: the report has no claim of that id"):
        correct(a_report_of(text), only=["c0009"])


PIECES = st.sampled_from(
    [
        WRONG, MADE_UP, "Boats leave at nine.", "Parcels arrive within 8 days in June.", "Ünïcode 𝔘 🎉!", "# Prices",
        "- item one", "`12 euros`", "~~crossed~~", "| 12 | 9 |", "[12 euros](x)", "**12 euros**", "```", "\u200f", "*",
        "> The pass costs 12 euros", "12.", "1. The pass costs 12\neuros.",
    ]
)  # fmt: skip
TEXTS = st.lists(st.tuples(PIECES, st.sampled_from([" ", "\n", "\n\n", "\r\n", "\t"])), max_size=12).map(
    lambda pairs: "".join(piece + end for piece, end in pairs)
)


@hypothesis.given(TEXTS, st.sampled_from(["leave", "strike", "remove"]))
def test_each_edit_changes_its_own_place_alone_and_no_figure_then_differs_there(text: str, how: Any) -> None:
    report = a_report_of(text)
    found = correct(report, unsupported=how)
    changes = changes_of(found.edits, 0)
    after = applied(text, changes)
    at = moved = 0
    for change in changes:
        assert at <= change.start <= change.end <= len(text)
        assert after[at + moved : change.start + moved] == text[at : change.start]
        moved += len(change.text) - (change.end - change.start)
        at = change.end
    assert after[at + moved :] == text[at:]
    assert found.edits or after == text
    corrected = {claim_id for edit in found.edits if edit.kind == "correct" for claim_id in edit.claims}
    again = a_report_of(after).claims
    if how == "leave":
        for claim, now in zip(report.claims, again, strict=True):
            assert now.text == claim.text or claim.claim_id in corrected
            if claim.claim_id in corrected:
                assert all(check["passed"] for check in now.checks)


@hypothesis.given(TEXTS, st.sampled_from(["leave", "strike", "remove"]))
def test_the_diff_made_of_the_edits_makes_the_edited_text(text: str, how: Any) -> None:
    report = a_report_of(text)
    changes = changes_of(correct(report, unsupported=how).edits, 0)
    shown = unified(text, changes, "answer.md")
    assert patched(text, shown) == applied(text, changes)
    assert bool(shown) is bool(changes)


def patched(text: str, diff: str) -> str:
    """The text that a unified diff makes of another."""
    old, new, at = re.findall(r"[^\n]*\n|[^\n]+", text), list[str](), 0
    mark = ""
    for line in diff.split("\n")[2:-1]:
        if line.startswith("@@"):
            first, count = (int(part) for part in line.split()[1][1:].split(","))
            start = first - bool(count)
            new += old[at:start]
            at = start
            continue
        if line.startswith("\\"):
            if mark in " +":
                new[-1] = new[-1].removesuffix("\n")
            continue
        mark = line[0]
        if mark in " -":
            assert old[at].removesuffix("\n") == line[1:]
            at += 1
        if mark in " +":
            new.append(f"{line[1:]}\n")
    return "".join([*new, *old[at:]])


def test_git_takes_the_diff(tmp_path: Path) -> None:
    text = f"{RIGHT}\n" * 9 + f"{WRONG}\n" + f"{RIGHT}\n" * 9 + MADE_UP
    report = a_report_of(text)
    changes = changes_of(correct(report, unsupported="remove").edits, 0)
    (tmp_path / "answer.md").write_text(text)
    diff = unified(text, changes, "answer.md").encode()
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=diff, check=True)
    assert (tmp_path / "answer.md").read_text() == applied(text, changes)


def put(report: Report, folder: Path) -> str:
    (folder / "report.json").write_bytes(render(report, "json").data)
    return str(folder / "report.json")


def gate(*arguments: str, **how: Any) -> Result:
    result = CliRunner().invoke(cli.group, list(arguments), prog_name="gate", **how)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def test_the_edited_answer_is_printed_and_every_edit_told_beside_it(tmp_path: Path) -> None:
    result = gate("correct", put(a_report_of(f"{WRONG} {MADE_UP}"), tmp_path))
    assert result.stdout == f"{RIGHT} {MADE_UP}\n"
    assert result.stderr == (
        "gate: answer.md: 1 corrected; 1 left to do by hand\n"
        "  c0001 corrected: “12 euros” → “9 euros”\n"
        f"    [Guide › Prices] “{RIGHT}”\n"
        "  by hand: Remove it, or add a document that says so to the corpus.\n"
        f"    c0002 “{MADE_UP}”\n"
        "gate: the edited answer is not a checked one: check it again\n"
    )
    assert result.exit_code == 1


def test_where_nothing_is_left_the_exit_code_says_so(tmp_path: Path) -> None:
    assert gate("correct", put(a_report_of(f"{WRONG} {RIGHT}"), tmp_path)).exit_code == 0


def test_a_file_keeps_its_bytes_but_for_the_figure(tmp_path: Path) -> None:
    report, data = a_report_of(f"# Head\r\n\r\n{WRONG}\r\n\ttab\r\n"), b"\xef\xbb\xbf# Head\r\n\r\n%s\r\n\ttab\r\n"
    path = put(report, tmp_path)
    (tmp_path / "a.md").write_bytes(data % WRONG.encode())
    out = tmp_path / "b.md"
    result = gate("correct", path, "--answer", str(tmp_path / "a.md"), "-o", str(out))
    assert result.stdout == ""
    assert out.read_bytes() == data % RIGHT.encode()


def test_an_answer_without_a_correction_is_handed_out_as_it_is(tmp_path: Path) -> None:
    data = f"\n  {RIGHT}\r\n\r\n\x0c {MADE_UP} \n\n".encode()
    (tmp_path / "a.md").write_bytes(data)
    path = put(a_report_of(data.decode()), tmp_path)
    gate("correct", path, "--answer", str(tmp_path / "a.md"), "-o", str(tmp_path / "b.md"))
    assert (tmp_path / "b.md").read_bytes() == data


def test_another_text_than_the_one_checked_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(f"{WRONG} Boats leave at ten.")
    result = gate("correct", put(a_report_of(WRONG), tmp_path), "--answer", str(tmp_path / "a.md"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"gate: {tmp_path / 'a.md'}: is not the text that the report is about\nhint: check it again\n"
    )


def test_personal_data_stays_replaced_unless_the_checked_file_is_given(tmp_path: Path) -> None:
    shown = f"Write to [REDACTED_EMAIL] at once. {WRONG}"
    report = a_report_of(shown)
    token = Replaced(start=9, end=25, kind="EMAIL", rule="patterns")
    turn = report.turns[0].model_copy(update={"redactions": (token,)})
    path = put(report.model_copy(update={"turns": (turn,)}), tmp_path)
    bare = gate("correct", path)
    assert bare.stdout == f"Write to [REDACTED_EMAIL] at once. {RIGHT}\n"
    assert "personal data stays replaced: --answer FILE" in bare.stderr
    (tmp_path / "a.md").write_text(f"Write to ann@example.org at once. {WRONG}")
    kept = gate("correct", path, "--answer", str(tmp_path / "a.md"))
    assert kept.stdout == f"Write to ann@example.org at once. {RIGHT}\n"
    assert "ann@" not in kept.stderr


def test_of_several_answers_the_turns_are_printed_as_the_gate_reads_them(tmp_path: Path) -> None:
    report = a_report_of("What is it?", WRONG, "And boats?", MADE_UP, roles=["user", "assistant"] * 2)
    printed = json.loads(gate("correct", put(report, tmp_path)).stdout)
    assert [turn["content"] for turn in printed["turns"]] == ["What is it?", RIGHT, "And boats?", MADE_UP]
    diff = gate("correct", put(report, tmp_path), "--diff").stdout
    assert diff.startswith("--- a/answer.md, turn 2\n")


def test_an_answer_is_found_among_the_records_of_a_file(tmp_path: Path) -> None:
    lines = [{"turns": [{"role": "assistant", "content": text}]} for text in (MADE_UP, f"{WRONG}\r\nBoats.")]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    path = put(a_report_of(f"{WRONG}\r\nBoats."), tmp_path)
    gate("correct", path, "--answer", str(tmp_path / "a.jsonl"), "-o", str(tmp_path / "b.md"))
    assert (tmp_path / "b.md").read_bytes() == f"{RIGHT}\r\nBoats.".encode()


def test_neither_report_nor_answer_is_written_over(tmp_path: Path) -> None:
    path = put(a_report_of(WRONG), tmp_path)
    assert gate("correct", path, "-o", path).exit_code == 2


@pytest.mark.parametrize(
    "change",
    [
        {"start": -1},
        {"end": 10**18},
        {"start": 9, "end": 3},
        {"turn": 7},
        {"turn": -1},
    ],
    ids=str,
)
def test_claims_that_stand_nowhere_in_their_report_are_refused(tmp_path: Path, change: dict[str, int]) -> None:
    report = a_report_of(WRONG)
    claims = (report.claims[0].model_copy(update=change),)
    path = tmp_path / "report.json"
    path.write_text(report.model_copy(update={"claims": claims}).model_dump_json())
    result = gate("correct", str(path))
    assert result.exit_code == 2
    assert f"{path}: is no report" in result.stderr


def test_a_claim_that_is_moved_or_doubled_edits_nothing(tmp_path: Path) -> None:
    report = a_report_of(f"Boats cost 12 euros. {WRONG}")
    first, second = report.claims
    moved = second.model_copy(update={"start": first.start, "end": first.end})
    found = correct(report.model_copy(update={"claims": (moved,)}))
    assert not found.edits
    assert "it is not a sentence of the answer as it is shown" in found.left[0][1]
    with pytest.raises(InputError, match="two claims of the report have one id"):
        correct(report.model_copy(update={"claims": (first, first)}))


def test_a_report_that_is_hostile_throughout_steers_nothing_and_ends_in_one_of_the_exit_codes(tmp_path: Path) -> None:
    text = f"{WRONG} {NASTY} {MADE_UP}"
    report = a_report_of(text, name=f"x {NASTY}", evidence=[f"{EVIDENCE} {NASTY}"], run_id=f"../{NASTY}")
    odd = [claim.model_copy(update={"doubt": float("nan"), "claim_id": f"c{at} {NASTY}"})
           for at, claim in enumerate(report.claims)]  # fmt: skip
    path = tmp_path / "report.json"
    path.write_bytes(render(report.model_copy(update={"claims": tuple(odd)}), "json").data)
    for more in ((), ("--diff",), ("--unsupported", "strike"), ("--unsupported", "remove"), ("--accept",)):
        result = gate("correct", str(path), *more)
        assert result.exit_code in (0, 1, 2)
        assert not FORBIDDEN.search(result.stdout + result.stderr)


def test_the_report_of_a_run_that_failed_has_nothing_to_correct(tmp_path: Path) -> None:
    report = a_report_of(WRONG, failure={"error": "ModelUnavailableError", "message": ""})
    path = tmp_path / "report.json"
    path.write_text(report.model_dump_json(warnings=False))
    result = gate("correct", str(path))
    assert result.exit_code == 2
    assert "is the report of a run that failed" in result.stderr


def test_who_accepts_which_edits_is_an_entry_without_text(tmp_path: Path, entrance: Entrance) -> None:
    entrance.change(ledger="local")
    path = put(a_report_of(f"{WRONG} {MADE_UP}"), tmp_path)
    result = gate("correct", path, "--accept")
    assert "entry 1 of the ledger" in result.stderr
    assert "the ledger does not have this report" in result.stderr
    trail = wiring.current().trail()
    assert trail is not None
    line = trail.last("main") or b""
    entry = read_entry(line)
    assert entry is not None
    assert (entry.kind, entry.run) == ("correction", "a-run")
    assert {key: entry.facts[key] for key in ("accepted", "correct", "left")} == {
        "accepted": ["c0001"], "correct": 1, "left": 1}  # fmt: skip
    assert b"euros" not in line
    assert b"founder" not in line


def test_where_no_ledger_is_kept_one_line_says_that_nobody_wrote_it_down(tmp_path: Path) -> None:
    result = gate("correct", put(a_report_of(WRONG), tmp_path), "--accept")
    assert result.stderr.splitlines()[0] == "gate: nobody wrote down who accepted it: no ledger is kept (GATE_LEDGER)"
    assert result.stdout == f"{RIGHT}\n"


def test_nothing_is_written_down_where_nothing_is_edited(tmp_path: Path, entrance: Entrance) -> None:
    entrance.change(ledger="local")
    assert "there is nothing to accept" in gate("correct", put(a_report_of(RIGHT), tmp_path), "--accept").stderr
    trail = wiring.current().trail()
    assert trail is not None
    assert trail.last("main") is None


@pytest.mark.parametrize("unit", ["It is so. ", "- The pass costs 12 euros.\n", "[a](b "])
def test_time_grows_with_the_answer(unit: str) -> None:
    def every_step(text: str) -> str:
        report = a_report_of(f"{WRONG} {text}")
        changes = changes_of(correct(report, unsupported="remove").edits, 0)
        return unified(report.turns[0].content, changes, "answer.md")

    assert not superlinear(every_step, unit, 2_048)
