"""`/privacy off|on`: whether the pet may read along when this person writes in a lobby."""

from typing import Protocol

from bot.model.commands import Answer, Call, Command, Option, OptionKind
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.wiring.app import App
from memory.model.people import PersonId


class ObserveCommands(Protocol):
    """Lets a person be observed, or stops it."""

    async def __call__(self, person: PersonId, *, observed: bool) -> None:
        """Remember the wish; it holds from the next message on."""
        ...


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return (privacy_command(app.storage.people.observe),)


def privacy_command(observe: ObserveCommands) -> Command:
    """`/privacy off|on`, explained without either."""

    async def run(call: Call) -> Answer:
        wish = call.arguments.get("reading")
        if wish is None:
            return Answer(text=say("privacy.explained", call.locale))
        await observe(call.caller.person.id, observed=wish == "on")
        return Answer(
            text=say("privacy.observed" if wish == "on" else "privacy.unobserved", call.locale)
        )

    return Command(
        name="privacy",
        **described("commands.privacy"),
        run=run,
        options=(
            Option(
                name="reading",
                **described("commands.privacy.reading"),
                kind=OptionKind.WORD,
                choices=("on", "off"),
            ),
        ),
    )
