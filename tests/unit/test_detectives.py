"""The detectives together: what they leave is what the aggregator gets, and nothing is left out in silence."""

from __future__ import annotations

import base64
import shlex
import subprocess
import sys
import time
import zlib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from gate.adapters import images, tesseract
from gate.adapters.repositories import open_repository
from gate.agents import collect_docs_evidence
from gate.agents.aggregate_evidence import aggregate_evidence
from gate.catalogue import DETECTIVES
from gate.errors import InputError, SettingsError
from gate.repository.names import lexicon
from gate.repository.names.lexicon import UnreadNamesError, read_lexicon
from gate.runtime import agent_function
from tests.entrance import Entrance

REPO = {"kind": "files", "files": ["README.md", "src/gate/model.py", "src/gate/vector_store.py"]}


def a_png(width: int = 2, height: int = 2) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x00\x00\x00\x00"
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def an_image(data: bytes | None = None, location: str = "flow.png") -> dict[str, str]:
    image = a_png() if data is None else data
    return {"location": location, "media_type": "image/png", "base64": base64.b64encode(image).decode()}


class FakeReader:
    name = "fake/1"

    def __init__(self, text: str) -> None:
        self.text = text

    def read(self, image: bytes, media_type: str) -> str:
        images.checked(image)
        return self.text


@pytest.fixture
def reader(entrance: Entrance) -> FakeReader:
    fake = FakeReader("")
    entrance.give(image_reader=fake)
    return fake


def investigate(artifacts: dict[str, Any], **state: Any) -> dict[str, Any]:
    """Run the detectives side by side, as the state machine does, then the aggregator."""
    collected = []
    for detective in DETECTIVES:
        own = {"artifacts": artifacts, **state}
        agent_function(detective)(own)
        collected.append({"detective": detective, "evidences": own["evidences"], "error": None})
    whole = {"collected": collected, **state}
    aggregate_evidence(whole)
    return whole


def of_class(state: dict[str, Any], source: str, kind: str) -> list[dict[str, Any]]:
    return [entry for entry in state["evidences"][source] if entry["evidence_class"] == kind]


def test_a_document_that_cites_a_file_that_is_not_there_is_found_out_with_its_place() -> None:
    docs = [{"location": "README.md", "text": "One\n\nSee [it](src/gate/modle.py) and [that](src/gate/model.py)."}]

    state = investigate({"repo": REPO, "docs": docs})

    [claim] = of_class(state, "docs", "DOCUMENT_CLAIM")
    assert claim["location"] == "src/gate/modle.py"
    assert claim["source"] == "README.md:3"
    assert claim["mention"]["tier"] == "block"
    assert claim["mention"]["suggestion"] == "src/gate/model.py"
    assert [entry["found"] for entry in of_class(state, "docs", "PATH_MENTION")] == [False, True]
    assert state["metadata"]["pipeline_integrity"] == "SUCCESS"
    assert state["metadata"]["conflicts"][0]["between"] == ["docs", "repo"]


def test_names_in_code_that_the_repository_lacks_are_found_out_once_each_with_their_places(tmp_path: Path) -> None:
    (tmp_path / "tern").mkdir()
    (tmp_path / "tern/__init__.py").write_text("def open_flock(path): pass\n")
    turns = [{"role": "assistant", "content": "Call `tern.open_flocks()`.\n\nThen `tern.open_flocks()`, `tern.x_y`."}]

    state = investigate({}, transcript={"turns": turns}, config={"repo_root": str(tmp_path)})

    one, other = of_class(state, "docs", "NAME_CLAIM")
    assert (one["component"], one["location"], one["source"]) == ("tern.open_flocks", "turn 0", "turn 0:1")
    assert (one["mention"]["tier"], one["mention"]["suggestion"]) == ("block", "open_flock")
    assert len(one["mentioned_by"]) == 2
    assert other["component"] == "tern.x_y"
    assert state["metadata"]["missing_names"] == 2
    assert state["metadata"]["missing_paths"] == 0
    assert state["metadata"]["pipeline_integrity"] == "SUCCESS"
    [document] = of_class(state, "docs", "DOCUMENT")
    assert document["mention"]["counts"]["names_missing"] == 3


def test_names_are_left_alone_where_a_file_of_the_repository_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "tern").mkdir()
    (tmp_path / "tern/__init__.py").write_text("def open_flock(path): pass\n")
    (tmp_path / "tern/locked.py").write_text("")
    turns = [{"role": "assistant", "content": "Call `tern.open_flocks()`."}]
    repo = {"kind": "worktree", "path": "."}
    opened = open_repository(repo, str(tmp_path))
    (tmp_path / "tern/locked.py").unlink()

    with pytest.raises(UnreadNamesError, match="the file cannot be read") as unread:
        read_lexicon(opened)
    assert unread.value.path == "tern/locked.py"
    assert investigate({}, transcript={"turns": turns}, config={"repo_root": str(tmp_path)})["metadata"][
        "missing_names"
    ]


def test_names_that_were_not_looked_up_are_told_once_and_fail_the_integrity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lexicon, "MAX_BYTES", 40)
    (tmp_path / "tern").mkdir()
    (tmp_path / "tern/__init__.py").write_text("def open_flock(path): pass\n")
    repo = {"kind": "worktree", "path": "."}
    docs = [{"location": f"{n}.md", "text": "Call `tern.open_flocks()`."} for n in range(2)]
    root = {"repo_root": str(tmp_path)}
    assert investigate({"repo": repo, "docs": docs}, config=root)["metadata"]["pipeline_integrity"] == "SUCCESS"
    (tmp_path / "tern/more.py").write_text("x = 1\n" * 4)

    state = investigate({"repo": repo, "docs": docs}, config=root)

    [unread] = of_class(state, "docs", "UNREADABLE")
    assert unread["location"] == "."
    assert unread["rationale"] == "names in code were not looked up: the repository's files hold more than 40 bytes"
    assert [one["mention"]["counts"]["names_unread"] for one in of_class(state, "docs", "DOCUMENT")] == [1, 1]
    assert state["metadata"]["pipeline_integrity"] == "FAILED"
    without_code = [{"location": "a.md", "text": "There is nothing in code here."}]
    assert investigate({"repo": repo, "docs": without_code}, config=root)["metadata"]["pipeline_integrity"] == "SUCCESS"


def test_an_answer_that_invents_a_file_is_found_out() -> None:
    turns = [
        {"role": "user", "content": "Where is `src/made/up_by_user.py`?"},
        {"role": "assistant", "content": "The engine is in src/gate/engine.py."},
    ]

    state = investigate({"repo": REPO}, transcript={"turns": turns})

    [claim] = of_class(state, "docs", "DOCUMENT_CLAIM")
    assert (claim["location"], claim["source"]) == ("src/gate/engine.py", "turn 1:1")


def test_an_answer_shows_no_layout_and_is_judged_link_by_link() -> None:
    text = "\n".join(f"See `src/gate/f{number}_reader.py`." for number in range(9))
    repo = {"kind": "listing", "files": ["src/gate/model.py"]}

    asked = investigate({"repo": repo, "docs": [{"location": "answer.md", "text": text, "answer": True}]})
    written = investigate({"repo": repo, "docs": [{"location": "README.md", "text": text}]})

    assert (len(of_class(asked, "docs", "DOCUMENT_CLAIM")), of_class(asked, "docs", "UNJUDGED")) == (9, [])
    assert of_class(written, "docs", "DOCUMENT_CLAIM") == []
    [told] = of_class(written, "docs", "UNJUDGED")
    assert (told["location"], told["mention"]["count"]) == ("README.md", 9)
    assert written["metadata"]["pipeline_integrity"] == "SUCCESS"


def test_documents_are_counted_and_assert_nothing_themselves() -> None:
    docs = [{"location": "notes/gone.md", "text": "`src/*.py`, `my/x.py` and [x](https://example.org)"}]

    state = investigate({"repo": REPO, "docs": docs})

    [document] = of_class(state, "docs", "DOCUMENT")
    assert document["mention"] == {"kind": "document", "counts": {"glob": 1, "placeholder": 1, "url": 1}}
    assert of_class(state, "docs", "DOCUMENT_CLAIM") == []


def test_without_a_repository_nothing_is_said_to_be_missing_and_the_integrity_says_so() -> None:
    state = investigate({"docs": [{"location": "a.md", "text": "[x](gone.md)"}]})

    assert of_class(state, "docs", "DOCUMENT_CLAIM") == []
    assert state["metadata"]["problems"] == [{"problem": "missing_key", "source": "repo"}]
    assert state["metadata"]["pipeline_integrity"] == "FAILED"


def test_a_repository_that_cannot_be_read_flags_nothing_and_is_named() -> None:
    state = investigate(
        {"repo": {"kind": "worktree", "path": "nowhere"}, "docs": [{"location": "a.md", "text": "[x](y.md)"}]}
    )

    assert of_class(state, "docs", "DOCUMENT_CLAIM") == []
    assert of_class(state, "repo", "UNREADABLE")[0]["rationale"] == "the repository's folder does not exist"
    assert state["metadata"]["pipeline_integrity"] == "FAILED"


def test_the_work_tree_is_repo_root_where_no_other_repository_came_along(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")

    state = investigate({"docs": [{"location": "b.md", "text": "[x](a.py)"}]}, config={"repo_root": str(tmp_path)})

    assert [entry["location"] for entry in of_class(state, "repo", "FILE")] == ["a.py"]
    assert state["metadata"]["pipeline_integrity"] == "SUCCESS"


def test_a_document_that_cannot_be_read_is_named_and_the_others_are_read() -> None:
    docs = [{"location": "bad.md", "text": "a\0b"}, {"location": "good.md", "text": "[x](README.md)"}]

    state = investigate({"repo": REPO, "docs": docs})

    assert [entry["location"] for entry in of_class(state, "docs", "UNREADABLE")] == ["bad.md"]
    assert [entry["found"] for entry in of_class(state, "docs", "PATH_MENTION")] == [True]
    assert state["metadata"]["pipeline_integrity"] == "FAILED"


def test_an_entry_of_the_repository_that_was_left_out_is_named_among_the_rejections() -> None:
    state = investigate({"repo": {"kind": "files", "files": ["a.py", "../b.py"]}, "docs": []})

    assert [(r["location"], r["reason"]) for r in state["metadata"]["rejections"]] == [
        ("../b.py", "the path leaves the repository")
    ]
    assert state["metadata"]["pipeline_integrity"] == "FAILED"


def test_images_that_nobody_can_read_are_named(entrance: Entrance) -> None:
    entrance.give(image_reader=None)

    state = investigate({"repo": REPO, "docs": [], "images": [an_image()]})

    [entry] = state["evidences"]["vision"]
    assert entry["rationale"] == "vision was not available: no image reader is configured"
    assert state["metadata"]["pipeline_integrity"] == "FAILED"


def test_without_images_no_reader_is_asked_for(entrance: Entrance) -> None:
    entrance.refuse("image_reader")

    assert investigate({"repo": REPO, "docs": []})["evidences"]["vision"] == []


def test_an_image_that_shows_what_neither_repository_nor_documents_have_is_a_conflict(reader: FakeReader) -> None:
    reader.text = (
        "src/gate/model.py\nsrc/gate/cache.py\nCOMPONENT: VectorStore\nCOMPONENT: Order Service\nCOMPONENT: Mainframe"
    )
    docs = [{"location": "README.md", "text": "The Order Service writes to the store."}]

    state = investigate({"repo": REPO, "docs": docs, "images": [an_image()]})

    conflicts = of_class(state, "vision", "VISION_CONFLICT")
    assert [entry["component"] for entry in conflicts] == ["src/gate/cache.py", "Mainframe"]
    assert conflicts[0]["source"] == "flow.png"
    assert {"vision"} < set(state["metadata"]["conflicts"][0]["between"])
    assert of_class(state, "vision", "IMAGE_TEXT")[0]["rationale"] == "Read by fake/1."


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (a_png(60_000, 60_000), "60000 by 60000 pixels"),
        (b"\x89PNG\r\n\x1a\n", "damaged"),
        (b"BM bitmap", "of a kind that is not known"),
        (b"", "of a kind that is not known"),
        (a_png() + bytes(images.MAX_BYTES), "larger than"),
    ],
)
def test_an_image_bomb_or_a_broken_image_is_refused_by_name(reader: FakeReader, data: bytes, reason: str) -> None:
    state = investigate({"repo": REPO, "docs": [], "images": [an_image(data), an_image(location="ok.png")]})

    [refused] = of_class(state, "vision", "UNREADABLE")
    assert refused["location"] == "flow.png"
    assert reason in refused["rationale"]
    assert [entry["location"] for entry in of_class(state, "vision", "IMAGE_TEXT")] == ["ok.png"]


def test_an_image_that_is_not_base64_is_refused_by_name(reader: FakeReader) -> None:
    state = investigate({"repo": REPO, "docs": [], "images": [{"location": "x.png", "base64": "?"}]})

    assert state["evidences"]["vision"][0]["rationale"] == "the image is not valid Base64"


def alike(number: int) -> str:
    """A name of the same letters as every other one."""
    letters = list("abcdefghijklmnopqrstuvwxyz" * 9)
    Random(number).shuffle(letters)
    return "".join(letters)


def test_a_document_of_paths_that_are_nearly_there_does_not_take_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collect_docs_evidence, "MAX_CPU_S", 0.5)
    monkeypatch.setattr(collect_docs_evidence, "CHARACTERS_A_SECOND", 250_000)
    repo = {"kind": "files", "files": ["README.md", *(f"src/{alike(n)}.py" for n in range(1_000))]}
    hostile = "".join(f"See `src/{alike(n)}.py`.\n\n" for n in range(2_000, 2_100))

    began = time.thread_time()
    state = investigate({"repo": repo, "docs": [
        {"location": "before.md", "text": "See `README.md`."}, {"location": "hostile.md", "text": hostile},
        *({"location": f"{n}.md", "text": hostile} for n in range(9)),
    ]})  # fmt: skip
    refused = {entry["location"]: entry["rationale"] for entry in of_class(state, "docs", "UNREADABLE")}

    assert refused["hostile.md"] == "the document takes more than 0.5 s to read"
    assert refused["8.md"] == "the document comes after others that took too much to read"
    assert "before.md" not in refused
    assert state["metadata"]["pipeline_integrity"] == "FAILED"
    assert time.thread_time() - began < 15


@pytest.fixture
def a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Stand in for the tesseract command with a script of ours."""

    def install(script: str) -> tesseract.TesseractReader:
        command = tmp_path / "tesseract"
        command.write_text(f"#!/bin/sh\n{script}\n")
        command.chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
        return tesseract.TesseractReader()

    return install


def test_tesseract_gets_the_image_on_its_standard_input(a_command: Any) -> None:
    reader = a_command('test "$1 $2" = "stdin stdout" && wc -c')

    assert reader.read(a_png(), "image/png").strip() == str(len(a_png()))


def test_an_image_that_tesseract_cannot_read_is_refused(a_command: Any) -> None:
    with pytest.raises(InputError, match="damaged"):
        a_command("exit 1").read(a_png(), "image/png")


@pytest.mark.skipif(sys.platform != "linux", reason="a process's memory is bounded on Linux")
def test_an_image_whose_frames_are_larger_than_its_head_says_does_not_fill_the_memory(a_command: Any) -> None:
    takes_two_gigabytes = "cat >&2; exec " + shlex.quote(sys.executable) + " -c 'bytes(2_000_000_000)'"

    with pytest.raises(InputError, match="takes too much"):
        a_command(takes_two_gigabytes).read(a_png(), "image/png")


@pytest.mark.skipif(sys.platform != "linux", reason="a process's time is bounded on Linux")
def test_an_image_is_read_where_the_machine_allows_a_process_less_time(a_command: Any) -> None:
    a_command("cat > /dev/null; echo harbour")
    program = (
        "import sys; from pathlib import Path; from gate.adapters.tesseract import TesseractReader; "
        "print(TesseractReader().read(Path(sys.argv[1]).read_bytes(), 'image/png'))"
    )
    image = Path(__file__).parent / "data" / "diagram.png"
    command = ["sh", "-c", 'ulimit -t 30; exec "$@"', "sh", sys.executable, "-c", program, str(image)]

    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.stdout, done.stderr) == ("harbour\n", "")


def test_tesseract_that_is_not_installed_is_a_setting_to_mend(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(SettingsError, match="GATE_IMAGES"):
        tesseract.TesseractReader()


@pytest.mark.skipif(not tesseract.installed(), reason="tesseract is not installed")
def test_tesseract_reads_a_real_image() -> None:
    picture = (Path(__file__).parent / "data" / "diagram.png").read_bytes()

    assert "OrderService" in tesseract.TesseractReader().read(picture, "image/png")
