"""`gate index` and `gate ask` as they are used."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gate import cli, wiring
from gate.retrieval.query_terms import LANGUAGES
from gate.settings import Settings
from tests.entrance import Entrance


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "returns.md").write_text(
        "# Returns\n\nReturns are free within 30 days.\n\n## Costs\n\nBoxes cost 2 euro.\n"
    )
    return folder


def gate(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli.group, list(arguments))
    assert result.exit_code == code, result.output + str(result.exception)
    return result


def test_long_passages_keep_their_indent(docs: Path) -> None:
    (docs / "long.md").write_text("# Long\n\n" + "Boxes of card are folded twice. " * 8)
    lines = gate("ask", "folded boxes", "--corpus", "docs", "-k", "1").output.splitlines()
    assert len(lines) > 4
    assert all(line.startswith("   ") for line in lines[1:] if line.strip())


def test_git_does_not_see_what_the_gate_keeps(docs: Path) -> None:
    home = wiring.current().settings.home
    gate("index", "add", "docs", "--corpus", "shop")
    assert (home / ".gitignore").read_text() == "*\n"
    (home / ".gitignore").unlink()
    gate("index", "add", "docs", "--corpus", "other")
    assert not (home / ".gitignore").exists()


def test_a_corpus_is_added_shown_verified_and_emptied(docs: Path) -> None:
    assert "2 added, 0 unchanged, 0 removed" in gate("index", "add", "docs", "--corpus", "shop").output
    assert "0 added, 2 unchanged, 0 removed" in gate("index", "add", "docs", "--corpus", "shop").output
    shown = gate("index", "show", "--corpus", "shop").output
    assert "passages   2" in shown
    assert "languages  English 2" in shown
    assert "keyword search alone" in shown
    assert "2 passages" in gate("index", "verify", "--corpus", "shop").output
    assert "2 passages removed" in gate("index", "remove", "docs/returns.md", "--corpus", "shop").output


def test_a_corpus_can_be_made_empty(docs: Path) -> None:
    assert gate("index", "init", "--corpus", "shop").output == "shop: made\n"
    assert gate("index", "init", "--corpus", "shop").output == "shop: was there already\n"


def test_what_cannot_be_read_is_listed_and_exits_with_2(docs: Path) -> None:
    (docs / "bad.txt").write_bytes(b"\xff")
    result = gate("index", "add", "docs", "--corpus", "shop", code=2)
    assert "docs/bad.txt: not UTF-8 at byte 0" in result.output
    assert "2 added" in result.output


def test_a_path_that_is_not_there_is_one_line(docs: Path) -> None:
    result = gate("index", "add", "nowhere", code=2)
    assert result.output == "gate: nowhere: no such file or folder\n"


def test_a_question_is_answered_from_a_folder(docs: Path) -> None:
    output = gate("ask", "What do boxes cost?", "--corpus", "docs").output
    assert "1. Returns › Costs" in output
    assert "keyword 1" in output


def test_the_explanation_shows_terms_lists_and_fusion(docs: Path) -> None:
    output = gate("ask", "What do the boxes cost?", "--corpus", "docs", "--explain").output
    assert "terms    what, do, box, cost" in output
    assert "vectors  none: keyword search alone" in output
    assert "keyword (BM25): 1 found" in output
    assert "vector (cosine): 0 found" in output
    assert "0.0164" in output


def test_a_passage_is_shown_with_its_file_and_line(docs: Path) -> None:
    assert "docs/returns.md:7" in gate("ask", "What do boxes cost?", "--corpus", "docs").output
    gate("index", "add", "docs", "--corpus", "shop")
    found = json.loads(gate("ask", "What do boxes cost?", "--corpus", "shop", "--json").output)["passages"][0]
    assert (found["file"], found["line"]) == ("docs/returns.md", 7)
    (docs / "returns.md").unlink()
    assert "docs/returns.md#" in gate("ask", "What do boxes cost?", "--corpus", "shop").output


@pytest.mark.parametrize("language", ["english", "japanese", "chinese", "korean"])
def test_a_corpus_in_japanese_is_searched_whatever_the_language_of_the_corpus(
    docs: Path, entrance: Entrance, language: str
) -> None:
    entrance.change(language=language)
    (docs / "ja.md").write_text("送料は無料です。返品は30日以内にできます。", encoding="utf-8")
    assert "docs/ja.md:1" in gate("ask", "返品は何日以内ですか", "--corpus", "docs").output


def test_what_is_in_another_language_than_the_corpus_is_looked_up_in_is_a_line(docs: Path, entrance: Entrance) -> None:
    german = "# Erstattungen\n\nDie Erstattung wird nach der Prüfung auf das Konto gezahlt, und zwar mit Zinsen.\n"
    (docs / "erstattungen.md").write_text(german, encoding="utf-8")
    said = gate("index", "add", "docs", "--corpus", "shop").output
    assert (
        "gate: shop: passages in another language than GATE_LANGUAGE are looked up with the stems and stop words of "
        "english: German 1 of 3\n"
    ) in said
    entrance.change(language="japanese")
    assert (
        "without stems and stop words: English 2, German 1 of 3\n"
        in gate("index", "add", "docs", "--corpus", "ja").output
    )


def test_a_corpus_in_its_own_language_needs_no_line(docs: Path, entrance: Entrance) -> None:
    assert "GATE_LANGUAGE" not in gate("index", "add", "docs", "--corpus", "shop").output
    for language in ("danish", "russian"):
        entrance.change(language=language)
        text = {
            "danish": "Pengene er på kontoen, og de er ikke for dig.",
            "russian": "Возврат выплачивается в течение 14 дней.",
        }
        for old in docs.iterdir():
            old.unlink()
        (docs / "page.md").write_text(text[language], encoding="utf-8")
        assert "GATE_LANGUAGE" not in gate("index", "add", "docs", "--corpus", language).output


def test_a_language_that_nobody_can_analyse_is_a_line_and_those_that_can_be(docs: Path, entrance: Entrance) -> None:
    entrance.change(language="klingon")
    lines = gate("ask", "boxes", "--corpus", "docs", code=2).output.splitlines()
    assert lines[0] == "gate: GATE_LANGUAGE: 'klingon' is not known"
    assert lines[1] == f"hint: {', '.join(LANGUAGES)}"
    assert len(lines) == 2


def test_nothing_found_is_said(docs: Path) -> None:
    assert "Nothing in" in gate("ask", "zebra", "--corpus", "docs").output


def test_passages_can_be_had_as_json(docs: Path) -> None:
    found = json.loads(gate("ask", "boxes", "--corpus", "docs", "--json").output)
    assert found["passages"][0]["section"] == "Costs"
    assert found["passages"][0]["keyword"]["rank"] == 1
    assert found["corpus"]["engine"] == "embedded"


def test_an_unknown_corpus_is_one_line_and_a_hint(docs: Path) -> None:
    result = gate("ask", "boxes", "--corpus", "nope", code=2)
    assert result.output.startswith("gate: nope: neither a file nor a folder nor a corpus\nhint: ")


def test_an_empty_question_is_refused(docs: Path) -> None:
    assert gate("ask", " ", "--corpus", "docs", code=2).output == "gate: the question is empty\n"


def test_an_empty_corpus_is_named(docs: Path) -> None:
    gate("index", "init", "--corpus", "shop")
    assert "the corpus 'shop' is empty" in gate("ask", "boxes", "--corpus", "shop", code=2).output


def test_a_wrong_search_setting_is_not_taken_for_a_missing_corpus(entrance: Entrance, docs: Path) -> None:
    entrance.use(Settings(search="https://search.example", search_service="nonsense"))
    assert "GATE_SEARCH_SERVICE" in gate("ask", "boxes", "--corpus", "shop", code=2).output


def test_corpora_are_listed_with_what_they_were_made_from_and_deleted_by_name(docs: Path) -> None:
    assert "no corpora" in gate("index", "list").output
    gate("index", "add", "docs", "--corpus", "shop")
    gate("ask", "boxes", "--corpus", "docs")
    _, of_path, kept = gate("index", "list").output.splitlines()
    assert of_path.split()[0].startswith("docs-")
    assert of_path.split()[-1] == str(docs)
    assert kept.split() == ["shop", "2", "0.0"]
    folder = wiring.current().settings.home / "indexes" / "shop"
    (folder / "manifest.json").write_text("{}")
    assert "gate index delete shop" in gate("index", "show", "--corpus", "shop", code=2).output
    assert gate("index", "delete", "shop").output == "shop: deleted\n"
    assert not folder.exists()
    assert "there is no corpus 'shop'" in gate("index", "delete", "shop", code=2).output
