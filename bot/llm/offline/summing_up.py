"""What was said in a stretch of time, in a few of its own lines; pure."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from itertools import zip_longest

from bot.llm.offline.questions.talk import TalkLine
from memory.language.chat_spelling import spelt_out
from memory.language.text import light_stems, stems
from memory.language.times.parser import read_times

_LIGHT = light_stems() | frozenset(stems("lol omg haha mdr ok yes no good grief pitié"))
_BETWEEN_US = re.compile(
    r"\b(?:you and (?:i|me)|us two|both of us|nous deux|toi et moi|tous les deux|on s est dit)\b"
)
_OF_OTHERS = re.compile(
    r"\b(?:lobby|group|room|chat|groupe|salon|everybody|everyone|they|people|all of you|les gens"
    r"|ils|elles|vous"
    r"|tout le monde|general|ca (?:parle|cause|raconte)\w*|il s est dit|i miss\w*|rate|loupe)\b"
)
_MOST = 4
_LONGEST = 110
_LATELY = timedelta(hours=36)
_TALK_GAP = timedelta(hours=3)


def lines_meant(
    text: str,
    lines: Sequence[TalkLine],
    now: datetime,
    zone: tzinfo,
    *,
    in_group: bool,
    people: frozenset[str],
) -> list[TalkLine]:
    """The lines that a request to sum up means: of the time and the room it names, of `people`.

    Without a time those of the last day and a half, and the last talk where there are none.
    """
    plain = spelt_out(text)
    between_us = bool(_BETWEEN_US.search(plain)) and not in_group
    shared = [one for one in lines if not one.private and not one.stated]
    own = [one for one in lines if one.private]
    of_others = bool(_OF_OTHERS.search(plain)) or in_group or bool(people)
    meant = own if between_us else shared if of_others or shared else own
    periods = read_times(text, now, zone).periods
    if periods:
        period = periods[0]
        meant = [one for one in meant if period.start <= one.at < period.end]
    elif between_us:
        day = now.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
        meant = [one for one in meant if one.at >= day]
    else:
        lately = [one for one in meant if now - one.at <= _LATELY]
        meant = lately or _last_talk(meant)
    if people:
        meant = [one for one in meant if one.speaker in people]
    return [one for one in meant if not one.by_pet]


def _last_talk(lines: Sequence[TalkLine]) -> list[TalkLine]:
    talk: list[TalkLine] = []
    for one in reversed(lines):
        if talk and talk[-1].at - one.at > _TALK_GAP:
            break
        talk.append(one)
    return talk[::-1]


def telling(lines: Sequence[TalkLine], most: int = _MOST) -> list[TalkLine]:
    """The lines that say most, in their order; questions only where nothing else was said."""
    told = [
        one
        for one, after in zip_longest(lines, lines[1:])
        if (_weight(one) > 0 and (not one.is_question or _is_answered(one, after)))
    ]
    said = told or [one for one in lines if _weight(one) > 0] or list(lines)
    left: set[str] = set()
    chosen: list[int] = []
    places = set(range(len(said)))
    while places and len(chosen) < most:
        best = max(places, key=lambda at: (len(_content(said[at]) - left), at))
        places.discard(best)
        if chosen and len(_content(said[best]) - left) < _LEAST_NEW:
            break
        left |= _content(said[best])
        chosen.append(best)
    return [said[at] for at in sorted(chosen)]


def _is_answered(asked: TalkLine, after: TalkLine | None) -> bool:
    """Whether the next line is another's word for a question."""
    return after is not None and after.speaker != asked.speaker and not after.is_question


_LEAST_NEW = 2
"""Words that a further line must add."""


def _content(line: TalkLine) -> set[str]:
    return {stem for stem in stems(line.plain) if stem not in _LIGHT}


def _weight(line: TalkLine) -> int:
    content = _content(line)
    return len(content) if len(content) >= _LEAST_NEW else 0


def shortened(text: str) -> str:
    """A line on one line, cut at a word."""
    bare = " ".join(text.split())
    if len(bare) <= _LONGEST:
        return bare
    return f"{bare[:_LONGEST].rpartition(' ')[0]}…"


def told_together(lines: Sequence[TalkLine], quotes: tuple[str, str]) -> str:
    """The lines one after the other, each author named once in a row."""
    parts: list[str] = []
    last = ""
    for one in lines:
        quoted = f"{quotes[0]}{shortened(one.text)}{quotes[1]}"
        if one.author and one.author != last:
            parts.append(f"{one.author}: {quoted}")
        elif parts:
            parts[-1] = f"{parts[-1]} {quoted}"
        else:
            parts.append(quoted)
        last = one.author
    return " · ".join(parts)
