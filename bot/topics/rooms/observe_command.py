"""`/observe role|confidential|list`: what the pet does in the rooms of a community."""

from collections.abc import Sequence

from bot.commands.syntax import YES, written
from bot.conversation.rooms import RoomRegistry, RoomStanding
from bot.model.commands import (
    Action,
    Answer,
    Authority,
    Call,
    Caller,
    Choice,
    Command,
    Option,
    OptionKind,
)
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.texts.forgetting import counted
from bot.topics.statements.command import forget_room
from bot.wiring.app import App
from memory.model.forgetting import Kind
from memory.model.people import Signature
from memory.model.rooms import Room, RoomKind, RoomRole
from memory.storage.community.room_choices import RoomChoices
from memory.storage.community.room_past import KnownBefore

DEFAULT = "default"
"""What settings and platform say, instead of a choice."""


ON = "on"
"""What is said in a room does not leave it."""


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return observe_commands(app.register, app.storage.room_choices)


def observe_commands(register: RoomRegistry, choices: RoomChoices) -> tuple[Command, ...]:
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

    async def mark(call: Call) -> Answer:
        return await _marked(register, choices, call)

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
            name="observe confidential",
            **described("commands.observe.confidential"),
            run=mark,
            options=(
                Option(
                    name="value",
                    **described("commands.observe.confidential.value"),
                    kind=OptionKind.WORD,
                    required=True,
                    choices=(ON, DEFAULT),
                ),
                Option(
                    name="room",
                    **described("commands.observe.confidential.room"),
                    complete=rooms,
                ),
                Option(
                    name="past",
                    **described("commands.observe.confidential.past"),
                    kind=OptionKind.FLAG,
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
    named = [one for one in standings if _may_be_named(one.room, caller)]
    return named, len(standings) - len(named)


def _may_be_named(room: Room, caller: Caller) -> bool:
    """Whether all who read what is answered know of a room; strangers read a public one."""
    if room.id == caller.room.id:
        return True
    before_strangers = caller.room.public and not caller.private
    return not room.confidential and (room.public or not before_strangers)


async def _chosen(register: RoomRegistry, call: Call) -> Answer:
    found = await _meant(register, call)
    if isinstance(found, Answer):
        return found
    wish = call.arguments["role"]
    role = None if wish == DEFAULT else RoomRole(wish)
    await register.choose(found.id, role, by=Signature(call.caller.account))
    standings = await register.standings(call.caller.room.space)
    now = next(one.room for one in standings if one.room.id == found.id)
    lines = [say("observe.chosen", call.locale, room=now.name, role=_role(now.role, call.locale))]
    if now.role is RoomRole.IGNORED:
        lines.append(say("observe.ignored", call.locale, room=now.id))
    if not _reads_less(found.role, now.role):
        return Answer(text="\n".join(lines))
    lines.append(say("observe.stays", call.locale))
    return Answer(text="\n".join(lines), actions=(forget_room(now.id, call.locale),))


async def _marked(register: RoomRegistry, choices: RoomChoices, call: Call) -> Answer:
    found = await _named(register, call) or await _meant(register, call)
    if isinstance(found, Answer):
        return found
    by, is_on = Signature(call.caller.account), call.arguments["value"] == ON
    await register.mark(found.id, confidential=is_on, by=by)
    if not is_on:
        return Answer(text=say("observe.unmarked", call.locale, room=found.name))
    lines = [say("observe.marked", call.locale, room=found.name)]
    if call.has("past"):
        closed = await choices.close_past(found.id, by=by)
        lines.append(_told("observe.past_closed", closed, call.locale))
        return Answer(text="\n".join(lines))
    known = await choices.known_before(found.id)
    if known.is_nothing:
        return Answer(text="\n".join(lines))
    lines.append(_told("observe.past_known", known, call.locale))
    return Answer(text="\n".join(lines), actions=(_close_past(found, call.locale),))


def _told(key: str, known: KnownBefore, locale: str) -> str:
    counts = {Kind.MESSAGES: known.messages, Kind.STATEMENTS: known.statements}
    none = say("counted.messages", locale, count=0)
    return say(key, locale, counts=counted(counts, locale) or none)


def _close_past(room: Room, locale: str) -> Action:
    """Closes what was said in a room before it was marked."""
    arguments = {"value": ON, "room": str(room.id), "past": YES}
    return Action(
        label=say("observe.close_past", locale),
        command="observe confidential",
        arguments=arguments,
        typed=written("observe confidential", arguments),
    )


def _reads_less(before: RoomRole, after: RoomRole) -> bool:
    return before is RoomRole.LOBBY and after is not RoomRole.LOBBY


async def _named(register: RoomRegistry, call: Call) -> Room | None:
    """The room of the community that has the id that was given; it is told of nowhere."""
    standings = await register.standings(call.caller.room.space)
    named = call.arguments.get("room")
    return next((one.room for one in standings if one.room.id == named), None)


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
