"""Reads what the command is given; whatever cannot be used is one line that says what and where."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.errors import InputError

if TYPE_CHECKING:
    from gate.submission.transcripts.table import Caps

STDIN = Path("-")


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
    try:
        if path == STDIN:
            return sys.stdin.buffer.read(max_bytes + 1)
        with path.open("rb") as file:
            return file.read(max_bytes + 1)
    except OSError as error:
        raise InputError(f"{path}: {_why(error)}") from None


def _why(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def read_answer(path: Path, caps: Caps) -> dict[str, str]:
    """Read a submission; one that cannot be checked is refused here, before a run is made of it.

    Returns:
        `name` (empty for the standard input) and `text`.

    Raises:
        InputError: it cannot be read, or not be used.
    """
    from gate.submission.transcripts.table import parse

    answer = {"name": path.name if path != STDIN else "", "text": read_text(path, max_bytes=caps.max_bytes)}
    try:
        parse(answer["name"], answer["text"], caps)
    except InputError as error:
        raise located(error, path) from None
    return answer


def located(error: InputError, path: Path) -> InputError:
    """Return the error with the file that it is about in front."""
    place = f"{path}: "
    return error if error.safe_message.startswith(place) else InputError(place + error.safe_message, hint=error.hint)


def refuse_own_evidence(answers: Sequence[Path], corpus: str | None) -> None:
    """Refuse an answer that lies in the corpus: every claim would be found there, word by word.

    Raises:
        InputError: names the answer.
    """
    from gate.adapters.readers.folders import files

    if corpus is None or not Path(corpus).exists():
        return
    held = {path.resolve() for path, _ in files(Path(corpus))}
    for answer in answers:
        if answer != STDIN and answer.resolve() in held:
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
