"""The tool that answers "why did you say that?": what stood behind the pet's previous reply."""

from collections.abc import Sequence
from uuid import UUID

from bot.agent.toolbox import Arguments, Tool, ToolContext
from bot.agent.tools.listing import LONGEST_EXTRACT, by, line, show, shown_exchange, shown_message
from bot.agent.tools.places import where
from memory.language.dates_in_words import age
from memory.language.detection import told_language
from memory.learning.store import one_line
from memory.model.retrieval import target_of
from memory.model.statements import MemoryId
from memory.model.stores import Collection
from memory.ports import Clock
from memory.retrieval.explanation import Explanation, Explanations, Ground
from memory.retrieval.references import Known
from memory.storage.conversations.turns import Turns

LONGEST_REPLY = 120
"""Characters of the explained reply: enough to tell which one it was."""

NO_ANSWER_YET = "You have not answered anything here lately."

NOTHING = (
    "Nothing was recalled for it by itself. What your own searches listed for it, if you made any, "
    "is not kept."
)

GONE = "Forgotten since:"
"""What the number of lines follows that stood behind a reply and are recalled no more."""


class Nothing(Arguments):
    """No arguments: it is always the previous reply."""


class ExplainingTool:
    """Says who said what the previous reply rested on, where and when, within the scope of now."""

    def __init__(
        self, explanations: Explanations, turns: Turns, clock: Clock, *, locale: str
    ) -> None:
        self._explanations = explanations
        self._turns = turns
        self._clock = clock
        self._locale = locale

    @property
    def tool(self) -> Tool:
        """The tool as a turn has it."""
        return Tool(
            "explain_last_answer",
            "List what was recalled for your previous answer here: who said it, where and when.",
            Nothing,
            self._explain,
        )

    async def _explain(self, _arguments: Nothing, context: ToolContext) -> str:
        batch = context.batch
        turn = await self._turns.previous(batch.person.id, batch.room.id, context.scope)
        if turn is None:
            return NO_ANSWER_YET
        told = await self._explanations.of(turn.id, context.scope)
        return NO_ANSWER_YET if told is None else self._told(told, context)

    def _told(self, told: Explanation, context: ToolContext) -> str:
        grounds = (*told.injected, *told.standing)
        known = [one for one in grounds if one.known.is_known]
        rows = [self._listed(one, context) for one in known]
        gone = [f"{GONE} {len(grounds) - len(known)}."] if len(grounds) > len(known) else []
        said = one_line(told.turn.reply)[:LONGEST_REPLY]
        return "\n".join((f"When you answered “{said}”:", *(rows or [NOTHING] * (not gone)), *gone))

    def _listed(self, one: Ground, context: ToolContext) -> str:
        kind, id_ = target_of(one.item.ref)
        content = one_line(one.known.content)[:LONGEST_EXTRACT]
        return line(_shown(kind, id_, context), self._notes(one, context), content, context)

    def _notes(self, one: Ground, context: ToolContext) -> Sequence[str]:
        known = one.known
        language = told_language(context.batch.text) or self._locale
        old = age(known.at, self._clock.now(), language) if known.at else ""
        edited = "edited since" if one.is_edited else ""
        return (known.kind, old, _author(known), where(known), edited)


def _author(known: Known) -> str:
    if known.kind == "exchange":
        # Half of it is the pet's own words, so nobody is named as having said it.
        return f"between {known.said_by} and you"
    return by(known.said_by)


def _shown(kind: Collection, id_: UUID, context: ToolContext) -> str:
    if kind is Collection.LIVE:
        return shown_message(id_)
    if kind is Collection.CONVERSATIONS:
        return shown_exchange(id_)
    return show(MemoryId(id_), context)
