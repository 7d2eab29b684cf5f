"""Documents that are ZIP archives: their members, of a bounded size all together; nothing is unpacked to disk."""

from __future__ import annotations

import zipfile
import zlib
from typing import Any

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from gate.zip_members import opened, unpacked

MAX_MEMBERS = 5_000
MAX_BYTES = 200_000_000
"""Of all members that are read, unpacked."""
MAX_RATIO = 200
"""Unpacked bytes for one packed byte, beyond the first megabyte of a member."""
SLACK = 1_000_000
MAX_DEPTH = 200
MAX_MARKS = 4_000_000
"""Of one XML, tags and attributes: each takes a hundred bytes and more once it is read."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError)


class Archive:
    """The members of a ZIP archive.

    Raises:
        ValueError: it is none, or one that holds too much.
    """

    def __init__(self, data: bytes) -> None:
        try:
            archive = opened(data, MAX_MEMBERS)
        except _DAMAGED as error:
            raise ValueError(f"a damaged archive ({type(error).__name__})") from None
        if archive is None:
            raise ValueError(f"an archive of more than {MAX_MEMBERS:,} files")
        self._zip, self.names = archive, archive.namelist()
        if len({name.casefold() for name in self.names}) < len(self.names):
            raise ValueError("an archive with two files of one name: which is shown nobody can tell")
        self._left = MAX_BYTES

    def read(self, name: str) -> bytes:
        """Return what a member holds.

        Raises:
            ValueError: there is no such member, it is damaged or locked, or unpacks to too much.
        """
        try:
            about = self._zip.getinfo(name)
            if about.file_size > min(self._left, SLACK + about.compress_size * MAX_RATIO):
                raise ValueError("unpacks to too much")
            data = unpacked(self._zip, about)
        except KeyError:
            raise ValueError(f"has no {name}") from None
        except _DAMAGED as error:
            raise ValueError(f"a damaged or locked archive ({type(error).__name__})") from None
        self._left -= len(data)
        return data

    def xml(self, name: str) -> Any:
        """Return a member's XML: no entities, no document type, nothing from elsewhere.

        Raises:
            ValueError: it is no XML, or holds such things.
        """
        return parsed(self.read(name))


def parsed(data: bytes) -> Any:
    """Read XML from outside; see `Archive.xml`."""
    if data.count(b"<") + data.count(b"=") > MAX_MARKS:
        raise ValueError(f"XML of more than {MAX_MARKS:,} tags and attributes")
    try:
        root = fromstring(data, forbid_dtd=True)
    except DefusedXmlException:
        raise ValueError("XML with entities or a document type") from None
    except (ParseError, ValueError, LookupError):
        raise ValueError("not XML") from None
    level = [root]
    for _ in range(MAX_DEPTH):
        level = [inner for element in level for inner in element]
        if not level:
            return root
    raise ValueError("XML nested too deep")
