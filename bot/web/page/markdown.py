"""Words as HTML: what people and the pet write in Markdown, without any HTML of theirs.

CommonMark (https://spec.commonmark.org/) without raw HTML, images, headings as headings, rules and
references; links lead to the web and to mail alone.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from bot.texts.markdown import is_formatted
from bot.texts.sanitizing import on_page

MOST_CACHED = 2_000
"""Characters of a text whose HTML is remembered: most are read by several people."""

_ADDRESS = re.compile(r"\bhttps?://[^\s<>\"`]{1,2000}", re.IGNORECASE)
_SAFE = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_TRAILING = ".,;:!?…»”’'*_~"


def words_html(text: str) -> str:
    """A message as HTML, every sign of it that is no Markdown as itself."""
    return _remembered(text) if len(text) <= MOST_CACHED else _html(text)


def _html(text: str) -> str:
    shown = on_page(text)
    return str(_PARSER.render(shown)).strip() if is_formatted(shown) else _plain(shown)


@lru_cache(maxsize=1024)
def _remembered(text: str) -> str:
    return _html(text)


def _plain(text: str) -> str:
    return f"<p>{''.join(_linked(text))}</p>"


def _linked(text: str) -> Iterator[str]:
    """A text in HTML with its addresses as links."""
    for piece, is_address in _pieces(text):
        shown = escape(piece)
        link = f'<a href="{shown}" {_ATTRIBUTES}>{shown}</a>'
        yield link if is_address else shown


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """A text cut before and behind each address in it, the signs that end a sentence left out."""
    at = 0
    for found in _ADDRESS.finditer(text):
        address = found[0].rstrip(_TRAILING)
        if address.endswith(")") and "(" not in address:
            address = address.rstrip(")" + _TRAILING)
        if len(address) > len("https://"):
            yield text[at : found.start()], False
            yield address, True
            at = found.start() + len(address)
    yield text[at:], False


_LINK = {"target": "_blank", "rel": "noopener noreferrer nofollow"}
_ATTRIBUTES = " ".join(f'{name}="{value}"' for name, value in _LINK.items())


def _link_addresses(state: StateCore) -> None:
    """Make links of the addresses that stand in a text by themselves."""
    for block in state.tokens:
        if block.type == "inline" and block.children:
            block.children = list(_with_links(block.children))


def _with_links(tokens: Sequence[Token]) -> Iterator[Token]:
    depth = 0
    for token in tokens:
        depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type != "text" or depth or "://" not in token.content:
            yield token
            continue
        for piece, is_address in _pieces(token.content):
            yield from _link(piece) if is_address else (Token("text", "", 0, content=piece),)


def _link(address: str) -> Iterator[Token]:
    yield Token("link_open", "a", 1, attrs={"href": address})
    yield Token("text", "", 0, content=address)
    yield Token("link_close", "a", -1)


class _Words(RendererHTML):
    """Draws what is allowed: line breaks as they are, headings as bold lines."""

    def softbreak(self, *_: Any) -> str:
        """A line break as it was written: the style keeps it."""
        return "\n"

    def hardbreak(self, *_: Any) -> str:
        """The same where it was meant."""
        return "\n"

    def heading_open(self, *_: Any) -> str:
        """A heading is a bold line: the page's own headings are its order."""
        return "<p><strong>"

    def heading_close(self, *_: Any) -> str:
        """Its end."""
        return "</strong></p>\n"

    def link_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """A link opens beside the page, which tells it nothing; its address can be seen."""
        token = tokens[idx]
        token.attrs = {"href": token.attrs["href"], "title": token.attrs["href"], **_LINK}
        return self.renderToken(tokens, idx, options, env)

    def fence(self, tokens: Sequence[Token], idx: int, *_: Any) -> str:
        """Code, which the keyboard can scroll."""
        return f'<pre tabindex="0"><code>{escape(tokens[idx].content)}</code></pre>\n'


class _WebLinks(MarkdownIt):
    """A parser that takes for links what leads to the web or to mail."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - its name there
        """Whether an address may be one of a link."""
        return _SAFE.match(url) is not None


def _parser() -> MarkdownIt:
    options = {"html": False, "linkify": False, "breaks": False, "maxNesting": 12}
    parser = _WebLinks("js-default", options, renderer_cls=_Words)
    parser.disable(
        ["image", "html_block", "html_inline", "entity", "code", "lheading", "hr", "reference"]
    )
    parser.disable(["table"])
    parser.core.ruler.push("addresses", _link_addresses)
    return parser


_PARSER = _parser()
"""One for the process: it holds no state between texts."""
