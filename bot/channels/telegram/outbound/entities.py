"""Words with their marks as Telegram takes them: plain text, and entities by their places. Pure.

https://core.telegram.org/bots/api#messageentity, and the rules of which may contain which in
https://core.telegram.org/bots/api#formatting-options
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any

from bot.platforms.formatting import FormattedText, Span, SpanKind, formatted, utf16_length

TEXT_LIMIT = 4096
"""Characters of a message, after its marks are read."""

MOST_ENTITIES = 100
"""Entities of a message: those behind are not shown, and the addresses of links are written."""

LONGEST_LINK = 2048
"""Characters of the address behind a link; longer ones are left away."""

_NAMES = {
    SpanKind.BOLD: "bold",
    SpanKind.ITALIC: "italic",
    SpanKind.STRUCK: "strikethrough",
    SpanKind.CODE: "code",
    SpanKind.BLOCK: "pre",
    SpanKind.QUOTE: "blockquote",
    SpanKind.LINK: "text_link",
}

_LIGHT = frozenset({SpanKind.BOLD, SpanKind.ITALIC, SpanKind.STRUCK})
"""What may stand around and inside of anything but code."""

_CODE = frozenset({SpanKind.CODE, SpanKind.BLOCK})

_WEIGHTS = {SpanKind.LINK: 3, SpanKind.BLOCK: 2, SpanKind.QUOTE: 1, SpanKind.CODE: 0}
"""Of two that may not contain each other the lighter one goes."""

Entity = dict[str, Any]


def shown(text: str) -> tuple[str, list[Entity]]:
    """The words and the entities of a text; as it is written where it would not fit without."""
    found = formatted(text)
    if not found.text.strip() or utf16_length(found.text) > TEXT_LIMIT:
        return text, []
    entities = entities_of(found)
    words = _spelt_out(found.text, entities[MOST_ENTITIES:])
    if utf16_length(words) > TEXT_LIMIT:
        return text, []
    return words, entities[:MOST_ENTITIES]


def _spelt_out(text: str, links: Sequence[Entity]) -> str:
    """A text with the addresses of links behind their words, where they cannot be shown as links.

    They begin behind all that are shown, so that no place before them changes.
    """
    raw = text.encode("utf-16-le", "surrogatepass")
    for one in reversed(links):
        if one["type"] == "text_link":
            end = 2 * (one["offset"] + one["length"])
            raw = raw[:end] + f" ({one['url']})".encode("utf-16-le") + raw[end:]
    return raw.decode("utf-16-le", "surrogatepass")


def entities_of(said: FormattedText) -> list[Entity]:
    """The entities of a text by their places; none crosses or contains what it may not."""
    places = list(accumulate((1 + (one > "\uffff") for one in said.text), initial=0))
    return [
        _entity(kind, span, places[start], places[end] - places[start])
        for kind, start, end, span in sorted(_allowed(said), key=lambda one: (one[1], -one[2]))
        if said.text[start:end].strip()
    ]


def _allowed(said: FormattedText) -> Iterator[tuple[SpanKind, int, int, Span]]:
    spans = [one for one in said.spans if _is_shown(one)]
    kept = _heaviest(one for one in spans if one.kind not in _LIGHT)
    codes = [one for one in kept if one.kind in _CODE]
    for span in kept:
        yield span.kind, span.start, span.end, span
    for span in spans:
        if span.kind in _LIGHT:
            for start, end in _around(span, codes):
                yield span.kind, start, end, span


def _is_shown(span: Span) -> bool:
    if span.kind is not SpanKind.LINK:
        return True
    return span.detail.startswith(("https://", "http://")) and len(span.detail) <= LONGEST_LINK


def _heaviest(spans: Iterable[Span]) -> list[Span]:
    """Of spans that may not contain each other those that stay: none has words of another."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda one: (-_WEIGHTS[one.kind], one.start - one.end)):
        if all(span.end <= other.start or other.end <= span.start for other in kept):
            kept.append(span)
    return sorted(kept, key=lambda one: one.start)


def _around(span: Span, codes: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """The parts of a span that are no code."""
    start = span.start
    for code in codes:
        if code.start < span.end and code.end > start:
            if start < code.start:
                yield start, code.start
            start = max(start, code.end)
    if start < span.end:
        yield start, span.end


def _entity(kind: SpanKind, span: Span, offset: int, length: int) -> Entity:
    entity: Entity = {"type": _NAMES[kind], "offset": offset, "length": length}
    if kind is SpanKind.LINK:
        entity["url"] = span.detail
    if kind is SpanKind.BLOCK and span.detail:
        entity["language"] = span.detail[:32]
    return entity
