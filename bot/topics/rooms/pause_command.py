"""`/pause` and `/resume`: the pet is away from a community, or from everywhere, until called."""

from bot.commands.refusal import refusal
from bot.conversation.pauses import Pausing
from bot.model.commands import Action, Answer, Authority, Call, Command, Option, OptionKind
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.wiring.app import App
from memory.language.dates_in_words import age
from memory.model.people import Signature
from memory.model.rooms import EVERYWHERE
from memory.ports import Clock


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return pause_commands(app.pausing, app.clock)


def pause_commands(pausing: Pausing, clock: Clock) -> tuple[Command, ...]:
    """For managers of the community; who did it is audited."""

    async def pause(call: Call) -> Answer:
        if _is_too_far(call):
            return Answer(text=refusal(Authority.PET, call.caller))
        return await _paused(pausing, clock, call)

    async def resume(call: Call) -> Answer:
        if _is_too_far(call):
            return Answer(text=refusal(Authority.PET, call.caller))
        return await _resumed(pausing, clock, call)

    return (
        Command(
            name="pause",
            **described("commands.pause"),
            run=pause,
            options=(_everywhere("commands.pause.everywhere"),),
            needs=Authority.SPACE,
        ),
        Command(
            name="resume",
            **described("commands.resume"),
            run=resume,
            options=(_everywhere("commands.resume.everywhere"),),
            needs=Authority.SPACE,
        ),
    )


def _everywhere(key: str) -> Option:
    return Option(name="everywhere", **described(key), kind=OptionKind.FLAG)


def _is_too_far(call: Call) -> bool:
    return call.has("everywhere") and call.caller.authority is not Authority.PET


async def _paused(pausing: Pausing, clock: Clock, call: Call) -> Answer:
    space = EVERYWHERE if call.has("everywhere") else call.caller.room.space
    begun = await pausing.pause(space, by=Signature(call.caller.account))
    resume = Action(
        label=say("pause.resume_it", call.locale), command="resume", arguments=call.arguments
    )
    if begun:
        text = "pause.everywhere" if space == EVERYWHERE else "pause.here"
        return Answer(text=say(text, call.locale), actions=(resume,))
    since = next(one.since for one in pausing.current if one.space == space)
    text = say("pause.already", call.locale, age=age(since, clock.now(), call.locale))
    return Answer(text=text, actions=(resume,))


async def _resumed(pausing: Pausing, clock: Clock, call: Call) -> Answer:
    """Be there again; a pause that is wider, or of other communities, is none of this call's."""
    here = call.caller.room.space
    space = EVERYWHERE if call.has("everywhere") else here
    ended = await pausing.resume(space, by=Signature(call.caller.account))
    left = pausing.of(here)
    if left is not None:
        text = "pause.still" if left.space == EVERYWHERE else "pause.still_here"
        since = age(left.since, clock.now(), call.locale)
        return Answer(text=say(text, call.locale, age=since))
    not_paused = "pause.not_paused" if call.has("everywhere") else "pause.not_paused_here"
    return Answer(text=say("pause.resumed" if ended else not_paused, call.locale))
