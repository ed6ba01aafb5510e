"""Answers questions from what is injected for them, and has the answers judged, by the model."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.evaluation.locomo import LocomoQuestion
from bot.model.requests import ModelRequest, Purpose, UserMessage
from bot.ports import Model

ANSWER_TOKENS = 200
"""A short phrase, with room for a model that begins with a sentence."""

VERDICT_TOKENS = 20
"""One word, with room for a second one."""

NOTHING = "(nothing was recalled)"
"""What the model reads when nothing was injected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompts:
    """The stable part of the two requests."""

    answer: str
    judge: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """A question with the block that was injected for it."""

    asked: LocomoQuestion
    block: str


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """What a question was answered, and whether that says what the gold answer says."""

    category: str
    answer: str
    correct: bool


class Examiner:
    """Answers and judges through the metered model, which obeys the caps of its purpose."""

    def __init__(self, model: Model, prompts: Prompts) -> None:
        self._model = model
        self._prompts = prompts

    async def judged(self, recalled: Recalled) -> GradedAnswer:
        """One question, answered from its injected lines and judged against the gold answer.

        Raises:
            BudgetExhausted: the cap for evaluations is used up.
            ModelUnavailable: see Model.
            ModelRefused: see Model.

        """
        asked = recalled.asked
        lines = recalled.block or NOTHING
        answer = await self._said(
            self._prompts.answer, f"{lines}\n\nQuestion: {asked.text}", ANSWER_TOKENS
        )
        verdict = await self._said(
            self._prompts.judge,
            f"Question: {asked.text}\nGold answer: {asked.answer}\nAnswer: {answer}",
            VERDICT_TOKENS,
        )
        return GradedAnswer(asked.category, answer, is_correct(verdict))

    async def _said(self, system: str, text: str, max_tokens: int) -> str:
        request = ModelRequest(
            system=system,
            messages=(UserMessage(text=text, speaker=""),),
            tools=(),
            purpose=Purpose.EVALUATION,
            max_tokens=max_tokens,
        )
        return (await self._model.complete(request)).text.strip()


def is_correct(verdict: str) -> bool:
    """Whether a judge's words begin with CORRECT; anything else is not."""
    return verdict.strip().lstrip("*`\"' ").upper().startswith("CORRECT")


def graded(judged: Sequence[GradedAnswer]) -> dict[str, Any]:
    """The share of correct answers, whole and by category."""
    groups: dict[str, list[bool]] = defaultdict(list)
    for one in judged:
        groups[one.category].append(one.correct)
    return {
        "n": len(judged),
        "correct": _share([one.correct for one in judged]),
        "by_category": {
            name: {"n": len(group), "correct": _share(group)}
            for name, group in sorted(groups.items())
        },
    }


def _share(correct: Sequence[bool]) -> float:
    return round(sum(correct) / len(correct), 4) if correct else 0.0
