"""Asks the pet about all that the simulated year told, and judges what it recalls."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from benchmarks.town import Resident, placed
from benchmarks.year_life import Learnt, name_of
from benchmarks.year_plan import Fact, Utterance, lobby, private_room
from benchmarks.year_topics import Kind
from bot.model.events import RoomRef
from bot.wiring.app import App
from memory.language.text import fold
from memory.model.audience import scope_of
from memory.model.messages import MessageId
from memory.model.retrieval import Candidate, Question
from memory.model.rooms import SpaceId
from memory.model.statements import MemoryId
from memory.model.stores import Collection, Store

LISTED = 10
"""Statements that a search tool lists."""

STILL_FRESH = timedelta(days=5)
"""Something of some days is surely not over so soon after it was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The messages that told each version of each fact, by what the pet calls them."""

    of: Mapping[MessageId, tuple[str, int]]
    facts: Mapping[str, Fact]
    learnt: Learnt

    def behind(self, candidate: Candidate) -> frozenset[tuple[str, int]]:
        """Which facts, in which version, a row stands for."""
        if candidate.collection is Collection.LIVE:
            messages = frozenset({MessageId(candidate.id.int)})
        elif candidate.collection is Collection.KNOWLEDGE:  # a core fact in the statement's words
            messages = self.learnt.behind_words(candidate.content)
        else:
            messages = self.learnt.behind.get(MemoryId(candidate.id), frozenset())
        return self.pairs(messages)

    def says_former(self, pair: tuple[str, int], content: str, now: datetime) -> bool:
        """Whether this version was replaced by now, and a text says its value."""
        fact, version = self.facts[pair[0]], pair[1]
        is_former = version < (fact.version_at(now) or 0)
        return is_former and fold(fact.versions[version].value) in fold(content)

    def pairs(self, messages: Iterable[MessageId]) -> frozenset[tuple[str, int]]:
        """Which facts, in which version, these messages told."""
        return frozenset(self.of[one] for one in messages if one in self.of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A question: about which fact, by whom and where."""

    fact: Fact
    asker: Resident
    room: RoomRef
    text: str

    @property
    def spaces(self) -> frozenset[SpaceId]:
        """Of which spaces something may be told."""
        is_own = self.room == private_room(self.asker)
        return frozenset(self.asker.spaces if is_own else {self.room.space})


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What one question brought, line by line where it was wrong."""

    asking: Asking
    expects: bool
    """Whether the fact holds, and may be told here."""
    injected: bool
    """Whether its latest value was put before the model, as it was learnt or as it was said."""
    as_statement: bool
    """Whether as it was learnt: a statement or a core fact."""
    listed: bool
    """Whether a search listed it."""
    wrong: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Lines that should not be there, by what is wrong with them."""
    order: tuple[str, ...] = ()
    took_ms: float = 0.0


async def told_by(
    app: App, facts: Sequence[Fact], utterances: Sequence[Utterance], learnt: Learnt
) -> Told:
    """Look up what the pet calls the messages that tell something; `utterances` are in order."""
    of: dict[MessageId, tuple[str, int]] = {}
    for number, one in enumerate(utterances):
        if one.fact:
            platform = one.resident.account.platform
            message = await app.storage.messages.by_external_id(platform, name_of(number))
            if message is not None:
                of[message.id] = (one.fact, one.version)
    return Told(of=of, facts={fact.key: fact for fact in facts}, learnt=learnt)


def askings(facts: Sequence[Fact], people: Sequence[Resident], now: datetime) -> Iterator[Asking]:
    """Every fact known by now, asked about by another member of its space, in words.

    What is private is asked by its owner, and by another in their lobby and in private.
    """
    for fact in facts:
        version = fact.version_at(now)
        if version is None or fact.kind is Kind.JEST:
            continue
        random = Random(fact.key)
        others = [one for one in people if fact.space in one.spaces and one != fact.resident]
        asker = random.choice(others)
        text = fact.filled(random.choice(fact.phrases.asked), version)
        yield Asking(fact=fact, asker=asker, room=lobby(fact.space), text=text)
        if fact.kind is Kind.PRIVATE:
            own = fact.filled(random.choice(fact.phrases.own), version)
            yield Asking(fact=fact, asker=fact.resident, room=fact.room, text=own)
            yield Asking(fact=fact, asker=asker, room=private_room(asker), text=text)


class Examiner:
    """Asks the pet's own recall and its search, as the reader who asks may read."""

    def __init__(self, app: App, told: Told) -> None:
        self._app = app
        self._told = told
        self._secrets = [
            fact for fact in told.facts.values() if fact.kind is Kind.PRIVATE and fact.versions
        ]

    async def judged(self, asking: Asking) -> Judged:
        """What recall injects for a question and what a search for it lists."""
        found = await self._app.services.recall.before(await self._question(asking))
        kept = [item.candidate for item in found.items if item.kept]
        listed = await self._listed(asking)
        now = self._app.clock.now()
        return Judged(
            asking=asking,
            expects=_holds(asking, now),
            injected=any(self._is_right(asking, one, now) for one in kept),
            as_statement=any(self._is_right(asking, one, now) for one in kept if _is_kept(one)),
            listed=any(self._is_right(asking, one, now) for one in listed),
            wrong=self._wrong(asking, kept, listed, now),
            order=tuple(one.content for one in (*kept, *listed)),
            took_ms=found.took_ms,
        )

    async def took_ms(self, asking: Asking) -> float:
        """How long recall takes before this question."""
        return (await self._app.services.recall.before(await self._question(asking))).took_ms

    async def _question(self, asking: Asking) -> Question:
        room = placed(asking.room)
        account = asking.asker.account
        person = await self._app.storage.people.person(
            account.platform, account.external_id, account.name
        )
        return Question(
            text=asking.text,
            context="",
            speaker=person.name,
            person=person.id,
            room=room,
            scope=scope_of(room, person.id, asking.asker.spaces),
        )

    async def _listed(self, asking: Asking) -> list[Candidate]:
        asked = await self._question(asking)
        return await self._app.services.recall.search(
            asked.text, [Store.MEMORY], asked.scope, LISTED
        )

    def _is_right(self, asking: Asking, row: Candidate, now: datetime) -> bool:
        """Whether a row tells what holds now: learnt from it, or itself, with the value in it."""
        fact, version = asking.fact, asking.fact.version_at(now)
        if version is None:
            return False
        says = fold(fact.versions[version].value) in fold(row.content)
        if row.collection is Collection.CONVERSATIONS:
            return says and row.author == fact.resident.name
        return says and (fact.key, version) in self._told.behind(row)

    def _wrong(
        self, asking: Asking, kept: Sequence[Candidate], listed: Sequence[Candidate], now: datetime
    ) -> dict[str, tuple[str, ...]]:
        statements = [one for one in kept if _is_kept(one)]
        quotes = [one for one in kept if not _is_kept(one)]
        tests = (
            ("superseded_injected", statements, self._is_superseded),
            ("superseded_listed", listed, self._is_superseded),
            ("superseded_quoted", quotes, self._is_superseded),
            ("expired_injected", statements, self._is_over),
            ("expired_listed", listed, self._is_over),
            ("expired_quoted", quotes, self._is_over),
        )
        found = {
            name: tuple(row.content for row in rows if is_so(row, now))
            for name, rows, is_so in tests
        }
        found["leaked"] = tuple(
            row.content for row in (*kept, *listed) if self._is_leaked(asking, row)
        )
        return {name: rows for name, rows in found.items() if rows}

    def _is_superseded(self, row: Candidate, now: datetime) -> bool:
        """Whether all that a row stands for was replaced, and it says the former value.

        "No longer in Paris" stays true when the next move is made.
        """
        behind = self._told.behind(row)
        return bool(behind) and all(
            self._told.says_former(pair, row.content, now) for pair in behind
        )

    def _is_over(self, row: Candidate, now: datetime) -> bool:
        behind = self._told.behind(row)
        return bool(behind) and all(
            (over := self._told.facts[key].versions[version].over) is not None and over <= now
            for key, version in behind
        )

    def _is_leaked(self, asking: Asking, row: Candidate) -> bool:
        """Whether a row tells another's secret, or what was said in a space that is not here."""
        said = fold(row.content)
        for fact in self._secrets:
            if fact.resident != asking.asker and fold(fact.versions[0].value) in said:
                # Whoever asks with the name in the question says it, and not the pet.
                return fold(fact.versions[0].value) not in fold(asking.text)
        return any(
            self._told.facts[key].kind is not Kind.PRIVATE
            and self._told.facts[key].space not in asking.spaces
            for key, _ in self._told.behind(row)
        )


def _is_kept(row: Candidate) -> bool:
    return row.collection in {Collection.MEMORY, Collection.KNOWLEDGE}


def _holds(asking: Asking, now: datetime) -> bool:
    """Whether there is something to recall here: nothing is, for what is over or another's secret.

    What may or may not be over is expected of nobody.
    """
    fact = asking.fact
    if fact.kind is Kind.PRIVATE:
        return asking.asker == fact.resident and asking.room == fact.room
    if fact.kind is Kind.PASSING:
        return now - fact.versions[0].since < STILL_FRESH
    return True
