"""Marks by which one window shows a text without some of its words, crosses them out or draws others in their place.

Chat products, wikis and forums each have a language of their own beside Markdown; any other window shows its marks.
What stands between them is read as it is written, and the mark is told, so that nothing passes unseen.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from gate.text.figures.numbers import CARDINALS
from gate.text.formats.html_elements import hides

Span = tuple[int, int]

_INSIDE = r"(?=[^\n]{0,300}?[^\W_])"
_DRAWN = re.compile(
    # a stroke through the letter before
    r"(?<=[^\W_])[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6\u20ea\u20eb]"
    # commands of formulae that cross out, hide or rename
    r"|\\(?:[hv]?phantom|[bx]?cancel|cancelto|sout|(?:math)?[lrc]lap|(?:text)?color|[ef]?colorbox|htmlStyle"
    r"|[egx]?def|let|(?:re)?newcommand)(?![A-Za-z])"
)
_WRITTEN = re.compile(
    # spoilers of Discord, Telegram and Matrix, and of Reddit
    rf"\|\|(?=\S){_INSIDE}[^|\n]{{1,300}}(?<=\S)\|\||>!(?=\S){_INSIDE}[^!\n]{{1,300}}!<"
    # comments of Obsidian and of templates, changes in CriticMarkup
    rf"|%%{_INSIDE}[^%\n]{{1,300}}%%|\{{[#%]{_INSIDE}[^{{}}\n]{{1,300}}[#%]\}}|\{{/\*{_INSIDE}[^{{}}\n]{{1,300}}\*/\}}"
    rf"|\{{(?:--|\+\+|~~|>>|==){_INSIDE}[^{{}}\n]{{1,300}}(?:--|\+\+|~~|<<|==)\}}"
    # expressions in MDX, and a comment that is none here
    r"|\{[^{}\n]{1,100}(?:&&|\?)[^{}\n]{1,200}\}|<!--"
    # tags of forums, a word crossed out in Jira and Org, a link of a wiki that shows another text
    r"|\[/(?:s|strike|del|hide|hidden|i?spoilers?|colou?r|size|font|comment)\]"
    r"|(?<![^\s(\"'“‘])([-+])(?=[^\W\d_])\w{1,30}\1(?![^\s).,;:!?\"'”’])"
    r"|\[\[[^\[\]|\n]{1,100}\|[^\[\]\n]{1,100}\]\]"
    # names of digits, which windows draw as such
    rf"|:(?:{'|'.join(CARDINALS)}|keycap_ten|100|1234):"
    # a tag that never ends, which a page leaves out with all that follows
    r"|<[A-Za-z][A-Za-z]+(?=[\s/])[^<>]*\Z",
)
_NAMED = re.compile(
    # :name[…], :::name and :name:`…`
    r"(?<![\w:]):{1,9}\s?\{?\.?(?P<directive>[A-Za-z][\w-]{0,30})(?=[\[:{}\s])"
    # […]{.name}, {: .name} and [name]#…#
    r"|\{:?(?P<attributes>[^{}\n]{1,200})\}|\[(?P<role>[A-Za-z.][\w. -]{0,40})\](?=#)"
)
_SHOWING = """\
alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho sigma
varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega hbar ell imath
jmath Re Im aleph partial nabla infty emptyset varnothing forall exists nexists in notin ni subset subseteq subsetneq
supset supseteq setminus cup cap bigcup bigcap uplus land lor lnot neg wedge vee top bot vdash models perp parallel mid
nmid angle triangle square blacksquare star ast bullet circ degree prime dagger pm mp times div cdot cdots ldots dots
vdots ddots dotsc dotsb oplus ominus otimes odot le leq leqslant ge geq geqslant lt gt ll gg ne neq equiv approx sim
simeq cong propto doteq asymp to gets mapsto leftarrow rightarrow Leftarrow Rightarrow leftrightarrow Leftrightarrow
longrightarrow longleftarrow Longrightarrow Longleftrightarrow implies impliedby iff uparrow downarrow Uparrow
Downarrow xrightarrow xleftarrow therefore because sum prod coprod int iint iiint oint lim limsup liminf sup inf max min
arg argmax argmin det dim ker deg gcd lcm hom Pr exp ln log lg sin cos tan cot sec csc arcsin arccos arctan sinh cosh
tanh bmod pmod mod frac dfrac tfrac cfrac binom dbinom tbinom sqrt overline underline overbrace underbrace overset
underset stackrel substack hat widehat check tilde widetilde acute grave bar breve vec dot ddot mathring overrightarrow
left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr lvert rvert lVert rVert vert Vert lfloor
rfloor lceil rceil langle rangle lbrace rbrace lbrack rbrack text textbf textit textrm textsf texttt textup textnormal
emph mbox mathrm mathbf mathit mathsf mathtt mathbb mathcal mathfrak mathscr mathnormal boldsymbol bm pmb operatorname
mathop mathbin mathrel mathord limits nolimits displaystyle textstyle quad qquad enspace thinspace begin end hline boxed
begingroup endgroup
tag ce pu euro pounds yen textdollar textasciitilde backslash colon"""
_FORMULA_COMMAND = re.compile(rf"\\(?!(?:{'|'.join(_SHOWING.split())})(?![A-Za-z]))[A-Za-z]{{2,}}")
"""A command that is none of those by which a formula shows all that stands in it: there are more than anybody lists."""
_PATH = re.compile(r"(?<!\S)[(\"']?[A-Za-z]:\\[^\s{}$]*")
_FORMULA_COMMENT = re.compile(r"(?<![\w$])(?:\$\$\s?|\$(?=[^\s$]))[^$%]{0,300}(%)[^$]{0,300}(?<![A-Za-z])\$(?!\d)")
"""What stands behind a percent sign is none of the formula."""
_WORD = re.compile(r"[A-Za-z][\w:-]*")
_STYLED = re.compile(r"(?i)\b(?:style|hidden|class)\b\s*=|(?<!\S)\.[A-Za-z]")


def covered(text: str, code: Sequence[Span] = (), *, formulae: bool = False) -> Iterator[Span]:
    """Where in a text such marks are, in order.

    Args:
        code: where spans of code are, in which what is written is shown.
        formulae: the text has marks of a formula, in which a window carries commands out.
    """
    written = [one.span() for one in _WRITTEN.finditer(text)]
    written += [one.span() for one in _NAMED.finditer(text) if _names_a_hiding(one)]
    if formulae:
        unknown = (one for one in _FORMULA_COMMAND.finditer(text) if not _DRAWN.match(text, one.start()))
        files = [one.span() for one in _PATH.finditer(text)]
        written += [one.span() for one in unknown if not _is_within(one.start(), files)]
        written += [one.span(1) for one in _FORMULA_COMMENT.finditer(text)]
    drawn = [one.span() for one in _DRAWN.finditer(text)]
    yield from sorted([*drawn, *(one for one in written if not _is_within(one[0], code))])


def _is_within(place: int, spans: Sequence[Span]) -> bool:
    at = bisect_left(spans, place + 1, key=lambda one: one[1])
    return at < len(spans) and spans[at][0] <= place


def _names_a_hiding(found: re.Match[str]) -> bool:
    """Whether a directive, a role or one of some attributes has the name of what hides or crosses out."""
    attributes = found["attributes"]
    if attributes is not None:
        return bool(_STYLED.search(attributes)) and (
            "style" in attributes or any(map(hides, _WORD.findall(attributes)))
        )
    return any(map(hides, _WORD.findall(found["directive"] or found["role"])))
