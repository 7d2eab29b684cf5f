"""What a reader sees of a document is in the corpus, with its structure, and nothing of its markup."""

from __future__ import annotations

import datetime
import io
import re
import sys
import time
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gate.adapters.readers import READERS, Problem, html, markdown_document
from gate.adapters.readers.folders import read
from gate.adapters.readers.layout import DocumentTooLargeError
from gate.adapters.readers.zipped.open_document import text_of as text_of_open_document
from gate.adapters.readers.zipped.word import text_of as text_of_word
from tests.zipped_documents import W, archive, epub, open_document, paragraph, word, workbook

SAMPLES = Path(__file__).parents[2] / "events" / "corpora"
SEEN: dict[str, str] = {
    "guide.rst": """Harbour guide Ada Quay Boats moor at the north quay for 24 hours, see the fees and book. Note:
    Dogs are welcome. Added in version 2.1 Night berths. Fees Length Price 8 m 12 euro 12 m 19 euro
    book(length, nights=1) Books a berth. length: of the boat in metres book(8, nights=2) -q,
    --quiet: says nothing""",
    "guide.adoc": """Harbour guide Ada Quay Fees A berth costs 12 euro a night, see the rules and our page. Note:
    Dogs are welcome. Pay at the office Then moor quay: where boats moor Length Price 8 m 12 euro
    12 m 19 euro berth --length 8""",
    "guide.mdx": """Harbour guide Opening hours The office opens at 8. Fees A berth costs 12 euro a night. <Berth
    length={8} />""",
    "prices.csv": "Length Price Note 8 m 12 euro 12 m 19 euro with power; at night",
    "api.yaml": "3.1.0 Berth API Books berths. Lists free berths. length Of the boat in metres. berths, public",
    "tour.ipynb": "Berths How many are free. print(free()) 17 berths",
    "order.eml": """Berth 12 Ada Quay <ada@harbour.example> crew@harbour.example Mon, 02 Nov 2026 10:00:00 +0000
    Berth 12 is closed until Friday. plan.pdf""",
    "berths.py": """Berths of a harbour. hours that a boat may stay A place for one boat. Book it; boats longer
    than 12 m are refused.""",
    "berths.go": "Package berths books places for boats. Book reserves a berth for one night.",
    "wiki.html": "Harbour Fees Created by Ada Quay A berth costs 12 euro. Discounts Season Off Winter 30 %",
}
MARKUP = re.compile(
    r"::|\|===|\{price\}|\[\[|</?(?:p|div|td|Callout)\b|:ref:|\.\. |import \{|never shown|root:|\*\*north|``2"
)


def passages(data: bytes, location: str) -> list[dict[str, Any]]:
    found = list(read(data, location))
    assert not [each for each in found if isinstance(each, Problem)], found
    return [each for each in found if isinstance(each, dict)]


def problem(data: bytes, location: str) -> str:
    (found,) = read(data, location)
    assert isinstance(found, Problem), found
    return found.why


def text(data: bytes, location: str) -> str:
    return "\n\n".join(each["content"] for each in passages(data, location))


def test_there_is_a_sample_of_every_text_format_that_was_added() -> None:
    assert set(SEEN) == {path.name for path in SAMPLES.iterdir()}


@pytest.mark.parametrize("name", SEEN)
def test_the_words_that_a_reader_sees_are_there_and_no_markup(name: str) -> None:
    found = text((SAMPLES / name).read_bytes(), name)
    missing = Counter(re.findall(r"\w+", SEEN[name])) - Counter(re.findall(r"\w+", found))
    assert not missing
    assert not MARKUP.findall(found)


def test_a_section_and_a_row_say_what_they_are_about() -> None:
    (_, fees) = passages((SAMPLES / "guide.rst").read_bytes(), "guide.rst")
    assert (fees["title"], fees["section"]) == ("Harbour guide", "Fees")
    assert "Length: 12 m | Price: 19 euro" in fees["content"]
    assert "Length: 12 m | Price: 19 euro" in text((SAMPLES / "guide.adoc").read_bytes(), "a.adoc")
    assert "Season: Winter | Off: 30 %" in text((SAMPLES / "wiki.html").read_bytes(), "a.html")
    *_, book = passages((SAMPLES / "berths.py").read_bytes(), "berths.py")
    assert book["section"] == "class Berth > Berth.book(self, length: float, nights: int = 1) -> None"


def test_data_is_read_as_statements_with_the_path_of_their_keys() -> None:
    found = text((SAMPLES / "api.yaml").read_bytes(), "api.yaml")
    assert "paths./berths.get.parameters.length.description: Of the boat in metres." in found
    assert text(b'{"a": [1, 2, null], "b": {"c": true}}', "a.json") == "a: 1, 2, null\n\nb.c: true"
    assert text(b'[project]\nname = "gate"\n', "a.toml") == "project.name: gate"


def test_an_alias_is_not_followed() -> None:
    bomb = b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"
    assert text(bomb, "a.yaml") == "a: x, x\n\nb: *a, *a\n\nc: *b, *b"


def test_a_word_document_is_read_with_headings_rows_and_notes() -> None:
    deleted = "<w:p><w:del><w:r><w:delText>never</w:delText><w:t>never</w:t></w:r></w:del></w:p>"
    rows = "".join(
        f"<w:tr>{''.join(f'<w:tc>{paragraph(cell)}</w:tc>' for cell in row)}</w:tr>"
        for row in (("Length", "Price"), ("8 m", "12 euro"))
    )
    body = f"{paragraph('Fees', 'berschrift1')}{deleted}{paragraph('By night', 'Own')}<w:tbl>{rows}</w:tbl>"
    body += '<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>'
    notes = f'<w:footnotes {W}><w:footnote w:id="1">{paragraph("A note.")}</w:footnote></w:footnotes>'
    found = passages(word(body, footnotes=notes), "a.docx")
    assert [(each["title"], each.get("section")) for each in found] == [("Fees", None), ("Fees", "By night")]
    assert found[1]["content"] == "By night\n\nLength | Price\n\nLength: 8 m | Price: 12 euro\n\nA note."


def test_an_open_document_is_read_with_headings_and_rows() -> None:
    rows = "".join(
        f"<table:table-row>{''.join(f'<table:table-cell><text:p>{cell}</text:p></table:table-cell>' for cell in row)}"
        "</table:table-row>"
        for row in (("Length", "Price"), ("8 m", "12<text:s/>euro"))
    )
    body = '<text:h text:outline-level="1">Fees</text:h><text:p>By <text:span>night</text:span>.</text:p>'
    body += f"<table:table>{rows}</table:table>"
    assert text(open_document(body), "a.odt") == "Fees\n\nBy night.\n\nLength | Price\n\nLength: 8 m | Price: 12 euro"


def test_a_book_is_read_in_its_order() -> None:
    found = passages(epub("<h1>One</h1><p>First.</p>", "<h1>Two</h1><p>Second.</p>", title="Boats"), "a.epub")
    assert [(each["title"], each["section"], each["content"]) for each in found] == [
        ("Boats", "One", "One\n\nFirst."),
        ("Boats", "Two", "Two\n\nSecond."),
    ]


def test_a_workbook_is_read_row_by_row_with_heads_and_no_formula_is_run() -> None:
    day = datetime.datetime(2026, 5, 3)
    rows = [("Length", "Price", "Since"), ("8 m", 12.5, day), (None, None, None), ("12 m", "=1+1", None)]
    found = passages(workbook({"Fees": rows, "_secret": [("never",)]}), "a.xlsx")
    assert found[0]["section"] == "Fees"
    assert found[0]["content"].split("\n\n")[2:] == ["Length: 8 m | Price: 12.5 | Since: 2026-05-03", "12 m"]


@pytest.mark.parametrize("ending", [".docx", ".odt", ".epub", ".xlsx"])
@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"no archive", "a damaged archive (BadZipFile)"),
        (archive({"a": "x"}), "has no |workbook"),
        (archive({str(number): "" for number in range(5_001)}), "more than 5,000 files"),
    ],
)
def test_an_archive_that_is_no_document_is_refused(ending: str, data: bytes, why: str) -> None:
    assert re.search(re.escape(why).replace(r"\|", "|"), problem(data, f"a{ending}"))


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_that_is_damaged_is_refused_however_it_is_packed(method: int) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as made:
        made.writestr("word/document.xml", "<a>Boats leave at nine.</a>" * 999)
    data = bytearray(buffer.getvalue())
    begins = data.find(b"document.xml") + len("document.xml") + 12
    data[begins : begins + 30] = b"\xff" * 30
    assert problem(bytes(data), "a.docx").startswith("a damaged or locked archive")


def test_a_chapter_that_stands_twice_in_a_book_is_read_once() -> None:
    """500,000 entries for one chapter took more than two minutes."""
    items = "".join(f'<item id="i{number}" href="a.xhtml" media-type="text/html"/>' for number in range(50))
    spine = "".join(f'<itemref idref="i{number}"/>' for number in range(50))
    container = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="a.opf"/></rootfiles></container>"""
    package = (
        f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest><spine>{spine}</spine></package>'
    )
    book = archive({"META-INF/container.xml": container, "a.opf": package, "a.xhtml": "<p>Boats leave at nine.</p>"})
    assert text(book, "a.epub") == "Boats leave at nine."


@pytest.mark.parametrize(
    "page", [b"<b>a</b>" * 60, b"<!--a-->" * 60, b"<?a>" * 60, b"<!a>" * 60, b"<b " + b"a=b " * 60 + b">", b"<br>" * 60]
)
def test_a_page_of_more_parts_than_memory_is_there_for_is_refused(monkeypatch: pytest.MonkeyPatch, page: bytes) -> None:
    """20 MB of <b>a</b> took three gigabytes."""
    monkeypatch.setattr(html, "MOST_PARTS", 50)
    assert problem(page, "a.html") == "a page of more than 50 elements, attributes and comments"
    assert problem(epub(page.decode()), "a.epub") == "a page of more than 50 elements, attributes and comments"
    assert text(b"<p>Boats.</p>", "a.html") == "Boats."


LONG_PAGE = "\n\n".join(
    f"## Pier {number}\n\n- Boats moor.\n- Dogs *may* bark.\n\n| a | b |\n|---|---|\n| 1 | 2 |" for number in range(80)
)


@pytest.mark.parametrize("page", [LONG_PAGE, LONG_PAGE.replace("## ", ""), "- Boats moor.\n" * 400])
def test_a_long_page_of_markdown_is_read_in_parts_and_says_the_same(monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    """A million items of a list, four megabytes, took two gigabytes."""
    whole = markdown_document.text_of(page)
    monkeypatch.setattr(markdown_document, "LONGEST_PART", 1_000)
    parts = list(markdown_document._parts(page))
    assert (len(parts) > 3, max(map(len, parts)) <= 1_000, "".join(parts)) == (True, True, page)
    read = markdown_document.text_of(page)
    assert (read.text.split(), read.sections) == (whole.text.split(), whole.sections)


@pytest.mark.parametrize("page", ["", "a" * 5_000, "\n\n#" * 900, "\n" * 5_000])
def test_parts_of_a_page_end(monkeypatch: pytest.MonkeyPatch, page: str) -> None:
    monkeypatch.setattr(markdown_document, "LONGEST_PART", 1_000)
    assert "".join(markdown_document._parts(page)) == page


def test_a_page_of_too_many_bytes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MOST_BYTES", 50)
    assert problem(b"<p>Boats.</p>" + b" " * 50, "a.html") == "a page of more than 50 bytes"
    with pytest.raises(DocumentTooLargeError):
        html.text_of(b"<p>Boats.</p>" + b" " * 50)


def test_a_page_of_too_many_parts_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MOST_PARTS", 50)
    with pytest.raises(DocumentTooLargeError):
        html.text_of(b"<br>" * 60)


def test_a_bomb_is_refused_before_it_unpacks() -> None:
    assert problem(word(paragraph("x" * 30_000_000)), "a.docx") == "unpacks to too much"
    assert problem(archive({"xl/sharedStrings.xml": b" " * 30_000_000}), "a.xlsx") == "unpacks to too much"


def test_entities_and_types_of_documents_are_refused() -> None:
    hostile = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'
    assert problem(archive({"word/document.xml": hostile}), "a.docx") == "XML with entities or a document type"
    assert problem(archive({"xl/workbook.xml": hostile}), "a.xlsx") == "XML with entities or a document type"


def test_nothing_is_included_and_no_raw_text_comes_through() -> None:
    hostile = (
        b".. include:: /etc/hosts\n\n.. csv-table::\n   :file: /etc/hosts\n\n.. raw:: html\n   :file: /etc/hosts\n\n"
        b".. |x| raw:: html\n\n   <b>no</b>\n\n.. literalinclude:: /etc/hosts\n\nThis stays |x|.\n"
    )
    assert text(hostile, "a.rst") == "This stays x."
    assert text(b"include::/etc/hosts[]\n\nThis stays.\n", "a.adoc") == "This stays."


def test_directives_of_others_are_as_they_were_afterwards() -> None:
    from docutils.parsers.rst import directives, roles

    before = directives.directive, roles.role
    passages(b".. unknown:: a\n\n:unknown:`b`\n", "a.rst")
    assert (directives.directive, roles.role) == before


@pytest.mark.parametrize(
    ("data", "location", "why"),
    [
        (b"a: ]", "a.yaml", "not YAML at line 1"),
        (b"{", "a.json", "not JSON (Expecting property name enclosed in double quotes at column 2)"),
        (b"a =", "a.toml", "not TOML"),
        (b"def", "a.py", "not Python at line 1"),
        (b"a;" * 300_000, "a.py", "more than 500,000 words and signs"),
        (b"[]", "a.ipynb", "no notebook: it has no cells"),
        (b"\n", "a.eml", "no mail: it has no headers"),
        (b"[" + b"0," * 50_001 + b"{}]", "a.json", "more than 50,000 values: data, no document"),
        (b"a" * 10_001, "a.rst", "a line of more than 10,000 characters"),
        (b"[" * 100_000, "a.json", "nested too deep"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes, location: str, why: str) -> None:
    assert problem(data, location) == why


def test_a_reader_whose_library_is_not_installed_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "gate.adapters.readers.restructured", raising=False)
    monkeypatch.setitem(sys.modules, "docutils", None)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    assert problem(b"x", "a.rst") == "needs docutils: pip install 'llm-reliability-gate[corpora]'"
    sheet = archive({"xl/workbook.xml": "<a/>"})
    assert problem(sheet, "a.xlsx") == "needs openpyxl: pip install 'llm-reliability-gate[corpora]'"


def test_every_reader_lays_out_something_or_says_why() -> None:
    for ending in READERS:
        for data in (b"", b"x", b"\x00\xff", b"PK\x05\x06" + b"\0" * 18):
            for each in read(data, f"a{ending}"):
                assert isinstance(each, Problem) or each["content"].strip()


def test_a_reference_is_shown_by_the_title_that_stands_under_its_label() -> None:
    page = b"Guide\n=====\n\nSee :ref:`the_fees` and :ref:`elsewhere`.\n\n"
    page += b".. _the_fees:\n\nFees of berths\n---------------\n\nX.\n"
    assert "See Fees of berths and elsewhere." in text(page, "a.rst")
    page = (
        b"= Guide\n\nSee <<fees>>, xref:#by-night[], xref:harbour:quay/rules.adoc[].\n\n[#fees]\n== Fees of berths\n\n"
    )
    found = text(page + b"A.\n\n== By night\n\nB.\n", "a.adoc")
    assert "See Fees of berths, By night, rules." in found


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("{site}[our page] and {docs}[docs]", "our page and docs"),
        ("[CAUTION]\n====\nMoor *early*.\n====", "Caution: Moor early."),
        ("Moor**ing** at &#8805; 12 m", "Mooring at \u2265 12 m"),
        ("----\na\ninclude::example$b.adoc[tag=c]\n\\include::d.adoc[]\n----", "a\n\ninclude::d.adoc[]"),
        (
            '[source,sh,subs="attributes"]\n----\nberth-{version}\n----\n\n----\n{version}\n----',
            "berth-2.1\n\n{version}",
        ),
        ("image:{site}/a.svg[Quay,link={site}] link:{site}[the rules,window=_blank]", "Quay the rules"),
    ],
)
def test_asciidoc_is_read_as_it_is_shown(given: str, shown: str) -> None:
    names = ":site: https://harbour.example\n:docs: {site}/docs\n:version: 2.1\n\n"
    assert text((names + given).encode(), "a.adoc") == shown


def test_what_a_page_says_of_itself_is_its_title_and_no_heading() -> None:
    page = b"---\ntitle: 'Fees'\ndescription: Of berths.\nid: fees\n---\n\n"
    page += b"A berth costs 12 euro.\n\n## Discounts\n\nNone.\n"
    found = passages(page, "a.md")
    assert [(each["title"], each.get("section")) for each in found] == [("Fees", None), ("Fees", "Discounts")]
    assert found[0]["content"].startswith("title: 'Fees'\ndescription: Of berths.\nid: fees\n\nA berth costs 12 euro.")
    assert text(page, "a.mdx").startswith("Fees\n\nOf berths.\n\nA berth costs 12 euro.")
    assert text(b"---\n\nA rule above.\n\n---\n\nA rule below.\n", "a.mdx") == "A rule above.\n\nA rule below."


def test_code_in_mdx_is_headed_by_its_title_alone() -> None:
    page = b'A&nbsp;berth:\n\n```ts title="src/berth.ts" no-transpile {1,3}\nbook<T>(8)\n```\n'
    assert text(page, "a.mdx") == "A berth:\n\nsrc/berth.ts\n\nbook<T>(8)"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (
            'Moor **at** the [north *quay*](https://q.example "t"), see ![the plan](p.png).',
            "Moor at the north quay, see the plan.",
        ),
        ("A line\nand  the next.\\\nA third.", "A line\nand the next.\nA third."),
        ("3. Book\n4. Pay\n   - at the *office*\n", "3. Book\n\n4. Pay\n\nat the office"),
        ("| Length | Price |\n|---|---|\n| 8 m | `12` euro |\n", "Length | Price\n\nLength: 8 m | Price: 12 euro"),
        ("> Dogs are\n> welcome.\n", "Dogs are\nwelcome."),
        ("```sh\nberth  --length 8\n  # kept\n```\n", "berth  --length 8\n  # kept"),
        ("It costs ~~10~~ 12 euro.", "It costs 12 euro."),
        (
            "<!-- never shown -->\n\n<aside>Fees <b>double</b> in May.</aside>\n\nOne<br>two <i>three</i>.",
            "Fees double in May.\n\nOne\ntwo three.",
        ),
        ("Fees.[^1]\n\n[^1]: Doubled\n\n[q]: https://q.example\n", "Fees.[^1]\n\n[^1]: Doubled"),
        ("2 * 3 * 4 is 24, `a_b_c` and &lt;b&gt;.", "2 * 3 * 4 is 24, a_b_c and <b>."),
        ("<div\n", "<div"),
    ],
)
def test_markdown_is_read_as_it_is_shown(given: str, shown: str) -> None:
    assert text(given.encode(), "a.md") == shown


def test_markdown_that_lies_too_deep_to_be_laid_out_is_read_as_it_is_written() -> None:
    page = "> " * 120 + "A berth costs 12 euro."
    assert "A berth costs 12 euro." in text(page.encode(), "a.md")


def test_what_stands_in_many_tables_is_read_once() -> None:
    text_of_it = "ab " * 30_000
    inside = paragraph(text_of_it)
    for _ in range(60):
        inside = f"<w:tbl><w:tr><w:tc>{inside}</w:tc></w:tr></w:tbl>"
    assert text_of_word(word(inside)).text == text_of_it.strip()
    inside = f"<text:p>{text_of_it}</text:p>"
    for _ in range(40):
        cell = f"<table:table-cell>{inside}</table:table-cell>"
        inside = f"<table:table><table:table-row>{cell}</table:table-row></table:table>"
    assert text_of_open_document(open_document(inside)).text == text_of_it.strip()


def test_a_table_in_a_cell_has_rows_and_heads_of_its_own() -> None:
    def rows(*cells: tuple[str, ...]) -> str:
        return "".join(f"<w:tr>{''.join(f'<w:tc>{cell}</w:tc>' for cell in row)}</w:tr>" for row in cells)

    inner = rows((paragraph("Length"), paragraph("Price")), (paragraph("8 m"), paragraph("12 euro")))
    outer = rows((paragraph("Fees") + f"<w:tbl>{inner}</w:tbl>",))
    assert text(word(f"<w:tbl>{outer}</w:tbl>"), "a.docx") == "Fees\n\nLength | Price\n\nLength: 8 m | Price: 12 euro"


def test_a_cell_that_stands_in_a_thousand_places_is_refused_before_it_is_laid_out(monkeypatch: Any) -> None:
    monkeypatch.setattr("gate.adapters.readers.layout.MAX_CHARS", 1_000_000)
    inside = f"<text:p>{'ab ' * 9_000}</text:p>"
    repeated = f'<table:table-cell table:number-columns-repeated="999">{inside}</table:table-cell>'
    row = f"<table:table><table:table-row>{repeated}</table:table-row></table:table>"
    assert problem(open_document(row), "a.odt") == "holds more than 1 million characters"
    monkeypatch.setattr("gate.adapters.readers.layout.MAX_CHARS", 100_000)
    sheet = workbook({"Fees": [["ab " * 300] * 20] * 20})
    assert problem(sheet, "a.xlsx") == "holds more than 0 million characters"
    mail = b"Subject: Fees\n\n" + b"ab " * 40_000
    assert problem(mail, "a.eml") == "holds more than 0 million characters"


@pytest.mark.parametrize("header", [b"To: " + b"a@b0, " * 42_000, b"Subject: " + b"=?utf-8?q?a?= " * 15_000])
def test_a_header_of_a_mail_is_read_as_far_as_it_is_kept(header: bytes) -> None:
    began = time.thread_time()
    assert "Fees are due." in text(header + b"\n\nFees are due.\n", "a.eml")
    assert time.thread_time() - began < 2


def test_a_table_of_one_huge_row_is_refused_before_its_cells_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.adapters.readers.tabular.sheets.MAX_DELIMITERS", 3)
    refusal = "a row of more than 3 delimiters"
    assert problem(b"a,b,c,d,e", "a.csv") == refusal
    assert problem(b'a,b\na,"x\ny",b,"x\ny",c', "a.csv") == refusal
    assert "e: 9" in text(b"a,b,c,e\n" + b"1,2,3,9\n" * 3, "a.csv")


def test_a_workbook_says_why_it_is_refused_and_a_library_s_words_are_no_reason(monkeypatch: Any) -> None:
    sheet = workbook({"Fees": [["Length", "Price"]] * 20})
    monkeypatch.setattr("gate.adapters.readers.tabular.sheets.MAX_ROWS", 10)
    assert problem(sheet, "a.xlsx") == "more than 10 rows"
    assert problem(b"a,b\n" * 20, "a.csv") == "more than 10 rows"

    def failing(*_: Any, **__: Any) -> Any:
        raise ValueError("a cell of ours with secret characters")

    monkeypatch.setattr("openpyxl.reader.excel.ExcelReader", failing)
    assert problem(sheet, "a.xlsx") == "a damaged or locked workbook (ValueError)"
