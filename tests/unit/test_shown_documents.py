"""A document is evidence as it is shown: what it takes back is none, and nothing of what it shows is lost or moved."""

from __future__ import annotations

import io
import json
import time
from email.message import EmailMessage

import pytest

from gate.adapters.readers import Problem
from gate.adapters.readers.folders import read
from gate.decision.checks import run_checks
from tests import zipped_documents
from tests.unit.test_readers import pdf_of
from tests.zipped_documents import epub, open_document, paragraph, word

W_RUN = "<w:p><w:r><w:t>Returns cost </w:t></w:r><w:r><w:rPr>{}</w:rPr><w:t>{}</w:t></w:r></w:p>"


def text(data: bytes | str, location: str) -> str:
    found = [*read(data.encode() if isinstance(data, str) else data, location)]
    assert not [each for each in found if isinstance(each, Problem)], found
    return "\n".join(each["content"] for each in found if isinstance(each, dict))


def styled(body: str) -> bytes:
    """A Word document whose styles cross out and hide."""
    styles = """<w:style w:styleId="Old"><w:rPr><w:vanish/></w:rPr></w:style>
    <w:style w:styleId="Older"><w:basedOn w:val="Old"/></w:style>
    <w:style w:styleId="Back"><w:basedOn w:val="Old"/><w:rPr><w:vanish w:val="0"/></w:rPr></w:style>
    <w:style w:styleId="Gone"><w:rPr><w:strike/></w:rPr></w:style>"""
    return word(body, styles=f"<w:styles {zipped_documents.W}>{styles}</w:styles>")


def problem(data: bytes, location: str) -> str:
    (found,) = read(data, location)
    assert isinstance(found, Problem)
    return found.why


@pytest.mark.parametrize(
    ("data", "location"),
    [
        ("<p>It costs <del>99</del> 79 euros.</p>", "a.html"),
        ("<p>It costs <s>99</s> <strike>98</strike> 79 euros.</p>", "a.html"),
        ('<p>It costs <span style="text-decoration: line-through">99</span> 79 euros.</p>', "a.html"),
        (r'<p>It costs <span style="text-decoration: line\2d through">99</span> 79 euros.</p>', "a.html"),
        (
            "<style>.old {text-decoration: line-through}</style><p class=old>It costs 99.</p><p>It costs 79 euros.",
            "a.html",
        ),
        (
            "<style>/* } */ p:hover{color:red} @media screen { a, .a > [title='}'] { content: '}'; "
            r"text-decoration-line: \6Cine-through } }</style><p class=a>It costs <b title='}'>99</b> 79 euros.",
            "a.html",
        ),
        (
            r"<style>.a\}b {text-decoration:"
            f"{' ' * 300}red line-through}}</style><p class='a}}b'>99</p><p>It costs 79 euros.",
            "a.html",
        ),
        ("It costs <del>99</del> 79 euros.", "a.md"),
        ('It costs <b style="text-decoration: line&#45;through">99</b> 79 euros.', "a.md"),
        ('It costs <b style={{textDecoration: "line-through"}}>99 <b>9</b></b> 79 euros.', "a.mdx"),
        ("<M.Old style={{textDecoration: 'line-through'}}>\n\n99\n\n```sh\n99\n```\n\n</M.Old>\n\n79 euros.", "a.mdx"),
        (".. class:: line-through\n\nIt costs 99 euros.\n\nIt costs 79 euros.", "a.rst"),
        (".. rst-class:: line-through\n\n* 99\n* 99\n\nIt costs 79 euros.", "a.rst"),
        (".. card:: 99\n   :class: line-through\n\n   99\n\nIt costs 79 euros.", "a.rst"),
        (".. note::\n   :class: line-through\n\n   99\n\nIt costs 79 euros.", "a.rst"),
        (".. class:: line-through\n\n99\n==\n\n99\n\nNow\n===\n\nIt costs 79 euros.", "a.rst"),
        ("It costs ~99~ 79 euros.", "a.md"),
        ("It costs <del>99</del> 79 euros.", "a.mdx"),
        ("It costs [.line-through]#99# 79 euros.", "a.adoc"),
        ("It costs [.small.strike]##99## 79 euros.", "a.adoc"),
        ('It costs [role="old line-through"]#99# 79 euros.', "a.adoc"),
        ("It costs [#a.line-through]*99* 79 euros.", "a.adoc"),
        (f"It costs [.line-through]#{'99 ' * 300}9# 79 euros.", "a.adoc"),
        ("It costs +++<del>99</del>+++ 79 euros.", "a.adoc"),
        ("It costs +++<del>+++99+++</del>+++ 79 euros.", "a.adoc"),
        ("It costs pass:[<s>99</s>] 79 euros.", "a.adoc"),
        (":old: pass:[<s>]\n:end: pass:[</s>]\n\nIt costs {old}99{end} 79 euros.", "a.adoc"),
        ("++++\n<p>It costs <del>99</del> 79 euros.</p>\n++++", "a.adoc"),
        ("++++\n<del>\n++++\n\n99\n\n----\n99\n----\n\n++++\n</del>\n++++\n\nIt costs 79 euros.", "a.adoc"),
        ("[pass]\nIt costs <del>99</del> 79 euros.", "a.adoc"),
        ("[.line-through]\nIt costs 99 euros,\nor 99.\n\nIt costs 79 euros.", "a.adoc"),
        ("[.line-through]\n.99\n* 99\n\n* 99\n+\n--\n99\n\n99\n--\n\nIt costs 79 euros.", "a.adoc"),
        ("[quote.line-through]\n====\n99\n\n99\n====\n\nIt costs 79 euros.", "a.adoc"),
        ('[role="line-through"]\n|===\n|99\n\n|99\n|===\n\nIt costs 79 euros.', "a.adoc"),
        ("[.line-through]\n== 99\n\n99\n\n=== 99\n\n99\n\n== Now\n\nIt costs 79 euros.", "a.adoc"),
        (word(W_RUN.format("<w:strike/>", "99") + paragraph("It costs 79 euros.")), "a.docx"),
        (word(W_RUN.format('<w:vanish w:val="true"/>', "99") + paragraph("It costs 79 euros.")), "a.docx"),
        (styled(paragraph("It costs 99 euros.", "Old") + paragraph("It costs 79 euros.")), "a.docx"),
        (styled(paragraph("It costs 99 euros.", "Older") + paragraph("It costs 79 euros.")), "a.docx"),
        (styled(W_RUN.format('<w:rStyle w:val="Gone"/>', "99") + paragraph("It costs 79 euros.")), "a.docx"),
        (
            styled(
                '<w:tbl><w:tblPr><w:tblStyle w:val="Gone"/></w:tblPr><w:tr><w:tc>'
                + paragraph("It costs 99 euros.")
                + "</w:tc></w:tr></w:tbl>"
                + paragraph("It costs 79 euros.")
            ),
            "a.docx",
        ),
        (
            open_document(
                '<text:p>It costs <text:span text:style-name="T1">99</text:span> 79 euros.</text:p>',
                styles='<style:style style:name="T1"><style:text-properties '
                'style:text-line-through-style="solid"/></style:style>',
            ),
            "a.odt",
        ),
    ],
)
def test_what_a_document_takes_back_is_no_evidence(data: bytes | str, location: str) -> None:
    shown = text(data, location)
    assert "79 euros" in shown
    assert "9" not in shown.replace("79", "")


@pytest.mark.parametrize(
    "page",
    [
        '<body style="text-decoration: line-through"><p>It costs 99.</p></body>',
        '<html style="text-decoration: line-through"><body><p>It costs 99.</p></body></html>',
        "<style>body {text-decoration: line-through}</style><body><p>It costs 99.</p></body>",
        '<div style="text-decoration: line-through"><main><p>It costs 99.</p></main></div>',
        "<del><article><p>It costs 99.</p></article></del>",
        "<template><main>It costs 99.</main></template>",
    ],
)
def test_a_page_that_is_crossed_out_as_a_whole_holds_no_evidence(page: str) -> None:
    assert text(page, "a.html") == ""


@pytest.mark.parametrize(
    "page",
    [
        "<p><s>It cost 99.</p><p>It costs 79.</p>",
        "<div><s>It cost 99.</div><p>It costs 79.</p>",
        "<h2><strike>It cost 99</h2><p>It costs 79.</p>",
        "<div><del><p>It cost 99.</del></p><p>It costs 79.</p></div>",
        "<p>It costs <s/> 79.</p>",
        '<p><b style="text-decoration: line-through">It cost 99.</p><p>It costs 79.</p>',
        "<style>.old {text-decoration: line-through}</style><p><b class=old>It cost 99.</p><p>It costs 79.</p>",
        "<div style='text-decoration: line-through'><table><tr><td></div><p>It costs 79.</p>",
    ],
)
def test_a_page_that_crosses_out_across_the_end_of_an_element_is_left_out(page: str) -> None:
    assert "crosses out from within one element into another" in problem(page.encode(), "a.html")


@pytest.mark.parametrize(
    "page",
    [
        "<ul><li>It costs <s>99</s> 79 euros.<li>A year.</ul>",
        "<div><b><p>It costs</b> <del>99</del> 79 euros.</div>",
        "<div><del><p>It cost 99.</p></del><p>It costs 79 euros.</div>",
        "<table><tr><td>It costs<td><s>99</s> 79 euros</table>",
    ],
)
def test_ends_that_need_not_be_written_leave_no_page_out(page: str) -> None:
    assert "79 euros" in text(page, "a.html")
    assert "99" not in text(page, "a.html")


@pytest.mark.parametrize(
    "old", ['style="text-decoration: line-through" style="color: red"', 'class="old" class="new"', 'class=old CLASS=""']
)
def test_of_two_attributes_of_one_name_the_first_counts(old: str) -> None:
    page = f"<style>.old {{text-decoration: line-through}}</style><p {old}>It costs 99.</p><p>It costs 79 euros.</p>"
    assert text(page, "a.html") == "It costs 79 euros."


OLD = ".old {text-decoration: line-through}"


@pytest.mark.parametrize(
    "shown",
    [
        "<svg width=30><title>Sign</title><g><text y=15>not</text></g></svg>",
        "<textarea>not</textarea>",
        "<input value=not>",
        "<input placeholder=not>",
        "<select><option>do</option><option selected>not</option></select>",
        "<select><option>not</option></select>",
    ],
)
def test_what_a_drawing_or_a_field_says_within_a_sentence_is_a_part_of_it(shown: str) -> None:
    assert text(f"<p>Refunds do {shown} cost 79 euros.</p>", "a.html") == "Refunds do not cost 79 euros."
    assert text(f"<p>Refunds.</p>{shown}<p>Yes.</p>", "a.html") == "Refunds.\n\nYes."


@pytest.mark.parametrize("unseen", ["<input type=hidden value=99>", "<input type=checkbox value=99>", "<input>"])
def test_the_value_of_a_field_that_shows_none_is_unread(unseen: str) -> None:
    assert text(f"<p>Refunds {unseen} cost 79 euros.</p>", "a.html") == "Refunds cost 79 euros."


STRIKE = "<style>{} {{text-decoration: line-through}}</style>{}"


@pytest.mark.parametrize(
    ("selector", "page"),
    [
        ("ul > li.old", "<ul><li>It costs 79 euros.<li class=old>It costs 99.</ul>"),
        ("li.old + li", "<ul><li>It costs 79 euros.<li class=old>Once:</li><li>It costs 99.</ul>"),
        ("li.gone + li", "<ul><li>It costs 79 euros.<li class=gone>Once:<li>It costs 99.</ul>"),
        ("li:nth-child(2)", "<ol><li>It costs <b>79 euros</b>.<li>It costs 99.</ol>"),
        ("dl > dd:last-child", "<dl><dt>Fee<dd>79 euros<dt>Once<dd>99</dl>"),
        ("p.note + p", "<p>It costs 79 euros.<p class=note>Once:<p>It costs 99."),
        ("p:last-of-type", "<p>It costs <b>79 euros</b>.<p>It costs 99."),
        ("tr > .old", "<table><tr><td>Fee<td>79 euros<td class=old>99<tr><td>a<td>b<td class=old>99</table>"),
        ("td:nth-child(3)", "<table><tr><td>Fee<td>79 euros<td class=old>99</table>"),
    ],
)
def test_an_element_without_an_end_ends_where_the_next_one_begins(selector: str, page: str) -> None:
    shown = text(STRIKE.format(selector, page), "a.html")
    assert "79 euros" in shown
    assert "99" not in shown


@pytest.mark.parametrize(
    ("selector", "page"),
    [
        ("tbody .old", "<table><tr class=old><td>99<td>a</table>"),
        ("table > tbody > tr", "<table><tr><td>99<td>a</table>"),
        ("body .old", "<p class=old>99"),
        (":root .old", "<body><p class=old>99</body>"),
        ("html .old", "<p class=old>99"),
        ("p > .old", "<p><b><i class=old>99</b></i></p>"),
    ],
)
def test_a_page_that_is_crossed_out_by_what_only_a_browser_finds_is_left_out(selector: str, page: str) -> None:
    assert "that only a browser finds" in problem(STRIKE.format(selector, page).encode(), "a.html")


def test_a_cell_without_an_end_stands_in_its_own_column() -> None:
    page = "<table><tr><th>Plan<th>Fee<tr><td>Pro<td>79 euros<tr><td>Basic<td>9 euros</table>"
    assert text(page, "a.html") == "Plan | Fee\n\nPlan: Pro | Fee: 79 euros\n\nPlan: Basic | Fee: 9 euros"


def test_what_stands_in_place_of_an_object_within_a_paragraph_is_unread() -> None:
    assert text("<p>It costs 79 euros.<object><p>99</p></object></p>", "a.html") == "It costs 79 euros."


@pytest.mark.parametrize(
    ("head", "files"),
    [
        ("<link rel='stylesheet' href='s.css'/>", {"s.css": OLD}),
        ("<link rel='stylesheet' type='text/css' href='../styles/a%20b.css?1'/>", {"../styles/a b.css": OLD}),
        ("<base href='styles/'/><link rel='stylesheet' href='s.css'/>", {"styles/s.css": OLD}),
        ("<?xml-stylesheet type='text/css' href='s.css'?>", {"s.css": OLD}),
        ("<style>@import 's.css';</style>", {"s.css": OLD}),
        ("<link rel='stylesheet' href='css/a.css'/>", {"css/a.css": "@import url(b.css);", "css/b.css": OLD}),
        ("<link rel='stylesheet' href='a.css'/>", {"a.css": '@import "b.css";', "b.css": f'@import "a.css"; {OLD}'}),
        ("<link rel='stylesheet' href='data:text/css,.old%7Btext-decoration:line-through%7D'/>", {}),
        ("<link rel='stylesheet' href='data:text/css;base64,Lm9sZHt0ZXh0LWRlY29yYXRpb246bGluZS10aHJvdWdofQ=='/>", {}),
    ],
)
def test_what_a_style_sheet_of_a_book_crosses_out_is_no_evidence(head: str, files: dict[str, str]) -> None:
    page = f"<html><head>{head}</head><body><p class='old'>It costs 99.</p><p>It costs 79 euros.</p></body></html>"
    assert text(epub(page, files=files), "a.epub") == "It costs 79 euros."


def test_a_book_without_the_style_sheet_that_it_names_is_read() -> None:
    page = "<link rel='stylesheet' href='s.css'/><link rel='stylesheet' href='https://[x/'/><p>It costs 79 euros.</p>"
    assert text(epub(page), "a.epub") == "It costs 79 euros."


def test_a_book_of_endless_style_sheets_is_refused() -> None:
    files = {f"{number}.css": f"@import '{number + 1}.css';" for number in range(200)}
    assert "more than 100 style sheets" in problem(epub("<link rel=stylesheet href=0.css>", files=files), "a.epub")


def test_an_end_without_a_beginning_is_not_sought_among_all_that_have_ended() -> None:
    started = time.thread_time()
    assert "79" in text("<p>79</p>" + "<br>" * 30_000 + "</p>" * 30_000, "a.html")
    assert time.thread_time() - started < 10


@pytest.mark.parametrize("written", ["H~2~O weighs ~3 kg, or ~4 kg.", "It takes ~30 days, `~30~`.", "a ~ b ~ c"])
def test_a_tilde_that_says_about_or_lowers_takes_nothing_back(written: str) -> None:
    assert text(written, "a.md") == written.replace("`", "")


def test_what_is_said_not_to_be_crossed_out_is_evidence() -> None:
    assert "99" in text(word(W_RUN.format('<w:strike w:val="0"/>', "99")), "a.docx")


HTML_TABLE = """<table><tr><th rowspan="2">Region</th><th colspan="2">Fee</th></tr>
<tr><th>Delivery</th><th>Return</th></tr>
<tr><td rowspan="2">EU</td><td>5</td><td>6</td></tr><tr><td>7</td><td>8</td></tr>
<tr><td colspan="3">All in euros.</td></tr></table>"""
RST_TABLE = """
+--------+----------+--------+
| Region | Delivery | Return |
+========+==========+========+
| EU     | 5        | 6      |
|        +----------+--------+
|        | 7        | 8      |
+--------+----------+--------+
| both              | 9      |
+-------------------+--------+
"""
ADOC_TABLE = """|===
|Region |Delivery |Return

.2+|EU |5 |6
|7 |8
2+|both |9
|==="""


def cell(shown: str, about: str = "") -> str:
    return f"<w:tc><w:tcPr>{about}</w:tcPr><w:p><w:r><w:t>{shown}</w:t></w:r></w:p></w:tc>"


WORD_TABLE = f"""<w:tbl><w:tr>{cell("Region")}{cell("Delivery")}{cell("Return")}</w:tr>
<w:tr>{cell("EU", '<w:vMerge w:val="restart"/>')}{cell("5")}{cell("6")}</w:tr>
<w:tr>{cell("", "<w:vMerge/>")}{cell("7")}{cell("8")}</w:tr>
<w:tr>{cell("both", '<w:gridSpan w:val="2"/>')}{cell("9")}</w:tr></w:tbl>"""


def office_row(*cells: str) -> str:
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def office_cell(shown: str, about: str = "") -> str:
    return f"<table:table-cell {about}><text:p>{shown}</text:p></table:table-cell>"


COVERED = "<table:covered-table-cell/>"
OFFICE_TABLE = f"""<table:table>
{office_row(office_cell("Region"), office_cell("Delivery"), office_cell("Return"))}
{office_row(office_cell("EU", 'table:number-rows-spanned="2"'), office_cell("5"), office_cell("6"))}
{office_row(COVERED, office_cell("7"), office_cell("8"))}
{office_row(office_cell("both", 'table:number-columns-spanned="2"'), COVERED, office_cell("9"))}
</table:table>"""


@pytest.mark.parametrize(
    ("data", "location"),
    [
        (RST_TABLE, "a.rst"),
        (ADOC_TABLE, "a.adoc"),
        (word(WORD_TABLE), "a.docx"),
        (open_document(OFFICE_TABLE), "a.odt"),
    ],
)
def test_a_cell_that_fills_several_columns_or_rows_moves_no_other_one(data: bytes | str, location: str) -> None:
    shown = text(data, location)
    assert "Region: EU | Delivery: 5 | Return: 6" in shown
    assert "Region: EU | Delivery: 7 | Return: 8" in shown
    assert "Region: both | Delivery: both | Return: 9" in shown


def test_a_cell_of_a_page_that_fills_several_columns_or_rows_moves_no_other_one() -> None:
    shown = text(HTML_TABLE, "a.html")
    assert "Region: EU | Fee Delivery: 5 | Fee Return: 6" in shown
    assert "Region: EU | Fee Delivery: 7 | Fee Return: 8" in shown
    assert "All in euros." in shown


@pytest.mark.parametrize(
    ("table", "shown"),
    [
        (
            "[cols=2]\n|===\n|Fee |Costs\n|Return |is free,\nbut not |9 euros\n|===",
            "Fee: Return | Costs: is free, but not",
        ),
        ('[cols="1,1"]\n|===\n|Fee\n|Costs\n\n|Return\n|9 euros\n|===', "Fee: Return | Costs: 9 euros"),
        (",===\nFee,Costs\nReturn,9 euros\n,===", "Return,9 euros"),
    ],
)
def test_nothing_of_a_table_in_asciidoc_is_lost(table: str, shown: str) -> None:
    assert shown in text(table, "a.adoc")


def test_a_row_of_a_single_cell_is_laid_out_once_however_deep_it_stands() -> None:
    began = time.thread_time()
    assert text("<table>" + "<tr><td>a" * 60, "a.html").count("a") == 60
    assert time.thread_time() - began < 2


def test_a_table_of_very_many_columns_is_refused_and_not_cut() -> None:
    assert problem((",".join(map(str, range(501))) + "\n1,2").encode(), "a.csv") == "a table of more than 500 columns"
    assert problem(zipped_documents.workbook({"A": [list(range(501))]}), "a.xlsx") == "a table of more than 500 columns"
    page = b"<table><tr>" + b'<td colspan="9999">a</td>' * 6 + b"</tr></table>"
    assert problem(page, "a.html") == "a table of more than 500 columns"


def test_a_long_cell_is_read_to_its_end() -> None:
    long = "word " * 5_000 + "Refunds take 30 days."
    assert "Refunds take 30 days." in text(f"Name,Terms\nHeron,{long}\n", "a.csv")
    assert "Refunds take 30 days." in text(
        zipped_documents.workbook({"A": [["Name", "Terms"], ["Heron", long]]}), "a.xlsx"
    )


def test_a_cell_of_a_workbook_says_what_its_format_shows() -> None:
    from openpyxl import Workbook
    from openpyxl.styles import Font

    book = Workbook()
    sheet = book.active
    for row in (["Plan", "Discount", "Share", "Old"], ["Pro", 0.15, 7, 99]):
        sheet.append(row)
    sheet["B2"].number_format, sheet["C2"].number_format, sheet["D2"].font = "0.0%", '0.0"%"', Font(strike=True)
    buffer = io.BytesIO()
    book.save(buffer)
    assert "Plan: Pro | Discount: 15 % | Share: 7 %" in text(buffer.getvalue(), "a.xlsx")
    assert "99" not in text(buffer.getvalue(), "a.xlsx")


@pytest.mark.parametrize(
    ("data", "location"),
    [
        ("<p>Refunds take 30<sup>1</sup> days.</p>", "a.html"),
        ('<p>Refunds take 30<sup><a href="#n">1</a></sup> days.</p>', "a.html"),
        ("Refunds take 30<sup>1</sup> days.", "a.md"),
        ("Refunds take 30<sup>1</sup> days.", "a.mdx"),
        ("Refunds take 30^1^ days.", "a.adoc"),
        ("Refunds take 30\\ :sup:`1` days.", "a.rst"),
        (
            word(
                "<w:p><w:r><w:t>Refunds take 30</w:t></w:r><w:r><w:rPr>"
                '<w:vertAlign w:val="superscript"/></w:rPr><w:t>1</w:t></w:r><w:r><w:t> days.</w:t></w:r></w:p>'
            ),
            "a.docx",
        ),
        (
            open_document(
                '<text:p>Refunds take 30<text:span text:style-name="T1">1</text:span> days.</text:p>',
                styles='<style:style style:name="T1"><style:text-properties '
                'style:text-position="super 58%"/></style:style>',
            ),
            "a.odt",
        ),
    ],
)
def test_a_raised_mark_is_no_digit_of_the_figure_before_it(data: bytes | str, location: str) -> None:
    shown = text(data, location)
    assert [check["passed"] for check in run_checks("Refunds take 30 days.", [shown])] == [True]
    assert [check["passed"] for check in run_checks("Refunds take 301 days.", [shown])] == [False]


@pytest.mark.parametrize(
    "drawn",
    [
        "BT /F1 12 Tf 20 200 Td (Refunds take 30) Tj /F1 7 Tf 4 Ts (1) Tj 0 Ts /F1 12 Tf ( days.) Tj ET",
        "BT /F1 12 Tf 20 200 Td (Refunds take 30) Tj /F1 7 Tf 85 4 Td (1) Tj /F1 12 Tf 4 -4 Td ( days.) Tj ET",
        "BT 12 0 0 12 20 200 Tm /F1 1 Tf (Refunds take 30) Tj ET BT 7 0 0 7 105 204 Tm /F1 1 Tf (1) Tj ET "
        "BT 12 0 0 12 109 200 Tm /F1 1 Tf ( days.) Tj ET",
    ],
)
def test_a_raised_mark_of_a_pdf_is_no_digit_of_the_figure_before_it(drawn: str) -> None:
    assert "30¹ days." in text(pdf_of(drawn), "a.pdf")


def test_a_figure_of_a_pdf_that_is_small_and_lower_is_not_raised() -> None:
    assert "25" in text(pdf_of("BT /F1 14 Tf 20 200 Td (Fees) Tj /F1 9 Tf 0 -20 Td (25) Tj ET"), "a.pdf")


def test_what_stands_beside_the_text_within_what_a_page_is_about_is_read() -> None:
    page = """<body><header>Site</header><main><header><h1>Fees</h1></header><p>Boxes cost 2 euros.</p>
    <aside>Not in Norway.</aside><nav>Next</nav><footer>Since May.</footer></main><footer>Imprint</footer></body>"""
    shown = text(page, "a.html")
    assert all(said in shown for said in ("Fees", "2 euros", "Not in Norway.", "Since May."))
    assert not any(around in shown for around in ("Site", "Next", "Imprint"))


def test_all_articles_of_a_page_are_read() -> None:
    page = "<body><article><p>Boxes cost 2 euros.</p></article><article><header>Norway</header>Never.</article></body>"
    assert all(said in text(page, "a.html") for said in ("2 euros", "Norway", "Never."))


def test_a_page_that_is_a_form_is_read_without_its_choices() -> None:
    page = "<form><p>Boxes cost 2 euros.</p><select><option>Norway</option></select></form>"
    assert text(page, "a.html") == "Boxes cost 2 euros."


def test_a_chapter_of_a_book_is_read_with_its_head_and_its_notes() -> None:
    page = """<html xmlns:epub="http://www.idpf.org/2007/ops"><body><header><h1>Fees</h1></header><p>Boxes cost 2.</p>
    <aside epub:type="footnote"><p>Not in Norway.</p></aside></body></html>"""
    shown = text(zipped_documents.epub(page), "a.epub")
    assert "Fees" in shown
    assert "Not in Norway." in shown


def test_a_note_within_a_paragraph_is_a_word_of_its_own() -> None:
    note = "<text:note><text:note-body><text:p>Not in Norway.</text:p></text:note-body></text:note>"
    assert "30 days Not in Norway." in text(open_document(f"<text:p>Refunds take 30 days{note}</text:p>"), "a.odt")


def notebook(*outputs: dict[str, object]) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": "run()", "outputs": outputs}]})


@pytest.mark.parametrize(
    "output",
    [
        {"data": {"text/markdown": "It holds **64** GB.", "text/plain": "<IPython.core.display.Markdown object>"}},
        {"data": {"text/html": "<table><tr><td>It holds</td><td>64 GB.</td></tr></table>", "text/plain": "  0  1"}},
        {"text": "line\n" * 5_000 + "It holds 64 GB."},
        {"output_type": "error", "traceback": ["\x1b[0;31mDiskError\x1b[0m: It holds 64 GB."]},
    ],
)
def test_what_a_notebook_shows_of_an_output_is_read_to_its_end(output: dict[str, object]) -> None:
    shown = text(notebook(output), "a.ipynb")
    assert "64" in shown
    assert "IPython" not in shown
    assert "\x1b" not in shown


def test_a_mail_whose_page_is_a_picture_is_read_as_plain_text() -> None:
    mail = EmailMessage()
    mail["Subject"] = "Terms"
    mail.set_content("Refunds take 30 days.")
    mail.add_alternative('<img src="cid:terms">', subtype="html")
    assert "Refunds take 30 days." in text(mail.as_bytes(), "a.eml")


def test_a_mail_is_read_as_a_program_for_mails_shows_it() -> None:
    mail = EmailMessage()
    mail["Subject"] = "Terms"
    mail.set_content("Please open this mail in a browser.")
    page = '<head><meta charset="iso-8859-1"></head><p>Refunds take 30 days – für alle.</p>'
    mail.add_alternative(page, subtype="html")
    mail.make_mixed()
    further = EmailMessage()
    further.set_content("Boxes cost 2 euros.")
    mail.attach(further)
    mail.add_attachment("A list.", filename="list.txt")
    shown = text(mail.as_bytes(), "a.eml")
    assert "Refunds take 30 days – für alle." in shown
    assert "Boxes cost 2 euros." in shown
    assert "Attachment, not read: list.txt" in shown
    assert "browser" not in shown


def test_what_a_run_or_a_style_of_word_shows_again_is_read() -> None:
    again = (
        '<w:p><w:pPr><w:pStyle w:val="Old"/></w:pPr><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>79</w:t></w:r></w:p>'
    )
    assert text(styled(paragraph("It costs", "Back") + again), "a.docx") == "It costs\n\n79"


def test_what_an_asciidoc_page_passes_on_or_names_a_role_for_is_shown_where_nothing_hides_it() -> None:
    page = (
        "[.lead]\nIt costs [.big]#9# +++<b>euros</b>+++ a pass:[<i>day</i>].\n\n[quote, S. Black]\nIt is pass:c[<s>]."
    )
    assert text(f"{page}\n\n[stem]\n++++\nx < 9\n++++\n", "a.adoc") == "It costs 9 euros a day.\n\nIt is <s>.\n\nx < 9"


def test_a_page_whose_sheets_cross_out_by_very_many_rules_is_refused() -> None:
    rules = "".join(f".a{number} {{text-decoration: line-through}}" for number in range(51))
    page = f"<style>{rules}</style><p>It costs 79 euros."
    assert problem(page.encode(), "a.html") == "a page whose style sheets cross out by more than 50 rules"


@pytest.mark.parametrize(
    "rules",
    [
        ".old:not(:modal) {text-decoration: line-through}",
        ".old:-webkit-any(p) {text-decoration: line-through}",
        ":user-valid, .old {text-decoration: line-through}",
        "p::first-line {text-decoration: line-through}",
        ".old {x: {}; text-decoration: line-through}",
        ".old {text-decoration: line-through; b {color: red}}",
        "p {&.old {text-decoration: line-through}}",
        "@scope (.old) {:scope {text-decoration: line-through}}",
        "html {--gone: line-through} .old {text-decoration: var(--gone)}",
        "@keyframes go {to {text-decoration: line-through}} .old {animation: go 0s forwards}",
        r".a\}b, .old:state(x) {text-decoration: line-through}",
    ],
)
def test_a_page_that_crosses_out_nobody_knows_what_is_refused(rules: str) -> None:
    page = f"<style>{rules}</style><p class=old>It costs 99 euros.</p><p>It costs 79 euros."
    assert problem(page.encode(), "a.html") == "a page whose style sheets cross out what cannot be looked up"


@pytest.mark.parametrize(
    "rules",
    [
        ".old::before, p:after {text-decoration: line-through}",
        r".line-through {color: red; b {margin: 0}} .before\:line-through::before {text-decoration: line-through}",
        "[style*='line-through'] {color: red} .a {--b: 1; text-decoration: line-through}",
        "p:hover {text-decoration: line-through}",
    ],
)
def test_a_page_that_crosses_out_what_is_none_of_its_text_is_read(rules: str) -> None:
    assert text(f"<style>{rules}</style><p class=old>It costs 79 euros.", "a.html") == "It costs 79 euros."
