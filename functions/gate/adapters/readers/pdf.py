"""The text of a PDF, page by page."""

from __future__ import annotations

import io
import logging
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import hypot, inf
from typing import Any, NoReturn

from pypdf import PdfReader as PdfReader
from pypdf import Transformation, filters
from pypdf.errors import DependencyError, LimitReachedError, PyPdfError
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, NullObject, TextStringObject

from gate.adapters.readers.layout import Read
from gate.retrieval.chunking import Section
from gate.text.composed import raised

DAMAGED = (
    PyPdfError, DependencyError, NotImplementedError, AssertionError, KeyError, IndexError, TypeError, AttributeError,
    OverflowError, RecursionError, zlib.error,
)  # fmt: skip
"""What the library raises on files that break the format's rules, or need what it has not, beside `ValueError`."""

MAX_ASCII85 = 5_000_000
"""Bytes of a stream in ASCII85: the library bounds its other filters, and here takes 90 bytes for one."""

MOST_NAMED = 20
"""Pages that are named as left out."""

SHOWS = (b"Tj", b"TJ", b"'", b'"')
"""What shows letters."""
UNDRAWN = (3, 7)
"""Ways to draw letters that draw nothing."""
EDGE = 1.0
"""Of a page, in points: letters may begin that far beside it."""
MOST_FORMS = 1_000
"""Forms that are looked at for a picture."""

SMALL = 0.8
"""Of the letters before it: what is smaller and no lower is raised."""

logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what it says quotes the file: codes for a terminal, too
_decode_ascii85 = filters.ASCII85Decode.decode


def _bounded_ascii85(data: str | bytes, *more: Any, **named: Any) -> bytes:
    if len(data) > MAX_ASCII85:
        raise LimitReachedError("a stream in ASCII85 is too long")
    return _decode_ascii85(data, *more, **named)


def _no_jbig2(*_: Any, **__: Any) -> NoReturn:
    """The library would start a program; it unpacks pictures, and no text of ours. This is its error without it."""
    raise DependencyError("no program is started")


filters.JBIG2Decode.decode = _no_jbig2  # type: ignore[method-assign]
filters.ASCII85Decode.decode = staticmethod(_bounded_ascii85)  # type: ignore[method-assign]


def text_of(data: bytes) -> Read:
    """Return the text, the title in the document's properties, and a section for each page that is read.

    Raises:
        ValueError: it is damaged, locked, or holds pictures of text alone.
    """
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise ValueError("locked with a password")
        off = _layers_off(reader.root_object)
        struck = {number for number, page in enumerate(reader.pages, 1) if _is_struck(page)}
        pages = ["" if number in struck else _text(page, off) for number, page in enumerate(reader.pages, 1)]
        title = str(reader.metadata.title or "") if reader.metadata else ""
    except DAMAGED as error:
        raise ValueError(f"a damaged PDF ({type(error).__name__})") from None
    if not struck and not any(page.strip() for page in pages):
        raise ValueError("no text in it: pictures of pages?")
    sections, start = [], 0
    for number, page in enumerate(pages, start=1):
        sections.append(Section(f"page {number}", start, start + len(page)))
        start += len(page) + 2
    left_out = tuple(f"page {number} has words crossed out by a remark, and was left out" for number in sorted(struck))
    return Read("\n\n".join(pages), title.strip() or None, sections, left_out=left_out[:MOST_NAMED])


def _is_struck(page: Any) -> bool:
    """Whether a remark on the page crosses out words: which ones, its corners say alone."""
    remarks = (remark.get_object() for remark in _listed(page, "/Annots") if remark is not None)
    return any(remark.get("/Subtype") == "/StrikeOut" for remark in remarks if isinstance(remark, DictionaryObject))


def _held(holder: Any, key: str) -> Any:
    """What an object of a PDF holds, wherever it stands in the file; None: nothing."""
    found = holder.get(key)
    found = None if found is None else found.get_object()
    return None if isinstance(found, NullObject) else found


def _named(holder: Any, key: str) -> Any:
    """What it holds by names."""
    found = _held(holder, key)
    return found if isinstance(found, DictionaryObject) else DictionaryObject()


def _listed(holder: Any, key: str) -> Any:
    """What it holds in a list, or the one thing."""
    found = _held(holder, key)
    return found if isinstance(found, ArrayObject) else [holder.get(key)]


def _layers_off(root: Any) -> frozenset[int]:
    """The layers of a document that it does not show, by the numbers of their objects."""
    layers = _named(root, "/OCProperties")
    how = _named(layers, "/D")
    off, on, every = (_numbers(_listed(*each)) for each in ((how, "/OFF"), (how, "/ON"), (layers, "/OCGs")))
    return off | (every - on) if _held(how, "/BaseState") == "/OFF" else off


def _numbers(objects: Any) -> frozenset[int]:
    return frozenset(each.idnum for each in objects if isinstance(each, IndirectObject))


def _is_off(layer: Any, off: frozenset[int]) -> bool:
    """Whether what belongs to a layer, or to several, is not shown.

    Of several any that is shown shows it, unless their policy says otherwise; a reckoned one (`/VE`) counts as off.
    """
    if not off or layer is None:
        return False
    held = layer.get_object()
    if not isinstance(held, DictionaryObject) or held.get("/Type") != "/OCMD":
        return bool(_numbers([layer]) & off)
    states = [number in off for number in _numbers(_listed(held, "/OCGs"))]
    if "/VE" in held or not states:
        return "/VE" in held
    policies = {"/AllOn": any(states), "/AnyOff": not any(states), "/AllOff": not all(states)}
    return policies.get(str(held.get("/P")), all(states))


@dataclass(slots=True)
class _Drawing:
    """What a page draws, or a form in it: what it refers to, where it lies, and whether it is shown."""

    resources: Any
    place: Transformation
    is_off: bool = False
    mode: int = 0
    saved: list[int] = field(default_factory=list)
    marks: list[bool] = field(default_factory=list)


class _Unseen:
    """Takes letters out of a page, before the library reads them, that it shows nowhere: beside what is cut out of it,
    in a layer that is off, or drawn as nothing, as beneath a picture of them, where there is none."""

    def __init__(self, page: Any, off: frozenset[int]) -> None:
        resources = _named(page, "/Resources")
        self._off, self._box = off, _box(page)
        self._drawings = [_Drawing(resources, Transformation())]
        self._has_picture = _has_picture(resources)

    def before(self, operator: bytes, operands: Any, page: list[float], text: list[float]) -> None:
        """Look at a step of the drawing that is to be done; empty what it would show."""
        drawing = self._drawings[-1]
        if operator in SHOWS and operands:
            if self._is_unseen(drawing, _at(text[4:], page, drawing.place)):
                operands[-1:] = [ArrayObject() if operator == b"TJ" else TextStringObject("")]
        elif operator == b"Tr" and operands and isinstance(operands[0], int | float):
            drawing.mode = int(operands[0])
        elif operator == b"q":
            drawing.saved.append(drawing.mode)
        elif operator == b"Q" and drawing.saved:
            drawing.mode = drawing.saved.pop()
        elif operator in (b"BMC", b"BDC"):
            drawing.marks.append(operator == b"BDC" and self._marks_off(operands, drawing))
        elif operator == b"EMC" and drawing.marks:
            drawing.marks.pop()
        elif operator == b"Do" and operands:
            self._drawings.append(self._form(operands[0], drawing, page))

    def after(self, operator: bytes, operands: Any, *_: object) -> None:
        """A form has been drawn."""
        if operator == b"Do" and operands and len(self._drawings) > 1:
            self._drawings.pop()

    def _is_unseen(self, drawing: _Drawing, at: Sequence[float]) -> bool:
        if drawing.is_off or any(drawing.marks) or (drawing.mode in UNDRAWN and not self._has_picture):
            return True
        left, bottom, right, top = self._box
        return not (left - EDGE <= at[0] <= right + EDGE and bottom - EDGE <= at[1] <= top + EDGE)

    def _marks_off(self, operands: Any, drawing: _Drawing) -> bool:
        if len(operands) < 2 or operands[0] != "/OC":
            return False
        return _is_off(_named(drawing.resources, "/Properties").get(operands[1]), self._off)

    def _form(self, name: Any, drawing: _Drawing, page: list[float]) -> _Drawing:
        form = _named(_named(drawing.resources, "/XObject"), name)
        matrix = Transformation(tuple(map(float, _held(form, "/Matrix") or (1, 0, 0, 1, 0, 0))))  # type: ignore[arg-type]
        place = matrix.transform(Transformation(tuple(page))).transform(drawing.place)  # type: ignore[arg-type]
        is_off = drawing.is_off or any(drawing.marks) or _is_off(form.get("/OC"), self._off)
        return _Drawing(_named(form, "/Resources") or drawing.resources, place, is_off, drawing.mode)


def _at(place: Sequence[float], page: list[float], outer: Transformation) -> Sequence[float]:
    """Where on the page something lies, by where it lies in what is drawn there."""
    return outer.apply_on(Transformation(tuple(page)).apply_on((place[0], place[1])))  # type: ignore[arg-type]


def _box(page: Any) -> tuple[float, float, float, float]:
    """What is shown of a page: left, bottom, right, top."""
    try:
        cut, whole = ([float(corner) for corner in box] for box in (page.cropbox, page.mediabox))
    except ValueError:  # there is none
        return (-inf, -inf, inf, inf)
    for boxes in ((cut, whole), (whole,)):
        left, bottom = (max(min(box[at], box[at + 2]) for box in boxes) for at in (0, 1))
        right, top = (min(max(box[at], box[at + 2]) for box in boxes) for at in (0, 1))
        if left < right and bottom < top:
            return left, bottom, right, top
    return (-inf, -inf, inf, inf)


def _has_picture(resources: Any) -> bool:
    """Whether a page refers to a picture, itself or in a form."""
    waiting, known = [resources], set[int]()
    while waiting and len(known) < MOST_FORMS:
        for named in _named(waiting.pop(), "/XObject").values():
            found = named.get_object()
            if not isinstance(found, DictionaryObject) or id(found) in known:
                continue
            known.add(id(found))
            if found.get("/Subtype") == "/Image":
                return True
            waiting.append(_named(found, "/Resources"))
    return False


def _text(page: Any, off: frozenset[int]) -> str:
    """The text of a page, its raised figures raised, without what it does not show."""
    pieces: list[tuple[str, float, float]] = []

    def note(text: str, outer: list[float], inner: list[float], _: object, size: float) -> None:
        height = size * hypot(inner[2], inner[3]) * hypot(outer[2], outer[3])
        pieces.append((text, height, inner[4] * outer[1] + inner[5] * outer[3] + outer[5]))

    unseen = _Unseen(page, off)
    whole = str(
        page.extract_text(visitor_operand_before=unseen.before, visitor_operand_after=unseen.after, visitor_text=note)
    )
    shown, before, line = list[str](), 0.0, 0.0
    for text, height, place in pieces:
        is_raised = height < SMALL * before and place >= line
        shown.append(raised(text) if is_raised else text)
        if text.strip() and not is_raised:
            before, line = height, place
    return "".join(shown) if sum(map(len, shown)) == len(whole) else whole
