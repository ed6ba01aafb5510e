"""Forgetting from a chat: `/forget` and `/forget-me`, and the tool that a model forgets with."""

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from bot.commands import Command
from bot.forgetting_words import counted, kept_words, sampled
from bot.model import Heard
from bot.texts import say
from bot.tools import Arguments, Tool, ToolContext
from memory.errors import EkoMemoryError
from memory.forget import Forgetting
from memory.forgetting.receipt import Counts, NothingToConfirm, NothingToUndo, Preview, Receipt
from memory.forgetting.selector import Asker, Selector
from memory.forgetting.topic import TopicSaysNothing
from memory.model import Room, RoomKind
from memory.scope import Scope, scope_of

EVERYBODY = "--all"
"""What an admin says to forget what everybody said, and not only their own words."""

LATEST = "latest"
"""Confirms what was shown last, for whoever was not told its token."""


def forget_command(
    forgetting: Forgetting, is_admin: Callable[[Heard], bool], locale: str
) -> Command:
    """`/forget TOPIC`, then `/forget confirm`, and for a day `/forget undo`."""

    async def run(heard: Heard) -> str:
        words = heard.text.split(maxsplit=1)[1:]
        wish = words[0].strip() if words else ""
        power = _everybody(heard) if is_admin(heard) else _own(heard)
        try:
            return await _answered(wish, heard, power)
        except (NothingToConfirm, NothingToUndo, TopicSaysNothing) as error:
            return say(_REFUSALS[type(error)], locale)

    async def _answered(wish: str, heard: Heard, power: Asker) -> str:
        match wish.lower():
            case "":
                return say("forget_explained", locale)
            case "confirm":
                done = await forgetting.confirm(power, message=heard.message)
                return receipt_words(done, locale)
            case "undo":
                return await undone_words(forgetting, _own(heard), locale)
            case _:
                asker = power if wish.startswith(f"{EVERYBODY} ") else _own(heard)
                selector = Selector(topic=wish.removeprefix(f"{EVERYBODY} "))
                preview = await forgetting.ask(selector, asker, [heard.message])
                return preview_words(preview, heard.room, locale, say("how_to_forget", locale))

    return Command(
        name="forget",
        summary={
            "en": "TOPIC: shows what I would forget of what you said; confirm; undo",
            "fr": "SUJET : montre ce que j'oublierais de ce que tu as dit ; confirm ; undo",
        },
        run=run,
    )


def forget_me_command(forgetting: Forgetting, locale: str) -> Command:
    """`/forget-me`, then `/forget-me confirm`: all somebody said, and who they are."""

    async def run(heard: Heard) -> str:
        asker = _own(heard)
        try:
            if heard.text.split()[1:2] == ["confirm"]:
                done = await forgetting.confirm(asker, message=heard.message)
                return receipt_words(done, locale)
            selector = Selector(person=heard.person.id, about=True, erase=True)
            preview = await forgetting.ask(selector, asker, [heard.message])
        except NothingToConfirm:
            return say("nothing_to_confirm", locale)
        return preview_words(preview, heard.room, locale, say("how_to_forget_me", locale))

    return Command(
        name="forget-me",
        summary={
            "en": "shows what I would forget of you, all of it; then: /forget-me confirm",
            "fr": "montre tout ce que j'oublierais de toi ; ensuite : /forget-me confirm",
        },
        run=run,
    )


class Forget(Arguments):
    """What a person wants forgotten of what they said themselves."""

    topic: Annotated[
        str, Field(default="", max_length=200, description="What it is about, in their words.")
    ]
    confirm: Annotated[
        str,
        Field(
            default="",
            max_length=40,
            description='The token of a preview, or "latest", once they have agreed to it.',
        ),
    ]
    undo: Annotated[
        bool, Field(default=False, description="Give back what was forgotten last, within a day.")
    ]


class ForgettingTool:
    """Shows first what would go; only a later turn of the same person can have it forgotten."""

    def __init__(self, forgetting: Forgetting) -> None:
        self._forgetting = forgetting

    @property
    def tool(self) -> Tool:
        """The tool as a turn has it."""
        return Tool(
            "memory__forget",
            "Forget all that this person said about a topic, messages and conversations included. "
            "Without `confirm` it only says how much that is: tell them and ask. Once they have "
            "said yes, in their next message, call it again with `confirm`. Do not repeat the "
            "topic when it is done.",
            Forget,
            self._forget,
        )

    async def _forget(self, arguments: Forget, context: ToolContext) -> str:
        batch = context.batch
        asker = Asker(scope=context.scope, person=batch.person.id, own_only=True)
        if arguments.undo:
            context.effects.changed = True
            undone = await self._forgetting.undo(asker)
            return f"Undone: {undone.restored} rows are back."
        if arguments.confirm:
            token = "" if arguments.confirm == LATEST else arguments.confirm
            message = batch.heard[-1].message
            context.effects.changed = context.effects.forgot = True
            receipt = await self._forgetting.confirm(asker, token, message=message)
            return f"Forgotten: {_figures(receipt.counts)}. It can be undone for 24 hours."
        asking = [one.message for one in batch.heard]
        preview = await self._forgetting.ask(Selector(topic=arguments.topic), asker, asking)
        if preview.is_empty:
            return "There is nothing of the kind that this person said: nothing to forget."
        return (
            f"Not done yet. It would take: {_figures(preview.counts)}. Ask whether to go on; "
            f'when they agree in a later message: memory__forget(confirm="{preview.token}").'
        )


def preview_words(preview: Preview, room: Room, locale: str, how: str) -> str:
    """What a preview says to whoever asked; what rows say is told only where they are alone."""
    if preview.is_empty:
        return say("nothing_to_forget", locale)
    lines = [say("would_forget", locale, counts=counted(preview.counts, locale))]
    if room.kind is RoomKind.DIRECT:
        lines += sampled(preview.samples)
        lines += kept_words(preview.kept, locale)
    return "\n".join((*lines, how))


def receipt_words(receipt: Receipt, locale: str) -> str:
    """What was forgotten, and until when it can be undone."""
    if not receipt.counts:
        return say("nothing_to_forget", locale)
    text = "forgotten" if not receipt.more else "forgotten_more"
    return say(text, locale, counts=counted(receipt.counts, locale), more=receipt.more)


async def undone_words(forgetting: Forgetting, asker: Asker, locale: str) -> str:
    """What came of an undoing."""
    undone = await forgetting.undo(asker)
    text = "undone" if not undone.changed_since else "undone_but"
    return say(text, locale, rows=undone.restored, changed=undone.changed_since)


_REFUSALS: dict[type[EkoMemoryError], str] = {
    NothingToConfirm: "nothing_to_confirm",
    NothingToUndo: "nothing_to_undo",
    TopicSaysNothing: "forget_explained",
}


def _own(heard: Heard) -> Asker:
    return Asker(scope=_scope(heard), person=heard.person.id, own_only=True)


def _everybody(heard: Heard) -> Asker:
    return Asker(scope=_scope(heard), person=heard.person.id)


def _scope(heard: Heard) -> Scope:
    return scope_of(heard.room, heard.person.id, heard.spaces)


def _figures(counts: Counts) -> str:
    """Figures as a model, or rules, can read them: "messages: 3, statements: 1"."""
    return ", ".join(f"{kind}: {count}" for kind, count in counts.items()) or "nothing"
