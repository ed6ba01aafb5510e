"""`/privacy off|on`: whether the pet may read along when this person writes in a lobby."""

from typing import Protocol

from bot.model.commands import Answer, Call, Command, Option, OptionKind
from bot.texts.catalogue import say
from memory.model.people import PersonId


class Observe(Protocol):
    """Lets a person be observed, or stops it."""

    async def __call__(self, person: PersonId, *, observed: bool) -> None:
        """Remember the wish; it holds from the next message on."""
        ...


def privacy_command(observe: Observe) -> Command:
    """`/privacy off|on`, explained without either."""

    async def run(call: Call) -> Answer:
        wish = call.arguments.get("reading")
        if wish is None:
            return Answer(text=say("privacy_explained", call.locale))
        await observe(call.caller.person.id, observed=wish == "on")
        return Answer(text=say("observed" if wish == "on" else "unobserved", call.locale))

    return Command(
        name="privacy",
        summary={
            "en": "off: I stop reading what you write in lobbies; on: I read along again",
            "fr": "off : je ne lis plus ce que tu écris dans les salons ; on : je lis de nouveau",
        },
        run=run,
        options=(
            Option(
                name="reading",
                summary={
                    "en": "whether I read along when you write in a lobby",
                    "fr": "si je lis ce que tu écris dans les salons",
                },
                kind=OptionKind.WORD,
                choices=("on", "off"),
                names={"fr": "lecture"},
            ),
        ),
        names={"fr": "confidentialité"},
    )
