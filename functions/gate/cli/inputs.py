"""Reads what the command is given; whatever cannot be used is one line that says what and where."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.errors import InputError

if TYPE_CHECKING:
    from gate.reports.model import Report
    from gate.submission.caps import Caps
    from gate.submission.transcripts.table import RecordText

STDIN = Path("-")
CHUNK_BYTES = 1_000_000
MOST_REFUSED = 1_000
"""Records one after the other that cannot be checked, until the rest of their file is not read."""
SUMMARY_HEAD = b'{\n  "summary_version"'


def name_of(path: Path) -> str:
    """Return what a file is called in reports: its path from here, or, when it lies elsewhere, its name."""
    if path == STDIN:
        return "stdin"
    return path.name if path.is_absolute() or ".." in path.parts else path.as_posix()


def read_text(path: Path, *, max_bytes: int) -> str:
    """Read a UTF-8 text; `-` is the standard input.

    Raises:
        InputError: not there, not readable, too large or not UTF-8.
    """
    data = _read(path, max_bytes)
    if len(data) > max_bytes:
        raise InputError(f"{path}: larger than {max_bytes} bytes", hint="GATE_MAX_BYTES sets the cap")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 at byte {error.start}", hint="save it as UTF-8") from None


def _read(path: Path, max_bytes: int) -> bytes:
    """Read a file up to one byte more than it may have; one that is gzipped unpacked."""
    data = bytearray()
    for chunk in _chunks(path, max_bytes):
        data += chunk
        if len(data) > max_bytes:
            break
    return bytes(data)


def _chunks(path: Path, max_bytes: int) -> Iterator[bytes]:
    from gate.submission.uploads import is_packed, unpacked

    pieces = _bytes(path)
    yield from unpacked(pieces, max_bytes=max_bytes) if is_packed(path.name) else pieces


def _bytes(path: Path) -> Iterator[bytes]:
    try:
        with sys.stdin.buffer if path == STDIN else path.open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk
    except OSError as error:
        raise InputError(f"{path}: {_why(error)}") from None


def _why(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


@dataclass(frozen=True, slots=True)
class Given:
    """A record to check, or why it is none.

    Attributes:
        file: where it stands.
        place: where in the file; empty where it is the whole file.
        number: counts the records of a file of several, from 1; 0 where it is the whole file.
        submission: `name`, `text` and `format`, as a run takes them.
        contexts: how many passages the record brings.
        refused: why it cannot be checked.
    """

    file: Path
    place: str = ""
    number: int = 0
    submission: Mapping[str, str] = field(default_factory=dict)
    contexts: int = 0
    refused: InputError | None = None

    @property
    def label(self) -> str:
        """What messages call it."""
        return f"{self.file}, {self.place}" if self.place else str(self.file)

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"{name_of(self.file)}, {self.place}" if self.place else name_of(self.file)


def known_format(name: str | None) -> None:
    """Let through what --from may name.

    Raises:
        InputError: no format is called so.
    """
    from gate.submission.transcripts.table import NAMES
    from gate.text.nearest import nearest

    if name is not None and name not in NAMES:
        near = nearest(name, NAMES)
        raise InputError(f"--from {name}: no format is called so", hint=near or "known: " + ", ".join(NAMES))


def read_records(file: Path, caps: Caps, *, form: str = "", max_batch: int) -> Iterator[Given]:
    """The records of a file, as they come; one that cannot be checked says why, before a run is made of it."""
    from gate.submission.transcripts.table import read_piece

    in_a_row = 0
    try:
        for number, (piece, alone) in enumerate(_pieces(file, caps, form, max_batch), start=1):
            if in_a_row >= MOST_REFUSED:
                raise InputError(f"{in_a_row:,} records one after the other cannot be checked: the rest is not read")
            refused, contexts = None, 0
            try:
                contexts = len(read_piece(piece, caps, form).contexts)
            except InputError as error:
                refused = located(error, file, piece.place)
            in_a_row = in_a_row + 1 if refused else 0
            submission = {"name": piece.name, "text": piece.text, **({"format": form} if form else {})}
            yield Given(file, piece.place, 0 if alone else number, submission, contexts, refused)
    except InputError as error:
        yield Given(file, refused=located(error, file))


def _pieces(file: Path, caps: Caps, form: str, max_batch: int) -> Iterator[tuple[RecordText, bool]]:
    """The records of a file, and whether it holds but this one."""
    from gate.submission.transcripts.table import is_streamed, pieces, streamed
    from gate.submission.uploads import numbered_lines, plain_name

    name = plain_name(file.name) if file != STDIN else ""
    if is_streamed(name, form):
        numbered = numbered_lines(_chunks(file, max_batch), max_line=caps.max_bytes)
        found = streamed(name, map(_decoded, numbered), caps, form)
        empty = True
        for piece in found:
            empty = False
            yield piece, False
        if empty:
            raise InputError("empty: there is no record in it")
        return
    text = read_text(file, max_bytes=max_batch if name.endswith(".json") else caps.max_bytes)
    if not text.strip():
        raise InputError("empty: there is nothing to check")
    listed = list(pieces(name, text, caps, form))
    for piece in listed:
        yield piece, len(listed) == 1


def _decoded(line: tuple[int, bytes | None]) -> tuple[int, str | InputError]:
    number, data = line
    if data is None:
        return number, InputError("longer than a record may be", hint="GATE_MAX_BYTES sets the cap")
    try:
        return number, data.decode("utf-8-sig" if number == 1 else "utf-8").removesuffix("\r")
    except UnicodeDecodeError as error:
        return number, InputError(f"not UTF-8 at byte {error.start}")


def located(error: InputError, path: Path, at: str = "") -> InputError:
    """Return the error with the file that it is about, and the place in it, in front."""
    place = f"{path}, {at}: " if at else f"{path}: "
    return error if error.safe_message.startswith(place) else InputError(place + error.safe_message, hint=error.hint)


def refuse_own_evidence(answers: Sequence[Path], corpus: str | None) -> None:
    """Refuse an answer that lies in the corpus: every claim would be found there, word by word.

    Raises:
        InputError: names the answer.
    """
    from gate.adapters.readers.folders import inventory

    if corpus is None or not Path(corpus).exists():
        return
    held = {file.stamp[:2] for file in inventory(Path(corpus)).files}
    for answer in answers:
        if answer != STDIN and answer.is_file() and (answer.stat().st_dev, answer.stat().st_ino) in held:
            raise InputError(
                f"{answer}: lies in the corpus and would vouch for itself", hint=f"keep answers out of {corpus}"
            )


def read_segment(path: Path, caps: Caps) -> dict[str, Any]:
    """Read a segmenter's result: one JSON object.

    Raises:
        InputError: it is not.
    """
    from gate.submission.transcripts.table import read_json

    try:
        segment = read_json(read_text(path, max_bytes=caps.max_bytes), caps)
    except InputError as error:
        raise located(error, path) from None
    if not isinstance(segment, dict):
        raise InputError(f"{path}: a segment is a JSON object")
    return segment


def read_policy(path: Path, *, max_bytes: int) -> dict[str, Any]:
    """Read a policy, YAML or JSON (`*.json`); every key is optional, one that nobody knows is an error.

    Raises:
        InputError: it cannot be read, or names the key that does not fit.
    """
    from gate.decision.policy_document import policy_of
    from gate.text.formats import strict_json, strict_yaml

    text = read_text(path, max_bytes=max_bytes)
    load = strict_json.load if path.suffix.lower() == ".json" else strict_yaml.load
    try:
        return policy_of(load(text)).model_dump()
    except InputError as error:
        raise located(error, path) from None


def read_report(path: Path) -> Report:
    """Read a report in JSON, as `gate check -f json` writes it.

    Raises:
        InputError: it cannot be read, or is none.
    """
    from gate import wiring
    from gate.cli.reading_back import read_back

    text = read_text(path, max_bytes=10 * wiring.current().settings.max_bytes)
    try:
        return read_back(text)
    except ValueError:
        raise InputError(f"{path}: is no report", hint="gate check … -f json -o FOLDER writes them") from None


def read_reports(paths: Iterable[Path]) -> Iterator[tuple[Path, Report]]:
    """Read the reports of files, and of folders every one that ends in `.json`, by their names.

    Raises:
        InputError: a folder holds none, or a file is none.
    """
    for path in paths:
        here = map(plain, path.glob("*.json")) if path.is_dir() else ()
        files = sorted(file for file in here if not _is_summary(file)) if path.is_dir() else [path]
        if not files:
            raise InputError(f"{path}: holds no report", hint="gate check … -f json -o FOLDER/ writes them")
        for file in files:
            yield file, read_report(file)


def plain(file: Path) -> Path:
    """A file of a folder, or one that a pattern meets: nobody named it, and a pipe would be waited for without end.

    Raises:
        InputError: it is none.
    """
    if not file.is_file():
        raise InputError(f"{file}: is no plain file", hint="a pipe is read where it is named itself")
    return file


def refuse_leading_away(given: Path, *also: Path) -> None:
    """Refuse a path on which links lead where nobody pointed: a checkout may bring one to the machine's secrets.

    They may lead to what lies in the working folder, or of a path elsewhere in the file's own folder, and is not hidden
    there. Of a path elsewhere the folders on the way may be links, as `/tmp` is on some machines; what a path below
    `/dev` or `/proc` leads to (`/dev/stdin`, `<(command)` of a shell) is what was asked for.

    Args:
        also: folders into which links may lead too.

    Raises:
        InputError: they lead elsewhere.
    """
    from gate.adapters.readers.folders import is_inside

    here, path = Path(os.path.realpath(".")), Path(os.path.abspath(given))  # noqa: PTH100 - resolve() follows links
    if path.parts[1:2] in (("dev",), ("proc",)):
        return
    folder, place = Path(os.path.realpath(path.parent)), Path(os.path.realpath(path))
    is_here = path.is_relative_to(here) and here != Path(here.anchor)  # everything lies in the root: secrets too
    meant, top = (path, here) if is_here else (folder / path.name, folder)
    if place != meant and not any(is_inside(place, each) for each in (top, *also)):
        where = "the working folder" if is_here else "its own"
        message = f"{given}: a link there leads out of {where}, or to what is hidden in it"
        raise InputError(message, hint="name the file that it leads to, if that is what you mean")


def _is_summary(file: Path) -> bool:
    """Whether it is what `--summary` wrote beside the reports."""
    head = next(_bytes(file), b"")[: len(SUMMARY_HEAD)]
    return head == SUMMARY_HEAD
