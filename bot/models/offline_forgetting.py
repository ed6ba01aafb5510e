"""What the offline pet says when all that somebody said on a topic is to be forgotten; pure."""

import re
from collections.abc import Iterable
from typing import Any

from bot.forgetting_words import counted
from bot.model import Expression, Reply, ToolCall, ToolResult
from bot.models.offline_reading import Wish
from bot.models.offline_texts import ENGLISH, FRENCH, Texts
from memory.forgetting.receipt import Counts, Kind
from memory.language import Language

FORGET_SAID = "memory__forget"
"""The tool that forgets all somebody said on a topic."""

_FIGURE = re.compile(rf"\b({'|'.join(Kind)}): (\d+)")


def asked_to_forget(answer: str) -> bool:
    """Whether the pet's answer asked to go on with forgetting."""
    return answer.rstrip().endswith((FRENCH.go_on, ENGLISH.go_on))


def forgetting_arguments(wish: Wish, topic: str) -> dict[str, Any]:
    """What the tool is called with for one of the wishes about all that somebody said."""
    if wish is Wish.UNFORGET:
        return {"undo": True}
    return {"confirm": "latest"} if wish is Wish.CONFIRM else {"topic": topic}


def forgetting_reply(
    results: Iterable[tuple[ToolCall, ToolResult]], texts: Texts, language: Language
) -> Reply:
    """What came of the tool, told with its own figures and nothing else."""
    for call, result in results:
        return _told(call, result, texts, language)
    return Reply(text=texts.not_confirmed, expression=Expression.SAD)


def _told(call: ToolCall, result: ToolResult, texts: Texts, language: Language) -> Reply:
    what = counted(_counts(result.text), language)
    if call.arguments.get("undo"):
        text = texts.not_unforgotten if result.failed else texts.unforgotten
        return Reply(text=text, expression=Expression.NEUTRAL)
    if result.failed:
        return Reply(text=texts.not_confirmed, expression=Expression.SAD)
    if not what:
        return Reply(text=texts.nothing_said, expression=Expression.CURIOUS)
    if call.arguments.get("confirm"):
        return Reply(text=texts.all_forgotten.format(what=what))
    text = f"{texts.would_forget.format(what=what)} {texts.go_on}"
    return Reply(text=text, expression=Expression.THINKING)


def _counts(told: str) -> Counts:
    return {Kind(kind): int(count) for kind, count in _FIGURE.findall(told)}
