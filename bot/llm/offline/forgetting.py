"""What the offline pet asks of the tool that forgets, and what it says of what came of it; pure."""

import re
from collections.abc import Iterable
from typing import Any

from bot.llm.offline.understanding import Intent, Understanding
from bot.model.requests import ToolCall, ToolResult
from bot.model.tool_values import ForgettingCounted
from bot.model.turns import Expression, Reply
from bot.texts.catalogue import Texts, translations
from bot.texts.forgetting import counted, counted_besides, numbered, told_elsewhere
from memory.model.elsewhere import NOWHERE, Elsewhere
from memory.model.forgetting import Counts
from memory.rules.forgetting.narrowing import Narrowing, names_all, read_narrowing
from memory.rules.forgetting.plain_words.reading import LONGEST

FORGET_SAID = "memory__forget"
"""The tool that forgets all a person said on a topic."""


_NAMING = frozenset({"only", "without", "also"})
"""The arguments that name lines which it has shown."""

_NUMBERED = re.compile(r"^(\d+)\. ", re.MULTILINE)


def asked_to_forget(answer: str) -> bool:
    """Whether the pet's answer asked to go on with forgetting."""
    return _own_end(answer).endswith(tuple(translations("offline.go_on").values()))


def asked_which_lines(answer: str) -> bool:
    """Whether the pet's answer asked which of the lines it had shown are meant."""
    return _own_end(answer).endswith(tuple(translations("offline.no_such_line").values()))


def _own_end(answer: str) -> str:
    """An answer without what is told below the first one of a talk."""
    told = answer.rstrip()
    for sentence in translations("turn.by_rules").values():
        told = told.removesuffix(sentence).rstrip()
    return told


def lines_named(text: str, answer: str) -> Narrowing | None:
    """The lines of the pet's answer that a message names; None where it says anything else.

    Those that were offered are taken besides, where they alone are named, or all are.
    """
    offered = _offered_in(answer)
    if offered and names_all(text):
        return Narrowing(also=tuple(offered))
    named = read_narrowing(text)
    if named is not None and named.only_numbered and set(named.only) <= set(offered):
        return Narrowing(also=named.only)
    return named


def _offered_in(answer: str) -> list[int]:
    """The numbers of the lines that an answer offered."""
    for sentence in translations("offline.perhaps").values():
        _, found, after = answer.partition(f"\n{sentence}\n")
        if found:
            return [int(number) for number in _NUMBERED.findall(after)]
    return []


def forgetting_arguments(reading: Understanding) -> dict[str, Any]:
    """What the tool is called with for one of the wishes about what a person said."""
    if reading.wish is Intent.UNFORGET:
        return {"undo": True}
    if reading.wish is Intent.CONFIRM:
        return {"confirm": "latest"}
    if reading.lines is not None:
        lines = reading.lines
        named = {"only": lines.only, "without": lines.without, "also": lines.also}
        return {name: list(numbers) for name, numbers in named.items() if numbers}
    return {"topic": reading.text[:LONGEST]}


def found_nothing(results: Iterable[tuple[ToolCall, ToolResult]]) -> bool:
    """Whether the tool was asked to show, and found nothing of the person's."""
    return any(
        isinstance(result.value, ForgettingCounted) and not result.value.counts
        for call, result in results
        if "topic" in call.arguments
    )


def forgetting_reply(results: Iterable[tuple[ToolCall, ToolResult]], texts: Texts) -> Reply:
    """What came of the tool, told with its own figures and nothing else."""
    for call, result in results:
        return _told(call, result, texts)
    return Reply(text=texts.say("offline.not_confirmed"), expression=Expression.SAD)


def _told(call: ToolCall, result: ToolResult, texts: Texts) -> Reply:
    what = counted(_counts(result), texts.language)
    if call.arguments.get("undo"):
        text = "offline.not_unforgotten" if result.failed else "offline.unforgotten"
        return Reply(text=texts.say(text), expression=Expression.NEUTRAL)
    if result.failed:
        return Reply(text=texts.say("offline.not_confirmed"), expression=Expression.SAD)
    if not what and not _NAMING.isdisjoint(call.arguments):
        return Reply(text=texts.say("offline.no_such_line"), expression=Expression.CURIOUS)
    if call.arguments.get("confirm") and (what or _elsewhere(result)):
        done = texts.say("offline.all_forgotten", what=what) if what else ""
        told = (done, *told_elsewhere(_elsewhere(result), texts.language))
        return Reply(text=" ".join(filter(None, told)))
    if not what:
        return _none(result, texts)
    lines = [
        texts.say("offline.would_forget", what=what),
        *_shown(result, texts),
        texts.say("offline.go_on"),
    ]
    return Reply(text="\n".join(lines), expression=Expression.THINKING)


def _none(result: ToolResult, texts: Texts) -> Reply:
    """What to do where nothing of the person's is meant: whose word it is, or other words."""
    if isinstance(result.value, ForgettingCounted) and result.value.said_by:
        who = ", ".join(result.value.said_by)
        return Reply(text=texts.say("offline.not_yours", who=who), expression=Expression.THINKING)
    return Reply(text=texts.say("offline.which_words"), expression=Expression.CURIOUS)


def _shown(result: ToolResult, texts: Texts) -> Iterable[str]:
    if not isinstance(result.value, ForgettingCounted):
        return
    samples, offered = result.value.samples, result.value.offered
    yield from counted_besides(result.value.counts, len(samples), texts.language)
    yield from numbered(samples, offered, texts.say("offline.perhaps"))
    if offered:
        yield texts.say("offline.more_lines", number=len(samples) + 1)
    elif len(samples) > 1:
        yield texts.say("offline.some_lines")
    if result.value.unseen:
        yield texts.say("offline.unseen", count=result.value.unseen)


def _elsewhere(result: ToolResult) -> Elsewhere:
    return result.value.elsewhere if isinstance(result.value, ForgettingCounted) else NOWHERE


def _counts(result: ToolResult) -> Counts:
    return result.value.counts if isinstance(result.value, ForgettingCounted) else {}
