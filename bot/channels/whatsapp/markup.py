"""How texts are written on WhatsApp. Pure.

https://faq.whatsapp.com/539178204879377 has the signs: `*bold*`, `_italic_`, `~struck~`, code in
one backquote or three, quotes behind `> `.
"""

import re
from dataclasses import dataclass, field

from bot.platforms.formatting import FormattedText, Span, SpanKind, formatted, nested
from bot.ports import Markup

_SIGNS = {SpanKind.BOLD: "*", SpanKind.ITALIC: "_", SpanKind.STRUCK: "~", SpanKind.CODE: "`"}

_CODE = (SpanKind.CODE, SpanKind.BLOCK)

_PAIR = re.compile(r"(?<!\w)([*_~`])(?=[^\s*_~`])")
"""A sign that could begin a form: before a word, and not within one."""

_GAP = "\u2060"
"""The word joiner has no width: behind a sign it keeps that from being read as one."""


def quieted(text: str) -> str:
    """The text as it is: on WhatsApp no words call everybody."""
    return text


MARKUP = Markup(blocks=True, tokens="", quieted=quieted)


def written(text: str, longest: int) -> str:
    """A Markdown text in WhatsApp's signs; as it came where that would be too long."""
    shown = _in_signs(formatted(text))
    return shown if len(shown) <= longest else text[:longest]


@dataclass(slots=True)
class _Line:
    """Writes words one behind the other, with the signs of what is open around each line."""

    pieces: list[str] = field(default_factory=list)
    open: list[Span] = field(default_factory=list)
    quotes: int = 0
    is_begun: bool = False

    def words(self, text: str) -> None:
        for place, line in enumerate(text.split("\n")):
            if place:
                self._break()
            if line:
                self._begin()
                self.pieces.append(line if self._is_code() else _literal(line))

    def opens(self, span: Span) -> None:
        if span.kind is SpanKind.QUOTE:
            self.quotes += 1
        elif span.kind is SpanKind.BLOCK:
            self._begin()
            self.pieces.append("```")
            self.open.append(span)
        elif span.kind in _SIGNS:
            self._begin()
            self.open.append(span)
            self.pieces.append(_SIGNS[span.kind])

    def closes(self, span: Span, words: str) -> None:
        if span.kind is SpanKind.QUOTE:
            self.quotes -= 1
        elif span.kind is SpanKind.LINK:
            if span.detail and span.detail != words:
                self.pieces.append(f" ({span.detail})")
        elif span.kind in _SIGNS or span.kind is SpanKind.BLOCK:
            self.open.remove(span)
            self.pieces.append(_SIGNS.get(span.kind, "```"))

    def _begin(self) -> None:
        if not self.is_begun:
            self.is_begun = True
            self.pieces.append("> " if self.quotes else "")
            self.pieces += [_SIGNS[one.kind] for one in self.open if one.kind in _SIGNS]

    def _break(self) -> None:
        if self.is_begun:
            self.pieces += [_SIGNS[one.kind] for one in reversed(self.open) if one.kind in _SIGNS]
        self.pieces.append("\n")
        self.is_begun = False

    def _is_code(self) -> bool:
        return any(one.kind in _CODE for one in self.open)


def _in_signs(text: FormattedText) -> str:
    line, place = _Line(), 0
    for at, is_opening, span in nested(_shown(text)):
        line.words(text.text[place:at])
        place = at
        if is_opening:
            line.opens(span)
        else:
            line.closes(span, text.text[span.start : span.end])
    line.words(text.text[place:])
    return "".join(line.pieces)


def _shown(text: FormattedText) -> FormattedText:
    """The text with those spans alone that WhatsApp shows: signs within a word stay signs."""
    kept = tuple(one for one in text.spans if one.kind not in _SIGNS or _stands_alone(text, one))
    return FormattedText(text=text.text, spans=kept)


def _stands_alone(text: FormattedText, span: Span) -> bool:
    before, after = text.text[: span.start][-1:], text.text[span.end :][:1]
    inner = text.text[span.start : span.end]
    return not before.isalnum() and not after.isalnum() and inner == inner.strip()


def _literal(text: str) -> str:
    """Words in which no sign begins a form, as far as signs are there in pairs."""
    return _PAIR.sub(rf"\g<1>{_GAP}", text) if _has_pair(text) else text


def _has_pair(text: str) -> bool:
    return any(text.count(sign) > 1 for sign in "*_~`")
