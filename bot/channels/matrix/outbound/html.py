"""Words with their formats as the HTML that Matrix shows. Pure; everything is escaped.

https://spec.matrix.org/v1.16/client-server-api/#mroommessage-msgtypes lists the tags.
"""

import re
from html import escape

from bot.platforms.formatting import FormattedText, Span, SpanKind, nested

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
    """The words as HTML; "" where they have no formats and are shown well enough as they are."""
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
