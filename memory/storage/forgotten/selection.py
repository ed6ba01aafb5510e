"""The rows that a selector chooses, as far as the power of the requester reaches."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from memory.language.text import fold, stems
from memory.model.audience import Audience, room_in
from memory.model.authority import Ownership
from memory.model.forgetting import Kind
from memory.model.knowledge import KnowledgeKind
from memory.model.messages import MessageId
from memory.model.people import PersonId
from memory.model.reminders import ReminderId
from memory.model.statements import MemoryId
from memory.model.stores import Store
from memory.rules.forgetting.erasure import (
    ErasureVerdict,
    KeptBecause,
    Someone,
    SourceMessage,
    Stated,
    Wanted,
    fate_of,
    fate_unsaid,
)
from memory.rules.forgetting.plain_words.reading import surely_asks
from memory.rules.forgetting.receipt import KeptRow, Sample
from memory.rules.forgetting.selection import ErasureSelection, shared_part
from memory.rules.forgetting.selector import ErasureRequest, NamedRows, read_rows, written_rows
from memory.rules.forgetting.topic import Topic
from memory.storage.forgotten.ownership import ownerships
from memory.storage.forgotten.samples import (
    KNOWLEDGE_KINDS,
    SAMPLES,
    each_once,
    is_in_words_of,
    known_sample,
    reminder_sample,
    said_in,
    stated_sample,
    talked_in,
)
from memory.storage.sqlite.database import Rows
from memory.storage.sqlite.rows import (
    Row,
    audiences,
    json_list,
    maybe_millis,
    moment,
    queries,
    row_as,
)

_SQL = queries("forgotten/selection")

_LONGEST = 3_900
"""Characters of stems past which full text may not hold all of a row (memory/language/text.py)."""


class SelectionReader:
    """Reads what one request chooses."""

    def __init__(self, rows: Rows, request: ErasureRequest) -> None:
        self._rows = rows
        self._selector = request.selector
        self._asker = request.asker
        self._topic = request.topic
        self._asking = request.asking

    async def chosen(self) -> ErasureSelection:
        """The rows that go, and those that were considered and stay."""
        spared = self._selector.kept
        found = await self._messages() - spared.messages
        turns, whole = await self._turns(found)
        messages = (found | await self._messages_of(turns, whole)) - spared.messages
        stated = [
            one
            for one in await self._statements(messages)
            if one.id not in spared.memories or one.lost
        ]
        wanted = await self._wanted()
        fates = [(one, fate_of(one, wanted)) for one in stated]
        return ErasureSelection(
            messages=frozenset(map(MessageId, messages)),
            turns=frozenset(map(UUID, turns)),
            memories={one.id: Store(one.store) for one, fate in fates if fate.goes},
            muted={one.id: Store(one.store) for one, fate in fates if fate.muted},
            shared=tuple(shared_part(one) for one, fate in fates if _is_shared(one, fate)),
            knowledge=await self._knowledge(),
            reminders=await self._reminders(messages),
            quiet=await self._quiet(),
            kept=tuple(
                KeptRow(one.content, fate.why, one.said_by)
                for one, fate in fates
                if fate.why and self._may_show(one)
            ),
            erased=self._selector.person if self._selector.erase else None,
        )

    async def samples(self, selection: ErasureSelection) -> tuple[Sample, ...]:
        """The latest few texts of each kind that the requester may read, without the request.

        Nor earlier ones: they go with what they ask for, and tell nothing of it.
        """
        messages = await self._newest("newest_messages", selection.messages)
        asking = await self._rows.all(_SQL["turns_of"], {"ids": json_list(self._asking)})
        told = {*map(str, selection.turns)} - {row["id"] for row in asking}
        turns = await self._newest("newest_turns", told)
        rows = await self._all("statements", **_statement_ids(map(str, selection.memories)))
        said = [row["text"] for row in messages]
        stated = [one for one in await self._stated(rows) if self._may_show(one)]
        shown = [one for one in stated if not is_in_words_of(one, said)]
        rows = await self._by_id("knowledge_by_id", map(str, selection.knowledge))
        known = [row for row in rows if self._may_show_all_of(row)]
        waiting = await self._by_id("reminders_by_id", selection.reminders)
        due = [row for row in waiting if self._may_show_reminder(row)]
        return (
            *(
                Sample(Kind.MESSAGES, row["text"], moment(row["at"]), said_in(row, stated))
                for row in messages
                if not surely_asks(row["text"])
            ),
            *(
                Sample(Kind.EXCHANGES, row["said"], moment(row["at"]), talked_in(row))
                for row in turns
                if not surely_asks(row["said"])
            ),
            *each_once(map(stated_sample, shown)),
            *each_once(map(known_sample, known)),
            *each_once(map(reminder_sample, due)),
        )

    def _may_show(self, stated: Stated) -> bool:
        """Whether a statement is in the scope of the asker, or rests on words of theirs.

        What others said of them out of their hearing they can have forgotten, but not read. What
        was said in a closed room is read there alone, by its author too.
        """
        own = any(one.person == self._asker.limit for one in stated.grounds)
        is_open = room_in(stated.audience) is None
        return self._asker.scope.allows(stated.audience) or (
            self._asker.own_only and own and is_open
        )

    def _may_show_all_of(self, known: Row) -> bool:
        """Whether a summary, core fact or note is in the scope of the asker with all it repeats.

        A summary has the words of the pet as well, and so those of others.
        """
        told = (known["audience"], *json.loads(known["carries"]))
        return all(self._asker.scope.allows(Audience(one)) for one in told)

    def _may_show_reminder(self, row: Row) -> bool:
        """Whether a reminder is in the scope of the asker, or theirs and of no closed room."""
        audience = Audience(row["audience"])
        own = row["person_id"] == self._asker.limit and room_in(audience) is None
        return own or self._asker.scope.allows(audience)

    async def live_among(self, messages: Iterable[int]) -> int:
        """How many of these messages wait for a digest."""
        rows = await self._rows.all(_SQL["live_among"], {"ids": json_list(messages)})
        return int(rows[0]["found"])

    async def _messages(self) -> set[int]:
        named = await self._by_id("messages_by_id", self._selector.messages)
        if not self._selector.chooses:
            return {row["id"] for row in named}
        found = await self._chosen("messages", "messages_by_words")
        if self._topic is not None:
            long = await self._all("long_messages")
            found += [row for row in long if _speaks_of(self._topic, row["text"])]
        return {row["id"] for row in (*named, *found)} - self._asking

    async def _turns(self, messages: Iterable[int]) -> tuple[set[str], set[str]]:
        """The exchanges that are touched, and those of them that go as a whole."""
        named = {row["id"] for row in await self._by_id("turns_by_id", self._turn_ids())}
        values = {"ids": json_list(messages)}
        answering = {row["id"] for row in await self._rows.all(_SQL["turns_of"], values)}
        named -= self._spared_turns
        if not self._selector.chooses:
            return named | answering, named
        found = {row["id"] for row in await self._chosen("turns", "turns_by_words")}
        found -= self._spared_turns
        if self._topic is None:
            return named | answering | found, named | found
        unfound = {
            row["id"]
            for row in await self._all("turns_unfound")
            if _speaks_of(self._topic, f"{row['text']}\n{row['reply']}")
        }
        return named | answering | found | (unfound - self._spared_turns), named

    async def _messages_of(self, turns: set[str], whole: set[str]) -> set[int]:
        """The pet's answers of the exchanges, and all that was said in those that go as a whole."""
        answers = {"turns": json_list(turns - whole), "all": False}
        every = {"turns": json_list(whole), "all": True}
        rows = await self._rows.all(_SQL["messages_of"], answers)
        rows += await self._rows.all(_SQL["messages_of"], every)
        return {row["id"] for row in rows}

    async def _statements(self, messages: Iterable[int]) -> list[Stated]:
        found: list[Row] = []
        if self._topic is not None:
            found = await self._all("statements_by_words", match=self._topic.match)
        elif self._selector.person is not None:
            names = json_list(await self._names_of(self._selector.person))
            found = await self._all("statements_of", names=names)
        elif self._selector.chooses:
            found = await self._all("statements_there")
        rows = await self._all(
            "statements",
            messages=json_list(messages),
            found=json_list(row["id"] for row in found),
            ids=json_list(map(str, self._selector.memories)),
        )
        return await self._stated(rows)

    async def _stated(self, rows: Sequence[Row]) -> list[Stated]:
        return await _with_owners(self._rows, rows)

    async def _knowledge(self) -> dict[UUID, Kind]:
        rows = await self._by_id("knowledge_by_id", map(str, self._selector.knowledge))
        if self._selector.chooses:
            rows += await self._chosen("knowledge", "knowledge_by_words")
        return {
            UUID(row["id"]): KNOWLEDGE_KINDS[KnowledgeKind(row["kind"])]
            for row in rows
            if UUID(row["id"]) not in self._selector.kept.knowledge
        }

    async def _reminders(self, messages: Iterable[int]) -> frozenset[ReminderId]:
        """Those chosen, named, or asked for in a message that goes."""
        rows = await self._by_id("reminders_by_id", self._selector.reminders)
        rows += await self._all("reminders_of", messages=json_list(messages))
        if self._selector.chooses:
            every = await self._all("reminders")
            rows += [row for row in every if self._topic is None or self._topic.is_in(row["text"])]
        return frozenset(ReminderId(row["id"]) for row in rows) - self._selector.kept.reminders

    async def _quiet(self) -> frozenset[tuple[PersonId, str]]:
        """The quiet topics that are chosen, or that the requesting messages name."""
        rows = await self._all("quiet_topics")
        ids = json_list(self._selector.asking)
        asking = await self._rows.all(_SQL["asked_with"], {"asking": ids})
        asked = {stem for row in asking for stem in stems(row["text"])}
        return frozenset(
            (PersonId(row["person_id"]), row["topic"])
            for row in rows
            if self._takes(stems(row["topic"]), asked)
        )

    def _takes(self, quiet: Collection[str], asked: Collection[str]) -> bool:
        if self._selector.chooses and (self._topic is None or self._topic.is_among(quiet)):
            return True
        return bool(quiet) and frozenset(asked).issuperset(quiet)

    async def _wanted(self) -> Wanted:
        selector, asker = self._selector, self._asker.limit
        return Wanted(
            actor=self._asker.actor,
            topic=self._topic,
            person=None if selector.person is None else await self._someone(selector.person),
            about=selector.about,
            asker=None if asker is None else await self._someone(asker),
        )

    async def _someone(self, person: PersonId) -> Someone:
        names = await self._names_of(person)
        known = {row["name"] for row in await self._rows.all(_SQL["all_names"])}
        own = {fold(name) for name in names}
        return Someone(
            id=person,
            names=frozenset(names),
            others=frozenset(name for name in known if fold(name) not in own),
        )

    async def _names_of(self, person: PersonId) -> list[str]:
        rows = await self._rows.all(_SQL["names_of"], {"person": person})
        return [row["name"] for row in rows if row["name"]]

    async def _chosen(self, every: str, by_words: str) -> list[Row]:
        if self._topic is None:
            return await self._all(every)
        return await self._all(by_words, match=self._topic.match)

    async def _by_id(self, query: str, ids: Iterable[Any]) -> list[Row]:
        return await self._all(query, ids=json_list(ids))

    async def _newest(self, query: str, ids: Iterable[Any]) -> list[Row]:
        asker = self._asker
        values = {
            "ids": json_list(ids),
            "limit": SAMPLES,
            "own": asker.own_only,
            "audiences": audiences(asker.scope),
        }
        return await self._rows.all(_SQL[query], values)

    async def _all(self, query: str, **values: object) -> list[Row]:
        selector, asker = self._selector, self._asker
        bound = {
            "person": selector.person,
            "room": selector.room,
            "start": maybe_millis(selector.start),
            "end": maybe_millis(selector.end),
            "asker": asker.limit,
            "audiences": None if asker.own_only else audiences(asker.scope),
            "longest": _LONGEST,
            **values,
        }
        return await self._rows.all(_SQL[query], bound)

    def _turn_ids(self) -> Sequence[str]:
        return [str(turn) for turn in self._selector.turns]

    @property
    def _spared_turns(self) -> set[str]:
        return set(map(str, self._selector.kept.turns))


async def kept_with(rows: Rows, named: NamedRows) -> NamedRows:
    """Rows with all that must stay for them to stay."""
    values = {kind: json_list(ids) for kind, ids in written_rows(named).items()}
    found: dict[str, list[Any]] = {kind: [] for kind in values}
    for row in await rows.all(_SQL["kept_with"], values):
        found[row["kind"]].append(row["id"])
    return read_rows(found)


async def unsaid(rows: Rows, message: MessageId) -> ErasureSelection:
    """The statements that are forgotten, or become others', when a message goes."""
    values = {"messages": json_list([message]), "found": "[]", "ids": "[]", "audiences": None}
    stated = await _with_owners(rows, await rows.all(_SQL["statements"], values))
    fates = [(one, fate_unsaid(one)) for one in stated]
    asked = await rows.all(_SQL["reminders_of"], {**values, "asker": None})
    return ErasureSelection(
        memories={one.id: Store(one.store) for one, fate in fates if fate.goes},
        reminders=frozenset(ReminderId(row["id"]) for row in asked),
        shared=tuple(shared_part(one) for one, fate in fates if fate.why is KeptBecause.SHARED),
    )


async def _with_owners(rows: Rows, found: Sequence[Row]) -> list[Stated]:
    owned = await ownerships(rows, [UUID(row["id"]) for row in found])
    return [_stated(row, owned[MemoryId(UUID(row["id"]))]) for row in found]


def _statement_ids(ids: Iterable[str]) -> Mapping[str, str]:
    return {"messages": "[]", "found": "[]", "ids": json_list(ids)}


def _speaks_of(topic: Topic, text: str) -> bool:
    """Whether any stretch of a text speaks of a topic, however long the text is."""
    return any(
        topic.is_in(text[start : start + _LONGEST * 2])
        for start in range(0, max(1, len(text)), _LONGEST)
    )


def _is_shared(stated: Stated, fate: ErasureVerdict) -> bool:
    return not fate.goes and bool(stated.lost)


def _stated(row: Row, ownership: Ownership) -> Stated:
    return row_as(
        Stated,
        row,
        person=row["person_id"],
        about=row["about_person"],
        grounds=tuple(row_as(SourceMessage, one) for one in json.loads(row["grounds"])),
        ownership=ownership,
        said_at=moment(row["valid_from"]),
        muted=row["forgotten_at"] is not None,
    )
