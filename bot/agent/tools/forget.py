"""The tool that a model forgets with: shown first, done in a later turn of the same person."""

from typing import Annotated

from pydantic import Field

from bot.agent.toolbox import Arguments, Tool, ToolAnswer, ToolContext
from bot.model.tool_values import ForgettingCounted
from memory.forgetting.service import Forgetting
from memory.model.forgetting import Counts
from memory.rules.forgetting.selector import Requester, Selector

LATEST = "latest"
"""Confirms what was shown last, where its token was not passed on."""


class ForgetArguments(Arguments):
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
            ForgetArguments,
            self._forget,
        )

    async def _forget(self, arguments: ForgetArguments, context: ToolContext) -> ToolAnswer:
        batch = context.batch
        asker = Requester(scope=context.scope, person=batch.person.id, own_only=True)
        if arguments.undo:
            context.effects.changed = True
            undone = await self._forgetting.undo(asker)
            return ToolAnswer(f"Undone: {undone.restored} rows are back.")
        if arguments.confirm:
            token = "" if arguments.confirm == LATEST else arguments.confirm
            message = batch.heard[-1].message
            context.effects.changed = context.effects.forgot = True
            receipt = await self._forgetting.confirm(asker, token, message=message)
            done = f"Forgotten: {_figures(receipt.counts)}. It can be undone for 24 hours."
            return ToolAnswer(done, ForgettingCounted(counts=receipt.counts))
        asking = [one.message for one in batch.heard]
        preview = await self._forgetting.ask(Selector(topic=arguments.topic), asker, asking)
        if preview.is_empty:
            return ToolAnswer(
                "There is nothing of the kind that this person said: nothing to forget."
            )
        shown = (
            f"Not done yet. It would take: {_figures(preview.counts)}. Ask whether to go on; "
            f'when they agree in a later message: memory__forget(confirm="{preview.token}").'
        )
        return ToolAnswer(shown, ForgettingCounted(counts=preview.counts))


def _figures(counts: Counts) -> str:
    """Figures as a model can read them: "messages: 3, statements: 1"."""
    return ", ".join(f"{kind}: {count}" for kind, count in counts.items()) or "nothing"
