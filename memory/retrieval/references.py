"""What the references of the ledger name, as it is known now and within a scope."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from memory.model.audience import Scope
from memory.model.conversations import Turn
from memory.model.knowledge import Knowledge
from memory.model.messages import Message, MessageId
from memory.model.namesakes import Author, NamesOfPeople, name_now
from memory.model.people import PersonId
from memory.model.recalled import REPLIED
from memory.model.retrieval import target_of
from memory.model.rooms import Room, RoomId, RoomKind, Visibility
from memory.model.statements import Memory, RowState
from memory.model.stores import Collection
from memory.storage.conversations.messages import Messages
from memory.storage.conversations.turns import Turns
from memory.storage.people.people import People
from memory.storage.statements.knowledge import KnowledgeRows
from memory.storage.statements.statements import Memories


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A row as it is known now; of one that is recalled no more only its fate is told.

    `kind` is the type or category of a statement, "message" or "exchange"; `source` is where a
    statement came from, "lobby" or in private "chat" for a message, "chat" for an exchange. `room`
    is where it was said, None when that is unknown; `is_private` when one person and the pet
    were alone.
    """

    fate: RowState = RowState.KNOWN
    content: str = ""
    said_by: str | None = None
    """What its author is called now."""
    then: str = ""
    """What they were called then, where that is another name."""
    author: PersonId | None = None
    is_reported: bool = False
    """Whether it is what `said_by` says of others."""
    against: tuple[Author, ...] = ()
    """Who says what cannot hold beside it."""
    at: datetime | None = None
    edited_at: datetime | None = None
    kind: str = ""
    source: str = ""
    subjects: tuple[str, ...] = ()
    room: Room | None = None
    is_private: bool = False

    @property
    def is_known(self) -> bool:
        """Whether it is recalled still."""
        return self.fate is RowState.KNOWN


class References:
    """Reads the rows that references name, of whatever table."""

    def __init__(
        self,
        memories: Memories,
        messages: Messages,
        turns: Turns,
        knowledge: KnowledgeRows,
        people: People,
    ) -> None:
        self._memories = memories
        self._messages = messages
        self._turns = turns
        self._knowledge = knowledge
        self._people = people

    async def read(self, refs: Sequence[str], scope: Scope) -> Mapping[str, Known]:
        """What these references name; those the scope does not allow are left out.

        Raises:
            StorageFailed: the store could not be read.

        """
        targets = {ref: target_of(ref) for ref in refs}
        of = {kind: [id_ for one, id_ in targets.values() if one is kind] for kind in Collection}
        stated = [id_ for kind in _STATED for id_ in of[kind]]
        rows = {
            **await self._statements(stated, scope),
            **await self._overheard(of[Collection.LIVE], scope),
            **await self._exchanged(of[Collection.CONVERSATIONS], scope),
            **await self._summed_up(of[Collection.KNOWLEDGE], scope),
        }
        names = await self._people.spoken_under(_people_in(rows.values()), scope)
        return {ref: _present(rows[id_], names) for ref, (_, id_) in targets.items() if id_ in rows}

    async def _statements(self, ids: Sequence[UUID], scope: Scope) -> Mapping[UUID, Known]:
        found = await self._memories.visible(ids, scope)
        rooms = await self._rooms(one.origin.room for one in found)
        gone = await self._memories.gone(ids, scope)
        against = await self._memories.contradicting([one.id for one in found], scope)
        return {id_: Known(fate=fate) for id_, fate in gone.items()} | {
            one.id: replace(
                _stated(one, rooms.get(one.origin.room)), against=against.get(one.id, ())
            )
            for one in found
        }

    async def _overheard(self, ids: Sequence[UUID], scope: Scope) -> Mapping[UUID, Known]:
        messages = [MessageId(id_.int) for id_ in ids]
        found = await self._messages.visible(messages, scope)
        rooms = await self._rooms(one.room for one in found)
        gone = await self._messages.withdrawn(messages, scope)
        return {UUID(int=id_): Known(fate=RowState.WITHDRAWN) for id_ in gone} | {
            UUID(int=one.id): _said(one, rooms.get(one.room)) for one in found
        }

    async def _exchanged(self, ids: Sequence[UUID], scope: Scope) -> Mapping[UUID, Known]:
        found = await self._turns.visible(ids, scope)
        rooms = await self._rooms(one.room for one in found)
        gone = await self._turns.gone(ids, scope)
        return {id_: Known(fate=RowState.FORGOTTEN) for id_ in gone} | {
            one.id: _answered(one, rooms.get(one.room)) for one in found
        }

    async def _summed_up(self, ids: Sequence[UUID], scope: Scope) -> Mapping[UUID, Known]:
        found = await self._knowledge.visible(ids, scope)
        rooms = await self._rooms(one.origin.room for one in found)
        gone = await self._knowledge.gone(ids, scope)
        return {id_: Known(fate=fate) for id_, fate in gone.items()} | {
            one.id: _known(one, rooms.get(one.origin.room)) for one in found
        }

    async def _rooms(self, rooms: Iterable[RoomId | None]) -> Mapping[RoomId | None, Room | None]:
        return {room: await self._people.room(room) for room in set(rooms) if room is not None}


_STATED = (Collection.MEMORY, Collection.SELF, Collection.GOALS)


def _people_in(rows: Iterable[Known]) -> Iterator[PersonId | None]:
    for row in rows:
        yield row.author
        yield from (person for person, _ in row.against)


def _present(row: Known, names: NamesOfPeople) -> Known:
    called = name_now((row.author, row.said_by or ""), names)
    against = tuple((author[0], name_now(author, names).name) for author in row.against)
    return replace(row, said_by=called.name or None, then=called.then, against=against)


def message_ref(message: MessageId) -> str:
    """The reference of a lobby message."""
    return f"{Collection.LIVE}:{UUID(int=message)}@1"


def _stated(memory: Memory, room: Room | None) -> Known:
    return Known(
        content=memory.content,
        said_by=memory.said_by,
        author=memory.author,
        is_reported=memory.is_reported,
        at=memory.updated_at,
        kind=memory.category or memory.memory_type,
        source=memory.source,
        subjects=memory.subjects,
        room=room,
        is_private=memory.origin.visibility is Visibility.PRIVATE,
    )


def _said(message: Message, room: Room | None) -> Known:
    return Known(
        content=message.text,
        said_by=message.author,
        author=message.person,
        at=message.sent_at,
        edited_at=message.edited_at,
        kind="message",
        source="chat" if _is_direct(room) else "lobby",
        room=room,
        is_private=_is_direct(room),
    )


def _answered(turn: Turn, room: Room | None) -> Known:
    return Known(
        content=f"{turn.text}{REPLIED}{turn.reply}",
        said_by=turn.speaker,
        author=turn.person,
        at=turn.at,
        kind="exchange",
        source="chat",
        room=room,
        is_private=_is_direct(room),
    )


def _known(row: Knowledge, room: Room | None) -> Known:
    return Known(
        content=row.content,
        at=row.at,
        kind=row.kind,
        source=row.kind,
        room=room,
        is_private=row.origin.visibility is Visibility.PRIVATE,
    )


def _is_direct(room: Room | None) -> bool:
    return room is not None and room.kind is RoomKind.DIRECT
