"""Stretches of real documentation, read out of the source distributions of packages; `pages.jsonl` names them.

    python -m training.pages | xargs -n 1 pip download --no-deps --no-binary :all: -d build/pages

prints the distributions, and has them fetched into a folder, which GATE_PAGES names from then on. No text of theirs is
in this repository; each stretch has its SHA-256, so that what teaches is what was written about.
"""

from __future__ import annotations

import hashlib
import json
import os
import tarfile
import zipfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from gate.retrieval.chunking import chunks

FILE = Path(__file__).with_name("pages.jsonl")


def main() -> None:
    lines = map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
    packages = sorted({one["package"] for one in lines if "package" in one})
    print("\n".join("==".join(package.rsplit("-", 1)) for package in packages))


def passages(page: Mapping[str, Any]) -> tuple[str, ...]:
    """The passages of a stretch, cut as a corpus is.

    Args:
        page: `package`, name and version as its distribution has them; `file`, a path in it; `lines`, the first and the
            last, from 1; `sha256` of these lines.
    """
    first, last = page["lines"]
    text = "\n".join(_text(page["package"], page["file"]).splitlines()[first - 1 : last])
    if hashlib.sha256(text.encode()).hexdigest() != page["sha256"]:
        raise SystemExit(f"{page['package']}: {page['file']} is not what was written about")
    return tuple(chunk.text for chunk in chunks(text))


@lru_cache(maxsize=8)
def _text(package: str, file: str) -> str:
    given = os.environ.get("GATE_PAGES")
    if not given:
        raise SystemExit("GATE_PAGES is not set: it names the folder of the source distributions")
    archives = [path for path in Path(given).glob(f"{package}.*") if path.is_file()]
    if not archives:
        raise SystemExit(f"{given} has no source distribution {package}")
    if archives[0].suffix == ".zip":
        with zipfile.ZipFile(archives[0]) as zipped:
            return zipped.read(file).decode()
    with tarfile.open(archives[0]) as packed:
        member = packed.extractfile(file)
        if member is None:
            raise SystemExit(f"{package} has no file {file}")
        return member.read().decode()


if __name__ == "__main__":
    main()
