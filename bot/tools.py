"""The pet's tools: what each takes, checked, and what it answers the model in words."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated, Any

import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.model import Batch, Effects, Expression, Reply, ToolCall, ToolResult, ToolSpec
from memory.adapters.sqlite.memories import Memories
from memory.ages import age
from memory.errors import EkoMemoryError
from memory.model import (
    GoalCategory,
    Memory,
    MemoryId,
    MemoryType,
    NewMemory,
    Origin,
    SelfCategory,
    Source,
    Store,
)
from memory.ports import Clock
from memory.recall import Recall
from memory.remember import Remember, Stored
from memory.scope import Scope
from memory.ttl import parse_ttl

log = structlog.get_logger()

RESPOND = "respond"
"""The tool that ends every turn."""

SEARCH_LIMIT = 10
"""Results of a search: tools are generous, there is no threshold."""

_TYPES = {Store.SELF: MemoryType.OBSERVATION, Store.GOALS: MemoryType.GOAL}

SHOWN_ID = 8
"""Characters of an id that the model is shown: unique among what one turn lists, and short."""


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


Content = Annotated[str, Field(min_length=1, max_length=2000)]
Subject = Annotated[str, Field(min_length=1, max_length=80)]
Ttl = Annotated[
    str | None,
    Field(default=None, description='How long it stays true: "1h", "7d", "30d"; null for ever.'),
]


class Query(_Arguments):
    """What to look for."""

    query: Annotated[str, Field(min_length=1, max_length=500)]


class Recent(_Arguments):
    """How far back to look."""

    hours: Annotated[float, Field(default=24, gt=0, le=24 * 365)]


class Shown(_Arguments):
    """An id from a search result."""

    id: Annotated[str, Field(min_length=1, max_length=40, description="From a search result.")]


class NewStatement(_Arguments):
    """A statement about people and their world."""

    content: Content
    memory_type: MemoryType = MemoryType.FACT
    subjects: Annotated[list[Subject], Field(default_factory=list, max_length=12)]
    importance: Annotated[float | None, Field(default=None, ge=0, le=1)]
    ttl: Ttl


class NewSelf(_Arguments):
    """Something the pet noticed about itself."""

    content: Content
    category: SelfCategory
    ttl: Ttl


class NewGoal(_Arguments):
    """Something the pet wants."""

    content: Content
    category: GoalCategory
    ttl: Ttl


class Respond(_Arguments):
    """The answer that is sent, and the face that goes with it."""

    expression: Expression = Expression.NEUTRAL
    message: Annotated[str, Field(min_length=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """For whom the tools work in this turn; `shown` are the ids that searches have listed."""

    batch: Batch
    scope: Scope
    shown: dict[str, MemoryId] = field(default_factory=dict)
    effects: Effects = field(default_factory=Effects)


Run = Callable[[Any, ToolContext], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class _Tool:
    name: str
    description: str
    arguments: type[_Arguments]
    run: Run


class Toolbox:
    """Every tool of a turn. Scope comes from the context, never from the model."""

    def __init__(
        self,
        recall: Recall,
        remember: Remember,
        memories: Memories,
        clock: Clock,
        *,
        locale: str,
    ) -> None:
        self._recall = recall
        self._remember = remember
        self._memories = memories
        self._clock = clock
        self._locale = locale
        self._tools = {tool.name: tool for tool in self._all()}

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as a model is told of them, always in the same order."""
        return tuple(
            ToolSpec(name=tool.name, description=tool.description, schema=_schema(tool.arguments))
            for tool in self._tools.values()
        )

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """What the call came to; a wrong call is told to the model, never raised."""
        tool = self._tools.get(call.name)
        if tool is None:
            names = ", ".join(self._tools)
            return _failure(call, f'There is no tool "{call.name}". There are: {names}.')
        try:
            arguments = tool.arguments.model_validate(call.arguments)
            text = await tool.run(arguments, context)
        except ValidationError as error:
            return _failure(call, _complaint(error))
        except EkoMemoryError as error:
            log.info("tool.failed", tool=call.name, error=type(error).__name__)
            return _failure(call, str(error))
        return ToolResult(call_id=call.id, text=text)

    def _all(self) -> Sequence[_Tool]:
        return (
            _Tool(
                "search_memories",
                "Look for what you know about people and their world.",
                Query,
                self._searching(Store.MEMORY),
            ),
            _Tool(
                "get_recent_memories",
                "List what you learned most recently.",
                Recent,
                self._recent,
            ),
            _Tool(
                "store_memory",
                "Keep one self-contained statement about people or their world.",
                NewStatement,
                self._store_memory,
            ),
            _Tool(
                "delete_memory",
                "Forget one memory that is wrong or unwanted.",
                Shown,
                self._deleting(Store.MEMORY),
            ),
            _Tool(
                "search_self",
                "Look for what you know about yourself.",
                Query,
                self._searching(Store.SELF),
            ),
            _Tool(
                "store_self",
                "Keep something you noticed about yourself.",
                NewSelf,
                self._storing(Store.SELF),
            ),
            _Tool(
                "delete_self",
                "Forget something about yourself that is no longer so.",
                Shown,
                self._deleting(Store.SELF),
            ),
            _Tool(
                "search_goals",
                "Look for what you want.",
                Query,
                self._searching(Store.GOALS),
            ),
            _Tool("store_goal", "Keep something you want.", NewGoal, self._storing(Store.GOALS)),
            _Tool(
                "delete_goal",
                "Forget a goal that is reached or given up.",
                Shown,
                self._deleting(Store.GOALS),
            ),
            _Tool(RESPOND, "Answer. Ends the turn.", Respond, _sent),
        )

    def _searching(self, store: Store) -> Run:
        async def search(arguments: Query, context: ToolContext) -> str:
            found = await self._recall.search(arguments.query, [store], context.scope, SEARCH_LIMIT)
            rows = await self._memories.visible([one.id for one in found], context.scope)
            order = [one.id for one in found]
            return await self._listing(sorted(rows, key=lambda row: order.index(row.id)), context)

        return search

    async def _recent(self, arguments: Recent, context: ToolContext) -> str:
        since = self._clock.now() - timedelta(hours=arguments.hours)
        rows = await self._memories.recent(Store.MEMORY, context.scope, since, SEARCH_LIMIT)
        return await self._listing(rows, context)

    async def _store_memory(self, arguments: NewStatement, context: ToolContext) -> str:
        speaker = context.batch.person
        new = NewMemory(
            store=Store.MEMORY,
            content=arguments.content,
            origin=_origin(context.batch),
            source=Source.CONVERSATION,
            memory_type=arguments.memory_type,
            subjects=tuple(arguments.subjects),
            importance=arguments.importance,
            ttl=parse_ttl(arguments.ttl),
            said_by=speaker.name,
            about_person=speaker.id if _is_about(speaker.name, arguments.subjects) else None,
            messages=tuple(one.message for one in context.batch.heard),
        )
        context.effects.changed = True
        return self._outcome(await self._remember.store(new), context)

    def _storing(self, store: Store) -> Run:
        async def keep(arguments: NewSelf | NewGoal, context: ToolContext) -> str:
            new = NewMemory(
                store=store,
                content=arguments.content,
                origin=_origin(context.batch),
                source=Source.CONVERSATION,
                memory_type=_TYPES[store],
                category=arguments.category,
                ttl=parse_ttl(arguments.ttl),
                messages=tuple(one.message for one in context.batch.heard),
            )
            context.effects.changed = True
            return self._outcome(await self._remember.store(new), context)

        return keep

    def _deleting(self, store: Store) -> Run:
        async def delete(arguments: Shown, context: ToolContext) -> str:
            memory = context.shown.get(arguments.id)
            rows = [] if memory is None else await self._memories.visible([memory], context.scope)
            if not rows or rows[0].store is not store:
                raise UnknownId(f'No search of this turn listed the id "{arguments.id}".')
            context.effects.changed = context.effects.forgot = True
            await self._memories.forget(rows[0].id, context.scope)
            return f"Forgotten: {rows[0].content}"

        return delete

    async def _listing(self, rows: Sequence[Memory], context: ToolContext) -> str:
        await self._memories.accessed([row.id for row in rows])
        return "\n".join(self._listed(row, context) for row in rows) or "Nothing found."

    def _listed(self, row: Memory, context: ToolContext) -> str:
        kind = row.category or row.memory_type
        said = f", said by {row.said_by}" if row.said_by else ""
        old = age(row.updated_at, self._clock.now(), self._locale)
        return f"- [id {_show(row.id, context)}] ({kind}, {old}{said}) {row.content}"

    def _outcome(self, stored: Stored, context: ToolContext) -> str:
        id_ = _show(stored.id, context)
        if not stored.is_new:
            return f"Known already [id {id_}]."
        replaced = "".join(f" It takes the place of: {old.content}" for old in stored.replaced)
        return f"Stored [id {id_}].{replaced}"


class UnknownId(EkoMemoryError):
    """An id was named that no search of the turn has listed."""


def reply_of(call: ToolCall) -> Reply | None:
    """The reply that a call of `respond` makes; None when its arguments are wrong."""
    try:
        said = Respond.model_validate(call.arguments)
    except ValidationError:
        return None
    return Reply(text=said.message, expression=said.expression)


async def _sent(_arguments: Respond, _context: ToolContext) -> str:
    return "Sent."


def _origin(batch: Batch) -> Origin:
    room = batch.room
    return Origin(
        visibility=room.visibility, person=batch.person.id, room=room.id, space=room.space
    )


def _is_about(name: str, subjects: Sequence[str]) -> bool:
    return name.casefold() in {subject.casefold() for subject in subjects}


def _show(memory: MemoryId, context: ToolContext) -> str:
    short = memory.hex[:SHOWN_ID]
    context.shown[short] = memory
    return short


def _failure(call: ToolCall, text: str) -> ToolResult:
    return ToolResult(call_id=call.id, text=text, failed=True)


def _complaint(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}" for one in error.errors()
    )


def _schema(arguments: type[_Arguments]) -> dict[str, Any]:
    schema = arguments.model_json_schema()
    schema.pop("title", None)
    return schema
