"""`/read-back DAYS|stop`: those who manage a room have its past read, after it was told."""

from collections.abc import Callable

from bot.model.commands import Answer, Authority, Call, Command, Option, OptionKind
from bot.platforms.past_reader import may_be_read
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.wiring.app import App
from memory.model.past_readings import RoomReadBack
from memory.model.people import Signature
from memory.model.rooms import RoomKind
from memory.storage.conversations.past_readings import PastReadings

STOP = "stop"


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return (read_back_command(app.storage.past_readings, app.most_days_before),)


def read_back_command(readings: PastReadings, most_days: Callable[[str], int]) -> Command:
    """For managers, of the room that they are in; each wish is audited.

    `most_days` is how far back rooms of a platform may be read, 0 where they are not.
    """

    async def run(call: Call) -> Answer:
        room = call.caller.room
        most = most_days(room.platform)
        if room.kind is RoomKind.DIRECT or not most:
            return Answer(text=say("past.not_here", call.locale))
        wish = call.arguments.get("days", "").strip().lower()
        if wish == STOP:
            stopped = await readings.stop(room.id, by=Signature(call.caller.account))
            return Answer(text=say("past.stopped" if stopped else "past.not_going", call.locale))
        if not may_be_read(room):
            return Answer(text=say("past.closed", call.locale))
        if not wish:
            return Answer(text=await _explained(readings, most, call))
        return Answer(text=await _asked(readings, wish, most, call))

    return Command(
        name="read-back",
        **described("commands.read-back"),
        run=run,
        options=(
            Option(name="days", **described("commands.read-back.days"), kind=OptionKind.WORD),
        ),
        needs=Authority.SPACE,
    )


async def _asked(readings: PastReadings, wish: str, most: int, call: Call) -> str:
    days = int(wish) if wish.isascii() and wish.isdigit() and len(wish) < len("1000") else 0
    if not 1 <= days <= most:
        return say("past.how_many", call.locale, most=most)
    room, by = call.caller.room.id, Signature(call.caller.account)
    if await readings.ask(room, days, call.locale, by=by):
        return say("past.asked", call.locale)
    return _already(await readings.of(room), call)


async def _explained(readings: PastReadings, most: int, call: Call) -> str:
    """What it means, and how far it is where it was asked for."""
    text = say("past.explained", call.locale, most=most)
    found = await readings.of(call.caller.room.id)
    return text if found is None else f"{text}\n{_state(found, call)}"


def _already(found: RoomReadBack | None, call: Call) -> str:
    state = "" if found is None else _state(found, call)
    return say("past.already", call.locale, state=state)


def _state(found: RoomReadBack, call: Call) -> str:
    return say(f"past.state.{found.state}", call.locale, stored=found.stored)
