"""What would it say? What may be recalled for a person in a room, without asking anybody."""

from bot.conversation.placement import without_name
from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.values import Event
from bot.wiring.app import App
from bot.wiring.settings import names_of
from memory.model.audience import scope_of
from memory.model.people import PersonId
from memory.model.retrieval import Considered, Question, RecalledLine
from memory.model.rooms import Room, RoomId, RoomKind, RoomRole
from memory.storage.linking.directory import PersonListing


async def rooms_to_ask_in(app: App) -> list[Event]:
    """The rooms of several people in which something can be asked."""
    standings = await app.register.standings(None)
    return [{"id": one.room.id, "name": one.room.name} for one in standings]


async def recallable(
    app: App, caller: OperationCaller, person: PersonId, room: RoomId | None, text: str
) -> Event | None:
    """What would be put before the model; without a room, where they are alone with the pet.

    Nothing is sent, stored or counted, and no model is called. None where there is no such person
    or room.
    """
    who = await app.storage.directory.one(person)
    where = None if who is None else await _place(app, who, room)
    if who is None or where is None:
        return None
    spaces = await app.storage.turn_records.vouched_spaces(who.id)
    scope = scope_of(where, who.id, spaces).within(caller.scope)
    topics = await app.storage.quiet_topics.of(who.id)
    found = await app.services.recall.before(
        Question(
            text=without_name(text, names_of(app.settings)),
            context="",
            speaker=who.name,
            person=who.id,
            room=where,
            scope=scope,
            quiet_topics=tuple(one.topic for one in topics),
        )
    )
    return {
        "person": who.name,
        "room": where.name,
        "private": where.kind is RoomKind.DIRECT,
        "audiences": sorted(scope.audiences or ()),
        "reason": found.reason,
        "tokens": found.tokens,
        "took_ms": found.took_ms,
        "lines": [_line_json(one) for one in found.lines],
        "dropped": [_dropped_json(one) for one in found.items if not one.kept],
    }


async def _place(app: App, who: PersonListing, room: RoomId | None) -> Room | None:
    """The room, as it is wanted now; a direct one is that of the person who asks, always."""
    if room is None:
        return await app.storage.turn_records.direct_room_of(who.id) or _unmet(who)
    standings = await app.register.standings(None)
    return next((one.room for one in standings if one.room.id == room), None)


def _unmet(who: PersonListing) -> Room:
    """Where a person would be alone with the pet who never was."""
    return Room(
        id=RoomId(f"unmet:{who.id}"),
        platform="unmet",
        external_id=who.id,
        name=who.name,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


def _line_json(one: RecalledLine) -> Event:
    return {
        "section": one.section.value,
        "content": one.content,
        "age": one.age,
        "said_by": one.said_by,
        "reported": one.reported,
        "against": list(one.against),
    }


def _dropped_json(one: Considered) -> Event:
    return {
        "section": one.candidate.section.value,
        "content": one.candidate.content,
        "why": one.reason,
        "confidence": round(one.score, 3),
    }
