"""Words with the parts of them that are shown in another way, read from Markdown. Pure.

The pet writes CommonMark (https://spec.commonmark.org/), and each service has its own form of it:
places in a text, signs of its own, or HTML. What is no Markdown stays as it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.texts.markdown import is_formatted


class SpanKind(StrEnum):
    """How a part of a text is shown."""

    BOLD = "bold"
    ITALIC = "italic"
    STRUCK = "struck"
    CODE = "code"
    BLOCK = "block"
    """Code of several lines; its detail is the language, if it was said."""
    QUOTE = "quote"
    LINK = "link"
    """Its detail is where it leads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A part of a text, from its character `start` to before `end`; spans nest and never cross."""

    kind: SpanKind
    start: int
    end: int
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormattedText:
    """Words without signs; `spans` by where they begin, those around others first."""

    text: str
    spans: tuple[Span, ...] = ()


def formatted(text: str) -> FormattedText:
    """The words of a Markdown text and what is shown in another way; lists keep their marks."""
    if not is_formatted(text):
        return FormattedText(text=text)
    writer = _Writer()
    writer.blocks(_PARSER.parse(text))
    return writer.written()


def utf16_length(text: str) -> int:
    """The UTF-16 units of a text, by which some services count places."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@dataclass
class _List:
    number: int | None


@dataclass
class _Writer:
    """Puts the words of tokens one behind the other, and notes where spans begin and end."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    line: int = 0
    spans: list[Span] = field(default_factory=list)
    open: list[tuple[SpanKind, int, str]] = field(default_factory=list)
    lists: list[_List] = field(default_factory=list)
    mark: str = ""
    quotes: list[int] = field(default_factory=list)

    def written(self) -> FormattedText:
        text = "".join(self.pieces)
        spans = sorted(
            (one for one in reversed(self.spans) if one.start < one.end),  # the inner end first
            key=lambda one: (one.start, -one.end),
        )
        return FormattedText(text=text, spans=tuple(spans))

    def blocks(self, tokens: list[Token]) -> None:
        for token in tokens:
            self._block(token)

    def _block(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                is_ordered = token.type == "ordered_list_open"
                self.lists.append(_List(int(token.attrs.get("start", 1)) if is_ordered else None))
            case "bullet_list_close" | "ordered_list_close":
                self.lists.pop()
            case "list_item_open":
                self.mark = self._item_mark(token)
            case "blockquote_open":
                self.quotes.append(len(self.open))
                self._begin(SpanKind.QUOTE)
            case "heading_open":
                self._lead(token)
                self._begin(SpanKind.BOLD)
            case "blockquote_close" | "heading_close":
                self._end()
                self.quotes = [place for place in self.quotes if place < len(self.open)]
            case "fence":
                self._fence(token)
            case "inline":
                self._lead(token)
                for child in token.children or ():
                    self._inline(child)

    def _fence(self, token: Token) -> None:
        language, *more = token.info.split() or ("",)
        self._lead(token)
        if more or not token.content.strip():  # words behind the signs, and no language
            self._put(token.info.strip() + "\n" * bool(token.content.strip()))
            language = ""
        self._begin(SpanKind.BLOCK, language)
        self._put(token.content.rstrip("\n"))
        self._end()

    def _inline(self, token: Token) -> None:
        match token.type:
            case "strong_open":
                self._begin(SpanKind.BOLD)
            case "em_open":
                self._begin(SpanKind.ITALIC)
            case "s_open":
                self._begin(SpanKind.STRUCK)
            case "link_open":
                self._begin(SpanKind.LINK, str(token.attrs.get("href", "")))
            case "strong_close" | "em_close" | "s_close" | "link_close":
                self._end()
            case "code_inline":
                self._begin(SpanKind.CODE)
                self._put(token.content)
                self._end()
            case "softbreak" | "hardbreak":
                self._put("\n")
            case _:
                self._put(token.content)

    def _item_mark(self, token: Token) -> str:
        indent = "  " * (len(self.lists) - 1)
        of = self.lists[-1]
        if of.number is None:
            return f"{indent}• "
        mark = f"{indent}{of.number}{token.markup or '.'} "
        of.number += 1
        return mark

    def _lead(self, token: Token) -> None:
        """Go on to the line of a block as far below the last one as it was written."""
        first, last = token.map or (self.line, self.line + 1)
        if self.length and first >= self.line:
            self._put("\n" * (first - self.line + 1))
        self.line = max(last, self.line)
        for place in self.quotes:  # a quote begins on the line of its first block
            kind, _, detail = self.open[place]
            self.open[place] = kind, self.length, detail
        self.quotes.clear()
        self._put(self.mark)
        self.mark = ""

    def _begin(self, kind: SpanKind, detail: str = "") -> None:
        self.open.append((kind, self.length, detail))

    def _end(self) -> None:
        kind, start, detail = self.open.pop()
        self.spans.append(Span(kind=kind, start=start, end=self.length, detail=detail))

    def _put(self, text: str) -> None:
        if text:
            self.pieces.append(text)
            self.length += len(text)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("js-default", {"html": False, "linkify": False, "maxNesting": 12})
    parser.disable(["image", "html_block", "html_inline", "entity", "code", "lheading", "hr"])
    parser.disable(["reference", "table"])
    return parser


_PARSER = _parser()
"""One for the process: it holds no state between texts."""


def nested(formatted_text: FormattedText) -> Iterator[tuple[int, bool, Span]]:
    """Where spans open and close, in order: places, whether one opens, and the span."""
    closing: list[Span] = []
    for span in formatted_text.spans:
        while closing and closing[-1].end <= span.start:
            last = closing.pop()
            yield last.end, False, last
        yield span.start, True, span
        closing.append(span)
    while closing:
        last = closing.pop()
        yield last.end, False, last
