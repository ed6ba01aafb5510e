"""Puts a model request together from the window, the injection and what was just said. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from bot.model import (
    Answered,
    Batch,
    ModelMessage,
    ModelRequest,
    Picture,
    Purpose,
    Said,
    ToolSpec,
)
from bot.preface import preface
from bot.threads import Thread
from memory.adapters.sqlite.turns import Turn
from memory.injection import lines_in, without_fences
from memory.model import RoomKind
from memory.retrieval import Retrieval

LONGEST = 16_000
"""Characters of one batch that a model is shown; the rest is kept and searchable all the same."""

UNSAID = "…"
"""Stands for an answer that was forgotten: services refuse an empty one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRules:
    """The stable part of every request.

    `replay_injections` keeps each injection on the message it was made for while that message is
    in the window, byte for byte, so that the provider's cached prefix never changes.
    """

    system: str
    tools: tuple[ToolSpec, ...]
    max_tokens: int
    locale: str
    zone: tzinfo
    replay_injections: bool


def compose(
    batch: Batch,
    thread: Thread,
    retrieval: Retrieval,
    rules: PromptRules,
    pictures: tuple[Picture, ...] = (),
) -> ModelRequest:
    """The request for a batch: what came before the window, the window, then what is said now.

    What was recalled for it stands before its words.
    """
    now = Said(
        text=shortened(batch.text),
        speaker="" if batch.is_system else batch.person.name,
        injection=retrieval.block,
        recalled=retrieval.lines,
        pictures=pictures,
        in_group=batch.room.kind is RoomKind.GROUP,
    )
    before = preface(thread.earlier, thread.session.id, rules.zone)
    return ModelRequest(
        system=rules.system,
        messages=(*before, *_exchanges(thread.window, rules), now),
        tools=rules.tools,
        purpose=Purpose.TURN,
        max_tokens=rules.max_tokens,
        locale=rules.locale,
        person=batch.person.id,
        injected_tokens=retrieval.tokens,
    )


def _exchanges(window: Sequence[Turn], rules: PromptRules) -> Iterator[ModelMessage]:
    for turn in window:
        if not (turn.text or turn.reply):
            continue  # nothing of it is left
        injection = turn.injection if rules.replay_injections else ""
        yield Said(
            text=shortened(turn.text),
            speaker=turn.speaker,
            injection=injection,
            recalled=lines_in(injection),
        )
        yield Answered(text=turn.reply or UNSAID)


def shortened(text: str) -> str:
    """A text as a model is shown it: without our fences, and cut in the middle when very long."""
    text = without_fences(text)
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]}\n[... {len(text) - LONGEST} characters left out ...]\n{text[-half:]}"
