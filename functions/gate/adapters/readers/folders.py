"""Reads corpora: a file, or every file of a folder that has a reader (`gate.adapters.readers`); names the others."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

from gate.adapters.local_files import open_plain, place_of_open
from gate.adapters.readers import READERS, UNNAMED, Found, Problem, Reader, decode, read_rows, reason
from gate.adapters.readers.own_reports import WHY, is_report
from gate.errors import InputError
from gate.retrieval.passages import passage, with_own_ids
from gate.submission.uploads import is_packed, plain_name, unpacked
from gate.text.encodable import encodable
from gate.watched import MAX_CPU_S, SharedTime, TooMuchError

READER_VERSION = "12"
"""Raise it when a reader cuts differently: cached indexes of corpora are then made anew."""
HIDDEN, EMPTY = "hidden", "holds no text"
OWN_NAMES = (".jsonl", ".ndjson")
"""Files whose passages bring ids of their own: they are read each time."""
ROWS_VERSION = "2"
"""Of what becomes of rows: an index of a corpus with rows that was made before is made anew."""
Line = tuple[list[int], str, list[str]]
"""What is written down of a file that was read: its stamp, the SHA-256 of its bytes, the ids of its passages. One
without a hash is to be read each time: it cannot be told from its bytes what an index holds of it."""
NOTHING_LOST = (HIDDEN, EMPTY)
"""Why files are left out that nobody takes for documents: they are named, and count for nothing."""
MAX_BYTES = 50_000_000
"""Of one file, except of one that holds a passage a line."""
BYTES_A_SECOND = 50_000
"""Of the files of a corpus that are read; honest ones take a fraction of the time."""
LINK_OUT = "a link to what is no part of the folder"
SPARSE, MAX_HOLES = "a file of holes", 100
"""Bytes for one on the disk, of a file of more than `MAX_BYTES`: an archive of a few bytes unpacks to terabytes."""
NOTABLE = 0.1
"""Share of a corpus's files or bytes above which it is said first that they are left out."""
MORE_REASONS = 4
"""Reasons that are counted each; the rest is counted together."""
MOST_NAMED = 1_000
"""Files left out that a report names."""
PICTURES = frozenset(
    (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".bmp", ".tif", ".tiff", ".mp4", ".webm", ".mp3")
)


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """A file of a corpus: its `path`, where it lies in the corpus, what tells whether it has changed, and the folder
    that it may not lead out of; a file that somebody named may lie anywhere."""

    path: Path
    location: str
    size: int
    stamp: tuple[int, ...]
    top: Path | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that is not read: `where` it lies in the corpus, why, its size in bytes; or a `part` of one, a line."""

    where: str
    why: str
    size: int = 0
    part: bool = False


@dataclass(frozen=True, slots=True)
class Inventory:
    """What a corpus consists of: files to read, in order, and those left out."""

    files: tuple[CorpusFile, ...]
    left_out: tuple[LeftOut, ...] = ()


def omissions(found: Inventory, unread: Sequence[LeftOut]) -> dict[str, Any]:
    """Sum up what was left out of a corpus: at once (`found`), and when it was read.

    Returns:
        what a report says of it: `files` that were left out `of` how many and their `bytes`, hidden and empty ones
        aside; `sentence`, empty where there is nothing to say; `notable`: whether that is to be said first; `names`,
        each with `where` and `why`, hidden and empty ones among them.
    """
    left_out = (*found.left_out, *unread)
    empty = {each.where for each in unread if each.why == EMPTY}
    counted = [each for each in left_out if each.why not in NOTHING_LOST]
    lost, parts = [each for each in counted if not each.part], sum(each.part for each in counted)
    sizes = {each.location: each.size for each in found.files if each.location not in empty}
    sizes |= {each.where: each.size for each in lost}
    size, every = sum(each.size for each in lost), sum(sizes.values())
    return {
        "files": len(lost),
        "of": len(sizes),
        "bytes": size,
        "sentence": _sentence(lost, parts, len(sizes), size / max(every, 1)),
        "notable": len(lost) > NOTABLE * len(sizes) or size > NOTABLE * every,
        "names": [{"where": each.where, "why": each.why} for each in left_out[:MOST_NAMED]],
    }


def _sentence(lost: Sequence[LeftOut], parts: int, files: int, share: float) -> str:
    reasons = Counter(each.why for each in lost).most_common()
    named = [f"{count} × {why}" for why, count in reasons[:MORE_REASONS]]
    if rest := sum(count for _, count in reasons[MORE_REASONS:]):
        named.append(f"{rest} for other reasons")
    told = [f"{len(lost)} of {files} files ({share:.0%} of the bytes) left out: {'; '.join(named)}"] if lost else []
    if parts:
        told.append(f"{parts} {'line' if parts == 1 else 'lines'} that could not be read")
    return "; ".join(told)


def inventory(path: Path, *, named_from_here: bool = False) -> Inventory:
    """Look at a corpus: which files are read, in order, and which are left out, and why.

    Args:
        named_from_here: name files by the path as it was given, so that two folders can share an index; without it by
            their place in the corpus alone.

    Raises:
        InputError: there is nothing at `path`, or nothing that can be read.
    """
    if path.is_file():
        if (why := unreadable(path.name, path.stat().st_size)) is not None:
            raise InputError(f"{path}: {why}", hint="known: " + ", ".join(READERS))
        return Inventory((_corpus_file(path, path.as_posix() if named_from_here else path.name, path.stat()),))
    if not path.is_dir():
        raise InputError(f"{path}: no such file or folder")
    files: list[CorpusFile] = []
    left_out: list[LeftOut] = []
    top = path.resolve()
    for each, where, about in _walk(path, top, left_out):
        if not encodable(where):
            left_out.append(LeftOut(_printable(where), "the name is not UTF-8", about.st_size))
        elif (why := unreadable(where, about.st_size)) is not None:
            left_out.append(LeftOut(where, why, about.st_size))
        else:
            files.append(_corpus_file(each, where, about, top))
    if not files:
        raise InputError(f"{path}: no file that can be read", hint="known: " + ", ".join(READERS))
    files.sort(key=lambda each: PurePosixPath(each.location).parts)
    left_out.sort(key=lambda each: each.where)
    if named_from_here:
        files = [replace(each, location=(path / each.location).as_posix()) for each in files]
        left_out = [replace(each, where=f"{path.as_posix()}/{each.where}") for each in left_out]
    return Inventory(tuple(files), tuple(left_out))


def _walk(root: Path, top: Path, left_out: list[LeftOut]) -> Iterator[tuple[Path, str, os.stat_result]]:
    """Every file that is not hidden; what is not entered or no file is left out."""
    waiting = [("", root)]
    while waiting:
        inside, folder = waiting.pop()
        try:
            entries = list(os.scandir(folder))
        except OSError as error:
            left_out.append(LeftOut(f"{_printable(inside)}/", (error.strerror or "cannot be read").lower()))
            continue
        for entry in entries:
            where = f"{inside}/{entry.name}" if inside else entry.name
            try:
                if entry.name.startswith("."):
                    is_folder = entry.is_dir(follow_symlinks=False)
                    left_out.append(LeftOut(_printable(where) + ("/" if is_folder else ""), HIDDEN))
                elif entry.is_dir(follow_symlinks=False):
                    waiting.append((where, Path(entry.path)))
                else:
                    about = entry.stat()
                    if why := _no_part(entry, about, top):
                        left_out.append(LeftOut(_printable(where), why))
                    else:
                        yield Path(entry.path), where, about
            except OSError as error:
                left_out.append(LeftOut(_printable(where), (error.strerror or "cannot be read").lower()))


def _no_part(entry: os.DirEntry[str], about: os.stat_result, top: Path) -> str | None:
    """Why what an entry leads to is no file of the corpus; None: it is one."""
    if stat.S_ISDIR(about.st_mode):
        return "a link to a folder"
    if not stat.S_ISREG(about.st_mode):
        return "no file: a pipe or a device"
    if entry.is_symlink() and not is_inside(Path(entry.path).resolve(), top):
        return LINK_OUT
    is_sparse = (
        about.st_size > MAX_BYTES and getattr(about, "st_blocks", about.st_size) * 512 * MAX_HOLES < about.st_size
    )
    return SPARSE if is_sparse else None


def is_inside(place: Path, top: Path) -> bool:
    """Whether a place is in the folder and not hidden there; a volume of Kubernetes links into `..2026_11_26`."""
    if not place.is_relative_to(top):
        return False
    return not any(part.startswith(".") and not part.startswith("..") for part in place.relative_to(top).parts)


def _corpus_file(path: Path, location: str, about: os.stat_result, top: Path | None = None) -> CorpusFile:
    stamp = about.st_dev, about.st_ino, about.st_mtime_ns, about.st_ctime_ns, about.st_size
    return CorpusFile(path, location, about.st_size, stamp, top)


def names_its_own(file: CorpusFile) -> bool:
    """Whether the passages of a file bring ids and documents of their own."""
    return _brings_rows(file.location)


def _brings_rows(location: str) -> bool:
    return plain_name(location).lower().endswith(OWN_NAMES)


def _printable(name: str) -> str:
    return name.encode("utf-8", "replace").decode()


def reader_of(name: str) -> Reader | None:
    """The reader of files of that name; None: there is none."""
    place = PurePosixPath(plain_name(name))
    return READERS.get(place.suffix.lower()) or UNNAMED.get(place.name.partition(".")[0].lower())


def unreadable(name: str, size: int) -> str | None:
    """Why a file of that name and size is not read; None: it is."""
    suffix = PurePosixPath(plain_name(name)).suffix.lower()
    if reader_of(name) is None:
        if suffix in PICTURES:
            return f"{suffix}: a picture or a recording"
        return f"{_printable(suffix)}: no reader" if suffix else "no ending, and no name that is known"
    if size > MAX_BYTES and (suffix not in (".jsonl", ".ndjson", ".txt") or is_packed(name)):
        return f"larger than {MAX_BYTES // 1_000_000} MB"
    return None


def time_for(files: Iterable[CorpusFile]) -> SharedTime:
    """What files of a corpus may take to be read: a minute, and more the larger they are."""
    return SharedTime(MAX_CPU_S + sum(file.size for file in files) / BYTES_A_SECOND, MAX_CPU_S)


def read(data: bytes, location: str, time: SharedTime | None = None) -> Iterator[Found]:
    """Read one file's bytes with the reader of its name; what it cannot read is a problem, not the end.

    Args:
        time: what the files of a corpus have left; None: it is read alone.
    """
    time = time or SharedTime(MAX_CPU_S, MAX_CPU_S)
    found: list[Found] = []
    try:
        if _brings_rows(location):
            found.extend(_read(data, location))
        else:
            time.watched(lambda: found.extend(_read(data, location)))
    except TooMuchError as error:
        found.append(Problem(location, str(error)))
    yield from found


def _read(data: bytes, location: str) -> Iterator[Found]:
    reader = reader_of(location)
    try:
        if reader is None:
            raise ValueError("unknown format")
        if is_packed(location):
            data = b"".join(unpacked([data], max_bytes=MAX_BYTES))
        if _holds_a_report(data):
            raise ValueError(WHY)
        yield from reader(data, location)
    except InputError as error:
        yield Problem(location, error.safe_message)
    except (ValueError, RecursionError) as error:
        yield Problem(location, reason(error))
    except ModuleNotFoundError as missing:
        yield Problem(location, needs(str(missing.name)))


def _holds_a_report(data: bytes) -> bool:
    try:
        return is_report(decode(data))
    except ValueError:  # no text
        return False


def needs(module: str) -> str:
    """What to install for a reader whose library is not there."""
    extra = "corpora" if module in ("docutils", "openpyxl", "defusedxml") else "local"
    return f"needs {module}: pip install 'llm-reliability-gate[{extra}]'"


def read_files(
    found: Inventory, empty: list[LeftOut], digests: list[str] | None = None, time: SharedTime | None = None
) -> Iterator[Found]:
    """Read the files of a corpus, one after the other.

    Args:
        time: what they have left; None: they are all that is read.
        empty: gets those that hold nothing to read.
        digests: gets the SHA-256 of the bytes of each file that is read whole; rows are read one by one.
    """
    time = time or time_for(found.files)
    for file in found.files:
        if names_its_own(file) and not is_packed(file.location):  # of any size, and never told by its hash
            yield from _rows(file, empty)
            continue
        if (data := _bytes(file)) is None:
            yield Problem(file.location, "cannot be opened")
            continue
        if digests is not None:
            digests.append(hashlib.sha256(data).hexdigest())
        is_empty = True
        for each in read(data, file.location, time):
            is_empty = False
            yield each
        if is_empty:
            empty.append(LeftOut(file.location, EMPTY))


def _rows(file: CorpusFile, empty: list[LeftOut]) -> Iterator[Found]:
    is_empty = True
    try:
        with io.BufferedReader(_opened(file)) as lines:
            for each in read_rows((part for line in lines for part in line.splitlines()), file.location):
                is_empty = False
                yield each
    except OSError:
        yield Problem(file.location, "cannot be read to its end")
        return
    if is_empty:
        empty.append(LeftOut(file.location, EMPTY))


def digest_of(file: CorpusFile) -> str:
    """The SHA-256 of a file's bytes; empty: it cannot be opened."""
    data = _bytes(file)
    return hashlib.sha256(data).hexdigest() if data is not None else ""


def fingerprint(found: Inventory, *more: str, digest: Callable[[CorpusFile], str] = digest_of) -> str:
    """Return a hash of everything that decides what a corpus's index holds."""
    whole = _Fingerprint(more)
    for file in found.files:
        whole.add(file.location, digest(file))
    return whole.hex()


@dataclass(frozen=True, slots=True)
class WholeCorpus:
    """A corpus that was read: its passages, the fingerprint of the very bytes that they are of, and what is no part.

    `lines` tells of every file what was read of it, `renamed` of each row that bears another id than it brought why.
    """

    passages: list[dict[str, Any]]
    fingerprint: str
    unread: tuple[LeftOut, ...]
    lines: dict[str, Line]
    renamed: tuple[Problem, ...]


def whole(
    path: Path,
    *more: str,
    same: Mapping[str, Line] = MappingProxyType({}),
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> WholeCorpus:
    """Read a corpus. Of a single file every passage must be good; what of a folder cannot be read is left out.

    Args:
        same: files that have not changed since they were read: they are not read, and none of their passages returned.
        progress: called with the number of files done so far, and of all.

    Returns:
        of passages of one id in one file the last one alone. A row that bears the id of another file's passage bears an
        id of its own, whichever file comes first.

    Raises:
        InputError: says which line or file is not, or that there is nothing in it.
    """
    digest, unread, lines = _Fingerprint(more), list[LeftOut](), dict[str, Line]()
    passages, rows = list[dict[str, Any]](), dict[str, list[dict[str, Any]]]()
    files = inventory(path).files
    time = time_for(file for file in files if file.location not in same)
    for done, file in enumerate(files):
        progress(done, len(files))
        if known := same.get(file.location):
            digest.add(file.location, known[1])
            lines[file.location] = (list(file.stamp), known[1], known[2])
            unread += [LeftOut(file.location, EMPTY)] if not known[2] else []
            continue
        data = _bytes(file)
        sha = hashlib.sha256(data).hexdigest() if data is not None else ""
        digest.add(file.location, sha)
        found = (
            list(read(data, file.location, time)) if data is not None else [Problem(file.location, "cannot be opened")]
        )
        good = [each for each in found if not isinstance(each, Problem)]
        problems = [each for each in found if isinstance(each, Problem)]
        if problems and path.is_file():
            raise InputError(f"{problems[0].where}: {problems[0].why}")
        last = {each["id"]: each for each in good}
        if names_its_own(file):
            rows[file.location] = [passage({**each, "document": file.location}) for each in last.values()]
        else:
            passages += last.values()
        is_known = not problems and not names_its_own(file)
        lines[file.location] = (list(file.stamp), sha if is_known else "", [*last])
        unread += left_out_of(file, problems, is_part=bool(good)) if found else [LeftOut(file.location, EMPTY)]
    if not any(ids for _, _, ids in lines.values()):
        raise InputError(f"{path}: the corpus is empty", hint=_first_reason(unread))
    held = {key: at for at, (_, _, ids) in lines.items() for key in ids if at not in rows}
    named, renamed = with_own_ids([(at, each) for at, brought in rows.items() for each in brought], held, lines)
    in_order = iter(named)
    for at, brought in rows.items():
        own = list(islice(in_order, len(brought)))
        lines[at] = (*lines[at][:2], [each["id"] for each in own])
        passages += own
    return WholeCorpus(passages, digest.hex(), tuple(unread), lines, tuple(Problem(*each) for each in renamed))


def left_out_of(file: CorpusFile, problems: Iterable[Problem], *, is_part: bool) -> list[LeftOut]:
    """What is left out of a file that could not be read, whole or in part."""
    return [LeftOut(each.where, each.why, 0 if is_part else file.size, is_part) for each in problems]


def _first_reason(unread: Sequence[LeftOut]) -> str:
    told = next((f"{each.where}: {each.why}" for each in unread if each.why != EMPTY), "")
    return told[:200]


class _Fingerprint:
    """A hash over the files of a corpus, in order; `more` is what else decides what an index of it holds."""

    def __init__(self, more: Iterable[str]) -> None:
        self._digest = hashlib.sha256("\x00".join([READER_VERSION, *more]).encode())

    def add(self, location: str, sha: str) -> None:
        """Count a file in by the SHA-256 of its bytes; empty: it cannot be opened."""
        version = ROWS_VERSION if _brings_rows(location) else ""
        self._digest.update(f"\x00{location}\x00{version}".encode())
        self._digest.update(bytes.fromhex(sha) or b"unread")

    def hex(self) -> str:
        """The hash so far."""
        return self._digest.hexdigest()


def _bytes(file: CorpusFile) -> bytes | None:
    try:
        with _opened(file) as opened:
            return opened.read()
    except OSError:
        return None


def _opened(file: CorpusFile) -> io.FileIO:
    """Open a file; it, or a folder on the way, may have become a link or a pipe since the corpus was looked at.

    Raises:
        OSError: it cannot be opened, or lies elsewhere now.
    """
    opened = open_plain(file.path)
    place = place_of_open(opened)
    if file.top is None or not place or is_inside(Path(place), file.top):
        return opened
    opened.close()
    raise OSError(errno.ELOOP, LINK_OUT)
