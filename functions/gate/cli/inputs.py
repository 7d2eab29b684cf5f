"""Reads what the command is given; whatever cannot be used is one line that says what and where."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.errors import InputError

if TYPE_CHECKING:
    from gate.rules.transcripts.table import Caps

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
    from gate.rules.transcripts.table import parse

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


def index_of(corpus: str | None) -> str:
    """Return the index to search: a corpus by name, documents at a path (indexed here), or the one of the settings.

    Raises:
        InputError: there is none, or nothing in it.
    """
    from gate import services, wiring

    if corpus is not None and Path(corpus).exists():
        wiring.configure(wiring.settings().model_copy(update={"search": "embedded"}))
        return services.index_corpus(corpus)
    index = corpus or wiring.settings().index
    if _is_kept(index):
        if not wiring.search_engine().count(index):
            raise InputError(f"the corpus {index!r} is empty", hint=f"gate index add PATH --corpus {index}")
        return index
    if corpus is not None:
        raise InputError(
            f"{corpus}: neither a file nor a folder nor a corpus", hint="gate index add PATH --corpus NAME keeps one"
        )
    raise InputError(f"there is no corpus: the index {index!r} does not exist", hint="give --corpus PATH")


def refuse_own_evidence(answers: Sequence[Path], corpus: str | None) -> None:
    """Refuse an answer that lies in the corpus: every claim would be found there, word by word.

    Raises:
        InputError: names the answer.
    """
    from gate.adapters.corpora import files

    if corpus is None or not Path(corpus).exists():
        return
    held = {path.resolve() for path, _ in files(Path(corpus))}
    for answer in answers:
        if answer != STDIN and answer.resolve() in held:
            raise InputError(
                f"{answer}: lies in the corpus and would vouch for itself", hint=f"keep answers out of {corpus}"
            )


def _is_kept(index: str) -> bool:
    from gate import wiring

    try:
        return wiring.search_engine().exists(index)
    except InputError:  # what cannot be an index's name is none
        return False


def read_segment(path: Path, caps: Caps) -> dict[str, Any]:
    """Read a segmenter's result: one JSON object.

    Raises:
        InputError: it is not.
    """
    from gate.rules.transcripts.table import read_json

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
    from pydantic import ValidationError

    from gate.model import Policy
    from gate.rules.nearest import nearest

    text = read_text(path, max_bytes=max_bytes)
    document = _parsed_json(path, text) if path.suffix.lower() == ".json" else _parsed_yaml(path, text)
    if not isinstance(document, dict):
        raise InputError(
            f"{path}: a policy is a mapping of keys to values", hint=f"keys: {', '.join(Policy.model_fields)}"
        )
    try:
        return Policy.model_validate(document).model_dump()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            hint = nearest(key, list(Policy.model_fields))
            raise InputError(f"{path}: {key}: is no key of a policy", hint=hint) from None
        raise InputError(f"{path}: {key}: {first['msg']}") from None


def _parsed_json(path: Path, text: str) -> Any:
    from gate.rules import strict_json

    try:
        return strict_json.load(text)
    except InputError as error:
        raise located(error, path) from None


def _parsed_yaml(path: Path, text: str) -> Any:
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise InputError(f"{path}: not YAML{where}") from None
    except RecursionError:
        raise InputError(f"{path}: nested far too deep") from None
