"""Reminders without a model: read by rules, and set by the same tools. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.model.requests import AssistantMessage, ModelMessage, ToolCall, ToolResult, UserMessage
from bot.model.turns import Expression, Reply
from bot.texts.catalogue import languages, say
from bot.texts.reminders import ReminderTexts
from memory.language.parts.reading import own_words
from memory.language.reminders import ReminderKind, ReminderWish, joined, read_wish, rings
from memory.language.text import fold
from memory.model.reminders import OwnReminders, ReminderRefusal, ReminderRefused, ReminderSet

REMIND = "remind_me"
LIST = "my_reminders"

_AGREES = frozenset(
    {
        *("oui", "ouais", "ok", "okay", "d'accord", "volontiers", "parfait"),
        *("yes", "yep", "yeah", "sure", "please"),
    }
)
_TOMORROW = "demain tomorrow"
"""What agreeing to "the next one is tomorrow" says."""

LONGEST_ANSWER = 120
"""Characters of an answer to the question when: a longer one says something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedReminder:
    """What the words of a turn want of reminders, as a call of a tool; None where by none."""

    wish: ReminderWish
    rings: bool = False

    def next_call(
        self, done: Sequence[tuple[ToolCall, ToolResult]]
    ) -> tuple[str, dict[str, Any]] | None:
        """What to do after what was done: an alarm whose hour is past today is for tomorrow."""
        if not done:
            return self.call
        refused = done[-1][1].value
        if len(done) == 1 and self.rings and _is_past(refused):
            return AskedReminder(wish=joined(self.wish, _TOMORROW)).call
        return None

    @property
    def call(self) -> tuple[str, dict[str, Any]] | None:
        """The tool that does it, and its arguments."""
        match self.wish.kind:
            case ReminderKind.SET if self.wish.about:
                return REMIND, {"text": self.wish.about, "when": self.wish.when}
            case ReminderKind.SHOW:
                return LIST, {}
            case _:
                return None


def asked_reminder(messages: Sequence[ModelMessage], called: Sequence[str]) -> AskedReminder | None:
    """What the last words want of reminders, also as an answer to the question when."""
    said = [one for one in messages if isinstance(one, UserMessage)]
    if not said or not said[-1].speaker:
        return None
    text = own_words(said[-1].text)
    wish = read_wish(text, called)
    if wish is None and len(said) > 1:
        wish = _answered(said, messages, called)
    return None if wish is None else AskedReminder(wish=wish, rings=rings(text))


def reminder_reply(
    asked: AskedReminder,
    done: Sequence[tuple[ToolCall, ToolResult]],
    language: str,
    told: tuple[ReminderTexts, datetime],
) -> Reply:
    """What is said of it; `told` is how, and the present moment."""
    texts, now = told
    if asked.wish.kind is ReminderKind.FOR_OTHERS:
        return Reply(text=say("reminder.for_others", language), expression=Expression.SAD)
    for call, result in reversed(done):
        match result.value:
            case ReminderSet() as kept if call.name == REMIND:
                return Reply(text=texts.kept(kept, language, now), expression=Expression.HAPPY)
            case ReminderRefused() as refused:
                text = texts.refused(refused, language, now)
                return Reply(text=text, expression=Expression.CURIOUS)
            case OwnReminders() as own:
                return Reply(text=texts.listed(own, language, now))
    return Reply(text=say("reminder.nothing", language), expression=Expression.CURIOUS)


def _is_past(value: object) -> bool:
    return isinstance(value, ReminderRefused) and value.why is ReminderRefusal.PAST


def _answered(
    said: Sequence[UserMessage], messages: Sequence[ModelMessage], called: Sequence[str]
) -> ReminderWish | None:
    """The wish before, with what is said now, where the pet had asked when or of what."""
    answers = [one.text for one in messages if isinstance(one, AssistantMessage)]
    if not answers or not _asks(answers[-1]) or len(said[-1].text) > LONGEST_ANSWER:
        return None
    wish = _open_wish(said[:-1], called)
    if wish is None or wish.kind is not ReminderKind.SET:
        return None
    text = own_words(said[-1].text)
    is_yes = fold(text).strip(" .!?") in _AGREES
    with_this = joined(wish, _TOMORROW if is_yes else text)
    return with_this if with_this != wish else None


def _open_wish(said: Sequence[UserMessage], called: Sequence[str]) -> ReminderWish | None:
    """The last wish, with what was answered to questions about it since."""
    for place in range(len(said) - 1, max(len(said) - 4, -1), -1):
        wish = read_wish(own_words(said[place].text), called)
        if wish is not None:
            for later in said[place + 1 :]:
                wish = joined(wish, own_words(later.text))
            return wish
    return None


def _asks(answer: str) -> bool:
    """Whether the pet asked when, or of what."""
    return any(
        answer.endswith(say(question, language))
        for language in languages()
        for question in ("reminder.when", "reminder.nothing")
    )
