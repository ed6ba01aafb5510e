"""A talk with the offline pet: its tools are fakes that answer what a test says."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bot.llm.offline.model import OfflinePet
from bot.model.requests import (
    ModelMessage,
    ModelRequest,
    Purpose,
    ToolCall,
    ToolResult,
    ToolRound,
    ToolSpec,
    UserMessage,
)
from bot.model.tool_values import (
    ForgettingCounted,
    Listed,
    ListedRow,
    SaidLine,
    StatementStored,
    ToolValue,
)
from bot.texts.catalogue import texts_in
from memory.clock import FrozenClock
from memory.model.retrieval import RecalledLine, Section

ENGLISH, FRENCH = texts_in("en"), texts_in("fr")

PARIS = ZoneInfo("Europe/Paris")
SATURDAY = datetime(2026, 1, 17, 10, 23, tzinfo=PARIS)
TOOLS = (
    *("store_memory", "search_memories", "get_recent_memories", "delete_memory"),
    *("search_self", "search_goals", "memory__forget", "respond"),
)


def row(id_: str, content: str, age: str, said_by: str | None = None) -> ListedRow:
    """A row that a tool lists."""
    return ListedRow(id=id_, kind="fact", content=content, age=age, said_by=said_by)


def line(author: str, text: str, *, by_pet: bool = False, private: bool = False) -> SaidLine:
    """A line that was said half an hour ago, in a room of several."""
    return SaidLine(
        text=text,
        author=author,
        at=SATURDAY - timedelta(minutes=30),
        room="lobby",
        by_pet=by_pet,
        private=private,
        is_here=private,
    )


HOME = row("a1b2c3d4", "David habite à Paris", "3 days ago", "David")
ARM = row("bbbbcccc", "Mickael s'est cassé l'épaule", "yesterday", "Mickael")
TEA = row("11112222", "David aime le thé", "last month", "David")
STORED = StatementStored(is_new=True)
_DEFAULTS: dict[str, ToolValue] = {
    "store_memory": STORED,
    "memory__forget": ForgettingCounted(counts={}),
}


def listed(*rows: ListedRow) -> Listed:
    """What a search found."""
    return Listed(rows=rows)


@dataclass
class Tools:
    """The fake tools: each call is kept, each tool answers what it was given."""

    values: dict[str, ToolValue] = field(default_factory=dict)
    failing: frozenset[str] = frozenset()
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def run(self, call: ToolCall) -> ToolResult:
        """What a call comes to."""
        self.calls.append((call.name, call.arguments))
        if call.name in self.failing:
            return ToolResult(call_id=call.id, text="No.", failed=True)
        value = self.values.get(call.name, _DEFAULTS.get(call.name, listed()))
        return ToolResult(call_id=call.id, text="as its value says", value=value)

    @property
    def names(self) -> list[str]:
        """The tools called, in order."""
        return [name for name, _ in self.calls]


def request(
    *messages: ModelMessage,
    tools: tuple[str, ...] = TOOLS,
    force: str | None = None,
    locale: str = "fr",
) -> ModelRequest:
    """A request as the loop makes it."""
    specs = tuple(ToolSpec(name=name, description="", schema={}) for name in tools)
    return ModelRequest(
        system="",
        messages=messages,
        tools=specs,
        purpose=Purpose.TURN,
        max_tokens=300,
        locale=locale,
        force=force,
    )


def pet() -> OfflinePet:
    """A pet that answers to Eko, on a Saturday."""
    return OfflinePet(FrozenClock(SATURDAY), PARIS, called=("Eko",))


async def turn(said: UserMessage, tools: Tools, *, locale: str = "fr") -> tuple[str, str]:
    """The message and the expression that a whole turn ends in."""
    messages: list[ModelMessage] = [said]
    for left in range(4, -1, -1):
        force = None if left else "respond"
        reply = await pet().complete(request(*messages, force=force, locale=locale))
        last = reply.calls[-1]
        if last.name == "respond":
            return last.arguments["message"], last.arguments["expression"]
        results = tuple(tools.run(call) for call in reply.calls)
        messages.append(ToolRound(text=reply.text, calls=reply.calls, results=results))
    raise AssertionError("the turn never ended")


async def ask(text: str, tools: Tools | None = None, **said: Any) -> str:
    """What the pet answers David."""
    message, _ = await turn(
        UserMessage(**{"text": text, "speaker": "David", **said}), tools or Tools()
    )
    return message


def recalled(content: str, *, said_by: str | None = "David", section: str = "memory") -> Any:
    """One recalled line, three days old."""
    return RecalledLine(
        section=Section(section), content=content, age="il y a 3 jours", said_by=said_by
    )
