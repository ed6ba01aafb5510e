"""What an asker wants forgotten, and by which right they ask. Values."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.model.audience import Scope
from memory.model.authority import Actor
from memory.model.knowledge import KnowledgeId
from memory.model.messages import MessageId, TurnId
from memory.model.people import PersonId
from memory.model.reminders import ReminderId
from memory.model.rooms import RoomId
from memory.model.statements import MemoryId
from memory.rules.forgetting.topic import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRows:
    """Rows by their ids."""

    messages: frozenset[MessageId] = frozenset()
    turns: frozenset[TurnId] = frozenset()
    memories: frozenset[MemoryId] = frozenset()
    knowledge: frozenset[KnowledgeId] = frozenset()
    reminders: frozenset[ReminderId] = frozenset()

    def __or__(self, other: "NamedRows") -> "NamedRows":
        """The rows of both."""
        return NamedRows(
            messages=self.messages | other.messages,
            turns=self.turns | other.turns,
            memories=self.memories | other.memories,
            knowledge=self.knowledge | other.knowledge,
            reminders=self.reminders | other.reminders,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """What is to be forgotten: all criteria must hold together; what ids name comes on top.

    `person` is whose words; `about` adds what others said about them alone, `erase` their names
    too. `start` is the first moment of the span and `end` the first after it. What is `kept` is
    left out, whatever else chooses it.
    """

    topic: str = ""
    person: PersonId | None = None
    about: bool = False
    erase: bool = False
    room: RoomId | None = None
    start: datetime | None = None
    end: datetime | None = None
    messages: tuple[MessageId, ...] = ()
    turns: tuple[TurnId, ...] = ()
    memories: tuple[MemoryId, ...] = ()
    knowledge: tuple[KnowledgeId, ...] = ()
    reminders: tuple[ReminderId, ...] = ()
    kept: NamedRows = NamedRows()
    asking: tuple[MessageId, ...] = ()
    """The messages that ask: what they say of it is taken out of them."""
    asked: str = ""
    """The topic as it was asked for, for the pet's other processes, which find out for themselves
    what it means there; "" where lines of this process were chosen one by one."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """What it chooses by, without saying what: a receipt may keep this."""
        chosen = {
            "topic": self.topic,
            "person": self.person,
            "about": self.about,
            "erase": self.erase,
            "room": self.room,
            "span": self.start or self.end,
            "ids": self.messages or self.turns or self.memories or self.knowledge or self.reminders,
        }
        return tuple(name for name, value in chosen.items() if value)

    def erases(self, person: PersonId) -> bool:
        """Whether it is all that a person said, and who they are."""
        return (
            self.person == person and self.erase and {*self.kinds} == {"person", "about", "erase"}
        )

    @property
    def chooses(self) -> bool:
        """Whether it chooses by anything but ids."""
        return bool({"topic", "person", "room", "span"} & {*self.kinds})


@dataclass(frozen=True, slots=True, kw_only=True)
class Requester:
    """Who asks for it, by which right (`memory/model/authority.py`), and what they may know.

    A person's own word reaches what is theirs wherever it is; a command reaches `scope`.
    """

    scope: Scope
    actor: Actor

    @property
    def person(self) -> PersonId | None:
        """Who asks; None for the operator."""
        return self.actor.person

    @property
    def own_only(self) -> bool:
        """Whether they ask by their own word, and not by the command of one who may."""
        return not self.actor.commands

    @property
    def limit(self) -> PersonId | None:
        """The one person whose words they can have forgotten; None where that is no limit."""
        return self.person if self.own_only else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureRequest:
    """What is chosen, for whom; `topic` is the selector's, read with the names it goes by.

    `asking` are the messages that ask: they speak of it too, and are no reason to. What is
    `offered` may be meant besides, and stays unless it is chosen.
    """

    selector: Selector
    asker: Requester
    topic: Topic | None = None
    asking: frozenset[MessageId] = frozenset()
    offered: NamedRows = NamedRows()


def written(selector: Selector) -> str:
    """A selector as JSON."""
    return json.dumps(
        {
            "topic": selector.topic,
            "person": selector.person,
            "about": selector.about,
            "erase": selector.erase,
            "room": selector.room,
            "start": selector.start and selector.start.isoformat(),
            "end": selector.end and selector.end.isoformat(),
            "messages": selector.messages,
            "turns": [str(one) for one in selector.turns],
            "memories": [str(one) for one in selector.memories],
            "knowledge": [str(one) for one in selector.knowledge],
            "reminders": selector.reminders,
            "kept": written_rows(selector.kept),
            "asking": selector.asking,
            "asked": selector.asked,
        },
        ensure_ascii=False,
    )


def written_rows(rows: NamedRows) -> dict[str, list[Any]]:
    """Rows as JSON has them."""
    return {
        "messages": sorted(rows.messages),
        "turns": sorted(map(str, rows.turns)),
        "memories": sorted(map(str, rows.memories)),
        "knowledge": sorted(map(str, rows.knowledge)),
        "reminders": sorted(rows.reminders),
    }


def read_rows(found: Mapping[str, Iterable[Any]]) -> NamedRows:
    """The rows that `written_rows` wrote."""
    return NamedRows(
        messages=frozenset(map(MessageId, found["messages"])),
        turns=frozenset(TurnId(UUID(one)) for one in found["turns"]),
        memories=frozenset(MemoryId(UUID(one)) for one in found["memories"]),
        knowledge=frozenset(KnowledgeId(UUID(one)) for one in found["knowledge"]),
        reminders=frozenset(map(ReminderId, found["reminders"])),
    )


def read_selector(text: str) -> Selector:
    """The selector that `written` wrote."""
    found = json.loads(text)
    return Selector(
        topic=found["topic"],
        person=found["person"],
        about=found["about"],
        erase=found["erase"],
        room=found["room"],
        start=found["start"] and datetime.fromisoformat(found["start"]),
        end=found["end"] and datetime.fromisoformat(found["end"]),
        messages=tuple(map(MessageId, found["messages"])),
        turns=tuple(TurnId(UUID(one)) for one in found["turns"]),
        memories=tuple(MemoryId(UUID(one)) for one in found["memories"]),
        knowledge=tuple(KnowledgeId(UUID(one)) for one in found["knowledge"]),
        reminders=tuple(map(ReminderId, found["reminders"])),
        kept=read_rows(found["kept"]),
        asking=tuple(map(MessageId, found["asking"])),
        asked=found.get("asked", ""),
    )
