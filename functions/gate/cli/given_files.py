"""Which files a command is given: files, folders, patterns that no shell resolved, or the standard input."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from gate.cli.inputs import STDIN, plain, refuse_leading_away
from gate.errors import InputError

MOST = 100_000
"""Files of one command."""


def given_files(files: Sequence[Path], endings: Sequence[str]) -> list[Path]:
    """Return the files meant: those named, in a folder those with one of `endings`, below it too, and not once more.

    In a folder links and what is hidden are passed over. A file or folder that is named, or that a pattern meets, may
    be a link, but not one that leads away (`refuse_leading_away`): of `answers/*.md` nobody has looked at each. Without
    any the standard input is meant, where it is piped.

    Raises:
        UsageError: nothing is given, and the standard input is a terminal.
        InputError: a folder holds no such file, or a pattern meets none; a link leads away; there are too many.
    """
    if not files:
        if sys.stdin is None or sys.stdin.isatty():
            raise click.UsageError("Missing argument 'FILE...'. Pipe an answer in, or name its file.")
        return [STDIN]
    found = []
    for path in files:
        if path == STDIN:
            found.append(path)
        elif path.is_dir() or _is_pattern(path):
            known = set(found)
            found += [file for file in dict.fromkeys(_meant(path, tuple(endings))) if file not in known]
        else:
            refuse_leading_away(path)
            found.append(path)
        if len(found) > MOST:
            raise InputError(f"{path}: more than {MOST:,} files", hint="name fewer")
    return found


def _meant(path: Path, endings: tuple[str, ...]) -> Iterator[Path]:
    empty = True
    for each in [path] if path.is_dir() else _matches(path):
        refuse_leading_away(each)
        for file in _below(each, endings) if each.is_dir() else (each,):
            empty = False
            yield plain(file)
    if empty:
        said = "holds no file to check" if path.is_dir() else "meets no file"
        raise InputError(f"{path}: {said}", hint=f"known endings: {', '.join(endings)}, each also with .gz")


def _is_pattern(path: Path) -> bool:
    return glob.has_magic(str(path)) and not os.path.lexists(path)


def _below(folder: Path, endings: tuple[str, ...]) -> Iterator[Path]:
    for place, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(place, name)
            known = name.lower().removesuffix(".gz").endswith(endings)
            if known and not name.startswith(".") and not file.is_symlink():
                yield file


def _refuse(error: OSError) -> None:
    """An answer that nobody may read is not one that passes."""
    raise InputError(f"{error.filename}: {(error.strerror or type(error).__name__).lower()}") from None


def _matches(pattern: Path) -> list[Path]:
    """What a pattern meets. No link is entered for `**`: two that lead to their own folder make paths without end."""
    if "**" not in pattern.parts:
        return [Path(each) for each in sorted(glob.glob(str(pattern)))]  # noqa: PTH207 - a pattern may be absolute
    at = pattern.parts.index("**")
    before, after = pattern.parts[:at], pattern.parts[at + 1 :]
    tops = _matches(Path(*before)) if before else [Path()]
    if not after:
        return [top for top in tops if top.is_dir()]
    found = set[Path]()
    for top in tops:
        refuse_leading_away(top)
        for place, folders, _ in os.walk(top):
            folders[:] = [name for name in folders if not name.startswith(".")]
            found.update(_matches(Path(glob.escape(place), *after)))
    return sorted(found)
