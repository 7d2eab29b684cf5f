"""What the gate is made of: a CycloneDX bill of materials and a list of licences, from the locks.

`python -m tests.supply_chain` writes both. Names, versions and who asks for what come from `locks/*.lock`, licences
from the metadata of what is installed. No times, hosts or paths: the same locks give the same bytes.
"""

from __future__ import annotations

import email
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from typing import Any

from gate import __version__
from tests.documents import ROOT

SBOM = ROOT / "locks" / "sbom.cdx.json"
LICENCES = ROOT / "docs" / "licences.md"
LOCKS = {"layer": "deployed", "local": "laptop", "weights": "laptop", "dev": "development"}
"""Each lock, and what it is for; what the package itself asks for in the last one alone is of the extra `aws`."""
NAME = "llm-reliability-gate"
_LISTED = "Apache-2.0 MIT MIT-0 BSD-2-Clause BSD-3-Clause 0BSD ISC PSF-2.0 MPL-2.0 Zlib ZPL-2.1 CC0-1.0"
PERMITTED = frozenset(_LISTED.split())
"""Licences of what users get; another one is to be decided on first."""

_SPDX = {
    **dict.fromkeys(("MIT License", "MIT license"), "MIT"),
    **dict.fromkeys(("Apache Software License", "Apache License 2.0", "Apache 2.0"), "Apache-2.0"),
    **dict.fromkeys(("BSD License", "BSD", "3-Clause BSD License"), "BSD-3-Clause"),
    "BSD 2-Clause License": "BSD-2-Clause",
    "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "ZPL 2.1": "ZPL-2.1",
}
"""What metadata says, where it says no SPDX expression."""
_STATED = {
    "atheris": "Apache-2.0",
    "colorama": "BSD-3-Clause",
    "httpx2-jsfetch": "BSD-3-Clause",
    "python-dateutil": "Apache-2.0 OR BSD-3-Clause",
    "pywin32": "PSF-2.0",
    "tzdata": "Apache-2.0",
}
"""Of packages that are not installed everywhere, or whose metadata names no licence: read in their files."""
_LINE = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;\\]+)")
_VIA = re.compile(r"    #(?: via)?\s+([A-Za-z0-9][A-Za-z0-9._-]*)( \(pyproject\.toml:)?")


@dataclass
class Package:
    """A version of a package, what it is for, and the packages that ask for it (`NAME`: this one)."""

    name: str
    version: str
    uses: set[str] = field(default_factory=set)
    asked_by: set[str] = field(default_factory=set)

    @property
    def purl(self) -> str:
        return f"pkg:pypi/{self.name}@{self.version}"

    @property
    def scope(self) -> str:
        """As CycloneDX has it: what users get, what they may ask for, and the tools of development."""
        return "required" if self.uses & {"deployed", "laptop"} else "optional" if self.uses else "excluded"

    @property
    def licence(self) -> str:
        """Its SPDX expression."""
        return _STATED.get(self.name) or _licence(self.name)


def packages() -> list[Package]:
    """Every package of every lock, by name and version."""
    found: dict[tuple[str, str], Package] = {}
    for lock, use in LOCKS.items():
        asked_by = dict(_locked((ROOT / "locks" / f"{lock}.lock").read_text("utf-8")))
        extras = _reached(asked_by)
        for (name, version), names in asked_by.items():
            package = found.setdefault((name, version), Package(name, version))
            package.asked_by |= names
            if use != "development":
                package.uses.add(use)
            elif name in extras and not package.uses:
                package.uses.add("aws")
    return [found[key] for key in sorted(found)]


def _locked(text: str) -> Iterator[tuple[tuple[str, str], set[str]]]:
    """Name and version of each package of a lock, and who asks for it; the groups of this project count as nobody."""
    for block in re.split(r"\n(?=\S)", text):
        if match := _LINE.match(block):
            yield (match[1], match[2]), {name for name, group in _VIA.findall(block) if not group}


def _reached(asked_by: Mapping[tuple[str, str], set[str]]) -> set[str]:
    """Names that this project asks for, and what they ask for in turn."""
    found, before = {NAME}, set[str]()
    while found != before:
        before = set(found)
        found |= {name for (name, _), names in asked_by.items() if names & before}
    return found


def _licence(name: str) -> str:
    about = email.message_from_string(str(metadata.distribution(name).read_text("METADATA")))
    if expression := about["License-Expression"]:
        return str(expression)
    stated = str(about["License"] or "").strip().split("\n")[0]
    classifiers = [str(each) for each in about.get_all("Classifier", [])]
    classified = [each.rpartition(" :: ")[2] for each in classifiers if each.startswith("License ::")]
    for given in (stated, *classified):
        if given in PERMITTED or " AND " in given or " OR " in given:
            return given
        if given in _SPDX:
            return _SPDX[given]
    raise LookupError(f"{name} states no licence that is known: {stated!r}, {classified}")


def bill_of_materials() -> dict[str, Any]:
    """The bill of materials, CycloneDX 1.6."""
    every = packages()
    purls = defaultdict(list)
    for package in every:
        purls[package.name].append(package.purl)
    asked = {purl: set[str]() for purl in (NAME, *(package.purl for package in every))}
    for package in every:
        for name in package.asked_by:
            for purl in [NAME] if name == NAME else purls[name]:
                asked[purl].add(package.purl)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": NAME,
                "name": NAME,
                "version": __version__,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": [_component(package) for package in every],
        "dependencies": [{"ref": purl, "dependsOn": sorted(asked[purl])} for purl in sorted(asked)],
    }


def _component(package: Package) -> dict[str, Any]:
    licence = package.licence
    single = {"license": {"id": licence}}
    return {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "scope": package.scope,
        "licenses": [single if " " not in licence else {"expression": licence}],
        "purl": package.purl,
        "properties": [{"name": f"{NAME}:use", "value": use} for use in sorted(package.uses) or ["development"]],
    }


def licences() -> str:
    """The list for readers."""
    every = packages()
    used = [one for one in every if one.uses]
    permitted = sorted({id_ for one in used for id_ in spdx_ids(one.licence)})
    return f"""# Licences

`make sbom` writes this page and [`locks/sbom.cdx.json`](../locks/sbom.cdx.json) (CycloneDX 1.6) from the locks, and a
test compares them. The gate itself is under [Apache-2.0](../LICENSE); what users get is under {", ".join(permitted)}.

## What users get
In the deployment's layer, on a laptop (extras `local` and `embed`), or with the extra `aws`.

| package | version | licence | for |
| --- | --- | --- | --- |
{_rows(used)}

## Tools of development

| package | version | licence | |
| --- | --- | --- | --- |
{_rows(one for one in every if not one.uses)}
"""


def _rows(shown: Iterable[Package]) -> str:
    return "\n".join(f"| {one.name} | {one.version} | {one.licence} | {', '.join(sorted(one.uses))} |" for one in shown)


def spdx_ids(expression: str) -> set[str]:
    """The licences that an SPDX expression names."""
    return set(re.findall(r"[A-Za-z0-9.-]+", expression)) - {"AND", "OR", "WITH"}


def written() -> dict[Any, str]:
    """Each file, and what belongs into it."""
    return {SBOM: json.dumps(bill_of_materials(), indent=1, ensure_ascii=False) + "\n", LICENCES: licences()}


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, "utf-8")
