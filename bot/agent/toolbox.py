"""What a tool is, for whom it works, and the box that runs the calls a model makes."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.errors import BotError, ModelTooSlow, WordsExpected
from bot.model.requests import ToolCall, ToolResult, ToolSpec
from bot.model.tool_values import ListedRow, ToolValue
from bot.model.turns import Batch, Effects, Expression, Reply
from memory.model.audience import Scope
from memory.model.conversations import ToolUse
from memory.model.errors import EkoMemoryError
from memory.model.statements import MemoryId

log = structlog.get_logger()

RESPOND = "respond"
"""The tool that ends every turn with words."""

SKIP, REACT = "skip", "react"
"""Those that end a turn without words, among people who did not speak to the pet itself."""


class Arguments(BaseModel):
    """What a tool takes: unknown arguments are refused."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class Respond(Arguments):
    """The answer that is sent, and the face that goes with it."""

    expression: Expression = Expression.NEUTRAL
    message: Annotated[str, Field(min_length=1)]


class Skip(Arguments):
    """Nothing is said, and why."""

    reason: Annotated[str, Field(min_length=1, max_length=200, description="Told to who asks why.")]


class React(Arguments):
    """An emoji on the message, and no words."""

    emoji: Annotated[str, Field(min_length=1, max_length=40)]


@dataclass(slots=True)
class TurnSpending:
    """What one turn has taken so far: tools run, tokens, statements and texts stored."""

    calls: int = 0
    tokens: int = 0
    stored: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolContext:
    """For whom the tools of one loop work, and what they have told its model so far.

    `shown` are the memories that searches have listed, by the ids the model was shown; `rows` is
    every row they listed. `concluded` is what branches of this loop came to.
    `used` is every call with what came of it, in order. `taken` is shared with branches.
    """

    batch: Batch
    scope: Scope
    shown: dict[str, MemoryId] = field(default_factory=dict)
    rows: dict[str, ListedRow] = field(default_factory=dict)
    concluded: list[str] = field(default_factory=list)
    used: list[ToolUse] = field(default_factory=list)
    effects: Effects = field(default_factory=Effects)
    taken: TurnSpending = field(default_factory=TurnSpending)


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool says in words; `value` is the same where that is more than words."""

    text: str
    value: ToolValue | None = None


Run = Callable[[Any, ToolContext], Awaitable[ToolAnswer]]


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its description for the model, its arguments, and the function that runs it.

    What it `stores` counts against the most that one turn may store. One `for_rules` is run when it
    is called and no model sees it: its value is the result.
    """

    name: str
    description: str
    arguments: type[Arguments]
    run: Run
    stores: bool = False
    for_rules: bool = False


COMPACT = (
    "search_memories",
    "store_memory",
    "delete_memory",
    "memory__forget",
    "search_self",
    "store_self",
    "store_goal",
    RESPOND,
)
"""The tools of a model that does not cope with all of them: small ones loop with a dozen."""


class Toolbox:
    """The tools of one loop. Scope comes from the context, never from the model.

    `most_stored` is how much one turn may store.
    """

    def __init__(self, tools: Sequence[Tool], *, most_stored: int = 0) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._most_stored = most_stored

    def compact(self, search: Tool) -> "Toolbox":
        """The few tools that everything needs, with one search in place of them all."""
        tools = [search if name == search.name else self._tools[name] for name in COMPACT]
        return Toolbox(tools, most_stored=self._most_stored)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The descriptions of the tools for a model, always in the same order."""
        return tuple(
            ToolSpec(name=tool.name, description=tool.description, schema=_schema(tool.arguments))
            for tool in self._tools.values()
            if not tool.for_rules
        )

    @property
    def names(self) -> Collection[str]:
        """What its tools are called."""
        return self._tools.keys()

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """The result of a call; a wrong call is an error for the model to read, never raised.

        Raises:
            ModelTooSlow: the model that the tool asked is the one that would read the error.

        """
        tool = self._tools.get(call.name)
        if tool is None:
            names = ", ".join(self._tools)
            return _failure(call, f'There is no tool "{call.name}". There are: {names}.')
        if tool.stores and context.taken.stored >= self._most_stored:
            most = self._most_stored
            return _failure(call, f"Not stored: {most} are the most that one answer may store.")
        try:
            arguments = tool.arguments.model_validate(call.arguments)
            answer = await tool.run(arguments, context)
        except ValidationError as error:
            return _failure(call, _complaint(error))
        except ModelTooSlow:
            raise
        except (BotError, EkoMemoryError) as error:
            log.info("tool.failed", tool=call.name, error=type(error).__name__)
            return _failure(call, str(error))
        context.taken.stored += tool.stores
        return ToolResult(call_id=call.id, text=answer.text, value=answer.value)


def reply_of(call: ToolCall, _context: ToolContext) -> Reply | None:
    """The reply that a call of `respond` makes; None when its arguments are wrong."""
    try:
        said = Respond.model_validate(call.arguments)
    except ValidationError:
        return None
    return Reply(text=said.message, expression=said.expression)


async def _sent(_arguments: Respond, _context: ToolContext) -> ToolAnswer:
    return ToolAnswer("Sent.")


async def _refused(_arguments: Skip | React, _context: ToolContext) -> ToolAnswer:
    raise WordsExpected("Not done: one emoji alone, and words for who speaks to you: `respond`.")


RESPOND_TOOL = Tool(RESPOND, "Answer. Ends the turn.", Respond, _sent)
"""The last tool of every turn."""

QUIET_TOOLS = (
    Tool(REACT, "Put an emoji on their message and say nothing. Ends the turn.", React, _refused),
    Tool(SKIP, "Say nothing: they were not talking to you. Ends the turn.", Skip, _refused),
)
"""What ends a turn without words; run only where it may not."""


def _failure(call: ToolCall, text: str) -> ToolResult:
    return ToolResult(call_id=call.id, text=text, failed=True)


def _complaint(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}" for one in error.errors()
    )


def _schema(arguments: type[Arguments]) -> dict[str, Any]:
    """What a tool takes, in as few words as say it; what is wrong with a call is said when it is.

    Definitions stand where they are used; limits, defaults, titles and that a value may be missing
    are left out.
    """
    made = arguments.model_json_schema()
    plain = _plain(made, made.get("$defs", {}))
    return {key: value for key, value in plain.items() if key != "description"}


_UNTOLD = frozenset(
    {
        *("title", "default", "additionalProperties", "minLength", "maxLength", "maxItems"),
        *("minimum", "maximum", "exclusiveMinimum", "$defs"),
    }
)


def _plain(schema: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    if (ref := schema.get("$ref")) is not None:
        named = defs[ref.rpartition("/")[2]]
        return _plain({"enum": named["enum"], "type": named["type"], **_told(schema)}, defs)
    if (either := schema.get("anyOf")) is not None:
        return {**_plain(either[0], defs), **_told(schema)}
    found = {key: value for key, value in schema.items() if key not in _UNTOLD}
    if "properties" in found:
        inner = found["properties"]
        found["properties"] = {name: _plain(one, defs) for name, one in inner.items()}
    if "items" in found:
        found["items"] = _plain(found["items"], defs)
    return found


def _told(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: schema[key] for key in ("description",) if key in schema}
