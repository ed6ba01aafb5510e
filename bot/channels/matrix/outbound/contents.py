"""What the pet's messages are on Matrix. Pure."""

import json
import re
from base64 import urlsafe_b64encode
from hashlib import blake2b
from html import escape
from typing import Any

from bot.channels.matrix.inbound.contents import ANNOTATES, THREAD
from bot.channels.matrix.inbound.known_events import KnownEvent
from bot.channels.matrix.service.json_values import Json
from bot.platforms.formatting import FormattedText, Span, SpanKind, formatted, nested

_TAGS = {
    SpanKind.BOLD: "strong",
    SpanKind.ITALIC: "em",
    SpanKind.STRUCK: "del",
    SpanKind.CODE: "code",
    SpanKind.QUOTE: "blockquote",
}
_LEADS_OUT = ("https://", "http://", "mailto:")
_LANGUAGE = re.compile(r"[A-Za-z0-9_+-]{1,30}")


def html_of(words: FormattedText) -> str:
    """The words as HTML, escaped; "" where they have no formats and are shown well as they are.

    https://spec.matrix.org/v1.16/client-server-api/#mroommessage-msgtypes lists the tags.
    """
    if not words.spans:
        return ""
    pieces: list[str] = []
    at, blocks = 0, 0
    for place, opens, span in nested(words):
        pieces.append(_shown(words.text[at:place], in_block=blocks > 0))
        at = place
        blocks += (1 if opens else -1) * (span.kind is SpanKind.BLOCK)
        pieces.append(_opening(span) if opens else _closing(span))
    pieces.append(_shown(words.text[at:], in_block=False))
    return "".join(pieces)


def _shown(text: str, *, in_block: bool) -> str:
    shown = escape(text, quote=True)
    return shown if in_block else shown.replace("\n", "<br>")


def _opening(span: Span) -> str:
    match span.kind:
        case SpanKind.BLOCK:
            is_named = _LANGUAGE.fullmatch(span.detail) is not None
            return f'<pre><code class="language-{span.detail}">' if is_named else "<pre><code>"
        case SpanKind.LINK:
            return f'<a href="{escape(span.detail, quote=True)}">' if _leads_out(span) else ""
        case kind:
            return f"<{_TAGS[kind]}>"


def _closing(span: Span) -> str:
    match span.kind:
        case SpanKind.BLOCK:
            return "</code></pre>"
        case SpanKind.LINK:
            return "</a>" if _leads_out(span) else ""
        case kind:
            return f"</{_TAGS[kind]}>"


def _leads_out(span: Span) -> bool:
    return span.detail.lower().startswith(_LEADS_OUT)


LONGEST_CONTENT = 40_000
"""Bytes of a content: encrypted it is a third longer, and an event has 65,536 with all else."""


def transaction_of(nonce: str) -> str:
    """The same for the same nonce, in letters that stand well in an address."""
    return urlsafe_b64encode(blake2b(nonce.encode(), digest_size=18).digest()).decode()


def message_content(
    text: str, answers: str | None, answered: KnownEvent | None, thread: str | None
) -> Json:
    """A message with its words as they are and as HTML; it calls who is answered alone.

    The kind is that of people's words and not "notice": the pet is talked with.
    """
    content: dict[str, Any] = {
        "msgtype": "m.text",
        "body": text,
        "m.mentions": {} if answered is None else {"user_ids": [answered.sender]},
    }
    html = html_of(formatted(text))
    if html:
        content |= {"format": "org.matrix.custom.html", "formatted_body": html}
    relation = _relation(answers, thread)
    if relation:
        content["m.relates_to"] = relation
    if len(json.dumps(content, ensure_ascii=False).encode()) > LONGEST_CONTENT:
        content.pop("format", None)
        content.pop("formatted_body", None)
    return content


def reaction_content(emoji: str, message: str) -> Json:
    """An emoji at a message."""
    return {"m.relates_to": {"rel_type": ANNOTATES, "event_id": message, "key": emoji}}


def _relation(answers: str | None, thread: str | None) -> Json:
    """In a thread, what answers nothing is shown below its beginning by clients without threads."""
    if thread is None:
        return {} if answers is None else {"m.in_reply_to": {"event_id": answers}}
    return {
        "rel_type": THREAD,
        "event_id": thread,
        "is_falling_back": answers is None,
        "m.in_reply_to": {"event_id": answers or thread},
    }
