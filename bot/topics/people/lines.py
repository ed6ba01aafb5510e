"""One line that was said, and what was learnt of it: where a claim is put right."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.surfaces.access.caller import OperationCaller
from bot.topics.answers.conversations import place
from bot.wiring.app import App
from memory.model.messages import Message, MessageId
from memory.storage.conversations.digest_ledger import LearntMemory


@dataclass(frozen=True, slots=True, kw_only=True)
class LearntLine:
    """A line with the place where it was said, in words, and the memories that rest on it."""

    message: Message
    where: str
    learnt: Sequence[LearntMemory]


async def line(app: App, caller: OperationCaller, id_: MessageId) -> LearntLine | None:
    """A line that the caller may know; None where there is none."""
    for found in await app.storage.messages.visible([id_], caller.scope):
        return LearntLine(
            message=found,
            where=await place(app, found.room),
            learnt=await app.storage.digest_ledger.learnt_from(id_, caller.scope),
        )
    return None
