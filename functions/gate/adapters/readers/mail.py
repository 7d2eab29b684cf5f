"""The text of a mail: who wrote to whom, when, about what, and the body; attachments are named and not opened."""

from __future__ import annotations

import email
import email.policy
from email.errors import HeaderParseError, MessageError
from email.message import EmailMessage

from gate.adapters.readers.layout import DocumentTooLargeError, Layout, Read, spaced

HEADERS = ("From", "To", "Cc", "Date")
MAX_HEADER = 2_000
MAX_PARTS = 200
_DAMAGED = (MessageError, HeaderParseError, LookupError, TypeError, AttributeError, UnicodeError, ValueError)


def text_of(data: bytes) -> Read:
    """Return the mail's text; its subject is the title.

    Raises:
        ValueError: it is no mail.
    """
    try:
        message: EmailMessage = email.message_from_bytes(data, policy=email.policy.default)
        if not message.keys():
            raise ValueError("no mail: it has no headers")
        layout = Layout(_header(message, "Subject") or None)
        layout.block("Subject: " + (_header(message, "Subject") or "none"))
        layout.block(" | ".join(f"{name}: {value}" for name in HEADERS if (value := _header(message, name))))
        _body(message, layout)
    except DocumentTooLargeError:
        raise
    except _DAMAGED as error:
        if type(error) is ValueError:
            raise
        raise ValueError(f"a damaged mail ({type(error).__name__})") from None
    return layout.finish()


def _header(message: EmailMessage, name: str) -> str:
    return spaced(str(message.get(name, "")))[:MAX_HEADER]


def _body(message: EmailMessage, layout: Layout) -> None:
    body = message.get_body(preferencelist=("plain", "html"))
    if body is not None:
        content = str(body.get_content())
        if body.get_content_type() == "text/html":
            from gate.adapters.readers.html import text_of as text_of_page

            content = text_of_page(content.encode("utf-8", "replace"))[0]
        for paragraph in content.split("\n\n"):
            layout.code(paragraph.strip())
    for number, part in enumerate(message.iter_attachments()):
        if number >= MAX_PARTS:
            break
        layout.block(f"Attachment, not read: {spaced(part.get_filename() or part.get_content_type())[:200]}")
