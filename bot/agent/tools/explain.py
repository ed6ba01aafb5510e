"""The tool that answers "why did you say that?": what stood behind the pet's previous reply."""

from uuid import UUID

from bot.agent.toolbox import Arguments, Tool, ToolAnswer, ToolContext
from bot.agent.tools.listing import (
    LONGEST_EXTRACT,
    lines,
    show,
    shown_exchange,
    shown_message,
)
from bot.agent.tools.places import where
from bot.model.tool_values import EXCHANGE, AnswerExplained, ListedRow
from memory.language.dates_in_words import age
from memory.language.detection import told_language
from memory.learning.store import one_line
from memory.model.namesakes import author_names, is_own
from memory.model.retrieval import target_of
from memory.model.rooms import RoomKind
from memory.model.statements import MemoryId
from memory.model.stores import Collection
from memory.ports import Clock
from memory.retrieval.explanation import ConsideredRow, Explanation, Explanations
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


class ExplainArguments(Arguments):
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
            "List what was recalled for your previous answer here.",
            ExplainArguments,
            self._explain,
        )

    async def _explain(self, _arguments: ExplainArguments, context: ToolContext) -> ToolAnswer:
        batch = context.batch
        turn = await self._turns.previous(batch.person.id, batch.room.id, context.scope)
        if turn is None:
            return ToolAnswer(NO_ANSWER_YET)
        told = await self._explanations.of(turn.id, context.scope)
        return ToolAnswer(NO_ANSWER_YET) if told is None else self._told(told, context)

    def _told(self, told: Explanation, context: ToolContext) -> ToolAnswer:
        grounds = (*told.injected, *told.standing)
        known = [one for one in grounds if one.known.is_known]
        explained = AnswerExplained(
            rows=tuple(self._listed(one, context) for one in known), gone=len(grounds) - len(known)
        )
        return ToolAnswer(_in_words(one_line(told.turn.reply), explained, context), explained)

    def _listed(self, one: ConsideredRow, context: ToolContext) -> ListedRow:
        known, (collection, id_) = one.known, target_of(one.item.ref)
        language = told_language(context.batch.own_text) or self._locale
        is_exchange = known.kind == EXCHANGE
        reader = (context.batch.person.id, context.batch.person.name)
        authors = [(known.author, known.said_by or ""), *known.against]
        called = author_names(authors, reader)
        said = (known.author, called[authors[0]])
        return ListedRow(
            id=_shown(collection, id_, context),
            kind=known.kind,
            content=one_line(known.content)[:LONGEST_EXTRACT],
            age=age(known.at, self._clock.now(), language) if known.at else "",
            said_by=None if is_exchange else called[authors[0]] or None,
            then=known.then,
            person=known.author,
            reported=known.is_reported,
            own=is_own(said, reader, alone=context.batch.room.kind is RoomKind.DIRECT),
            against=tuple(dict.fromkeys(called[author] for author in known.against)),
            spoke_with=known.said_by if is_exchange else None,
            where=where(known),
            is_edited=one.is_edited,
            ref=one.item.ref,
        )


def _in_words(reply: str, explained: AnswerExplained, context: ToolContext) -> str:
    gone = [f"{GONE} {explained.gone}."] if explained.gone else []
    rows = lines(explained.rows, context) or [NOTHING] * (not gone)
    return "\n".join((f"When you answered “{reply[:LONGEST_REPLY]}”:", *rows, *gone))


def _shown(kind: Collection, id_: UUID, context: ToolContext) -> str:
    if kind is Collection.LIVE:
        return shown_message(id_)
    if kind is Collection.CONVERSATIONS:
        return shown_exchange(id_)
    return show(MemoryId(id_), context)
