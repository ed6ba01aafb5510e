"""What came of a turn of the offline pet so far; pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from bot.llm.offline.recalled_lines import RememberedLine, listed_lines
from bot.model.requests import ToolCall, ToolResult
from bot.model.tool_values import AnswerExplained, Listed, ListedRow, ReadBack, SaidLine

READ_BACK = "read_back"
"""The tool that reads back what was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When the pet speaks, and in which zone people mean their days; `now` is aware."""

    now: datetime
    zone: tzinfo

    @property
    def here(self) -> datetime:
        """The present moment on the clock of the people there."""
        return self.now.astimezone(self.zone)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSoFar:
    """What came of the turn so far: the lines recalled, and each call with its result.

    `recalled` are the lines recalled in the window, those for the last words first.
    """

    recalled: Sequence[RememberedLine]
    done: Sequence[tuple[ToolCall, ToolResult]] = ()

    def results(self, tool: str) -> Iterator[tuple[ToolCall, ToolResult]]:
        """The calls of one tool, with what they came to."""
        return ((call, result) for call, result in self.done if call.name == tool)

    def listed(self, tool: str) -> list[RememberedLine]:
        """The lines that a tool listed."""
        return [line for _, result in self.results(tool) for line in listed_lines(rows_of(result))]

    @property
    def read_back(self) -> tuple[SaidLine, ...]:
        """What was said, as far as it was read back, oldest first."""
        return tuple(
            line
            for _, result in self.results(READ_BACK)
            if isinstance(result.value, ReadBack)
            for line in result.value.lines
        )

    def failed(self, tool: str) -> bool:
        """Whether the tool was called and gave nothing usable."""
        results = [result for _, result in self.results(tool)]
        return bool(results) and all(result.failed for result in results)


def rows_of(result: ToolResult) -> tuple[ListedRow, ...]:
    """The rows that a tool listed, or none."""
    match result.value:
        case Listed(rows=rows) | AnswerExplained(rows=rows):
            return rows
        case _:
            return ()
