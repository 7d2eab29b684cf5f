"""The sheets of a workbook as they are shown: figures in their formats, each under the head of its own table."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from openpyxl.styles import Font

from gate.adapters.readers import Problem
from gate.adapters.readers.folders import read
from gate.adapters.readers.tabular.conditional_styles import LEFT_OUT, take_out
from gate.adapters.readers.tabular.number_formats import shown_number, shown_text
from gate.adapters.readers.tabular.workbook import UNTOLD as NOT_TOLD
from tests import zipped_documents
from tests.unit.test_shown_documents import problem, text


def sheet(fill: Callable[[Any], object]) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    fill(book.active)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def struck_in_a_cell(page: Any) -> None:
    from openpyxl.cell.rich_text import CellRichText, TextBlock
    from openpyxl.cell.text import InlineFont

    page.append(["Plan", "Price"])
    page.append(["Pro", CellRichText(TextBlock(InlineFont(strike=True), "99"), " 79 euros")])


def hidden_by_its_format(page: Any) -> None:
    page.append(["Plan", "Price", "Was", "Note"])
    page.append(["Pro", "79 euros", 99, "9 euros"])
    page["C2"].number_format = page["D2"].number_format = ";;;"


@pytest.mark.parametrize("fill", [struck_in_a_cell, hidden_by_its_format])
def test_what_a_cell_crosses_out_or_hides_is_no_evidence(fill: Callable[[Any], None]) -> None:
    shown = text(sheet(fill), "a.xlsx")
    assert "79 euros" in shown
    assert "9" not in shown.replace("79", "")


def struck_by_a_rule(page: Any) -> None:
    from openpyxl.formatting.rule import FormulaRule

    page.conditional_formatting.add("B2:C3 E1:E9", FormulaRule(formula=["$A2=1"], font=Font(strike=True)))


def shown_otherwise_by_a_rule(page: Any) -> None:
    from openpyxl.formatting.rule import Rule
    from openpyxl.styles.differential import DifferentialStyle
    from openpyxl.styles.numbers import NumberFormat

    style = DifferentialStyle(numFmt=NumberFormat(numFmtId=164, formatCode=";;;"))
    page.conditional_formatting.add("A2:C2", Rule(type="expression", formula=["TRUE"], dxf=style))


def struck_by_the_style_of_a_table(page: Any) -> None:
    from openpyxl.styles.differential import DifferentialStyle
    from openpyxl.styles.table import TableStyle, TableStyleElement
    from openpyxl.worksheet.table import Table, TableStyleInfo

    book = page.parent
    number = book._differential_styles.add(DifferentialStyle(font=Font(strike=True)))
    element = TableStyleElement(type="wholeTable", dxfId=number)
    book._table_styles.tableStyle = [TableStyle(name="Old", tableStyleElement=[element])]
    page.add_table(Table(displayName="T", ref="A1:C2", tableStyleInfo=TableStyleInfo(name="Old")))


@pytest.mark.parametrize("style", [struck_by_a_rule, shown_otherwise_by_a_rule, struck_by_the_style_of_a_table])
def test_cells_that_a_rule_or_a_table_may_cross_out_are_left_out_by_name(style: Callable[[Any], None]) -> None:
    def fill(page: Any) -> None:
        for row in (["Plan", "Price", "Was"], ["Pro", "99 euros", 99], [], ["Max", "79 euros"]):
            page.append(row)
        style(page)

    found = [*read(sheet(fill), "a.xlsx")]
    assert [each.why for each in found if isinstance(each, Problem)] == [LEFT_OUT]
    shown = "".join(each["content"] for each in found if isinstance(each, dict))
    assert "79 euros" in shown
    assert "99" not in shown


@pytest.mark.parametrize("area", ["B:B", "$B$1:$B$2", "B1", "1:2", "b1 A9:C9"])
def test_a_rule_may_name_whole_columns_and_rows(area: str) -> None:
    rows = {1: ["", "99"], 3: ["79", ""]}
    assert take_out(rows, area.split(), "_ABC".index)
    assert rows == {1: ["", ""], 3: ["79", ""]}


def test_a_rule_whose_cells_nobody_can_tell_refuses_the_workbook() -> None:
    with pytest.raises(ValueError, match="no area"):
        take_out({1: ["99"]}, ["A!1"], "_A".index)
    with pytest.raises(ValueError, match="more than 1,000 areas"):
        take_out({1: ["99"]}, ["A1"] * 1_001, "_A".index)


def test_a_rule_that_colours_cells_leaves_none_out() -> None:
    def fill(page: Any) -> None:
        from openpyxl.formatting.rule import FormulaRule

        page.append(["Pro", "79 euros"])
        page.conditional_formatting.add("A1:B9", FormulaRule(formula=["TRUE"], font=Font(bold=True)))

    assert "79 euros" in text(sheet(fill), "a.xlsx")


def test_a_workbook_without_styles_of_tables_or_rules_is_read() -> None:
    plain = sheet(lambda page: page.append(["79 euros"]))
    tables = '<tableStyles count="0" defaultTableStyle="TableStyleMedium9" defaultPivotStyle="PivotStyleLight16" />'
    assert "79 euros" in text(with_part(plain, "xl/styles.xml", tables, ""), "a.xlsx")


def test_a_rule_that_a_later_program_wrote_crosses_out_too() -> None:
    rule = '<e:cfRule type="expression"><e:dxf><font><strike/></font></e:dxf></e:cfRule>'
    rules = f"<e:conditionalFormatting>{rule}<f:sqref>$A$1 A3</f:sqref></e:conditionalFormatting>"
    extension = f'<extLst xmlns:e="e" xmlns:f="f"><ext>{rules}</ext></extLst>'
    plain = sheet(lambda page: [page.append([each]) for each in ("99", "79 euros", "99")])
    found = [*read(with_part(plain, "xl/worksheets/sheet1.xml", "</worksheet>", f"{extension}</worksheet>"), "a.xlsx")]
    assert [each["content"] for each in found if isinstance(each, dict)] == ["Sheet\n\n79 euros"]


def test_a_cell_without_a_style_is_crossed_out_by_the_first_one_wherever_it_stands() -> None:
    plain = sheet(lambda page: page.append(["99"]))
    struck = with_part(plain, "xl/styles.xml", "<font>", "<font><strike/>")
    assert text(struck, "a.xlsx") == ""


def with_part(data: bytes, name: str, old: str, new: str) -> bytes:
    parts = zipped_documents.members(data)
    content = str(parts[name], "utf-8")
    assert old in content
    return zipped_documents.archive({**parts, name: content.replace(old, new)})


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (5_000_000, "#,##0,", "5000"),
        (5_000_000, '0.0,,"M"', "5 M"),
        (1_234_567_890_123_456, "0", "1234567890123456"),
        (14.6, "0", "14.6"),
        (0.1, "", "0.1"),
        (0.1, "General", "0.1"),
        (0.5, "# ?/?", "0.5"),
        (1e20, "0.00E+00", "1e+20"),
        (-5, "0;(0)", "-5"),
        (30, '"not "0" days"', "not 30 days"),
        (5, "[$€-407]\\ #,##0.00;[Red]\\-0", "€ 5"),
        (0, '0;-0;"none"', "none"),
        (0, "0;;", ""),
        (99, ";;;", ""),
        (99, '"see below"', "see below"),
        (99, '[<100]"few";"many"', "few"),
        (101, '[<100]"few";"many"', "many"),
        (101, '[>100]"";0', ""),
        (5, '[<1]"none";[<=4.5]"few";0', "5"),
        (5, '[<1]"none";[<=4.5]"few"', None),
        (5, '[<1]"none";0;0', None),
        (5, '0;[<1]"none"', None),
        (5, "[<x]0;0", None),
        (-5, "0;0", "5"),
        (-5, '0;"minus "0', "minus 5"),
        (-5, "0;[Red]0", "-5"),
        (-5, "0;\\-0", "-5"),
        (-5, '0;"below"', "below"),
        (-5, '0;"x"@', "-5"),
        (-5, "0.0E+0;0.0E+0", "5"),
        (-5, "[$€-407] 0;-[$€-407] 0", "€ -5"),
        (99, "0" * 300, "99"),
        (7, "000-000", "7"),
    ],
)
def test_a_number_is_what_its_format_shows(value: float, form: str, shown: str | None) -> None:
    assert shown_number(value, form) == shown


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        ("", "79"),
        ("General", "79"),
        ("0;-0;0", "79"),
        ("@", "79"),
        ('0;0;0;"withdrawn"', "withdrawn"),
        ('0;0;0;"NOT TRUE: "@', "NOT TRUE: 79"),
        ('"NOT TRUE: "@', "NOT TRUE: 79"),
        ('0;"not "@\\!', "not 79!"),
        (';;;""', ""),
        (";;;* ", ""),
        (";;;[Red]@", "79"),
        (";;;General", "79"),
        ('0"@"', "79"),
        ("@" * 256, ""),
    ],
)
def test_a_text_is_what_its_format_shows(form: str, shown: str) -> None:
    assert shown_text("79", form) == shown


def test_numbers_that_nobody_can_tell_are_left_out_by_name() -> None:
    def fill(page: Any) -> None:
        page.append(["Lamps", 5])
        page["B1"].number_format = '[<1]"none";0;0'

    found = [*read(sheet(fill), "a.xlsx")]
    assert [each["content"] for each in found if isinstance(each, dict)] == ["Sheet\n\nLamps"]
    assert [each.why for each in found if isinstance(each, Problem)] == [NOT_TOLD]


TWO_TABLES: list[list[object]] = [["Plan", "Price"], ["Pro", 79], [], ["Plan", "Discount"], ["Pro", 20], ["Max", 30]]
GOES_ON: list[list[object]] = [["Plan", "Price"], ["Pro", 79], [], ["Max", 30]]
UNTOLD: list[list[object]] = [["Plan", "Owner"], ["Pro", "Ann"], [], ["City", "Street"], ["Oslo", "Main"]]


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_what_stands_behind_an_empty_row_stands_under_no_head_of_another_table(ending: str) -> None:
    def read(rows: Sequence[Sequence[object]]) -> str:
        if ending == "csv":
            return text("\n".join(",".join(map(str, row)) for row in rows), "a.csv")
        return text(zipped_documents.workbook({"A": rows}), "a.xlsx")

    assert "Plan: Pro | Discount: 20" in read(TWO_TABLES)
    assert "Price: 20" not in read(TWO_TABLES)
    assert "Plan: Max | Price: 30" in read(GOES_ON)
    assert "Owner: Main" not in read(UNTOLD)
    assert "Oslo | Main" in read(UNTOLD)


def test_a_cell_of_a_workbook_that_fills_several_columns_or_rows_stands_in_each() -> None:
    def fill(page: Any) -> None:
        for row in (["Fees of 2026"], [], ["Region", "Fee"], ["EU", 5, 6], [None, 7, 8]):
            page.append(row)
        for place in ("A1:C1", "B3:C3", "A4:A5"):
            page.merge_cells(place)

    shown = text(sheet(fill), "a.xlsx")
    assert "Fees of 2026\n" in shown
    assert "Region: EU | Fee: 5 | Fee: 6" in shown
    assert "Region: EU | Fee: 7 | Fee: 8" in shown


@pytest.mark.parametrize(
    ("area", "covered"), [("A2:B2", "B2"), ("A2:A3", "A3"), ("A1:A300", "A250"), ("A1:GR1", "GA1"), ("D1:E2", "D2")]
)
def test_a_cell_of_a_workbook_that_is_covered_by_another_one_is_no_evidence(area: str, covered: str) -> None:
    def fill(page: Any) -> None:
        page["A1"], page["B1"], page["C7"] = "Plan", "Price", "79"
        page[covered] = "99"

    merged = f'<mergeCells><mergeCell ref="{area}"/></mergeCells>'
    data = with_part(sheet(fill), "xl/worksheets/sheet1.xml", "</sheetData>", f"</sheetData>{merged}")
    shown = text(data, "a.xlsx")
    assert "79" in shown
    assert "99" not in shown


LATER = '<{0}:a xmlns:{0}="{0}">{1}</{0}:a>'
INLINE = '<c r="{}" t="inlineStr"><is><t>99</t></is></c>'


@pytest.mark.parametrize(
    ("at", "kept"),
    [
        ("</worksheet>", f"<extLst><ext><row r='9'>{INLINE.format('A9')}</row></ext></extLst></worksheet>"),
        ("</sheetData>", LATER.format("x", f"<row r='9'>{INLINE.format('A9')}</row>") + "</sheetData>"),
        ("</row>", LATER.format("x", INLINE.format("B1")) + "</row>"),
        ("</row>", f'<x:c xmlns:x="x" r="B1">{INLINE.format("B1").partition(">")[2]}'.replace("</c>", "</x:c></row>")),
        ("</worksheet>", LATER.format("x", '<mergeCells><mergeCell ref="A1:A2"/></mergeCells>') + "</worksheet>"),
    ],
)
def test_what_stands_beside_the_rows_and_cells_of_a_sheet_is_no_evidence(at: str, kept: str) -> None:
    def fill(page: Any) -> None:
        page.append(["Lamps"])
        page.append([79])

    data = with_part(sheet(fill), "xl/worksheets/sheet1.xml", at, kept)
    assert text(data, "a.xlsx") == "Sheet\n\nLamps\n\n79"


def test_a_workbook_of_very_many_cells_that_are_one_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(page: Any) -> None:
        for _ in range(4):
            page.append(["a", "b"])
        page.merge_cells("A1:C3")

    monkeypatch.setattr("gate.adapters.readers.tabular.workbook.MAX_MERGED", 8)
    assert problem(sheet(fill), "a.xlsx") == "more than 8 cells that are one with another"


def test_a_workbook_without_a_place_for_its_cells_is_read() -> None:
    main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    relations = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"
    content = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    rows = "<row><c><v>7</v></c><c t='inlineStr'><is><t>days</t></is></c></row><row r='3'><c r='B3'><v>8</v></c></row>"
    book = zipped_documents.archive(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f'<Override PartName="/xl/workbook.xml" ContentType="{content}.sheet.main+xml"/></Types>',
            "xl/workbook.xml": f'<workbook {main} xmlns:r="{kind.rpartition("/")[0]}"><sheets>'
            '<sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships {relations}><Relationship Id="r1" Type="{kind}" '
            'Target="worksheets/a.xml"/></Relationships>',
            "xl/worksheets/a.xml": f"<worksheet {main}><sheetData>{rows}</sheetData></worksheet>",
        }
    )
    assert text(book, "a.xlsx") == "A\n\n7 | days\n\n8"


def test_a_sheet_that_declares_entities_is_refused_wherever_it_stands() -> None:
    from gate.adapters.readers.tabular import workbook

    with pytest.raises(ValueError, match="entities"):
        workbook._elements(b" " * 2_000 + b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
    with pytest.raises(ValueError, match="entities"):
        workbook._elements("<!DOCTYPE a><a/>".encode("utf-16"))
