"""Reads a note as Obsidian writes it: frontmatter, tags, and its text without the signs. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import yaml

_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Reads every value as text, so that nothing in a note is ever constructed."""

LONGEST_FRONTMATTER = 16_384
"""Characters: properties are a few lines, and what is longer is no frontmatter but a trap."""

_FRONTMATTER = re.compile(
    r"\ufeff?---[ \t]*\n(?:(.*?)\n)??(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL
)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]++(.*)")
_CODE = re.compile(r"`[^`\n]*`")
_TAG = re.compile(r"(?<!\S)#([\w/-]+)")
_DIGITS = re.compile(r"[\d/_-]*")

_EMBED = re.compile(r"!\[\[[^\[\]\n]*\]\]")
_WIKILINK = re.compile(r"\[\[([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
_IMAGE = re.compile(r"!\[([^\[\]\n]*)\]\([^()\n]*\)")
_LINK = re.compile(r"\[([^\[\]\n]+)\]\([^()\n]*\)")
_CALLOUT = re.compile(r"^[ \t]*(?:>[ \t]?)+(?:\[![\w-]+\][+-]?[ \t]*)?", re.MULTILINE)
_BULLET = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX/-]\][ \t]+)?", re.MULTILINE)
_RULE = frozenset("-*_=|: \t")
"""What rules, and the line under the head of a table, are made of."""
_STRONG = re.compile(r"(\*{1,3}|~~|==)(?=\S)([^*~=\n]+?)(?<=\S)\1")
_UNDERLINED = re.compile(r"(?<!\w)(_{1,2})(?=\S)([^_\n]+?)(?<=\S)\1(?!\w)")
_BLOCK_ID = re.compile(r"[ \t]\^[\w-]+[ \t]*$", re.MULTILINE)
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
"""Control characters, and marks that hide text or turn its direction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontmatter:
    """The properties of a note that mean something here."""

    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    date: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What stands under one heading: its trail of headings and its paragraphs, in plain text."""

    trail: tuple[str, ...]
    paragraphs: tuple[str, ...]


def frontmatter_of(text: str) -> Frontmatter:
    """The properties at the top of a note; none where there are none or they cannot be read."""
    found = _FRONTMATTER.match(_normal(text))
    if found is None or len(found[1] or "") > LONGEST_FRONTMATTER:
        return Frontmatter()
    try:
        read = yaml.load(found[1] or "", Loader=_LOADER)  # noqa: S506 - a loader that constructs text only
    except (yaml.YAMLError, RecursionError, ValueError):
        return Frontmatter()
    if not isinstance(read, Mapping):
        return Frontmatter()
    return Frontmatter(
        tags=tuple(tag.removeprefix("#") for tag in _listed(read.get("tags"), " ")),
        aliases=tuple(_listed(read.get("aliases"), "")),
        date=_date(read.get("date")),
    )


def tags_of(text: str) -> frozenset[str]:
    """Every tag of a note, folded and without its sign: of its properties and in its text."""
    body = _CODE.sub("", "\n".join(line for line, is_code in _lines(_body(text)) if not is_code))
    said = (tag for tag in _TAG.findall(_uncommented(body)) if not _DIGITS.fullmatch(tag))
    return frozenset(tag.casefold() for tag in (*frontmatter_of(text).tags, *said))


def is_tagged(tags: frozenset[str], tag: str) -> bool:
    """Whether a tag is among these, itself or one below it: "eko/recipes" is tagged "eko"."""
    wanted = tag.casefold().removeprefix("#")
    return bool(wanted) and any(one == wanted or one.startswith(f"{wanted}/") for one in tags)


def passages_of(text: str) -> list[Passage]:
    """The text of a note under each of its headings, in order; code keeps its lines."""
    found: list[Passage] = []
    trail: list[tuple[int, str]] = []
    lines: list[tuple[str, bool]] = []
    for line, is_code in (*_lines(_uncommented(_body(text))), ("# end", False)):
        heading = None if is_code else _HEADING.fullmatch(line)
        if heading is None:
            lines.append((line, is_code))
            continue
        found += _passage(trail, lines)
        level = len(heading[1])
        trail = [*(one for one in trail if one[0] < level), (level, _plain(_title(heading[2])))]
        lines = []
    return found


def _title(rest: str) -> str:
    """What a heading says, without the signs that may close it."""
    return rest.rstrip(" \t").rstrip("#").rstrip(" \t")


def _passage(trail: list[tuple[int, str]], lines: list[tuple[str, bool]]) -> list[Passage]:
    paragraphs = tuple(_paragraphs(lines))
    names = tuple(name for _, name in trail if name)
    return [Passage(trail=names, paragraphs=paragraphs)] if paragraphs else []


def _paragraphs(lines: list[tuple[str, bool]]) -> Iterator[str]:
    """Stretches without an empty line; a block of code is one, whatever lines it has."""
    for block, is_code in _blocks(lines):
        text = _UNSEEN.sub("", block).strip() if is_code else _plain(block)
        if text:
            yield text


def _blocks(lines: list[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    block: list[str] = []
    was_code = False
    for line, is_code in lines:
        if block and (is_code is not was_code or not (is_code or line.strip())):
            yield "\n".join(block), was_code
            block = []
        was_code = is_code
        if is_code or line.strip():
            block.append(line)
    if block:
        yield "\n".join(block), was_code


def _lines(body: str) -> Iterator[tuple[str, bool]]:
    """Each line and whether it is code; the lines that open and close a block are left out."""
    fence = ""
    for line in body.splitlines():
        mark = _FENCE.match(line)
        if fence and mark and mark[1].startswith(fence) and not line.strip(" `~"):
            fence = ""
        elif not fence and mark:
            fence = mark[1]
        else:
            yield line, bool(fence)


def _body(text: str) -> str:
    normal = _normal(text)
    front = _FRONTMATTER.match(normal)
    return normal[front.end() :] if front else normal


def _normal(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _uncommented(text: str) -> str:
    """The text without what stands between marks of a comment; one that is not closed is text."""
    for opening, closing in (("%%", "%%"), ("<!--", "-->")):
        kept, rest = [], text
        while (start := rest.find(opening)) >= 0:
            end = rest.find(closing, start + len(opening))
            if end < 0:
                break
            kept.append(rest[:start])
            rest = rest[end + len(closing) :]
        text = "".join((*kept, rest))
    return text


def _plain(text: str) -> str:
    """The words without the signs that lay them out."""
    ruled = "\n".join(line for line in text.splitlines() if set(line) - _RULE)
    bare = _BULLET.sub("", _CALLOUT.sub("", ruled))
    bare = _IMAGE.sub(r"\1", _EMBED.sub("", bare))
    bare = _LINK.sub(r"\1", _WIKILINK.sub(_link_text, bare))
    bare = _UNDERLINED.sub(r"\2", _STRONG.sub(r"\2", _BLOCK_ID.sub("", bare)))
    lines = (" ".join(line.split()) for line in _UNSEEN.sub("", bare.replace("`", "")).splitlines())
    return "\n".join(line for line in lines if line)


def _link_text(link: re.Match[str]) -> str:
    """What a link shows: its own words, or the page it leads to."""
    page, _, heading = link[1].partition("#")
    return (link[2] or page or heading.lstrip("^")).strip()


def _listed(value: Any, separator: str) -> Iterator[str]:
    """A list, or a text that lists: Obsidian takes "a, b" for tags, and spaces between them."""
    text = value.replace(",", "\n").split("\n") if isinstance(value, str) else []
    for item in value if isinstance(value, list) else text:
        if isinstance(item, str):
            parts = item.split() if separator else [" ".join(_UNSEEN.sub("", item).split())]
            yield from (part for part in parts if part)


def _date(value: Any) -> datetime | None:
    """A day or a moment; one without a zone is taken for UTC."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    if moment is None or moment.tzinfo is not None:
        return moment
    return moment.replace(tzinfo=UTC)
