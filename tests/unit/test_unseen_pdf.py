"""What a PDF crosses out by a remark, or shows nowhere, is no evidence."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject

from gate.adapters.readers import Problem
from gate.adapters.readers.folders import read
from tests.unit.test_readers import pdf
from tests.unit.test_shown_documents import text


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


FONT = "/Font<</F1 5 0 R>>"


def rewritten(drawn: str, objects: Sequence[str] = (), page: str = "", refers: str = "", root: str = "") -> bytes:
    """A PDF of one page, of 600 by 800 points, as its language writes it; `objects` have the numbers from 6 on."""
    font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
    every = [
        f"<</Type/Catalog/Pages 2 0 R{root}>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<<{FONT}{refers}>>{page}>>",
        f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream",
        font,
        *objects,
    ]
    written, places = "%PDF-1.7\n", list[int]()
    for number, one in enumerate(every, 1):
        places.append(len(written))
        written += f"{number} 0 obj\n{one}\nendobj\n"
    table = "".join(f"{at:010d} 00000 n \n" for at in places)
    about = f"trailer<</Size {len(every) + 1}/Root 1 0 R>>\nstartxref\n{len(written)}\n%%EOF"
    return f"{written}xref\n0 {len(every) + 1}\n0000000000 65535 f \n{table}{about}".encode()


def said(words: str, x: int = 50, y: int = 650, how: str = "") -> str:
    return f"BT {how} /F1 12 Tf {x} {y} Td ({words}) Tj ET\n"


def form(drawn: str, about: str = "") -> str:
    return f"<</Type/XObject/Subtype/Form{about}/Resources<<{FONT}>>/Length {len(drawn)}>>stream\n{drawn}\nendstream"


SEEN = said("It costs 79 euros.", y=700)
OUTSIDE = f"{SEEN}/P BMC EMC BT /F1 12 Tf 50 -650 Td (99) Tj [(9) 5 (9)] TJ (99) ' 0 0 (99) \" ET"
MARKED = f"{SEEN}/OC /O1 BDC /P BMC {said('99')} EMC {said('99')} EMC"
DRAWN = f"{SEEN}/OC /O1 BDC /X Do EMC"
LAYER = "<</Type/OCG/Name(x)>>"
NAMED, FORMS = "/Properties<</O1 6 0 R>>", "/XObject<</X 7 0 R>>"
OFF = "/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>"
BASE = "/OCProperties<</OCGs[6 0 R]/D<</BaseState/OFF>>>>"
SEVERAL = "/OCProperties<</OCGs[7 0 R 8 0 R]/D<</OFF[7 0 R]>>>>"


def of_several(about: str) -> list[str]:
    return [f"<</Type/OCMD{about}>>", LAYER, LAYER]


UNSEEN = [
    rewritten(OUTSIDE),
    rewritten(SEEN + said("99", y=50), page="/CropBox[600 600 0 800]"),
    rewritten(SEEN + said("99", how="3 Tr")),
    rewritten(f"{SEEN} q 7 Tr {said('99')} Q {said('It is blue.', y=600)}"),
    rewritten(f"{SEEN} 1 0 0 1 0 900 cm /X Do", [LAYER, form(said("99"))], refers=FORMS),
    rewritten(f"{SEEN} /X Do", [LAYER, form(said("99"), "/Matrix[1 0 0 1 900 0]")], refers=FORMS),
    rewritten(MARKED, [LAYER], refers=NAMED, root=OFF),
    rewritten(MARKED, [LAYER], refers=NAMED, root=BASE),
    rewritten(DRAWN, [LAYER, form(said("99"))], refers=NAMED + FORMS, root=OFF),
    rewritten(f"{SEEN} /X Do", [LAYER, form(said("99"), "/OC 6 0 R")], refers=FORMS, root=OFF),
    rewritten(MARKED, of_several("/OCGs 7 0 R"), refers=NAMED, root=SEVERAL),
    rewritten(MARKED, of_several("/OCGs[7 0 R 8 0 R]/P/AllOn"), refers=NAMED, root=SEVERAL),
    rewritten(MARKED, of_several("/OCGs[8 0 R]/P/AnyOff"), refers=NAMED, root=SEVERAL),
    rewritten(MARKED, of_several("/OCGs[7 0 R]/VE[/Not 7 0 R]"), refers=NAMED, root=SEVERAL),
]


@pytest.mark.parametrize("data", UNSEEN)
def test_what_a_pdf_shows_nowhere_is_no_evidence(data: bytes) -> None:
    shown = text(data, "a.pdf")
    assert "It costs 79 euros." in shown
    assert "9" not in shown.replace("79", "")


PICTURE = "<</Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 1>>stream\n0\nendstream"
INNER = form("/Y Do").replace(FONT, "/XObject<</Y 6 0 R>>")
BOTH = "/OCGs[7 0 R 8 0 R]"


@pytest.mark.parametrize(
    "data",
    [
        rewritten(said("79", how="3 Tr"), [LAYER, PICTURE], refers=FORMS),
        rewritten(said("79", how="3 Tr"), [PICTURE, INNER], refers=FORMS),
        rewritten(f"q 3 Tr Q {said('79')}"),
        rewritten(said("99", x=-900) + said("79"), page="/CropBox[900 900 999 999]"),
        rewritten("1 0 0 1 0 900 cm /X Do", [LAYER, form(said("79", y=-300))], refers=FORMS),
        rewritten(f"/OC /O1 BDC {said('79')} EMC", [LAYER], refers=NAMED),
        rewritten(f"/OC /O1 BDC {said('79')} EMC", of_several(BOTH), refers=NAMED, root=SEVERAL),
        rewritten(f"/OC /O1 BDC {said('79')} EMC", of_several(f"{BOTH}/P/AnyOff"), refers=NAMED, root=SEVERAL),
        rewritten(f"/OC /O1 BDC {said('99')} EMC {said('79')}", [LAYER], refers=NAMED, root=OFF),
    ],
)
def test_what_a_pdf_shows_is_read(data: bytes) -> None:
    assert text(data, "a.pdf").strip() == "79"
