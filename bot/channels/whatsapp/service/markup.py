"""What WhatsApp makes of the signs in a text, and the pet's words in its signs. Pure.

Its signs: https://faq.whatsapp.com/539178204879377. They work at the borders of words and within
a line alone, and there is none that takes their effect from another.
"""

from collections.abc import Iterator, Mapping

from bot.conversation.splitting import quiet_mentions
from bot.platforms.formatting import FormattedText, Span, SpanKind, formatted, nested
from bot.ports import Markup

TEXT_LIMIT = 4096
"""Characters of a message."""

MARKUP = Markup(blocks=True, tokens="", quieted=quiet_mentions)

_SIGNS: Mapping[SpanKind, str] = {
    SpanKind.BOLD: "*",
    SpanKind.ITALIC: "_",
    SpanKind.STRUCK: "~",
    SpanKind.CODE: "`",
    SpanKind.BLOCK: "```",
}

_WITHIN_A_LINE = frozenset({SpanKind.BOLD, SpanKind.ITALIC, SpanKind.STRUCK})

_ALIKE: Mapping[str, str] = {"*": "\u2217", "~": "\u223c"}
"""What is read as the same sign and has no effect. An underscore stays: names have it, and are
copied."""


def whatsapp_text(text: str, limit: int = TEXT_LIMIT) -> str:
    """A Markdown text in WhatsApp's signs; as it is where that would be longer than the limit."""
    shown = _Writer(formatted(text)).written()
    return shown if len(shown) <= limit else text[:limit]


class _Writer:
    """Writes words with the signs of their spans: those of a line are closed at its end."""

    def __init__(self, source: FormattedText) -> None:
        self._source = source
        self._open: list[Span] = []
        self._pieces: list[str] = []

    def written(self) -> str:
        place = 0
        for at, opens, span in nested(self._source):
            self._words(place, at)
            place = at
            if opens:
                self._begin(span)
            else:
                self._end(span)
        self._words(place, len(self._source.text))
        return "".join(self._pieces)

    def _begin(self, span: Span) -> None:
        if span.kind is SpanKind.QUOTE:
            self._pieces.append("> ")
        if not self._is_code():
            self._pieces.append(self._sign(span))
        self._open.append(span)

    def _end(self, span: Span) -> None:
        self._open.remove(span)
        if not self._is_code():
            self._pieces.append(self._sign(span))
        label = self._source.text[span.start : span.end]
        if span.kind is SpanKind.LINK and span.detail and span.detail != label:
            self._pieces.append(f" ({span.detail})")

    def _words(self, start: int, end: int) -> None:
        words = self._source.text[start:end]
        if self._is_code():
            gap = f"\n{'> ' * self._quotes()}"
            self._pieces.append(words.replace("\n", gap))
            return
        first, *others = words.split("\n")
        self._pieces.append(_literal(first))
        for line in others:
            closing = "".join(self._sign(one) for one in reversed(self._open) if _is_of_line(one))
            opening = "".join(self._sign(one) for one in self._open if _is_of_line(one))
            self._pieces += [closing, "\n", "> " * self._quotes(), opening, _literal(line)]

    def _is_code(self) -> bool:
        return any(one.kind in (SpanKind.CODE, SpanKind.BLOCK) for one in self._open)

    def _quotes(self) -> int:
        return sum(one.kind is SpanKind.QUOTE for one in self._open)

    def _sign(self, span: Span) -> str:
        """The sign of a span. In the middle of a word it has no effect, and 2*3*4 is still that."""
        text = self._source.text
        before, after = text[max(span.start - 1, 0) : span.start], text[span.end : span.end + 1]
        if span.kind is SpanKind.ITALIC and (before.isalnum() or after.isalnum()):
            return "*"
        return _SIGNS.get(span.kind, "")


def _is_of_line(span: Span) -> bool:
    return span.kind in _WITHIN_A_LINE


def _literal(line: str) -> str:
    """A line without signs that would take effect in pairs."""
    for sign, alike in _ALIKE.items():
        if line.count(sign) > 1:
            line = "".join(_signs_alike(line, sign, alike))
    return line


def _signs_alike(line: str, sign: str, alike: str) -> Iterator[str]:
    for place, character in enumerate(line):
        before, after = line[max(place - 1, 0) : place], line[place + 1 : place + 2]
        is_free = before.isspace() and after.isspace()
        is_within = before.isalnum() and after.isalnum()
        yield alike if character == sign and not is_free and not is_within else character
