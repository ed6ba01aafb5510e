"""Replies are cut to what a platform takes, at the best place, without accidental mentions.

Lengths are UTF-16 code units. Discord counts code points (its staff in discord-api-docs#1315:
"the number of codepoints in the string"), WhatsApp only says "characters"; no text has more
code points than UTF-16 units, so a part that fits in these fits in either.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, pairwise

from bot.ports import Markup

SMALLEST_MARKED = 64
"""A limit below this has no room for the lines that close and open a fence: marks are then text."""

_TICKS = "```"
_QUOTE = "> "
_OPENING = re.compile(r"(^> )?```(?:([A-Za-z0-9_+.#-]{0,16})\n)?", re.MULTILINE)
"""As chats read it: three backticks anywhere, a language only if the line ends after it."""
_CLOSING = re.compile(r"(?:^> )?```", re.MULTILINE)

_ATOM = (
    r"\[[^\[\]\n]*\]\((?:[^()\s]|\([^()\s]*\))*(?:[ \t]\"[^\"\n]*\")?\)"  # [label](link)
    r"|<https?://[^\s<>]+>|https?://[^\s<>]+"
    r"|``[^`\n]{1,200}(?:`[^`\n]{1,200}){0,9}``|`[^`\n]{1,200}`"  # code in a line
    r"|@\u200b?\w{1,32}"  # a name that is called: its beginning may be another name
)
"""What stays whole where the limit allows; each alternative is tried in linear time."""

_GAP = re.compile(r"[^\S\u00a0\u2007\u202f]+|(?<=[。！？])(?![\s。！？」』）])")
"""White space that may end a line, or the end of a sentence written without spaces."""
_CODE_GAP = re.compile(r"\n+|[ \t]+")
"""The same in code, where a line keeps its indent."""
_SENTENCE_END = re.compile(r"(?:(?<!\d)\.|[!?…。！？])[\s\"'”’»)\]*_]{0,3}\Z")
_MARK = r"(?:>|#{1,3}|-#?|[*+]|\d{1,3}[.)])"
"""What begins a quote, a heading or a list."""
_BEFORE_MARK = re.compile(rf"{_MARK}\s")
_AFTER_MARK = re.compile(rf"\n{_MARK}\Z")

_PARAGRAPH, _LINE, _SENTENCE, _WORD = range(4)
"""Kinds of seams, the best first."""

_FREE, _IN_CHARACTER = b"\0", b"\1"
_IN_ATOM = b"\2"

_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_JOINER = "\u200d"
_VIRAMA = 9
"""Canonical combining class of the sign that joins two Indic consonants."""

_UNSEEN = "[\\0\u200b]*"
_MASS_MENTION = re.compile(
    rf"@(?!\u200b)(?={_UNSEEN}(?:"
    + "|".join(_UNSEEN.join(name) for name in ("everyone", "here"))
    + "|(?:"
    + "|".join(_UNSEEN.join(name) for name in ("channel", "all"))
    + rf")(?!{_UNSEEN}\w)|&{_UNSEEN}\d))"
)
"""Read over folded text, where a NUL stands for each character that is not seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fence:
    """A block of code: `start` and `end` with its marks, `inner` to `stop` without."""

    start: int
    inner: int
    stop: int
    end: int
    opening: str
    closing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _MarkedText:
    """A text and where it may be cut.

    `units[i]` is the length of `text[:i]`; `glue[i]` says what a cut before character i would
    break; `seams` are the good places by kind, in order, and `resume` where the text goes on.
    `marked`: quotes and code are taken for such.
    """

    text: str
    units: Sequence[int]
    glue: bytearray
    seams: tuple[list[int], ...]
    resume: dict[int, int]
    fences: Sequence[_Fence]
    marked: bool


def cut(text: str, limit: int, markup: Markup | None = None) -> list[str]:
    """The text in parts of at most `limit` (two or more) UTF-16 units; what fits is left alone.

    A cut takes a paragraph's end before a line's, a sentence's and a word's. Links, mentions,
    emoji, characters of several code points, short code in a line and a platform's own tokens stay
    whole unless one alone is longer than the limit. Where a platform shows them, code is closed at
    a cut and opened again, and a quote begins again. Joining the parts gives the text but for
    white space at cuts and the marks so added.
    """
    body = text.strip()
    if _units(body)[-1] <= limit:
        return [body] if body else []
    return list(_parts(_marked_text(body, limit, markup or MARKDOWN), limit))


def messages_of(text: str, limit: int, markup: Markup) -> list[str]:
    """The text in messages as a platform takes them, none of which calls everybody there."""
    return cut(markup.quieted(text), limit, markup)


def quiet_mentions(text: str) -> str:
    """The text with mentions of everybody or of a role made harmless by a zero-width space.

    Discord takes `@everyone` and `@here` (also inside a longer word) and `<@&id>`; its
    documentation of messages says that it drops some characters it does not name before it looks,
    and to put U+200B after the `@`. So characters that are not seen do not hide a mention here,
    nor do full-width letters, nor capitals. `@all` and `@channel` are what other platforms take.
    """
    folded = "".join(map(_folded, text))
    ends = [found.end() for found in _MASS_MENTION.finditer(folded)]
    return "\u200b".join(text[start:end] for start, end in pairwise([0, *ends, len(text)]))


MARKDOWN = Markup(blocks=True, tokens="", quieted=quiet_mentions)
"""What most chats make of a text: marked code and quotes, and words that call everybody."""


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    """One character for one: lower case, narrow, or a NUL if a platform might drop it."""
    if character == "\u200b" or character.isspace():
        return character
    if unicodedata.category(character)[0] in "CM":
        return "\0"
    plain = unicodedata.normalize("NFKD", character).casefold()
    return plain if len(plain) == 1 else character


def _parts(marked_text: _MarkedText, limit: int) -> Iterator[str]:
    start, opening = 0, ""
    while not _is_last(marked_text, start, limit - len(opening)):
        end = _seam(marked_text, start, _reach(marked_text, start, limit - len(opening)))
        fence = _fence_at(marked_text, end)
        part = opening + marked_text.text[start:end]
        yield part + fence.closing if fence else part.rstrip()
        resume = _resume(marked_text, end, fence)
        quoted = marked_text.marked and _is_quoted(marked_text, start, end, resume, opening)
        start, opening = resume, fence.opening if fence else _QUOTE * quoted
    yield opening + marked_text.text[start:] + _ending(marked_text)


def _is_last(marked_text: _MarkedText, start: int, room: int) -> bool:
    return marked_text.units[-1] - marked_text.units[start] + len(_ending(marked_text)) <= room


def _ending(marked_text: _MarkedText) -> str:
    """What closes code that the author left open."""
    fence = _fence_at(marked_text, len(marked_text.text))
    return fence.closing if fence else ""


def _resume(marked_text: _MarkedText, end: int, fence: _Fence | None) -> int:
    resume = marked_text.resume.get(end, end)
    while fence is None and marked_text.text[resume].isspace():
        resume += 1
    return resume


def _is_quoted(marked_text: _MarkedText, start: int, end: int, resume: int, opening: str) -> bool:
    """Whether a cut falls in the middle of a quoted line."""
    if "\n" in marked_text.text[end:resume]:
        return False
    line = marked_text.text.rfind("\n", start, end) + 1
    return marked_text.text.startswith(_QUOTE, line or start) or (not line and opening == _QUOTE)


def _reach(marked_text: _MarkedText, start: int, room: int) -> int:
    """The last place at which a part from `start` fits, with what closes its code."""
    end = max(_fitting(marked_text, start, room), start + 1)
    fence = _fence_at(marked_text, end)
    if fence is None:
        return end
    closed = _fitting(marked_text, start, room - len(fence.closing))
    return max(closed, fence.start, start + 1)


def _fitting(marked_text: _MarkedText, start: int, room: int) -> int:
    return bisect_right(marked_text.units, marked_text.units[start] + room) - 1


def _fence_at(marked_text: _MarkedText, place: int) -> _Fence | None:
    """The fence that a cut at this place would open."""
    found = bisect_left(marked_text.fences, place, key=lambda fence: fence.start) - 1
    fence = marked_text.fences[found] if found >= 0 else None
    return fence if fence and place < fence.end else None


def _seam(marked_text: _MarkedText, start: int, reach: int) -> int:
    """The best seam in the second half of what fits, else the last one, else any whole place."""
    latest = [_latest(seams, reach) for seams in marked_text.seams]
    good = [seam for seam in latest if seam > start + (reach - start) // 2]
    if good:
        return good[0]
    last = max(latest)
    return last if last > start else _whole(marked_text, start, reach)


def _latest(seams: list[int], reach: int) -> int:
    found = bisect_right(seams, reach) - 1
    return seams[found] if found >= 0 else -1


def _whole(marked_text: _MarkedText, start: int, reach: int) -> int:
    """The last place that breaks no atom and no character, else no atom, else the limit."""
    for glue in (_FREE, _IN_CHARACTER):
        place = marked_text.glue.rfind(glue, start + 1, reach + 1)
        if place >= 0:
            return place
    return reach


def _marked_text(text: str, limit: int, markup: Markup) -> _MarkedText:
    marked = markup.blocks and limit >= SMALLEST_MARKED
    fences = list(_fences(text)) if marked else []
    units = _units(text)
    glue = _glue(text)
    for start, end in _atoms(text, fences, _atom(markup.tokens)):
        if units[end] - units[start] <= limit:
            glue[start + 1 : end] = _IN_ATOM * (end - start - 1)
    seams: tuple[list[int], ...] = ([], [], [], [])
    resume = {}
    for kind, start, end in _gaps(text, fences):
        if glue[start] == _FREE[0]:
            seams[kind].append(start)
            resume[start] = end
    return _MarkedText(
        text=text,
        units=units,
        glue=glue,
        seams=seams,
        resume=resume,
        fences=fences,
        marked=marked,
    )


@cache
def _atom(tokens: str) -> re.Pattern[str]:
    return re.compile(f"{tokens}|{_ATOM}" if tokens else _ATOM)


def _units(text: str) -> Sequence[int]:
    if text.isascii():
        return range(len(text) + 1)
    return list(accumulate((1 + (character > "\uffff") for character in text), initial=0))


def _fences(text: str) -> Iterator[_Fence]:
    """Code between marks; code that is never closed goes on past the text."""
    place = 0
    while opening := _OPENING.search(text, place):
        closing = _CLOSING.search(text, opening.end())
        margin = opening[1] or ""
        place = closing.end() if closing else len(text) + 1
        yield _Fence(
            start=opening.start(),
            inner=opening.end(),
            stop=closing.start() if closing else len(text),
            end=place,
            opening=f"{margin}{_TICKS}{opening[2] or ''}\n",
            closing=f"\n{margin}{_TICKS}",
        )


def _outside(text: str, fences: Sequence[_Fence]) -> Iterator[tuple[int, int]]:
    """The stretches that are not code, as (start, end)."""
    starts = [0, *(fence.end for fence in fences)]
    ends = [*(fence.start for fence in fences), len(text)]
    return ((start, end) for start, end in zip(starts, ends, strict=True) if start < end)


def _atoms(text: str, fences: Sequence[_Fence], atom: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """What stays whole, the marks of code with a sign of it, so that no block shows empty."""
    for start, end in _outside(text, fences):
        yield from (found.span() for found in atom.finditer(text, start, end))
    for fence in fences:
        code = text[fence.inner : fence.stop]
        yield fence.start, min(fence.stop - len(code.lstrip()) + 1, len(text))
        if fence.end <= len(text):
            yield fence.inner + max(len(code.rstrip()) - 1, 0), fence.end


def _gaps(text: str, fences: Sequence[_Fence]) -> Iterator[tuple[int, int, int]]:
    """Where one thing ends and the next begins, as (kind, end, begin), each kind in order."""
    inside = ((fence.inner + 1, fence.stop, _code_gaps) for fence in fences)
    outside = ((start, end, _text_gaps) for start, end in _outside(text, fences))
    for start, end, gaps in sorted([*inside, *outside], key=lambda stretch: stretch[0]):
        yield from gaps(text, start, end)


def _text_gaps(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    for found in _GAP.finditer(text, start, end):
        lines = found[0].count("\n")
        if lines and (found.start() == start or found.end() == end):
            yield _PARAGRAPH, *found.span()
        elif lines:
            yield _PARAGRAPH if lines > 1 else _LINE, *found.span()
        elif not _is_at_mark(text, *found.span()):
            ended = _SENTENCE_END.search(text[max(0, found.start() - 6) : found.start()])
            yield _SENTENCE if ended else _WORD, *found.span()


def _is_at_mark(text: str, start: int, end: int) -> bool:
    """Whether a cut would leave a line's mark alone, or make a mark of a sign in a line."""
    before = text[start - 6 : start] if start > 6 else f"\n{text[:start]}"
    return bool(_BEFORE_MARK.match(text, end) or _AFTER_MARK.search(before))


def _code_gaps(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    for found in _CODE_GAP.finditer(text, start, max(start, end)):
        if found.end() < end:
            yield _LINE if "\n" in found[0] else _WORD, *found.span()


def _glue(text: str) -> bytearray:
    """Which places lie inside a character that is written with several code points."""
    glue = bytearray(len(text) + 1)
    if text.isascii():
        return glue
    for place, (before, after) in enumerate(pairwise(text), start=1):
        if before == _JOINER or _extends(after) or _joins(before, after):
            glue[place] = _IN_CHARACTER[0]
    for flag in _FLAG.finditer(text):
        glue[flag.start() + 1] = _IN_CHARACTER[0]
    return glue


@lru_cache(maxsize=4096)
def _extends(character: str) -> bool:
    """Whether a character belongs to the one before: a mark, a joiner, a skin tone, a tag."""
    return (
        unicodedata.category(character)[0] == "M"
        or character in "\u200c\u200d\u0e33\u0eb3\uff9e\uff9f"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or "\U000e0020" <= character <= "\U000e007f"
        or "\u1160" <= character <= "\u11ff"
    )


def _joins(before: str, after: str) -> bool:
    """Whether two letters are one: an Indic conjunct, or Korean written in jamo."""
    if "\u1100" <= before <= "\u115f":
        return "\u1100" <= after <= "\u11ff" or "\uac00" <= after <= "\ud7a3"
    return before > "\u0900" and unicodedata.combining(before) == _VIRAMA and after.isalpha()
