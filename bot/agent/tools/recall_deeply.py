"""Deep recall: a branch of a turn, a loop of searches of its own that comes to one conclusion."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Annotated

import structlog
from pydantic import Field, ValidationError

from bot.agent.loop import FinalTool, LoopLimits, ModelLoop
from bot.agent.toolbox import Arguments, Tool, ToolAnswer, Toolbox, ToolContext
from bot.agent.tools.listing import line
from bot.agent.tools.search import SearchTools
from bot.errors import BotError, BudgetExhausted, ModelTooSlow
from bot.model.requests import ModelReply, ModelRequest, Purpose, ToolCall, UserMessage
from bot.model.tool_values import Listed, ListedRow
from bot.ports import Model

log = structlog.get_logger()

CONCLUDE = "conclude"
"""The tool that ends every branch."""

LONGEST = 2_000
"""The most characters of a conclusion: the turn asked for one answer, not for a report."""

_UNFOUNDED = "No source: nothing that was found supports this, so do not tell it as known."


class DeepRecallArguments(Arguments):
    """What to find out; the branch sees nothing of the conversation but this question."""

    question: Annotated[
        str,
        Field(
            min_length=1,
            max_length=1000,
            description="Complete in itself: names and dates.",
        ),
    ]


class Conclude(Arguments):
    """What the searches came to, and the ids of the rows it rests on."""

    conclusion: Annotated[str, Field(min_length=1)]
    sources: Annotated[
        list[Annotated[str, Field(max_length=60)]],
        Field(default_factory=list, max_length=40, description="Ids that your searches listed."),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """What a branch came to; `cited` are the ids that its model named, true or invented."""

    text: str
    cited: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchRules:
    """The prompt of a branch and its own limits, apart from those of the turn it belongs to.

    `most_calls` are those of the whole turn, its own included. `most_tokens` are fresh input and
    output tokens of all its rounds together; once they are spent it is made to conclude.
    `timeout_s` limits all of it, searches included.
    """

    system: str
    locale: str
    max_turns: int
    max_tokens: int
    most_calls: int
    most_tokens: int
    timeout_s: float


class BranchFailed(BotError):
    """A branch came to no conclusion; the sentence says why."""


class Branch:
    """Looks something up step by step. It can search, and neither keep, forget nor branch again."""

    def __init__(self, model: Model, search: SearchTools, rules: BranchRules) -> None:
        self._model = model
        self._tools = Toolbox((*search.of_branch, _CONCLUDING))
        self._rules = rules

    @property
    def tool(self) -> Tool:
        """The branch as a tool of a turn."""
        return Tool(
            "recall_deeply",
            "Search step by step for one question and get one conclusion with its sources. Slow.",
            DeepRecallArguments,
            self._recall_deeply,
        )

    async def _recall_deeply(
        self, arguments: DeepRecallArguments, context: ToolContext
    ) -> ToolAnswer:
        """The conclusion as text for the model of the turn, with the rows it rests on.

        Raises:
            ModelTooSlow: the person has waited for the model for as long as one call may take.
            BranchFailed: the model failed, a limit was reached, or nothing was concluded.

        """
        if context.concluded:
            raise BranchFailed("There was a deep recall for this answer already.")
        context.concluded.append("")  # one that fails is not tried again, the person is waiting
        apart = ToolContext(batch=context.batch, scope=context.scope, taken=context.taken)
        conclusion = await self._within_limits(arguments.question, apart)
        known = [one for one in map(_bare, conclusion.cited) if one in apart.rows]
        cited = tuple(dict.fromkeys(known))
        context.rows.update(apart.rows)  # its conclusion may repeat any of them
        context.shown.update({one: apart.shown[one] for one in cited if one in apart.shown})
        context.concluded[:] = [conclusion.text]
        return _told(conclusion.text[:LONGEST], [apart.rows[one] for one in cited])

    async def _within_limits(self, question: str, context: ToolContext) -> Conclusion:
        started = perf_counter()
        try:
            async with asyncio.timeout(self._rules.timeout_s):
                conclusion = await self._concluded(question, context)
        except TimeoutError:
            raise BranchFailed(
                f"Deep recall did not end within {self._rules.timeout_s:g} seconds."
            ) from None
        except ModelTooSlow:
            raise
        except BotError as error:
            raise BranchFailed(f"Deep recall came to nothing: {error}") from error
        if conclusion is None:
            raise BranchFailed("Deep recall came to no conclusion.")
        log.info(
            "branch.concluded",
            cited=len(conclusion.cited),
            listed=len(context.rows),
            took_ms=round((perf_counter() - started) * 1000),
        )
        return conclusion

    async def _concluded(self, question: str, context: ToolContext) -> Conclusion | None:
        purse = _Purse(self._model, self._rules.most_tokens)
        limits = LoopLimits(rounds=self._rules.max_turns, calls=self._rules.most_calls)
        loop = ModelLoop(purse, self._tools, _CLOSING, limits)
        return await loop.until_closed(self._request(question, context), context)

    def _request(self, question: str, context: ToolContext) -> ModelRequest:
        person, room = context.batch.person, context.batch.room
        return ModelRequest(
            system=self._rules.system,
            # Without a speaker: the question is the pet's own and not the words of a person.
            messages=(UserMessage(text=f"Asked for {person.name}: {question}", speaker=""),),
            tools=self._tools.specs,
            purpose=Purpose.BRANCH,
            max_tokens=self._rules.max_tokens,
            locale=self._rules.locale,
            person=person.id,
            space=room.space,
            room=room.id,
        )


class _Purse:
    """A model that may be asked until the tokens of one branch are spent, and then once more."""

    def __init__(self, model: Model, most_tokens: int) -> None:
        self._model = model
        self._left = most_tokens
        self._closing = False

    @property
    def name(self) -> str:
        return self._model.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        if self._closing:
            raise BudgetExhausted("its tokens are used up.")
        if self._left <= 0:
            self._closing = True
            request = replace(request, force=CONCLUDE)
        reply = await self._model.complete(request)
        used = reply.usage
        self._left -= used.input + used.cache_write + used.output
        return reply


def conclusion_of(call: ToolCall, _context: ToolContext) -> Conclusion | None:
    """The conclusion that a call of `conclude` makes; None when its arguments are wrong."""
    try:
        made = Conclude.model_validate(call.arguments)
    except ValidationError:
        return None
    return Conclusion(text=made.conclusion, cited=tuple(made.sources))


_CLOSING = FinalTool(
    tool=CONCLUDE, of_call=conclusion_of, of_text=lambda text: Conclusion(text=text)
)


async def _noted(_arguments: Conclude, _context: ToolContext) -> ToolAnswer:
    return ToolAnswer("Noted.")


_CONCLUDING = Tool(
    CONCLUDE, "Say what you found, with its sources. Ends the search.", Conclude, _noted
)


def _bare(cited: str) -> str:
    """An id without the signs around it: models write `[id a1b2c3d4]` as the lines have it."""
    return cited.strip("[]- ").removeprefix("id").strip(": ")


def _told(conclusion: str, sources: Sequence[ListedRow]) -> ToolAnswer:
    if not sources:
        return ToolAnswer(f"{conclusion}\n{_UNFOUNDED}")
    text = "\n".join((conclusion, "It rests on:", *map(line, sources)))
    return ToolAnswer(text, Listed(rows=tuple(sources)))
