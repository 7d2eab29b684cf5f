"""What nobody sees in a document, or what it takes back, is no evidence; its figures are as they are written."""

from __future__ import annotations

import time

import pytest

from gate.adapters.readers import Problem
from gate.adapters.readers.folders import read
from gate.adapters.readers.zipped import fields
from gate.adapters.readers.zipped.formulas import LEFT_OUT
from gate.decision.checks import run_checks
from tests.unit.test_shown_documents import problem, text
from tests.zipped_documents import W, archive, members, open_document, paragraph, word

STRUCK_STYLES = """<style:style style:name="P1" style:family="paragraph">
<style:text-properties style:text-line-through-style="solid"/></style:style>
<style:style style:name="P2" style:family="paragraph"><style:text-properties text:display="none"/></style:style>
<style:style style:name="T1" style:family="text"><style:text-properties style:text-line-through-type="single"/>
</style:style><style:style style:name="T2" style:family="text"><style:text-properties style:text-position="sub 58%"/>
</style:style>"""


def run(shown: str, about: str = "") -> str:
    return f'<w:r><w:rPr>{about}</w:rPr><w:t xml:space="preserve">{shown}</w:t></w:r>'


LOW = '<w:vertAlign w:val="subscript"/>'


def field(what: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{what}"/></w:r>'


ROW = '<tr><td>Pro</td><td style="Text-Decoration: Line-Through">99</td><td>79 euros</td></tr>'


@pytest.mark.parametrize(
    ("data", "location"),
    [
        (f"<table><tr><th>Plan</th><th>Was</th><th>Is</th></tr>{ROW}</table>", "a.html"),
        ("<p>It costs 79 euros<sup><del>9</del></sup>.</p>", "a.html"),
        ("<h2>It costs <del>99</del> 79 euros</h2><p>A year.</p>", "a.html"),
        ("<p>79 euros <object>99</object><video>9</video><canvas>9</canvas><noembed>9</noembed></p>", "a.html"),
        ("</del>It costs <del>99</del> 79 euros.", "a.md"),
        ("It costs <del>99</s> 9</del> 79 euros.", "a.md"),
        ("It costs:\n\n<del>\n\n- 99 euros.\n\n```\n9\n```\n\n</del>\n\n79 euros.", "a.md"),
        ("<div>\n<del>\n\n99 euros.\n\n</del> It costs 79 euros.\n</div>", "a.md"),
        ("It costs:\n\n<s>\n\n99 euros.\n\n</s>\n\n79 euros.", "a.mdx"),
        ('It costs <span style="text-decoration:line-through"><b>99</b> 9</span> 79 euros.', "a.md"),
        ("$\\cancel{It costs 99 euros.}$\n\n79 euros", "a.md"),
        ("- Once $\\xcancel{\\text{99 euros}}$\n- 79 euros", "a.md"),
        ("$$\n\\sout{99}\n$$\n\n79 euros", "a.md"),
        ("\\phantom{99}\n\n79 euros $\\frac{1}{2}$", "a.md"),
        ("| a | b |\n|---|---|\n| $\\color{white}99$ | 79 euros |", "a.md"),
        ("79 euros. It cost <s>9\n\n- 99 euros.\n\n```\n9\n```\n\nor 9</s>.", "a.md"),
        ("79 euros. It cost <strike>9.\n\n99 euros.", "a.md"),
        ("79 euros. <b style='text-decoration:line-through' style=''>9.\n\n99 euros.", "a.md"),
        ("It cost <s>9.\n\n99 euros.</s>\n\nIt costs 79 euros.", "a.md"),
        ("It costs <script>99</script><style>9</style><template>9</template> 79 euros.", "a.md"),
        ("It costs\n\n<template>\n\n99\n\n</template>\n\n79 euros.", "a.md"),
        (".. role:: strike\n   :class: strike\n\nIt costs :strike:`99` 79 euros.", "a.rst"),
        (open_document('<text:p text:style-name="P1">99</text:p><text:p>79 euros</text:p>', STRUCK_STYLES), "a.odt"),
        (open_document('<text:h text:style-name="P2">99</text:h><text:p>79 euros</text:p>', STRUCK_STYLES), "a.odt"),
        (
            open_document('<text:p>79 euros <text:span text:style-name="T1">99</text:span></text:p>', STRUCK_STYLES),
            "a.odt",
        ),
        (
            open_document(
                '<text:section text:display="none"><text:p>99</text:p></text:section><text:p>79 euros'
                '<text:hidden-text text:is-hidden="true">9</text:hidden-text><text:script>9</text:script></text:p>'
                '<text:p>9<text:hidden-paragraph text:is-hidden="true"/></text:p>'
            ),
            "a.odt",
        ),
        (
            word(f"<w:p>{field('begin')}{run('99')}{field('separate')}{run('79 euros')}{field('end')}</w:p>"),
            "a.docx",
        ),
        (word(f"<w:p>{field('begin')}{run('99')}{field('end')}{run('79 euros')}</w:p>"), "a.docx"),
        (
            word(
                f"<w:p>{field('begin')}</w:p><w:p>{run('99')}{field('begin')}{field('separate')}{run('9')}"
                f"{field('end')}</w:p><w:p>{field('separate')}{run('79 euros')}</w:p><w:p>{field('end')}</w:p>"
            ),
            "a.docx",
        ),
        (word(f"<w:p>{field('begin')}{run('99')}</w:p><w:p>{run('79 euros')}</w:p>"), "a.docx"),
        (
            word(
                paragraph("It costs 79 euros."),
                footnotes=f'<w:footnotes {W}><w:footnote w:id="5">{paragraph("99")}</w:footnote></w:footnotes>',
            ),
            "a.docx",
        ),
    ],
)
def test_what_nobody_sees_or_is_taken_back_is_no_evidence(data: bytes | str, location: str) -> None:
    shown = text(data, location)
    assert "79 euros" in shown
    assert "9" not in shown.replace("79", "")


M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def formula(inside: str) -> bytes:
    return word(f"<w:p>{run('Refunds do ')}<m:oMath {M}>{inside}</m:oMath>{run(' take 79 days.')}</w:p>")


def letters(shown: str, about: str = "") -> str:
    return f"<m:r>{about}<m:t>{shown}</m:t></m:r>"


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        (letters("not"), "not"),
        (letters("900") + letters("-1000"), "900-1000"),
        (f"<m:f><m:num>{letters('1')}</m:num><m:den>{letters('2')}</m:den></m:f>", "1/2"),
        (f"<m:sSup><m:sSupPr/><m:e>{letters('10')}</m:e><m:sup>{letters('5')}</m:sup></m:sSup>", "10^5"),
        (letters("not", "<w:rPr><w:strike/></w:rPr>") + letters("now"), "now"),
    ],
)
def test_a_plain_formula_is_read_with_its_sentence(inside: str, shown: str) -> None:
    assert text(formula(inside), "a.docx") == f"Refunds do {shown} take 79 days."


@pytest.mark.parametrize(
    "inside",
    [
        f"<m:borderBox><m:borderBoxPr><m:strikeH/></m:borderBoxPr><m:e>{letters('not')}</m:e></m:borderBox>",
        f"<m:phant><m:e>{letters('not')}</m:e></m:phant>",
        f"<m:f><m:fPr><m:type m:val='noBar'/></m:fPr><m:num>{letters('5')}</m:num><m:den/></m:f>",
    ],
)
def test_a_paragraph_with_a_formula_that_is_no_plain_text_is_left_out_by_name(inside: str) -> None:
    assert problem(formula(inside), "a.docx") == "paragraphs with a formula that is no plain text were left out"


def test_a_paragraph_of_opendocument_with_a_formula_is_left_out_by_name() -> None:
    spaces = 'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:x="http://www.w3.org/1999/xlink"'
    body = '<text:p>We do <draw:frame {}><draw:object x:href="./Object 1"/></draw:frame> refund.</text:p>'
    math = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mtext>not</mtext></math>'
    files = members(open_document(body.format(spaces) + "<text:p>It costs 79 euros.</text:p>"))
    found = [*read(archive({**files, "Object 1/content.xml": math}), "a.odt")]
    assert [each["content"] for each in found if isinstance(each, dict)] == ["It costs 79 euros."]
    assert [each.why for each in found if isinstance(each, Problem)] == [LEFT_OUT]


def in_table(about_row: str = "", about_cell: str = "", style: str = "") -> str:
    cells = f"<w:tc><w:tcPr>{about_cell}</w:tcPr>{paragraph('99')}</w:tc>"
    named = f'<w:tblPr><w:tblStyle w:val="{style}"/></w:tblPr>'
    return f"<w:tbl>{named}<w:tr><w:trPr>{about_row}</w:trPr>{cells}</w:tr></w:tbl>"


STRUCK_PART = """<w:style w:type="table" w:styleId="T"><w:tblStylePr w:type="lastCol"><w:rPr><w:strike/></w:rPr>
</w:tblStylePr></w:style><w:style w:type="table" w:styleId="U"><w:basedOn w:val="T"/></w:style>"""
STRUCK_RUNS = """<w:style w:type="character" w:default="1" w:styleId="C"><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="character" w:styleId="D"/>"""
DRAWN = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
SHAPE = f"<w:txbxContent>{paragraph('99')}</w:txbxContent>"
NEW = '<w:p><w:r><w:rPr><w:rStyle w:val="D"/></w:rPr><w:t>79</w:t></w:r></w:p>'


@pytest.mark.parametrize(
    ("body", "styles"),
    [
        (in_table('<w:del w:id="1"/>'), ""),
        (in_table("", '<w:cellDel w:id="1"/>'), ""),
        (in_table(style="T"), STRUCK_PART),
        (in_table(style="U"), STRUCK_PART),
        (paragraph("99"), STRUCK_RUNS),
        (
            f'<w:p><w:r><w:pict><v:shape xmlns:v="v" style="visibility: hidden">{SHAPE}</v:shape></w:pict></w:r></w:p>',
            "",
        ),
        (f'<w:p><w:r><d:inline xmlns:d="{DRAWN}"><d:docPr id="1" hidden="1"/>{SHAPE}</d:inline></w:r></w:p>', ""),
    ],
)
def test_what_word_has_deleted_hidden_or_struck_out_by_the_style_of_a_part_is_no_evidence(
    body: str, styles: str
) -> None:
    assert text(word(body + NEW, styles=f"<w:styles {W}>{styles}</w:styles>"), "a.docx") == "79"


def test_the_styles_and_notes_of_a_word_document_are_the_parts_that_it_names() -> None:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    struck = '<w:style w:styleId="Old"><w:rPr><w:strike/></w:rPr></w:style>'
    relations = "".join(
        f'<Relationship Type="{kind}/{name}" Target="{at}"/>'
        for name, at in (("styles", "s.xml"), ("footnotes", "/n.xml"))
    )
    called = '<w:p><w:r><w:footnoteReference w:id="5"/></w:r></w:p>'
    parts: dict[str, str | bytes] = {
        **members(word(paragraph("99", "Old") + called)),
        "word/_rels/document.xml.rels": f"<Relationships>{relations}</Relationships>",
        "word/s.xml": f"<w:styles {W}>{struck}</w:styles>",
        "n.xml": f'<w:footnotes {W}><w:footnote w:id="5">{paragraph("79")}</w:footnote></w:footnotes>',
    }
    assert text(archive(parts), "a.docx") == "79"


MARK = '<w:r><w:rPr>{}</w:rPr><w:footnoteReference w:id="5"/></w:r>'
NOTE = f'<w:footnotes {W}><w:footnote w:id="5">{paragraph("99")}</w:footnote></w:footnotes>'


def row(*cells: tuple[str, str], about: str = "") -> str:
    inside = "".join(f"<w:tc><w:tcPr>{how}</w:tcPr>{paragraph(shown)}</w:tc>" for shown, how in cells)
    return f"<w:tr><w:trPr>{about}</w:trPr>{inside}</w:tr>"


@pytest.mark.parametrize(
    "called",
    [
        f"<w:p><w:del>{MARK.format('')}</w:del></w:p>",
        f"<w:p><w:moveFrom>{MARK.format('')}</w:moveFrom></w:p>",
        f"<w:p>{MARK.format('<w:vanish/>')}</w:p>",
        f"<w:p>{field('begin')}{MARK.format('')}{field('end')}</w:p>",
        f"<w:tbl><w:tr><w:tc/><w:tc><w:tcPr><w:hMerge/></w:tcPr><w:p>{MARK.format('')}</w:p></w:tc></w:tr></w:tbl>",
    ],
)
def test_a_note_whose_mark_nobody_sees_is_no_evidence(called: str) -> None:
    assert text(word(paragraph("79") + called, footnotes=NOTE), "a.docx") == "79"


def test_a_note_whose_mark_is_raised_is_read() -> None:
    mark = MARK.format('<w:vertAlign w:val="superscript"/>')
    assert text(word(f"{paragraph('79')}<w:p>{mark}</w:p>", footnotes=NOTE), "a.docx") == "79\n\n99"


@pytest.mark.parametrize(
    "about", [row(("99", ""), about="<w:hidden/>"), '<w:tblPr><w:tblStyle w:val="T"/></w:tblPr>' + row(("99", ""))]
)
def test_a_hidden_row_of_word_is_no_evidence(about: str) -> None:
    hidden = '<w:style w:type="table" w:styleId="T"><w:trPr><w:hidden/></w:trPr></w:style>'
    shown = text(word(f"<w:tbl>{about}</w:tbl>{NEW}", styles=f"<w:styles {W}>{hidden}</w:styles>"), "a.docx")
    assert shown == "79"


def test_a_cell_of_word_that_goes_on_shows_what_the_one_before_or_above_it_shows() -> None:
    inner = f"<w:tbl>{row(('99', ''))}</w:tbl>"
    rows = (
        row(("Plan", ""), ("Price", '<w:hMerge w:val="restart"/>'), ("99", "<w:hMerge/>")),
        row(("Pro", '<w:vMerge w:val="restart"/>'), ("79", ""), ("7", "")),
        row(("99", "<w:vMerge/>"), ("78", ""), ("8", "")).replace("</w:tc>", f"{inner}</w:tc>", 1),
    )
    shown = text(word(f"<w:tbl>{''.join(rows)}</w:tbl>"), "a.docx").split("\n\n")
    assert shown == ["Plan | Price | Price", "Plan: Pro | Price: 79 | Price: 7", "Plan: Pro | Price: 78 | Price: 8"]


def code(*parts: str) -> str:
    return "".join(f"<w:r><w:instrText>{part}</w:instrText></w:r>" for part in parts)


@pytest.mark.parametrize(
    "drawn",
    [
        field("begin") + code(" e", "q \\x(not) ") + field("end"),
        field("begin") + code("EQ \\x(not)") + field("separate") + run("99") + field("end"),
        field("begin") + run("EQ \\x(not)") + field("end"),
        field("begin") + code("EQ \\x(") + field("begin") + code("QUOTE not") + field("end") + field("end"),
        '<w:fldSimple w:instr=" SYMBOL 45"/>',
    ],
)
def test_a_paragraph_of_word_with_a_field_that_is_drawn_is_left_out_by_name(drawn: str) -> None:
    data = word(f"<w:p>{run('Refunds do ')}{drawn}{run(' take 99 days.')}</w:p>{NEW}")
    found = [*read(data, "a.docx")]
    assert [each["content"] for each in found if isinstance(each, dict)] == ["79"]
    assert [each.why for each in found if isinstance(each, Problem)] == [fields.LEFT_OUT]


def style(name: str, family: str, about: str = 'style:text-line-through-style="solid"', parent: str = "") -> str:
    parent = f'style:parent-style-name="{parent}"' if parent else ""
    properties = f"<style:text-properties {about}/>" if about else ""
    return f'<style:style style:name="{name}" style:family="{family}" {parent}>{properties}</style:style>'


def has_style(name: str, element: str = "p") -> str:
    return f'<text:{element} text:style-name="{name}">99</text:{element}>'


AGAIN = 'style:text-line-through-style="none"'


@pytest.mark.parametrize(
    ("body", "automatic", "named"),
    [
        (has_style("Old"), "", style("Old", "paragraph")),
        (has_style("Old"), "", style("Old", "paragraph", 'text:display="none"')),
        (f"<text:p>{has_style('Old', 'span')}</text:p>", "", style("Old", "text")),
        (f"<text:p>{has_style('T1', 'a')}</text:p>", style("T1", "text"), ""),
        (has_style("P1"), style("P1", "paragraph", "", "Old"), style("Old", "paragraph")),
        (has_style("P1"), style("P1", "paragraph", "", "P0") + style("P0", "paragraph"), ""),
        (
            has_style("P1"),
            style("P1", "paragraph", "", "A"),
            style("A", "paragraph", "", "B") + style("B", "paragraph"),
        ),
        (
            "<text:p>99</text:p>" + has_style("P1", "h"),
            style("P1", "paragraph", ""),
            style("", "paragraph").replace("style:style ", "style:default-style ").replace(":style>", ":default-style>")
            + style("New", "paragraph", AGAIN),
        ),
    ],
)
def test_a_named_style_of_opendocument_and_the_one_it_comes_from_cross_out(
    body: str, automatic: str, named: str
) -> None:
    named += style("New", "paragraph", AGAIN)
    shown = text(open_document(f'{body}<text:p text:style-name="New">79 euros</text:p>', automatic, named), "a.odt")
    assert shown == "79 euros"


def test_what_a_style_of_opendocument_shows_again_is_read() -> None:
    styles = style("P1", "paragraph") + style("T1", "text", AGAIN)
    body = '<text:p text:style-name="P1">99 <text:span text:style-name="T1">not 79</text:span> 99</text:p>'
    assert text(open_document(body, styles), "a.odt") == "not 79"


@pytest.mark.parametrize(("where", "mark"), [("33% 58%", "¹"), ("-20% 58%", "₁")])
def test_a_style_of_opendocument_raises_and_lowers_by_per_cent_too(where: str, mark: str) -> None:
    styles = style("T1", "text", f'style:text-position="{where}"')
    body = '<text:p>Refunds take 30<text:span text:style-name="T1">1</text:span> days.</text:p>'
    assert text(open_document(body, styles), "a.odt") == f"Refunds take 30{mark} days."


def test_how_a_figure_is_said_in_opendocument_is_no_digit_of_it() -> None:
    ruby = "<text:ruby><text:ruby-base>30</text:ruby-base><text:ruby-text>900</text:ruby-text></text:ruby>"
    assert text(open_document(f"<text:p>It takes {ruby} days.</text:p>"), "a.odt") == "It takes 30 days."


def test_a_formula_that_colours_and_a_command_in_code_are_read() -> None:
    assert "79" in text("The $\\color{red}x$ of `\\\\cancel{79}` and \\start 79.", "a.md")


@pytest.mark.parametrize(
    "shown", ["<svg><text>not</text></svg>", "<textarea>not</textarea>", "<select><option>not</option></select>"]
)
def test_a_line_of_markdown_is_not_read_without_the_words_of_a_drawing_or_a_field(shown: str) -> None:
    assert text(f"We sell lamps.\n\nRefunds do {shown} cost 79 euros.", "a.md") == "We sell lamps."


def test_a_drawing_without_words_costs_no_line_of_markdown() -> None:
    assert text("Click <svg><path d='M0'></path></svg> for <text> 79.", "a.md") == "Click for 79."


RAW_ROLE = ".. role:: raw-html(raw)\n   :format: html\n\n"


@pytest.mark.parametrize(
    "written",
    [
        ".. raw:: html\n\n   <del>\n\n99 euros.\n\n.. raw:: html\n\n   </del>\n",
        ".. raw:: HTML\n\n   <p>Old: <s>\n\n99 euros.",
        RAW_ROLE + "It costs :raw-html:`<del>` 99 :raw-html:`</del>` 79 euros.",
        ".. |old| raw:: html\n\n   <s>\n\nIt costs |old| 99 euros.",
        ".. raw:: html\n\n   <style>.a {text-decoration: line-through}</style>\n\n.. role:: a\n\n:a:`99 euros`",
    ],
)
def test_a_document_that_crosses_out_by_raw_html_is_left_out(written: str) -> None:
    assert "by raw HTML" in problem(written.encode(), "a.rst")


@pytest.mark.parametrize(
    "written",
    [
        ".. raw:: html\n\n   <p>It was <del>99</del> once.</p>\n\nIt costs 79 euros.",
        ".. raw:: latex\n\n   <del>\n\nIt costs 79 euros.",
        RAW_ROLE + "It costs :raw-html:`<br>` 79 euros.",
        ".. raw:: html\n   :url: https://e.example\n\nIt costs 79 euros.",
    ],
)
def test_raw_html_that_ends_what_it_crosses_out_leaves_no_document_out(written: str) -> None:
    assert " ".join(text(written, "a.rst").split()) == "It costs 79 euros."


@pytest.mark.parametrize(
    "written",
    ["Returns a List<Object> of 79 entries.", "Put <title> first: 79.", "An <b/> of <br/> 79.", "<video src='x'/> 79"],
)
def test_a_name_in_angle_brackets_hides_nothing(written: str) -> None:
    assert "79" in text(written, "a.md")


def test_a_tag_that_crosses_out_is_not_ended_by_its_own_slash() -> None:
    assert text("Prices: <s/>79 euros", "a.md") == "Prices:"


def test_a_note_that_is_referred_to_is_read() -> None:
    called = '<w:p><w:r><w:footnoteReference w:id="5"/></w:r></w:p>'
    notes = f'<w:footnotes {W}><w:footnote w:id="5">{paragraph("79")}</w:footnote></w:footnotes>'
    assert "79" in text(word(called, footnotes=notes), "a.docx")


@pytest.mark.parametrize(
    ("data", "location"),
    [
        ("<p>Refunds take 30<sub>1</sub> days.</p>", "a.html"),
        ("Refunds take 30<sub>1</sub> days.", "a.md"),
        ("Refunds take 30<sub>1</sub> days.", "a.mdx"),
        ("Refunds take 30\\ :sub:`1` days.", "a.rst"),
        (
            word(f"<w:p>{run('Refunds take 30')}{run('1', LOW)}{run(' days.')}</w:p>"),
            "a.docx",
        ),
        (
            open_document(
                '<text:p>Refunds take 30<text:span text:style-name="T2">1</text:span> days.</text:p>', STRUCK_STYLES
            ),
            "a.odt",
        ),
    ],
)
def test_a_lowered_mark_is_no_digit_of_the_figure_before_it(data: bytes | str, location: str) -> None:
    shown = text(data, location)
    assert [check["passed"] for check in run_checks("Refunds take 30 days.", [shown])] == [True]
    assert [check["passed"] for check in run_checks("Refunds take 301 days.", [shown])] == [False]


def test_a_word_document_is_the_one_that_the_archive_names() -> None:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    relations = f'<Relationships><Relationship Type="{kind}" Target="/word/document2.xml"/></Relationships>'
    parts = {f"word/document{number}.xml": f"<w:document {W}><w:body>{paragraph(said)}</w:body></w:document>"
             for number, said in (("", "99"), (2, "79"))}  # fmt: skip
    assert text(archive({"_rels/.rels": relations, **parts}), "a.docx") == "79"


def test_an_archive_with_two_files_of_one_name_is_refused() -> None:
    parts = dict.fromkeys(("word/document.xml", "word/Document.xml"), f"<w:document {W}><w:body/></w:document>")
    assert "two files of one name" in problem(archive(parts), "a.docx")


def test_a_sign_that_only_its_font_draws_is_read() -> None:
    minus = '<w:r><w:sym w:font="Symbol" w:char="F02D"/></w:r>'
    assert "must be −5 degrees" in text(word(f"<w:p>{run('must be ')}{minus}{run('5 degrees')}</w:p>"), "a.docx")


@pytest.mark.parametrize(
    ("written", "location", "shown"),
    [
        ('{"version": 3.10, "most": 1e400}', "a.json", ["version: 3.10", "most: 1e400"]),
        ("version = 3.10\nmost = 1_000.50", "a.toml", ["version: 3.10", "most: 1000.50"]),
        ("version: 3.10", "a.yaml", ["version: 3.10"]),
    ],
)
def test_a_figure_is_as_it_is_written(written: str, location: str, shown: list[str]) -> None:
    read = text(written, location).splitlines()
    assert [line for line in read if line] == shown


def test_headings_in_headings_are_read_once() -> None:
    began = time.thread_time()
    assert text("<h1>a" * 60 + "</h1>" * 60, "a.html").count("a") == 60
    assert time.thread_time() - began < 2
