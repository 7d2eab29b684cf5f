"""The site of these documents (`make site`): nothing that a page needs is loaded from elsewhere."""

from typing import Any

from pygments.lexers.special import TextLexer

project = "LLM Reliability Gate"
html_title = project
html_theme = "furo"
html_show_copyright = False
html_copy_source = False
extensions = ["myst_parser"]
myst_heading_anchors = 4


def setup(app: Any) -> None:
    """Show diagrams as they are written: what draws them would be loaded from elsewhere."""
    app.add_lexer("mermaid", TextLexer)
