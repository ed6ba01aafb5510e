"""Who says what on which day of the simulated year, from one seed, with what is true when. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random

from benchmarks.town import RESIDENTS, Resident, direct_room, group_room
from benchmarks.words import SYLLABLES
from benchmarks.year_topics import (
    CHANGING,
    DURABLE,
    JEST,
    PASSING,
    PRIVATE,
    REVERSED,
    Kind,
    Phrases,
    Topic,
)
from bot.channels.local.hub import PLATFORM
from bot.model.events import RoomRef
from memory.language.text import Language
from memory.language.times.absolute import GRACE
from memory.model.rooms import RoomRole, SpaceId

HOURS = (1, 1, 0, 0, 0, 0, 1, 3, 6, 7, 7, 6, 8, 8, 6, 6, 6, 7, 8, 9, 10, 10, 7, 3)
"""How much is said in each hour of a day, the first being midnight's."""

PASSING_A_YEAR = 16
"""Things of some days that each person tells in a year."""

JESTS_A_YEAR = 8
"""Jokes, quotes and suppositions of each person in a year."""

ASKED_A_YEAR = 12
"""Questions of each person to the pet in a year."""

MOST_CHANGES = 5
"""Times a value changes at most."""

SAID_AGAIN = 0.3
"""Share of lasting facts that are told a second time."""

APART = timedelta(seconds=20)
"""Between two messages of one breath."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """What a fact is from a moment on; `over` is when it may no longer be recalled."""

    value: str
    since: datetime
    over: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something a resident says of themselves, and all that it was in the year, in order."""

    key: str
    topic: Topic
    resident: Resident
    language: Language
    versions: tuple[Version, ...]
    project: str = ""

    @property
    def kind(self) -> Kind:
        """What becomes of it."""
        return self.topic.kind

    @property
    def phrases(self) -> Phrases:
        """How it is said and asked in its language."""
        return self.topic.phrases[self.language]

    @property
    def space(self) -> SpaceId:
        """Where it was told, unless it is private."""
        return home_of(self.resident)

    @property
    def room(self) -> RoomRef:
        """The room it was told in."""
        return private_room(self.resident) if self.kind is Kind.PRIVATE else lobby(self.space)

    def version_at(self, now: datetime) -> int | None:
        """Which version holds at a moment; None before the first."""
        told = [place for place, one in enumerate(self.versions) if one.since <= now]
        return told[-1] if told else None

    def filled(self, phrase: str, version: int) -> str:
        """A phrase with what holds in a version."""
        now, before = self.versions[version], self.versions[max(0, version - 1)]
        return phrase.format(v=now.value, old=before.value, p=self.project, who=self.resident.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One message of the year; `fact` and `version` say what it tells, "" is chatter.

    `to_pet` is said to the pet alone, which answers.
    """

    at: datetime
    resident: Resident
    room: RoomRef
    text: str
    fact: str = ""
    version: int = 0
    to_pet: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """The days that are simulated; `start` is a midnight in the pet's time zone."""

    start: datetime
    days: int

    @property
    def end(self) -> datetime:
        """The midnight after the last day."""
        return self.start + timedelta(days=self.days)

    def moment(self, random: Random, first: float = 0.0, last: float = 1.0) -> datetime:
        """A moment of a share of the days, at an hour at which people talk."""
        day = min(self.days - 1, int(random.uniform(first, last) * self.days))
        hour = random.choices(range(24), HOURS)[0]
        return self.start + timedelta(days=day, hours=hour, seconds=random.uniform(0, 3600))


def lobby(space: SpaceId) -> RoomRef:
    """The lobby of a space, on a platform that the pet can answer on."""
    return replace(group_room(space, RoomRole.LOBBY), platform=PLATFORM)


def private_room(resident: Resident) -> RoomRef:
    """Where a resident and the pet are alone, on that platform."""
    return replace(direct_room(resident), platform=PLATFORM)


def home_of(resident: Resident) -> SpaceId:
    """The space where a resident tells of themselves."""
    return resident.spaces[0]


def language_of(resident: Resident) -> Language:
    """Half of them speak French."""
    return "fr" if RESIDENTS.index(resident) % 2 == 0 else "en"


def planned(
    people: Sequence[Resident], span: Span, seed: int
) -> tuple[list[Fact], list[Utterance]]:
    """Every fact of these people in the span, and the messages that tell it, in no order.

    In between they ask the pet, alone with it, about each other.
    """
    facts: list[Fact] = []
    said: list[Utterance] = []
    for resident in people:
        random = Random(f"{seed} {resident.name}")
        for fact in _facts(resident, span, random):
            facts.append(fact)
            said += _told(fact, span, random)
    for resident in people:
        said += _asked(resident, facts, span, Random(f"{seed} {resident.name} asks"))
    return facts, said


def _asked(
    resident: Resident, facts: Sequence[Fact], span: Span, random: Random
) -> Iterator[Utterance]:
    for _ in range(_in_span(ASKED_A_YEAR, span)):
        at = span.moment(random)
        known = [fact for fact in facts if _may_ask(resident, fact, at)]
        if known:
            fact = random.choice(known)
            phrase = random.choice(fact.phrases.asked)
            text = fact.filled(phrase, fact.version_at(at) or 0)
            yield Utterance(
                at=at, resident=resident, room=private_room(resident), text=text, to_pet=True
            )


def _may_ask(resident: Resident, fact: Fact, at: datetime) -> bool:
    is_public = fact.kind not in {Kind.PRIVATE, Kind.JEST} and fact.space in resident.spaces
    return is_public and fact.resident != resident and fact.versions[0].since < at


def _facts(resident: Resident, span: Span, random: Random) -> Iterator[Fact]:
    for topic in (*DURABLE, *PRIVATE):
        since = span.moment(random, 0, 0.9)
        yield _fact(topic, resident, random, [since])
    for topic in CHANGING:
        yield _fact(topic, resident, random, _changes(span, random, MOST_CHANGES))
    for topic in REVERSED:
        yield _fact(topic, resident, random, _changes(span, random, 1))
    for number in range(_in_span(PASSING_A_YEAR, span)):
        topic = random.choice(PASSING)
        yield _fact(topic, resident, random, [span.moment(random)], number)
    for number in range(_in_span(JESTS_A_YEAR, span)):
        yield _fact(JEST, resident, random, [span.moment(random)], number)


def _in_span(a_year: int, span: Span) -> int:
    return max(1, round(a_year * span.days / 365))


def _changes(span: Span, random: Random, most: int) -> list[datetime]:
    """A first day, and the days of one to `most` changes, each of another week where it can be."""
    first = span.moment(random, 0, 0.15)
    shares = [0.2 + 0.75 * (place + random.random() * 0.8) / most for place in range(most)]
    changes = sorted(random.sample(shares, random.randint(1, most)))
    return [first, *(span.moment(random, share, share) for share in changes)]


def _fact(
    topic: Topic, resident: Resident, random: Random, since: list[datetime], number: int = 0
) -> Fact:
    language = language_of(resident)
    values = _values(topic, language, random, len(since))
    over = [None] * len(since) if not topic.lasts else [_over(topic, since[0])]
    return Fact(
        key=f"{resident.name} {topic.name} {number}",
        topic=topic,
        resident=resident,
        language=language,
        versions=tuple(
            Version(value=value, since=at, over=end)
            for value, at, end in zip(values, since, over, strict=True)
        ),
        project=invented(random),
    )


def _values(topic: Topic, language: Language, random: Random, count: int) -> list[str]:
    values = topic.phrases[language].values
    if topic.kind is Kind.PRIVATE:  # a name nobody else says shows where it comes up
        return [invented(random) for _ in range(count)]
    if topic.kind is Kind.REVERSED:
        return [random.choice(values)] * count
    return random.sample(values, count)


def _over(topic: Topic, said: datetime) -> datetime:
    """A day later than the product may keep it, whatever the hour it was said at."""
    return said + timedelta(days=topic.lasts + 2) + GRACE


def invented(random: Random) -> str:
    """A name that nobody has."""
    return "".join(random.choices(SYLLABLES, k=4)).capitalize()


def _told(fact: Fact, span: Span, random: Random) -> Iterator[Utterance]:
    for place, version in enumerate(fact.versions):
        phrases = fact.phrases.changed if place else fact.phrases.said
        yield from _said(fact, place, random.choice(phrases), version.since)
    if fact.kind is Kind.DURABLE and random.random() < SAID_AGAIN:
        later = fact.versions[0].since + timedelta(days=random.uniform(1, 60))
        if later < span.end:
            yield from _said(fact, 0, random.choice(fact.phrases.said), later)


def _said(fact: Fact, version: int, phrase: str, at: datetime) -> Iterator[Utterance]:
    for place, line in enumerate(fact.filled(phrase, version).splitlines()):
        yield Utterance(
            at=at + place * APART,
            resident=fact.resident,
            room=fact.room,
            text=line,
            fact=fact.key,
            version=version,
            to_pet=fact.kind is Kind.PRIVATE,
        )
