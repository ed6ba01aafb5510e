"""Asks all the questions of a file, of one store or of many, afterwards or while it is heard."""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from benchmarks.evaluation.ingestion import IngestedConversation, heard_until
from benchmarks.evaluation.locomo import Conversation, LocomoQuestion, LocomoRefused, schedule
from benchmarks.evaluation.runner import Answered, QuestionRunner
from benchmarks.evaluation.trial_store import EmptyTrial, Said, Trial, empty_store, trial
from bot.wiring import settings as rule_factories
from bot.wiring.app import App
from config.settings import Settings

Stores = Literal["shared", "each"]
"""One store for all the conversations of a file, or a store for each of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How questions are asked.

    `asked_by` names one of those who speak; without it a third person asks. `in_flow` asks while
    the talk goes on, each question where it belongs; otherwise all come a day after the last word.
    """

    asked_by: str | None = None
    in_flow: bool = False
    stores: Stores = "shared"
    facts: bool = False


async def answered(
    settings: Settings, conversations: Sequence[Conversation], manner: Manner, said: Said
) -> AsyncIterator[Answered]:
    """Every question with what came of it, in the order in which they are asked.

    Raises:
        LocomoRefused: who is to ask does not speak in one of the conversations.

    """
    require_speaker(conversations, manner.asked_by)
    asking = _asked_midway if manner.in_flow else _asked_afterwards
    done, count = 0, sum(len(one.asked) for one in conversations)
    for group in _groups(conversations, manner.stores):
        async for one in asking(settings, group, manner, said):
            said("asking", done, count)
            done += 1
            yield one


def require_speaker(conversations: Sequence[Conversation], name: str | None) -> None:
    """Refuse a name that does not speak: its owner would be one more stranger."""
    for one in conversations:
        speakers = sorted({turn.speaker for turn in one.turns})
        if name is not None and name not in speakers:
            raise LocomoRefused(
                f"{name} says nothing in conversation {one.number}: "
                f"{' and '.join(speakers)} speak there."
            )


def _groups(
    conversations: Sequence[Conversation], stores: Stores
) -> Iterator[Sequence[Conversation]]:
    """What is heard by one pet: those without questions only where others are asked about too."""
    if stores == "shared":
        yield conversations
    else:
        yield from ([one] for one in conversations if one.asked)


async def _asked_afterwards(
    settings: Settings, group: Sequence[Conversation], manner: Manner, said: Said
) -> AsyncIterator[Answered]:
    async with trial(settings, group, said, facts=manner.facts) as tried:
        async for one in answered_afterwards(tried, manner):
            yield one


async def answered_afterwards(tried: Trial, manner: Manner) -> AsyncIterator[Answered]:
    """Every question about what a store has heard, each conversation's a day after its end."""
    runner = _runner(tried.app, manner)
    for place in tried.places:
        tried.clock.at = place.asked_at
        for asked in place.conversation.asked:
            yield await runner.answered(place, asked)


async def _asked_midway(
    settings: Settings, group: Sequence[Conversation], manner: Manner, _said: Said
) -> AsyncIterator[Answered]:
    async with empty_store(settings, group[0].turns[0].at) as empty:
        async for one in answered_midway(empty, group, manner):
            yield one


async def answered_midway(
    empty: EmptyTrial, group: Sequence[Conversation], manner: Manner
) -> AsyncIterator[Answered]:
    """Every question where it belongs, while one conversation after the other is heard whole.

    Those after one turn are one talk: each may go on with those before it, as in a chat.
    """
    runner = _runner(empty.app, manner)
    for conversation in group:
        due = schedule(conversation)
        hearing = heard_until(empty.app, empty.clock, conversation, due.keys(), facts=manner.facts)
        async for place in hearing:
            empty.clock.at = place.asked_at
            said: list[str] = []
            for asked in due[place.last]:
                yield await runner.answered(_heard_so_far(place), asked, said)
                said.append(asked.text)


def _heard_so_far(place: IngestedConversation) -> IngestedConversation:
    """The place as it is at that moment: what is heard later adds to what it knows."""
    return replace(place, turns=dict(place.turns))


def _runner(app: App, manner: Manner) -> QuestionRunner:
    wording = rule_factories.recall_rules(app.settings).wording
    return QuestionRunner(app, wording, manner.asked_by)


def of_kinds(conversations: Sequence[Conversation], kinds: Sequence[str]) -> list[Conversation]:
    """The conversations with only their questions of some kinds; all of them without any.

    Raises:
        LocomoRefused: a kind that no question has.

    """
    there = {one.category for each in conversations for one in each.asked}
    if missing := sorted(set(kinds) - there):
        raise LocomoRefused(
            f"No question is of the kind {missing[0]}: there are {', '.join(sorted(there))}."
        )
    wanted = set(kinds) or there
    return [_with(one, [q for q in one.asked if q.category in wanted]) for one in conversations]


def first(conversations: Sequence[Conversation], count: int | None) -> list[Conversation]:
    """The conversations with only the first `count` questions of all of them."""
    left = count if count is not None else sum(len(one.asked) for one in conversations)
    kept = []
    for one in conversations:
        kept.append(_with(one, one.asked[: max(0, left)]))
        left -= len(one.asked)
    return kept


def _with(one: Conversation, asked: Sequence[LocomoQuestion]) -> Conversation:
    return replace(one, asked=tuple(asked))
