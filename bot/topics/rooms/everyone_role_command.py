"""`/observe everyone-role`: which role of its members stands for a whole community."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.commands.syntax import YES
from bot.conversation.member_roles import MemberRoleChoices
from bot.conversation.rooms import RoomRegistry
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
from bot.model.events import RoomRef
from bot.ports import Communities
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.wiring.app import App
from memory.model.people import Signature
from memory.model.rooms import SpaceId

DEFAULT = "default"
"""What settings and platform say, instead of a choice."""

NAMED = 10
"""Rooms of one kind that are named; the others are counted."""

_NAME = "observe everyone-role"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomUnderRoles:
    """A room as it is and as it would be, if another role stood for everybody."""

    before: RoomRef
    after: RoomRef

    @property
    def opens(self) -> bool:
        """Whether what is said there would be the whole community's."""
        return _is_shared(self.after) and not _is_shared(self.before)

    @property
    def closes(self) -> bool:
        """Whether what is said there would stay there."""
        return _is_shared(self.before) and not _is_shared(self.after)


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return (everyone_role_command(app.member_roles, app.communities, app.register),)


def changes_of(before: Sequence[RoomRef], after: Sequence[RoomRef]) -> list[RoomUnderRoles]:
    """The rooms that are there before and after. Pure."""
    now = {room.external_id: room for room in after}
    return [
        RoomUnderRoles(before=room, after=now[room.external_id])
        for room in before
        if room.external_id in now
    ]


def everyone_role_command(
    choices: MemberRoleChoices, communities: Mapping[str, Communities], register: RoomRegistry
) -> Command:
    """For managers of the community: seen first, then confirmed, audited and taken back."""
    asking = _EveryoneRole(choices, communities, register)
    return Command(
        name=_NAME,
        **described("commands.observe.everyone-role"),
        run=asking.run,
        options=(
            Option(
                name="role",
                **described("commands.observe.everyone-role.role"),
                complete=asking.complete,
            ),
            Option(name="confirm", kind=OptionKind.FLAG, shown=False),
        ),
        needs=Authority.SPACE,
    )


class _EveryoneRole:
    """Shows, chooses and takes back the role of a community."""

    def __init__(
        self,
        choices: MemberRoleChoices,
        communities: Mapping[str, Communities],
        register: RoomRegistry,
    ) -> None:
        self._choices = choices
        self._communities = communities
        self._register = register

    async def complete(self, caller: Caller, typed: str) -> Sequence[Choice]:
        """The roles of the community whose names have what was typed."""
        known = self._communities.get(caller.room.platform)
        roles = {} if known is None else known.roles(caller.room.space)
        return [
            Choice(label=name, value=number)
            for number, name in roles.items()
            if typed.casefold() in name.casefold()
        ]

    async def run(self, call: Call) -> Answer:
        """What stands for everybody, what would change by another role, or that it does now."""
        space = call.caller.room.space
        known = self._communities.get(call.caller.room.platform)
        roles = {} if known is None else known.roles(space)
        if known is None or not roles:
            return Answer(text=say("observe.everyone_unseen", call.locale))
        standing = self._choices.of(space) or known.member_role(space)
        wanted = call.arguments.get("role")
        if wanted is None:
            return Answer(
                text=say("observe.everyone_is", call.locale, role=_named(standing, roles, call))
            )
        found = _meant(wanted, roles)
        if len(found) != 1:
            text = "observe.everyone_several" if found else "observe.everyone_unknown"
            return Answer(text=say(text, call.locale, ids=", ".join(found)))
        if call.has("confirm"):
            return await self._chosen(call, known, found[0], roles)
        return self._previewed(call, known, found[0], roles)

    def _previewed(
        self, call: Call, known: Communities, wanted: str, roles: Mapping[str, str]
    ) -> Answer:
        space = call.caller.room.space
        role = known.member_role(space) if wanted == DEFAULT else wanted
        changes = changes_of(
            known.rooms(space, self._choices.of(space)),
            known.rooms(space, None if wanted == DEFAULT else wanted),
        )
        named = {"role": _named(role, roles, call)}
        lines = [
            say("observe.everyone_preview", call.locale, **named),
            *_told(changes, call),
            say("observe.everyone_before", call.locale),
            say("observe.everyone_care", call.locale, **named),
        ]
        do_it = Action(
            label=say("observe.everyone_do_it", call.locale),
            command=_NAME,
            arguments={"role": wanted, "confirm": YES},
            typed=f"/{_NAME} --confirm {wanted}",
        )
        return Answer(text="\n".join(lines), actions=(do_it,))

    async def _chosen(
        self, call: Call, known: Communities, wanted: str, roles: Mapping[str, str]
    ) -> Answer:
        space = call.caller.room.space
        before = self._choices.of(space)
        role = None if wanted == DEFAULT else wanted
        await self._choices.choose(space, role, by=Signature(call.caller.account))
        await self._follow(space, known.rooms(space, role))
        now = _named(role or known.member_role(space), roles, call)
        undo = Action(
            label=say("observe.everyone_undo_it", call.locale),
            command=_NAME,
            arguments={"role": before or DEFAULT},
        )
        return Answer(text=say("observe.everyone_chosen", call.locale, role=now), actions=(undo,))

    async def _follow(self, space: SpaceId, rooms: Sequence[RoomRef]) -> None:
        """Keep the rooms that are known as they are from now on, before anything is said there."""
        known = {one.room.id for one in await self._register.standings(space)}
        for room in map(self._register.room, rooms):
            if room.id in known:
                await self._register.keep(room)


def _is_shared(room: RoomRef) -> bool:
    return not room.confidential and not room.public


def _meant(wanted: str, roles: Mapping[str, str]) -> list[str]:
    """The numbers of the roles that are meant; a mention of a role is its number in brackets."""
    bare = wanted.strip().strip("<>").removeprefix("@").removeprefix("&").casefold()
    if bare == DEFAULT or bare in roles:
        return [bare]
    return [number for number, name in roles.items() if name.removeprefix("@").casefold() == bare]


def _named(number: str, roles: Mapping[str, str], call: Call) -> str:
    return roles.get(number) or say("observe.everyone_gone", call.locale, number=number)


def _told(changes: Sequence[RoomUnderRoles], call: Call) -> list[str]:
    """What becomes of the rooms, a line for each kind that there is."""
    if all(one.before == one.after for one in changes):
        return [say("observe.everyone_same", call.locale)]
    kinds = {
        "observe.everyone_opens": [one for one in changes if one.opens],
        "observe.everyone_closes": [one for one in changes if one.closes],
        "observe.everyone_public": [one for one in changes if one.after.public],
        "observe.everyone_hidden": [
            one
            for one in changes
            if one.after.confidential and one.before.confidential and not one.after.public
        ],
    }
    return [
        say(text, call.locale, rooms=_rooms(rooms, call)) for text, rooms in kinds.items() if rooms
    ]


def _rooms(changes: Sequence[RoomUnderRoles], call: Call) -> str:
    """The rooms by name and number: one that is hidden now is named to the caller alone, if ever.

    Who manages a community need not see a room that stays hidden from its members.
    """
    names = [
        f"#{one.before.name}"
        for one in changes
        if not one.before.confidential or (call.caller.private and not one.after.confidential)
    ]
    shown = names[:NAMED]
    if len(shown) == len(changes):
        return ", ".join(shown)
    number = say("observe.everyone_number", call.locale, count=len(changes))
    return f"{number}: {', '.join(shown)}, …" if shown else number
