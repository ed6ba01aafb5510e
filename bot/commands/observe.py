"""`/observe role|list`: what the pet does in the rooms of a community."""

from collections.abc import Sequence

from bot.commands.memory import forget_room
from bot.conversation.rooms import RoomRegistry, RoomStanding
from bot.model.commands import Answer, Authority, Call, Caller, Choice, Command, Option, OptionKind
from bot.texts.catalogue import say
from bot.texts.commands import described
from memory.model.people import Actor
from memory.model.rooms import Room, RoomKind, RoomRole

DEFAULT = "default"
"""What settings and platform say, instead of a choice."""


def observe_commands(register: RoomRegistry) -> tuple[Command, ...]:
    """For managers of the community; each choice is audited and holds at once."""

    async def rooms(caller: Caller, typed: str) -> Sequence[Choice]:
        standings, _ = await _in_sight(register, caller)
        return [
            Choice(label=one.room.name, value=one.room.id)
            for one in standings
            if typed.lower() in one.room.name.lower()
        ]

    async def choose(call: Call) -> Answer:
        return await _chosen(register, call)

    async def listed(call: Call) -> Answer:
        return await _listed(register, call)

    return (
        Command(
            name="observe role",
            **described("commands.observe.role"),
            run=choose,
            options=(
                Option(
                    name="role",
                    **described("commands.observe.role.role"),
                    kind=OptionKind.WORD,
                    required=True,
                    choices=(*RoomRole, DEFAULT),
                ),
                Option(
                    name="room",
                    **described("commands.observe.role.room"),
                    complete=rooms,
                ),
            ),
            needs=Authority.SPACE,
        ),
        Command(
            name="observe list",
            **described("commands.observe.list"),
            run=listed,
            needs=Authority.SPACE,
            default=True,
        ),
    )


async def _in_sight(register: RoomRegistry, caller: Caller) -> tuple[list[RoomStanding], int]:
    """The rooms of the caller's space that may be named here, and how many others there are.

    A room that not all can see is named nowhere else: who manages a community need not see it. Nor
    is it in the room that it hangs under, whose people do not see its private threads.
    """
    standings = await register.standings(caller.room.space)
    named = [one for one in standings if not one.room.confidential or one.room.id == caller.room.id]
    return named, len(standings) - len(named)


async def _chosen(register: RoomRegistry, call: Call) -> Answer:
    found = await _meant(register, call)
    if isinstance(found, Answer):
        return found
    wish = call.arguments["role"]
    role = None if wish == DEFAULT else RoomRole(wish)
    await register.choose(found.id, role, by=Actor(call.caller.account))
    standings = await register.standings(call.caller.room.space)
    now = next(one.room for one in standings if one.room.id == found.id)
    lines = [say("observe.chosen", call.locale, room=now.name, role=_role(now.role, call.locale))]
    if now.role is RoomRole.IGNORED:
        lines.append(say("observe.ignored", call.locale, room=now.id))
    if not _reads_less(found.role, now.role):
        return Answer(text="\n".join(lines))
    lines.append(say("observe.stays", call.locale))
    return Answer(text="\n".join(lines), actions=(forget_room(now.id, call.locale),))


def _reads_less(before: RoomRole, after: RoomRole) -> bool:
    return before is RoomRole.LOBBY and after is not RoomRole.LOBBY


async def _meant(register: RoomRegistry, call: Call) -> Room | Answer:
    """The room that is meant, or what is said where there is not just one."""
    named, caller = call.arguments.get("room", ""), call.caller
    if not named and caller.room.kind is RoomKind.DIRECT:
        return Answer(text=say("observe.direct", call.locale))
    standings, _ = await _in_sight(register, caller)
    rooms = [one.room for one in standings]
    found = _called(named, rooms) if named else [one for one in rooms if one.id == caller.room.id]
    if len(found) == 1:
        return found[0]
    ids = ", ".join(one.id for one in found)
    return Answer(
        text=say("observe.room_several" if found else "observe.room_unknown", call.locale, ids=ids)
    )


def _called(named: str, rooms: Sequence[Room]) -> list[Room]:
    """The rooms of this id, or else of this name; a mention of a room is its id in brackets."""
    bare = named.strip().strip("<>").lstrip("#").casefold()
    by_id = [one for one in rooms if bare in {one.id.casefold(), one.external_id.casefold()}]
    return by_id or [one for one in rooms if one.name.lstrip("#").casefold() == bare]


async def _listed(register: RoomRegistry, call: Call) -> Answer:
    standings, others = await _in_sight(register, call.caller)
    lines = [
        say(
            "observe.room",
            call.locale,
            room=one.room.name,
            role=_role(one.room.role, call.locale),
            source=say(f"role_by.{one.source}", call.locale),
        )
        for one in standings
    ]
    if others:
        lines.append(say("observe.unseen", call.locale, number=others))
    return Answer(text="\n".join(lines) or say("observe.none", call.locale))


def _role(role: RoomRole, locale: str) -> str:
    return f"{role} ({say(f'role.{role}', locale)})"
