"""`gate audit-docs`: findings by file and line, offline, and an exit code that says whether they matter."""

from __future__ import annotations

import gzip
import io
import json
import os
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from gate.cli import audit, group


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    (root / "docs").mkdir(parents=True)
    (root / "src").mkdir()
    (root / "src" / "model.py").write_text("")
    (root / "README.md").write_text("# A\n\n[model](src/model.py) and [docs](docs/guide.md)\n")
    (root / "docs" / "guide.md").write_text("See `src/modle.py`.\n")
    return root


def run(*arguments: object) -> Result:
    return CliRunner().invoke(group, ["audit-docs", *map(str, arguments)])


def test_sound_documents_pass(repo: Path) -> None:
    result = run(repo / "README.md", "--repo", repo)

    assert result.exit_code == 0
    assert result.stdout == "1 document against 3 files: 0 block, 0 warn, 0 unread\n"


def test_a_broken_link_is_shown_with_file_line_and_what_may_have_been_meant(repo: Path) -> None:
    (repo / "README.md").write_text("# A\n\nsee [docs](docs/giude.md)\n")

    result = run(repo, "--repo", repo)

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "README.md:3:10: block: docs/giude.md does not exist in the repository. Did you mean docs/guide.md?"
        " [link_near]",
        "docs/guide.md:1:5: warn: src/modle.py does not exist in the repository. Did you mean src/model.py?"
        " [name_near]",
        "2 documents against 3 files: 1 block, 1 warn, 0 unread",
    ]


def test_what_is_left_out_of_the_repository_is_named_in_every_format_and_fails(repo: Path, tmp_path: Path) -> None:
    archive = tmp_path / "code.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for name, text in {"README.md": "# A\n", ".gitignore": "a\n" * 1_000_000}.items():
            packed.writestr(name, text)

    result = run(repo / "docs" / "guide.md", "--repo", archive)

    assert result.exit_code == 1
    *_, named, summed = result.stdout.splitlines()
    assert named.startswith(".gitignore: left out: "), result.stdout
    assert summed.endswith("0 unread, 1 left out of the repository")
    for form in ("json", "sarif", "html"):
        assert ".gitignore" in run(repo / "docs" / "guide.md", "--repo", archive, "-f", form).stdout, form


def test_links_of_an_unknown_layout_are_told_together_in_every_format_and_fail_nothing(repo: Path) -> None:
    pages = [repo / "docs" / f"page-{number}.md" for number in range(3)]
    for number, page in enumerate(pages):
        page.write_text("".join(f"![x](img/f{3 * number + each}.png)\n" for each in range(3)))
    (repo / "docs" / "guide.md").write_text("See [docs](page-9.md).\n")

    result = run(*pages, repo / "docs" / "guide.md", "--repo", repo)
    assert result.exit_code == 1  # for the link that is no convention
    said = result.stdout.splitlines()
    assert [line.partition(": ")[0] for line in said[:-1]] == ["docs/guide.md:1:10", "docs/page-0.md"]
    assert said[1].startswith("docs/page-0.md: not judged: links to images into docs/img: 9 absent")
    assert said[-1] == "4 documents against 6 files: 1 block, 0 warn, 0 unread, 9 not judged"

    alone = run(*pages, "--repo", repo, "--fail-on", "warn", "-f", "json")
    assert (alone.exit_code, json.loads(alone.stdout)["findings"]) == (0, [])
    assert [one["count"] for one in json.loads(alone.stdout)["not_judged"]] == [9]
    [noted] = json.loads(run(*pages, "--repo", repo, "-f", "sarif").stdout)["runs"][0]["results"]
    assert (noted["ruleId"], noted["level"]) == ("not_judged", "note")
    assert "9 absent" in run(*pages, "--repo", repo, "-f", "html").stdout


def test_a_document_that_is_a_link_out_of_the_repository_is_not_read(repo: Path) -> None:
    (repo.parent / "secret.md").write_text("[token](docs/1234.md)\n")
    (repo / "docs" / "leak.md").symlink_to("../../secret.md")

    result = run(repo / "docs" / "leak.md", "--repo", repo)

    assert (result.exit_code, "1234" in result.output, "leads out of" in result.stderr) == (2, False, True)


def test_a_document_that_is_a_link_within_the_repository_is_read(repo: Path) -> None:
    (repo / "docs" / "README.md").symlink_to("../README.md")

    assert run(repo / "docs" / "README.md", "--repo", repo).exit_code == 0


def test_warnings_fail_only_when_asked_to(repo: Path) -> None:
    assert run(repo / "docs", "--repo", repo).exit_code == 0
    assert run(repo / "docs", "--repo", repo, "--fail-on", "warn").exit_code == 1


def test_a_document_whose_name_has_a_blank_is_named_by_a_uri_in_sarif(repo: Path, tmp_path: Path) -> None:
    (repo / "a page.md").write_text("[x](nowhere.md)\n")
    (repo / "no pdf.pdf").write_bytes(b"%PDF-1.7 broken")

    run(repo, "--repo", repo, "-o", tmp_path / "out.sarif")

    results = json.loads((tmp_path / "out.sarif").read_text())["runs"][0]["results"]
    places = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results]
    assert {"a%20page.md", "no%20pdf.pdf"} <= set(places)


def test_json_and_sarif_say_the_same(repo: Path, tmp_path: Path) -> None:
    out = tmp_path / "findings.json"
    said = run(repo / "docs", "--repo", repo, "-f", "json", "-o", out)
    assert (said.stdout, said.stderr.splitlines()[-1]) == ("", "1 document against 3 files: 0 block, 1 warn, 0 unread")
    found = json.loads(out.read_text())
    run(repo / "docs", "--repo", repo, "-o", tmp_path / "deep" / "findings.sarif")
    sarif = json.loads((tmp_path / "deep" / "findings.sarif").read_text())

    [finding], [result] = found["findings"], sarif["runs"][0]["results"]
    assert (finding["document"], finding["line"], finding["path"]) == ("docs/guide.md", 1, "src/modle.py")
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "docs/guide.md"},
        "region": {"startLine": 1, "startColumn": 5},
    }
    assert result["message"]["text"] == finding["message"]
    assert found["metadata"]["pipeline_integrity"] == "SUCCESS"


def test_a_document_outside_the_repository_is_an_answer_about_it(repo: Path, tmp_path: Path) -> None:
    answer = tmp_path / "answer.md"
    answer.write_text("The engine is in src/engine.py and `model.py`.\n")

    result = run(answer, "--repo", repo)

    assert result.exit_code == 1
    assert result.stdout.startswith("answer.md:1:18: block: src/engine.py does not exist")


def test_a_document_that_cannot_be_read_fails_and_the_others_are_read(repo: Path) -> None:
    (repo / "docs" / "bad.pdf").write_bytes(b"%PDF-1.7 nothing")

    result = run(repo, "--repo", repo)

    assert result.exit_code == 1
    assert "docs/bad.pdf: unread: the PDF is damaged" in result.stdout
    assert "3 documents" in result.stdout


def test_names_that_were_not_looked_up_are_told_in_one_line_and_fail(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo / "docs" / "guide.md").write_text("Call `open_model()`.\n")
    (repo / "docs" / "more.md").write_text("Call `open_model()`.\n")
    assert run(repo, "--repo", repo).exit_code == 0
    monkeypatch.setattr("gate.repository.names.lexicon.MAX_BYTES", 3)

    result = run(repo, "--repo", repo)

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        ".: unread: names in code were not looked up: the repository's files hold more than 3 bytes",
        "3 documents against 4 files: 0 block, 0 warn, 1 unread",
    ]
    run(repo, "--repo", repo, "-o", tmp_path / "audit.html")
    assert "is in the repository" not in (tmp_path / "audit.html").read_text()


def test_a_repository_within_the_repository_keeps_no_names_from_being_looked_up(repo: Path, tmp_path: Path) -> None:
    for place in (repo, repo / "vendor"):
        subprocess.run(["git", "init", "-q", place], check=True)
    (repo / "src" / "model.py").write_text("def open_model(): pass\n")
    (tmp_path / "answer.md").write_text("Call `open_models()`.\n")
    result = run(tmp_path / "answer.md", "--repo", repo)
    assert result.stdout.startswith("answer.md:1:7: block: open_models() does not exist in the repository.")
    assert result.stdout.endswith("1 block, 0 warn, 0 unread\n")


def test_paths_are_looked_up_at_a_commit(repo: Path) -> None:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run(["git", *identity, "-C", str(repo), *arguments], check=True)
    (repo / "src" / "model.py").unlink()

    strict = (repo / "README.md", "--repo", repo, "--fail-on", "warn")
    assert run(*strict).exit_code == 1
    assert run(*strict, "--commit", "HEAD").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.md"], "there is no such file or folder"),
        (["README.md", "--repo", "nowhere"], "--repo nowhere: there is no such file or folder"),
        (["src"], "there is no document to read"),
        (["README.md", "-o", "README.md/x.json"], "README.md/x.json: "),
        (["README.md", "--commit", "nope"], "no such commit"),
    ],
)
def test_bad_input_is_one_clear_line_and_exits_with_2(
    arguments: list[str], message: str, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo)
    subprocess.run(["git", "init", "-q"], check=True)

    result = run(*arguments)

    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_control_characters_of_a_document_do_not_reach_the_terminal(repo: Path) -> None:
    (repo / "README.md").write_text("[x](src/mod\x07le.py)\n")

    result = run(repo / "README.md", "--repo", repo)

    assert "src/mod\N{REPLACEMENT CHARACTER}le.py does not exist" in result.stdout


def test_a_document_of_a_terabyte_is_refused_in_one_line(repo: Path) -> None:
    with (repo / "docs" / "huge.md").open("wb") as file:
        file.truncate(1 << 40)

    result = run(repo, "--repo", repo)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "huge.md: larger than 50000000 bytes" in result.stderr


def test_documents_that_are_too_large_together_are_refused(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "MAX_TOTAL_BYTES", 40)

    result = run(repo, "--repo", repo)

    assert result.exit_code == 2
    assert "the documents are larger than 40 bytes together" in result.stderr


@pytest.mark.hostile
def test_folders_deeper_than_python_can_go_are_searched(repo: Path) -> None:
    deepest = repo / "/".join(["d"] * 1100)
    handle = os.open(repo, os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("d", dir_fd=handle)
        deeper = os.open("d", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = deeper
    os.close(handle)
    (deepest / "page.md").write_text("[x](nowhere.md)\n")
    try:
        result = run(repo, "--repo", repo)
    finally:
        subprocess.run(["rm", "-rf", str(repo / "d")], check=True)

    assert result.exit_code == 0, result.output
    assert result.stdout.endswith("3 documents against 4 files: 0 block, 2 warn, 0 unread\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def an_archive_of_nothing_many_times(folder: Path) -> Path:
    """Members of gzip that hold nothing: 100 MB of them take 20 s, and unpack to not one byte."""
    place = folder / "nothing.tar.gz"
    with tarfile.open(place, "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("a.py"))
    place.write_bytes(gzip.compress(b"") * 200_000 + place.read_bytes())
    return place


def an_archive_that_unpacks_slowly(folder: Path) -> Path:
    """bzip2 takes 30 s a gigabyte to unpack."""
    place = folder / "slow.tar.bz2"
    about, data = tarfile.TarInfo("a.bin"), Random(1).randbytes(100_000) * 80
    about.size = len(data)
    with tarfile.open(place, "w:bz2") as archive:
        archive.addfile(about, io.BytesIO(data))
    return place


@pytest.mark.parametrize("archive", [an_archive_of_nothing_many_times, an_archive_that_unpacks_slowly])
def test_an_archive_that_takes_too_long_is_refused_in_one_line(
    archive: Callable[[Path], Path], repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = archive(tmp_path)
    monkeypatch.setattr("gate.services.artifacts.MAX_CPU_S", 0.1)

    result = run(repo / "README.md", "--repo", place)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "gate: --repo: the repository takes more than 0.1 s to read\n"


def test_a_document_that_is_a_pipe_is_refused_in_one_line(repo: Path) -> None:
    os.mkfifo(repo / "pipe.md")

    result = run(repo / "pipe.md", "--repo", repo)

    assert (result.exit_code, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr


def test_a_page_shows_the_findings_of_each_document_as_text(repo: Path, tmp_path: Path) -> None:
    (repo / "docs" / "<b>.md").write_text("See [x](<../src/<script>.py>) and [y](../src/modle.py).\n")
    result = run(repo / "docs", "--repo", repo, "-o", tmp_path / "audit.html")
    page = (tmp_path / "audit.html").read_text()
    assert (result.exit_code, result.stdout) == (1, "")
    assert "src/modle.py does not exist in the repository" in page
    assert "docs/&lt;b&gt;.md" in page
    assert "<script" not in page
    assert run(repo / "docs", "--repo", repo, "-o", tmp_path / "audit.pdf").exit_code == 2


def test_a_finding_is_known_again_when_it_moves(repo: Path) -> None:
    def known() -> list[str]:
        log = json.loads(run(repo / "docs", "--repo", repo, "-f", "sarif").stdout)
        return [each["partialFingerprints"]["primaryLocationLineHash"] for each in log["runs"][0]["results"]]

    before = known()
    guide = repo / "docs" / "guide.md"
    guide.write_text(f"# New head\n\nAnd more: {guide.read_text()}")
    assert before == known() != []
