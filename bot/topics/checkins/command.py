"""`/checkins`: whether the pet may write first in this room."""

from collections.abc import Mapping

from bot.commands.refusal import refusal
from bot.model.commands import Answer, Authority, Call, Command, Option, OptionKind
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.wiring.app import App
from memory.model.checkins import FIRST_HOUR, LAST_HOUR, MOST_A_DAY, UNANSWERED, CheckinRoom
from memory.model.people import Signature
from memory.model.rooms import RoomKind
from memory.storage.conversations.checkins import Checkins

ON, OFF = "on", "off"


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return (checkins_command(app.storage.checkins, app.writing_first),)


def checkins_command(checkins: Checkins, writing_first: Mapping[str, Mapping[str, str]]) -> Command:
    """Each for their talk with the pet alone, managers for a room of their community.

    `writing_first` says by platform and language what hinders writing first to one person.
    """

    async def run(call: Call) -> Answer:
        caller, wish = call.caller, call.arguments.get("value")
        is_direct = caller.room.kind is RoomKind.DIRECT
        if wish is None:
            return Answer(text=_told(await checkins.rooms(caller.room.id), call.locale))
        if not is_direct and caller.authority < Authority.SPACE:
            return Answer(text=refusal(Authority.SPACE, caller))
        place = CheckinRoom(
            room=caller.room, person=caller.person.id, account=caller.account, locale=call.locale
        )
        await checkins.switch(place, on=wish == ON, by=Signature(caller.account))
        if wish == OFF:
            return Answer(text=say("checkins.off", call.locale))
        lines = [_said("checkins.on_alone" if is_direct else "checkins.on_in_group", call.locale)]
        hindered = writing_first.get(caller.room.platform, {})
        if is_direct and call.locale in hindered:
            lines.append(hindered[call.locale])
        return Answer(text="\n".join(lines))

    return Command(
        name="checkins",
        **described("commands.checkins"),
        run=run,
        options=(
            Option(
                name="value",
                **described("commands.checkins.value"),
                kind=OptionKind.WORD,
                choices=(ON, OFF),
            ),
        ),
    )


def _told(standing: list[CheckinRoom], locale: str) -> str:
    """How it stands in a room."""
    if not standing:
        return _said("checkins.is_off", locale)
    told = _said("checkins.is_on", locale)
    waits = standing[0].unanswered > UNANSWERED
    return f"{told} {say('checkins.waits', locale)}" if waits else told


def _said(key: str, locale: str) -> str:
    return say(key, locale, most=MOST_A_DAY, first=FIRST_HOUR, last=LAST_HOUR)
