"""Pages of answers as interactive messages: up to three buttons, else a list. Pure.

https://developers.facebook.com/documentation/business-messaging/whatsapp/messages/interactive-reply-buttons-messages
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.channels.whatsapp.service.markup import whatsapp_text
from bot.commands.button_data import CANCEL, ButtonRules, turn_carried
from bot.platforms.paged_answer import AnswerPage, PageTurn
from bot.texts.catalogue import say, texts_in

TEXTS = Path(__file__).parents[1] / "texts"
"""What people read of WhatsApp alone, a file for each language."""

LONGEST_PAGE = 1000
"""UTF-16 units of a page: a message with buttons has 1,024 characters at most."""

LONGEST_BODY = 1024
MOST_BUTTONS = 3
MOST_ROWS = 10
LONGEST_TITLE = 20
LONGEST_ROW = 24
LONGEST_NOTE = 72
"""Limits of reply buttons and of lists, by their documentation."""

BUTTONS = ButtonRules(longest_carried=200, most_actions=MOST_ROWS - 3)
"""Of a list's rows two turn pages, and one cancels. What is carried may have 256 characters, and
200 in a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice:
    label: str
    carried: str


def message_of(page: AnswerPage) -> Mapping[str, Any]:
    """The message of a page without its address: text where there is nothing to press."""
    choices = list(_choices(page))
    body = whatsapp_text(page.content, LONGEST_BODY) or "…"
    if not choices:
        return {"type": "text", "text": {"body": body, "preview_url": False}}
    return {"type": "interactive", "interactive": _interactive(body, choices, page)}


def _choices(page: AnswerPage) -> Iterator[_Choice]:
    if page.turn is not None:
        yield from _turns(page.turn, page.count)
    for action in page.actions:
        if (carried := BUTTONS.carried_by(action)) is not None:
            yield _Choice(label=action.label, carried=carried)
    declined = any(action.declines for action in page.actions)
    if any(action.destroys for action in page.actions) and not declined:
        yield _Choice(label=say("command.cancel_it", page.locale), carried=CANCEL)


def _turns(turn: PageTurn, count: int) -> Iterator[_Choice]:
    """Back and on, where they lead somewhere."""
    if turn.number > 0:
        carried = turn_carried(turn.mark, turn.number - 1)
        yield _Choice(label=f"◀ {turn.number}/{count}", carried=carried)
    if turn.number + 1 < count:
        carried = turn_carried(turn.mark, turn.number + 1)
        yield _Choice(label=f"▶ {turn.number + 2}/{count}", carried=carried)


def _interactive(body: str, choices: list[_Choice], page: AnswerPage) -> Mapping[str, Any]:
    if len(choices) <= MOST_BUTTONS:
        titles = _titles(choices, LONGEST_TITLE)
        buttons = [
            {"type": "reply", "reply": {"id": one.carried, "title": title}}
            for one, title in zip(choices, titles, strict=True)
        ]
        return {"type": "button", "body": {"text": body}, "action": {"buttons": buttons}}
    rows = [
        _row(one, title) for one, title in zip(choices, _titles(choices, LONGEST_ROW), strict=True)
    ]
    action = {
        "button": texts_in(page.locale, TEXTS).say("choose")[:LONGEST_TITLE],
        "sections": [{"rows": rows}],
    }
    return {"type": "list", "body": {"text": body}, "action": action}


def _row(choice: _Choice, title: str) -> dict[str, str]:
    row = {"id": choice.carried, "title": title}
    return (
        row if title == choice.label else {**row, "description": _cut(choice.label, LONGEST_NOTE)}
    )


def _titles(choices: list[_Choice], longest: int) -> list[str]:
    """The labels, cut, and each of them once: two of the same name are not taken."""
    titles: list[str] = []
    for place, choice in enumerate(choices, start=1):
        title = _cut(choice.label, longest)
        titles.append(_cut(f"{place}. {choice.label}", longest) if title in titles else title)
    return titles


def _cut(label: str, longest: int) -> str:
    line = " ".join(label.split()) or "…"
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"
