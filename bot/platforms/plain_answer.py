"""An answer in words alone, where there are no buttons."""

from bot.model.commands import Action, Answer
from bot.texts.catalogue import say


def in_words(answer: Answer, locale: str) -> str:
    """An answer where there are no buttons: what can be done next is a line to type."""
    return "\n".join((answer.text, *(_next(action, locale) for action in answer.actions)))


def _next(action: Action, locale: str) -> str:
    line = action.typed or f"/{action.command} {' '.join(action.arguments)}".rstrip()
    return say("command.next", locale, label=action.label, line=line)
