"""Lines that were copied from another talk, with who said them there; pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

_TIME = r"\d{1,2}[:h.]\d{2}(?::\d{2})?(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?"
_DATE = r"\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}"
_STAMP = rf"(?:{_DATE}(?:, ?|[ T]| à | at ))?{_TIME}"
_NAME = r"[^\W\d_][^:<>\[\]()\n]{0,39}"
_NICK = r"<[@+%~& ]?(?P<nick>[^<>\s/][^<>\n]{0,31})>"

_BRACKETED = re.compile(
    rf"\s{{0,9}}[\[(]{_STAMP}[\])]\s{{0,9}}(?:{_NICK}|(?:\* )?(?P<name>{_NAME}):)(?=\s|$)"
)
"""`[21:06] Nadia: …`, `(21:06) <nadia> …`."""
_DATED = re.compile(rf"\s{{0,9}}{_DATE},?[ T]{_TIME} ?[-–—] ?(?P<name>{_NAME}):(?=\s|$)")
"""`12/01/2026, 21:06 - Nadia: …`, as WhatsApp exports it."""
_NICKED = re.compile(rf"\s{{0,9}}(?:{_STAMP}\s{{1,9}})?{_NICK}(?=\s|$)")
"""`<nadia> …`, `21:06 <nadia> …`."""
_SUFFIXED = re.compile(rf"\s{{0,9}}(?P<name>{_NAME}?),? \[{_STAMP}\]: ?(?=\S)")
"""`Nadia [21:06]: …`."""
_TIMED = re.compile(rf"\s{{0,9}}{_STAMP}\s?[-–—|]?\s?(?P<name>{_NAME}):(?=\s)")
"""`21:06 Nadia: …`; an agenda has such lines too, so one alone is none."""
_HEADED = re.compile(
    rf"\s{{0,9}}(?P<name>{_NAME}?)(?:,? \[(?:{_STAMP})\]:?| [—–-] (?:(?:today|yesterday|aujourd.hui"
    rf"|hier)[^\n]{{0,12}}|{_DATE},? ?(?:at |à )?){_TIME}?)\s{{0,9}}$",
    re.IGNORECASE,
)
"""`Nadia — Today at 21:06` above what she said, as Discord and Telegram copy it."""
_NAMED = re.compile(
    r"\s{0,9}(?P<name>[A-ZÀ-Ý][\w'’-]{1,19}(?: [A-ZÀ-Ý][\w'’-]{0,19})?) ?: (?P<said>\S[^\n]{0,400})"
)
"""`Nadia: …`: a list has such lines too, so one of them must be in the first person."""
_OF_ONESELF = re.compile(
    r"\b(?:i|i'm|i’m|im|i've|my|me|je|moi|mon|ma|mes|on|we|our|you|tu)\b|\bj['’]", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Pasted:
    """A line of a log: who said it there, and where the words begin in it.

    A `heading` says it of the lines below.
    """

    author: str
    begins: int = 0
    heading: bool = False


def pasted_lines(lines: Sequence[str]) -> list[Pasted | None]:
    """For each line who said it where it was copied from; None for what was not copied.

    A line between two of one log goes on with the first.
    """
    found = [_stamped(line) for line in lines]
    found = _together(found, [_matched(_TIMED, line) for line in lines])
    found = _together(found, [_matched(_NAMED, line) for line in lines], needed=_speaks(lines))
    return _continued(found, lines)


def _stamped(line: str) -> Pasted | None:
    for pattern in (_BRACKETED, _DATED, _NICKED, _SUFFIXED):
        if (found := _matched(pattern, line)) is not None:
            return found
    heading = _HEADED.match(line)
    return Pasted(heading["name"].strip(), len(line.rstrip()), heading=True) if heading else None


def _matched(pattern: re.Pattern[str], line: str) -> Pasted | None:
    found = pattern.match(line)
    if found is None:
        return None
    said = found.groupdict()
    begins = found.start("said") if "said" in said else found.end()
    return Pasted((said.get("nick") or said.get("name") or "").strip(), begins)


def _together(
    found: Sequence[Pasted | None], looser: Sequence[Pasted | None], *, needed: bool = True
) -> list[Pasted | None]:
    """Lines of a looser form too, if there are two together, or one beside a line of a log."""
    likely = [one or other for one, other in zip(found, looser, strict=True)]
    is_log = needed and any(
        one and two and (new or newer)
        for (one, two), (new, newer) in zip(pairwise(likely), pairwise(looser), strict=True)
    )
    return likely if is_log else list(found)


def _speaks(lines: Sequence[str]) -> bool:
    """Whether one of the lines that begin with a name is in the first person."""
    said = (found["said"] for line in lines if (found := _NAMED.match(line)))
    return any(_OF_ONESELF.search(one) for one in said)


def _continued(found: Sequence[Pasted | None], lines: Sequence[str]) -> list[Pasted | None]:
    """The same, with the lines that go on with one: below a heading, or between two."""
    whole = list(found)
    last: int | None = None
    for place, one in enumerate(found):
        if one is not None:
            if last is not None:
                whole[last + 1 : place] = [_further(found[last])] * (place - last - 1)
            last = place
        elif not lines[place].strip():
            last = None
        elif last is not None and (heading := found[last]) is not None and heading.heading:
            whole[place] = _further(heading)
    return whole


def _further(one: Pasted | None) -> Pasted | None:
    return None if one is None else Pasted(one.author)
