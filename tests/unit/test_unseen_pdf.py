"""What a PDF crosses out by a remark, or shows nowhere, is no evidence."""

from __future__ import annotations

import io
from collections.abc import Callable

from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject

from gate.adapters.readers import Problem
from gate.adapters.readers.folders import read
from tests.unit.test_readers import pdf


def changed(data: bytes, change: Callable[[PdfWriter], None]) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    change(writer)
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def strike_out(writer: PdfWriter) -> None:
    corners = ArrayObject(map(FloatObject, (20, 210, 90, 210, 20, 195, 90, 195)))
    remark = DictionaryObject(
        {
            NameObject("/Subtype"): NameObject("/StrikeOut"),
            NameObject("/Rect"): ArrayObject(map(FloatObject, (20, 195, 90, 210))),
            NameObject("/QuadPoints"): corners,
        }
    )
    writer.pages[0][NameObject("/Annots")] = ArrayObject([writer._add_object(remark)])


def test_a_page_with_words_that_a_remark_crosses_out_is_left_out_by_name() -> None:
    found = [*read(changed(pdf("It costs 99 euros.", "It costs 79 euros."), strike_out), "a.pdf")]
    assert [each["content"].strip() for each in found if isinstance(each, dict)] == ["It costs 79 euros."]
    problems = [each.why for each in found if isinstance(each, Problem)]
    assert problems == ["page 1 has words crossed out by a remark, and was left out"]
