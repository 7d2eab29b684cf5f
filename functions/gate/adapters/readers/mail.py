"""The text of a mail: who wrote to whom, when, about what, and the body; attachments are named and not opened."""

from __future__ import annotations

import email
from collections.abc import Iterator
from email.errors import HeaderParseError, MessageError
from email.message import EmailMessage, MIMEPart
from email.policy import EmailPolicy
from itertools import count
from typing import Any

from gate.adapters.readers.layout import DocumentTooLargeError, Layout, Read, spaced

HEADERS = ("From", "To", "Cc", "Date")
MAX_HEADER, MAX_RAW = 2_000, 10_000
"""Characters of a header that are kept, and that are read at all."""
MAX_PARTS = 200
_DAMAGED = (MessageError, HeaderParseError, LookupError, TypeError, AttributeError, UnicodeError, ValueError)


class _ShortHeaders(EmailPolicy):
    """Reads the beginning of a header: the library takes minutes and a gigabyte for long ones."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        """See `EmailPolicy`."""
        return super().header_fetch_parse(name, value[:MAX_RAW])


_SHORT: Any = _ShortHeaders()


def text_of(data: bytes) -> Read:
    """Return the mail's text; its subject is the title.

    Raises:
        ValueError: it is no mail.
    """
    try:
        message: EmailMessage = email.message_from_bytes(data, policy=_SHORT)
        if not message.keys():
            raise ValueError("no mail: it has no headers")
        layout = Layout(_header(message, "Subject") or None)
        layout.block("Subject: " + (_header(message, "Subject") or "none"))
        layout.block(" | ".join(f"{name}: {value}" for name in HEADERS if (value := _header(message, name))))
        _read(message, layout, count(1))
    except DocumentTooLargeError:
        raise
    except _DAMAGED as error:
        if type(error) is ValueError:
            raise
        raise ValueError(f"a damaged mail ({type(error).__name__})") from None
    return layout.finish()


def _header(message: EmailMessage, name: str) -> str:
    return spaced(str(message.get(name, "")))[:MAX_HEADER]


def _read(part: MIMEPart, layout: Layout, seen: Iterator[int]) -> None:
    """Add what a program for mails shows of a part: of alternatives one, of several parts all that are text."""
    if next(seen) > MAX_PARTS:
        raise ValueError(f"a mail of more than {MAX_PARTS} parts")
    is_text = part.get_content_maintype() == "text" and not (part.get_filename() or part.is_attachment())
    alternatives = ("html", "plain") if part.get_content_subtype() == "alternative" else ()
    bodies = [part] if is_text else [part.get_body((kind,)) for kind in alternatives]
    if shown := next((text for body in bodies if body is not None and (text := _text(body))), ""):
        for paragraph in shown.split("\n\n"):
            layout.code(paragraph.strip())
    elif part.get_content_maintype() == "multipart":
        for inner in part.iter_parts():
            _read(inner, layout, seen)
    elif not is_text:
        layout.block(f"Attachment, not read: {spaced(part.get_filename() or part.get_content_type())[:200]}")


def _text(part: Any) -> str:
    content = str(part.get_content())
    if part.get_content_type() == "text/html":
        from gate.adapters.readers.html import text_of as text_of_page

        content = text_of_page(content, whole=True).text
    return content.strip()
