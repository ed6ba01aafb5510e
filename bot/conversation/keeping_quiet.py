"""Where the pet may say nothing, and what a turn without words comes to; pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from bot.agent.loop import FinalTool
from bot.agent.toolbox import REACT, RESPOND, SKIP, React, Skip, ToolContext, reply_of
from bot.conversation.emoji import is_one_emoji
from bot.conversation.placement import addressed
from bot.model.requests import ToolCall
from bot.model.turns import Batch, Reply
from memory.model.rooms import RoomKind

_SILENCE = Reply(text="")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepingQuiet:
    """Lets a model end a turn without words, but for who spoke to the pet.

    `names` are those it goes by, `reacting` the platforms that show an emoji on a message; on
    others a reaction is silence.
    """

    names: Sequence[str]
    reacting: Collection[str]

    @property
    def closing(self) -> FinalTool[Reply]:
        """How a turn ends: with words, or without where that may be."""
        return FinalTool(
            tool=RESPOND,
            of_call=self._reply,
            of_text=lambda text: Reply(text=text),
            others=frozenset({SKIP, REACT}),
            may_choose=lambda context: self.may(context.batch),
        )

    def may(self, batch: Batch) -> bool:
        """Whether no words are waited for: people talk in a group, and none of it to the pet."""
        is_group = batch.room.kind is RoomKind.GROUP
        is_answer = any(one.arrival.reply_to for one in batch.heard)
        return is_group and not is_answer and not addressed(batch.own_text, self.names)

    def _reply(self, call: ToolCall, context: ToolContext) -> Reply | None:
        if call.name == RESPOND:
            return reply_of(call, context)
        if not self.may(context.batch):
            return None
        try:
            if call.name == SKIP:
                Skip.model_validate(call.arguments)
                return _SILENCE
            emoji = React.model_validate(call.arguments).emoji
        except ValidationError:
            return None
        if not is_one_emoji(emoji):
            return None
        return Reply(text=emoji) if context.batch.room.platform in self.reacting else _SILENCE
