"""Where a row was said, in words that a model can repeat as a source."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from memory.model.audience import Origin, Scope
from memory.model.messages import MessageId
from memory.model.namesakes import NamesOfPeople
from memory.model.people import PersonId
from memory.model.retrieval import Candidate
from memory.model.rooms import Room, RoomId, RoomKind, Visibility
from memory.model.stores import Collection
from memory.retrieval.references import Known
from memory.storage.conversations.messages import Messages
from memory.storage.conversations.turns import Turns
from memory.storage.people.people import People

PRIVATE = "in private"
"""Where two people, the pet being one, are alone: the room's name is only the person's."""

_NOT_IN_A_NAME = str.maketrans(dict.fromkeys("()[],\n\r", " "))
"""What sets the notes of a listed line apart, which no room's name may forge."""


class Places:
    """Names the room of what was found; rows of the past are read again within the scope."""

    def __init__(self, messages: Messages, turns: Turns, people: People) -> None:
        self._messages = messages
        self._turns = turns
        self._people = people

    async def of_memory(self, origin: Origin) -> str:
        """Where a statement was made, "" when that is unknown."""
        if origin.visibility is Visibility.PRIVATE:
            return PRIVATE
        room = None if origin.room is None else await self._people.room(origin.room)
        is_inside = origin.visibility is Visibility.ROOM
        return "" if room is None else in_words(room, is_inside=is_inside)

    async def of_history(self, found: Sequence[Candidate], scope: Scope) -> Mapping[UUID, str]:
        """Where each of these messages and exchanges was said; only those the scope allows."""
        messages = [MessageId(one.id.int) for one in found if one.collection is Collection.LIVE]
        turns = [one.id for one in found if one.collection is Collection.CONVERSATIONS]
        rooms = {
            UUID(int=row.id): row.room for row in await self._messages.visible(messages, scope)
        } | {row.id: row.room for row in await self._turns.visible(turns, scope)}
        return {id_: await self._named(room) for id_, room in rooms.items()}

    async def names(self, people: Iterable[PersonId | None], scope: Scope) -> NamesOfPeople:
        """Every name that these people spoke under within the scope, the latest first."""
        return await self._people.spoken_under(people, scope)

    async def of_room(self, room: RoomId | None) -> str:
        """Where a room is, "" when that is unknown."""
        return "" if room is None else await self._named(room)

    async def _named(self, room: RoomId) -> str:
        known = await self._people.room(room)
        return "" if known is None else in_words(known)


def where(known: Known, *, is_inside: bool = False) -> str:
    """Where a row was said, "" when that is unknown; `is_inside` as in `in_words`."""
    if known.is_private:
        return PRIVATE
    return "" if known.room is None else in_words(known.room, is_inside=is_inside)


def in_words(room: Room, *, is_inside: bool = False) -> str:
    """The room as a place: by its name, or as private.

    One that not all can see has a name for those only who are told of it `is_inside`: what was said
    there while it was open is known outside it, and what it is called now is not.
    """
    if room.kind is RoomKind.DIRECT:
        return PRIVATE
    if room.confidential and not is_inside:
        return ""
    name = bare_name(room)
    return f"in {name}" if name else ""


def bare_name(room: Room) -> str:
    """A room's name without what sets the notes of a listed line apart."""
    return " ".join(room.name.translate(_NOT_IN_A_NAME).split())
