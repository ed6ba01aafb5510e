"""`/privacy off|on`: whether the pet may read along when this person writes in a lobby.

`/privacy check` looks for what may not be known in the community, on a copy of the memory.
"""

from dataclasses import asdict
from typing import Protocol

from bot.commands.refusal import refusal
from bot.model.commands import Answer, Authority, Call, Command, Option, OptionKind
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.texts.forgetting import told_elsewhere
from bot.topics.rooms.privacy_check import NotChecked, PrivacyChecks
from bot.wiring.app import App
from memory.model.elsewhere import Elsewhere
from memory.model.people import PersonId


class ObserveCommands(Protocol):
    """Lets a person be observed, or stops it."""

    async def __call__(self, person: PersonId, *, observed: bool) -> Elsewhere:
        """Remember the wish; it holds from the next message on. Who else has it already."""
        ...


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return (privacy_command(app.siblings.every.observe, PrivacyChecks(app.settings.data_dir)),)


def privacy_command(observe: ObserveCommands, checks: PrivacyChecks) -> Command:
    """`/privacy off|on`, explained without either; `/privacy check` for who manages it."""

    async def run(call: Call) -> Answer:
        wish = call.arguments.get("reading")
        if wish is None:
            return Answer(text=say("privacy.explained", call.locale))
        if wish == "check":
            return Answer(text=await _checked(checks, call))
        elsewhere = await observe(call.caller.person.id, observed=wish == "on")
        said = say("privacy.observed" if wish == "on" else "privacy.unobserved", call.locale)
        return Answer(text="\n".join((said, *told_elsewhere(elsewhere, call.locale))))

    return Command(
        name="privacy",
        **described("commands.privacy"),
        run=run,
        options=(
            Option(
                name="reading",
                **described("commands.privacy.reading"),
                kind=OptionKind.WORD,
                choices=("on", "off", "check"),
            ),
        ),
    )


async def _checked(checks: PrivacyChecks, call: Call) -> str:
    """What a look into a copy of the community's memory came to, in words."""
    if call.caller.authority < Authority.SPACE:
        return refusal(Authority.SPACE, call.caller)
    try:
        done = await checks.run(call.caller.room.space)
    except NotChecked:
        return say("privacy.not_checked", call.locale)
    if done is None:
        return say("privacy.checking", call.locale)
    if done.came_out:
        text = "privacy.came_out"
    else:
        text = "privacy.checked" if done.is_telling else "privacy.not_telling"
    return say(text, call.locale, **asdict(done))
