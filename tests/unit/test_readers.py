"""Documents in their formats, read into passages."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfWriter, apply_configuration
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from gate.adapters.readers import READERS, Problem
from gate.adapters.readers.documents import read_document
from gate.adapters.readers.folders import read
from gate.errors import InputError
from tests.memory import most_memory
from tests.zipped_documents import understated

PAGE = """<!doctype html><html><head><title>Returns</title><style>p {}</style></head><body>
<nav><a href="/">Home</a></nav>
<main><h1>Returns</h1><p>Send it <b>back</b> within
30&nbsp;days.</p><h2>Costs</h2><ul><li>Shipping is free.</li><li>Boxes cost &euro;2.</li></ul>
<!-- a comment --><script>alert("x")</script></main><footer>Imprint</footer></body></html>"""


def pdf(*pages: str, title: str = "", password: str = "") -> bytes:
    """A PDF with a line of text on each page."""
    return pdf_of(*(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET" for text in pages), title=title, password=password)


def pdf_of(*pages: str, title: str = "", password: str = "") -> bytes:
    """A PDF of pages as its language writes them."""
    writer = PdfWriter()
    font = DictionaryObject(
        {NameObject(f"/{key}"): NameObject(f"/{value}") for key, value in
         (("Type", "Font"), ("Subtype", "Type1"), ("BaseFont", "Helvetica"))}
    )  # fmt: skip
    for drawn in pages:
        page = writer.add_blank_page(300, 300)
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
        stream = DecodedStreamObject()
        stream.set_data(drawn.encode())
        page[NameObject("/Contents")] = writer._add_object(stream)
    if title:
        writer.add_metadata({"/Title": title})
    if password:
        writer.encrypt(password)
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def passages(data: bytes, location: str) -> list[dict[str, Any]]:
    found = list(read(data, location))
    assert not [each for each in found if isinstance(each, Problem)], found
    return [each for each in found if isinstance(each, dict)]


def problem(data: bytes, location: str) -> str:
    (found,) = read(data, location)
    assert isinstance(found, Problem)
    assert found.where.startswith(location)
    return found.why


def test_a_web_page_is_read_without_what_surrounds_its_content() -> None:
    first, second = passages(PAGE.encode(), "returns.html")
    assert (first["title"], first.get("section"), first["content"]) == (
        "Returns",
        None,
        "Returns\n\nSend it back within 30 days.",
    )
    assert (second["section"], second["content"]) == ("Costs", "Costs\n\nShipping is free.\n\nBoxes cost €2.")


def test_a_line_that_holds_a_whole_document_is_cut_like_one() -> None:
    text = " ".join(f"Sentence number {number} of the article is here." for number in range(400))
    lines = [{"id": "long", "title": "Article", "content": text}, {"id": "short", "content": "Boats leave."}]
    *cut, short = passages("\n".join(map(json.dumps, lines)).encode(), "c.jsonl")
    assert short["id"] == "short"
    assert all(len(each["content"]) <= 1_200 and each["title"] == "Article" for each in cut)
    assert [text[each["start"] : each["end"]] for each in cut] == [each["content"] for each in cut]
    assert " ".join(each["content"] for each in cut) == text
    assert len({each["id"] for each in cut}) == len(cut)
    assert {each["id"].partition("#")[0] for each in cut} == {"long"}


def test_a_row_of_a_table_is_one_line_because_its_cells_are_about_each_other() -> None:
    head = "<tr><th>Country</th><th>Price</th></tr>"
    row = "<tr><td>Sweden</td><td><p>7 <b>euros</b></p><script>x</script></td></tr>"
    (found,) = passages(f"<p>Prices:</p><table>{head}{row}</table><p>So it is.</p>".encode(), "x.html")
    assert found["content"] == "Prices:\n\nCountry | Price\n\nCountry: Sweden | Price: 7 euros\n\nSo it is."


@pytest.mark.parametrize(
    "layout",
    [
        "<table><tr><td><h1>Returns</h1><p>One.</p></td></tr></table>",
        "<table><tr><td></td><td><h1>Returns</h1><p>One.</p></td></tr></table>",
    ],
)
def test_a_table_that_lays_out_a_page_is_read_as_the_page(layout: str) -> None:
    assert passages(layout.encode(), "x.html")[0]["content"] == "Returns\n\nOne."


def test_a_web_page_in_another_encoding_is_read_by_its_own_word() -> None:
    page = '<meta charset="iso-8859-1"><p>Café</p>'
    assert passages(page.encode("latin-1"), "x.html")[0]["content"] == "Café"


def test_a_pdf_is_read_page_by_page() -> None:
    first, second = passages(pdf("Refunds take 30 days.", "Shipping is free.", title="Policy"), "policy.pdf")
    assert (first["title"], first["section"], first["content"]) == ("Policy", "page 1", "Refunds take 30 days.")
    assert (second["section"], second["content"]) == ("page 2", "Shipping is free.")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"no pdf at all", "damaged PDF"),
        (pdf("text")[:200], "damaged PDF"),
        (pdf("text", password="secret"), "locked with a password"),
        (pdf(""), "no text in it"),
    ],
)
def test_a_pdf_that_cannot_be_read_is_a_problem_with_a_reason(data: bytes, why: str) -> None:
    assert why in problem(data, "x.pdf")


@pytest.mark.parametrize("filters", ["/Unknown", "/JBIG2Decode", "/Crypt/Unknown"])
def test_a_pdf_packed_in_an_unknown_way_is_a_problem_and_starts_no_program(filters: str, tmp_path: Path) -> None:
    program, started = tmp_path / "jbig2dec", tmp_path / "started"
    program.write_text(f"#!/bin/sh\ntouch {started}\n")
    program.chmod(0o755)
    page = pdf("Refunds take 30 days.").replace(b"/Length", f"/Filter[{filters.replace('/', ' /')}]/Length".encode())

    with apply_configuration(jbig2dec_binary=str(program)):
        assert "a damaged PDF" in problem(page, "x.pdf")
        with pytest.raises(InputError, match="the PDF is damaged"):
            read_document({"location": "x.pdf", "base64": base64.b64encode(page).decode()})
    assert not started.exists()


def test_nothing_that_a_pdf_holds_is_said_while_it_is_read(caplog: pytest.LogCaptureFixture) -> None:
    page = pdf("Refunds take 30 days.")
    page = page.replace(b"/BaseFont /Helvetica", b"/BaseFont /Helvetica /Encoding /#1b#5b31mRED")

    (found,) = passages(page, "x.pdf")

    assert found["content"] == "Refunds take 30 days."
    assert caplog.text == ""


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"caf\xe9", "not UTF-8 at byte 3"), (b"a\x00b", "zero bytes"), (b"\xff\xfea", "not UTF-16")],
)
def test_bytes_that_are_no_text_are_a_problem_with_a_reason(data: bytes, why: str) -> None:
    assert why in problem(data, "x.txt")


def test_utf_16_with_its_mark_is_read() -> None:
    assert passages("Grüße".encode("utf-16"), "x.txt")[0]["content"] == "Grüße"


def test_a_page_nested_without_end_is_a_problem_not_a_crash() -> None:
    found = list(read(b"<div>" * 5_000 + b"deep", "x.html"))
    assert all(isinstance(each, Problem) or each["content"] == "deep" for each in found)
    assert found


@pytest.mark.parametrize("page", [b"<a " * 900, b"<!--" * 900, b"<p>Seven.</p>" + b"<a b='>' " * 500])
def test_a_page_that_ends_inside_a_tag_or_a_comment_is_a_problem_with_a_reason(page: bytes) -> None:
    assert list(read(page, "x.html")) == [Problem("x.html", "not HTML: a tag or a comment in it has no end")]


def test_a_page_that_is_no_html_is_a_problem_not_a_crash() -> None:
    assert list(read(b"<![ x ", "x.html")) == [Problem("x.html", "not HTML: its markup cannot be read")]


def test_a_page_that_breaks_off_is_read_to_there() -> None:
    assert passages(b"<p>Seven days.</p><a hre", "x.html")[0]["content"].startswith("Seven days.")


def test_offsets_point_into_the_text_as_it_is_shown() -> None:
    written = "Fees\r\n\r\nA berth costs 12 euro.\r\n" + "Boats moor here. " * 100
    for each in passages(written.encode(), "a.txt"):
        assert written[each["start"] : each["end"]] == each["content"]
        assert each["document"] == "a.txt"
    page = "# A\r\n\r\nFirst *words*.\r\n\r\n## B\r\n\r\nSecond words.\r\n"
    shown = "A\n\nFirst words.\n\nB\n\nSecond words."
    found = passages(page.encode(), "a.md")
    assert [shown[each["start"] : each["end"]] for each in found] == [each["content"] for each in found]


def test_a_passage_keeps_its_id_when_something_else_in_the_document_changes() -> None:
    before = passages(b"# A\n\nFirst.\n\n# B\n\nSecond.\n", "a.md")
    after = passages(b"# A\n\nFirst, and more.\n\n# B\n\nSecond.\n", "a.md")
    assert before[1]["id"] == after[1]["id"]
    assert before[0]["id"] != after[0]["id"]


@given(st.binary(max_size=300), st.sampled_from(sorted(READERS)))
def test_no_bytes_whatever_end_a_reader(data: bytes, ending: str) -> None:
    for each in read(data, f"x{ending}"):
        assert isinstance(each, Problem) or each["content"].strip()


@pytest.mark.parametrize("name", ["a.json", "a.ipynb", "a.jsonl"])
def test_json_that_would_fill_the_memory_is_left_out_before_it_is_read(name: str) -> None:
    before = most_memory()
    (problem,) = read(b'{"cells":[' + b'{"":0},' * 2_500_000 + b"0]}", name)
    assert problem == Problem(
        "a.jsonl, line 1" if name == "a.jsonl" else name,
        "more than 500,000 objects and lists, or 5,000,000 values: data",
    )
    assert most_memory() - before < 150_000_000


def test_a_word_document_of_millions_of_empty_paragraphs_is_left_out_before_it_is_read() -> None:
    xmlns = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    sums = (hashlib.sha256(str(number).encode()).hexdigest() for number in range(11_000))
    noise = "".join(f"<!--{each}-->" + "<w:p/>" * 400 for each in sums)
    document = f'<w:document xmlns:w="{xmlns}"><w:body>{noise}</w:body></w:document>'
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", document)
    before = most_memory()
    assert [*read(file.getvalue(), "a.docx")] == [Problem("a.docx", "XML of more than 4,000,000 tags and attributes")]
    assert most_memory() - before < 150_000_000


@pytest.mark.parametrize("kind", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize(
    ("name", "member"),
    [("a.docx", "word/document.xml"), ("a.xlsx", "[Content_Types].xml"), ("a.epub", "META-INF/container.xml")],
)
def test_a_member_that_says_too_little_of_its_size_does_not_fill_the_memory(name: str, member: str, kind: int) -> None:
    data = understated(member, b"<a/>", 150, kind)
    before = most_memory()
    assert [*read(data, name)] == [Problem(name, "a damaged or locked archive (BadZipFile)")]
    assert most_memory() - before < 60_000_000


def test_a_small_pdf_in_ascii85_does_not_fill_the_memory() -> None:
    packed = zlib.compress(b"z" * 10_000_000, 9)
    head = f"<</Length {len(packed)}/Filter[/FlateDecode/ASCII85Decode]>>stream\n".encode()
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        head + packed + b"\nendstream",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body, places = b"%PDF-1.7\n", b"0000000000 65535 f \n"
    for number, each in enumerate(objects, start=1):
        places += b"%010d 00000 n \n" % len(body)
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    end = b"xref\n0 6\n%strailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (places, len(body))
    before = most_memory()
    assert [*read(body + end, "a.pdf")] == [Problem("a.pdf", "a damaged PDF (LimitReachedError)")]
    assert most_memory() - before < 300_000_000
