"""Buttons under messages, and what each of them carries. Pure.

https://core.telegram.org/bots/api#inlinekeyboardbutton
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.commands.button_data import CANCEL, ButtonRules, turn_carried
from bot.model.commands import Action
from bot.platforms.paged_answer import AnswerPage
from bot.texts.catalogue import say

LONGEST_DATA = 64
"""Bytes that a button carries."""

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_LONGEST_OWNER = 11
"""Digits of an account: Telegram's have 52 bits at most."""

LONGEST_LABEL = 60
"""Characters of a label: longer ones are cut by the apps."""

MOST_ACTIONS = 20
"""Buttons for what can be done next, one in a row; more would be a page of their own."""

BUTTONS = ButtonRules(longest_carried=LONGEST_DATA - _LONGEST_OWNER - 1, most_actions=MOST_ACTIONS)

Row = list[dict[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What a button carries: who asked for it, and what it does."""

    owner: int
    data: str


def carried_in(data: str) -> Carried | None:
    """What a press brings; None for what no button of the pet's carries."""
    owner, colon, rest = data.partition("|")
    if not colon or not owner or len(owner) > _LONGEST_OWNER or set(owner) - set(_DIGITS):
        return None
    return Carried(owner=int(owner, 36), data=rest)


def keyboard_of(page: AnswerPage, owner: int) -> list[Row]:
    """The rows of buttons under a page of an answer, for the account that asked."""
    rows: list[Row] = []
    if page.turn is not None:
        mark, number = page.turn.mark, page.turn.number
        before, after = max(number - 1, 0), min(number + 1, page.count - 1)
        turns = (("◀", before), (f"{number + 1}/{page.count}", number), ("▶", after))
        rows.append([_button(label, turn_carried(mark, one), owner) for label, one in turns])
    rows.extend(
        [_button(label, data, owner)] for label, data in _actions(page.actions, page.locale)
    )
    return rows


def _actions(actions: Sequence[Action], locale: str) -> Iterator[tuple[str, str]]:
    for action in actions:
        carried = BUTTONS.carried_by(action)
        if carried is not None:
            yield action.label[:LONGEST_LABEL], carried
    declined = any(action.declines for action in actions)
    if any(action.destroys for action in actions) and not declined:
        yield say("command.cancel_it", locale), CANCEL


def _button(label: str, data: str, owner: int) -> dict[str, str]:
    return {"text": label, "callback_data": f"{_base36(owner)}|{data}"}


def _base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"
