"""Which part of a conversation is due to be summarised: its values and its rules. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum
from itertools import groupby
from uuid import UUID, uuid5

from memory.language.dates_in_words import days
from memory.language.detection import nothing_to_look_up, told_language
from memory.model.audience import Audience
from memory.model.knowledge import KnowledgeId
from memory.model.messages import TurnId
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.tokens import tokens_in

_SUMMARIES = UUID("5b0d6c0e-3f0f-4c2a-9a53-6d2f3c0c7a11")
"""The namespace of summaries' ids: made once, by chance."""

WORTH = 4
"""Exchanges that say something from which on a conversation that ended is summarised: fewer are
found and shown as themselves, and a summary would be a further line that says the same."""

_HEAD = re.compile(r"\A[^:()]+ \([^()]+\) ?: ")
"""No name has these signs in it: the inbox takes them out."""

LEAST_SHARE = 4
"""A summary stands for at least this part of the window (a quarter): where the newest turns alone
fill it, each further turn would otherwise cost a call and the provider's cached prefix."""


class SpanState(StrEnum):
    """What became of a stretch of conversation that left the window."""

    SUMMARISED = "summarised"
    UNSUMMARISED = "unsummarised"
    """Its summary failed, or what it was made of has changed; it is tried again."""
    EMPTY = "empty"
    """It was read, and nothing in it is worth a summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One turn as a summary reads it: the words and the reply, never what was injected.

    `chars` are those it has in the window, its injection included. `is_found` is False for what
    must not be told again: what was taken back or forgotten, an apology, a system event.
    """

    seq: int
    turn: TurnId
    audience: Audience
    channel: str
    speaker: str
    text: str
    reply: str
    chars: int
    at: datetime
    is_found: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlace:
    """Whose session it is, where, and since when; `room_name` is "" where they are alone."""

    session: str
    person: PersonId
    room: RoomId
    room_name: str
    started_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarySpan:
    """Neighbouring exchanges of one session and one audience that one summary stands for."""

    place: SessionPlace
    exchanges: tuple[Exchange, ...]

    @property
    def id(self) -> KnowledgeId:
        """Derived, so that the same stretch summarised twice is one row."""
        return summary_id(self.place.session, 0, self.exchanges[0].seq)

    @property
    def audience(self) -> Audience:
        """Who may know it."""
        return self.exchanges[0].audience

    @property
    def told(self) -> tuple[Exchange, ...]:
        """The exchanges that may be told again."""
        return tuple(one for one in self.exchanges if one.is_found)

    def says(self, least: int) -> bool:
        """Whether so many of its exchanges say something."""
        return sum(not nothing_to_look_up(one.text) for one in self.told) >= least


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A stretch that left the window, as it is kept; a roll-up of several has a `level` above 0.

    `content` is "" and `messages` counts what it stands for where it is not summarised. `since`
    and `at` are when its first and its last turn were.
    """

    id: KnowledgeId
    session: str
    level: int
    first_seq: int
    last_seq: int
    state: SpanState
    audience: Audience
    person: PersonId
    speaker: str
    room: RoomId
    room_name: str
    channel: str
    content: str
    since: datetime
    at: datetime
    created_at: datetime
    messages: int = 0
    attempts: int = 0
    error: str | None = None
    tokens: int = 0
    rolled_into: KnowledgeId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionRules:
    """When a window is cut and how.

    `window_tokens` is what it may hold, `keep` the newest turns that always stay in it, and
    `longest` the characters of one batch that a model is shown. Past `rollup_of` summaries of a
    kind they are summarised together. A stretch is tried `attempts` times.
    `worth` exchanges that say something make a conversation that ended worth a summary.
    `locale` is for words whose language cannot be told.
    """

    window_tokens: int
    keep: int
    longest: int
    rollup_of: int
    attempts: int
    zone: tzinfo
    locale: str
    worth: int = WORTH


def summary_id(session: str, level: int, first_seq: int) -> KnowledgeId:
    """The id of a summary: the same for the same stretch, however often it is made."""
    return KnowledgeId(uuid5(_SUMMARIES, f"{session}:{level}:{first_seq}"))


def overflow(
    tail: Sequence[Exchange], counted: float, rules: CompactionRules
) -> Sequence[Exchange]:
    """What is to leave the window now, oldest first; nothing when it is not due.

    `counted` is how many tokens the provider counts for each that is estimated.
    """
    older = tail[: max(0, len(tail) - rules.keep)]
    tokens = [counted * tokens_in("x" * min(one.chars, rules.longest)) for one in tail]
    if sum(tokens) <= rules.window_tokens:
        return ()
    enough = sum(tokens[: len(older)]) >= rules.window_tokens / LEAST_SHARE
    return older if enough else ()


def spans(place: SessionPlace, exchanges: Iterable[Exchange]) -> list[SummarySpan]:
    """Exchanges in spans of one audience each, in order.

    A room that becomes confidential in the middle of a conversation parts it.
    """
    runs = groupby(exchanges, key=lambda one: one.audience)
    return [SummarySpan(place=place, exchanges=tuple(run)) for _, run in runs]


def crowded(tops: Iterable[Checkpoint], most: int) -> list[list[Checkpoint]]:
    """Summaries of one level and one audience, where there are more than `most`: to be rolled up.

    `tops` are those that are not rolled up yet, oldest first.
    """
    groups: dict[tuple[int, Audience], list[Checkpoint]] = {}
    for one in tops:
        if one.state is SpanState.SUMMARISED:
            groups.setdefault((one.level, one.audience), []).append(one)
    return [group for group in groups.values() if len(group) > most]


def headed(
    words: str, who: str, channel: str, when: tuple[datetime, datetime], rules: CompactionRules
) -> str:
    """A summary as it is kept: whose conversation it was, through which channel and when.

    Such as "Mickael (web, 3–5 févr. 2026) : ..."; the language is that of the words.
    """
    language = told_language(words) or rules.locale
    first, last = (moment.astimezone(rules.zone).date() for moment in when)
    colon = " :" if language == "fr" else ":"
    return f"{who} ({channel}, {days(first, last, language)}){colon} {words}"


def unheaded(content: str) -> str:
    """The words of a summary without what `headed` says before them."""
    return _HEAD.sub("", content, count=1)


def month_of(moment: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    """The first moments of the month and of the next one, where the pet lives."""
    first = moment.astimezone(zone).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    next_year, month = divmod(first.month, 12)
    return first, first.replace(year=first.year + next_year, month=month + 1)
