"""What an asker wants forgotten, and what they have the power to have forgotten. Values."""

import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.model.audience import Scope
from memory.model.knowledge import KnowledgeId
from memory.model.messages import MessageId, TurnId
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from memory.model.statements import MemoryId
from memory.rules.forgetting.topic import Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """What is to be forgotten: all criteria must hold together; what ids name comes on top.

    `person` is whose words; `about` adds what others said about them alone, `erase` their names
    too. `start` is the first moment of the span and `end` the first after it.
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
            "ids": self.messages or self.turns or self.memories or self.knowledge,
        }
        return tuple(name for name, value in chosen.items() if value)

    @property
    def chooses(self) -> bool:
        """Whether it chooses by anything but ids."""
        return bool({"topic", "person", "room", "span"} & {*self.kinds})


@dataclass(frozen=True, slots=True, kw_only=True)
class Requester:
    """Who asks for it, and over which rows they have power.

    A person (`own_only`) has it over what they said themselves, their own exchanges, what is
    private to them and what is only about them, wherever it is; everybody else over `scope`.
    `person` is None for the operator.
    """

    scope: Scope
    person: PersonId | None = None
    own_only: bool = False

    @property
    def limit(self) -> PersonId | None:
        """The one person whose rows they have power over; None where that is no limit."""
        return self.person if self.own_only else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureRequest:
    """What is chosen, for whom; `topic` is the selector's, read with the names it goes by.

    `asking` are the messages that ask: they speak of it too, and are no reason to.
    """

    selector: Selector
    asker: Requester
    topic: Topic | None = None
    asking: frozenset[MessageId] = frozenset()


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
        },
        ensure_ascii=False,
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
    )
