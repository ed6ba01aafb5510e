"""Buttons as Discord shows them. No state."""

from collections.abc import Iterable, Sequence

import discord

from bot.commands.button_data import CANCEL, ButtonRules, turn_carried
from bot.model.commands import Action
from bot.platforms.paged_answer import AnswerPage
from bot.texts.catalogue import say

LONGEST_CARRIED = 100
"""Characters of a custom id, by Discord's documentation of components."""

LONGEST_LABEL = 80
"""Characters of a button's label, by the same."""

A_ROW = 5
"""Buttons in a row."""

MOST_ACTIONS = 19
"""Four rows of five, but for the one that cancels; the fifth row is for turning pages."""

BUTTONS = ButtonRules(longest_carried=LONGEST_CARRIED, most_actions=MOST_ACTIONS)


def view_of_page(page: AnswerPage) -> discord.ui.View | None:
    """The buttons under a page of an answer; None without any."""
    turn = page.turn
    turns = () if turn is None else turns_of(turn.mark, turn.number, page.count)
    return view_of(page.actions, page.locale, turns)


def view_of(
    actions: Sequence[Action], locale: str, turns: Sequence[discord.ui.Button[discord.ui.View]] = ()
) -> discord.ui.View | None:
    """Rows of buttons: those that turn pages, then what can be done next; None without any.

    The library is told not to wait for clicks: it must not keep what custom ids say already.
    """
    view = discord.ui.View(timeout=None)
    for button in (*turns, *_action_buttons(actions, locale, first_row=1 if turns else 0)):
        view.add_item(button)
    view.stop()
    return view if view.children else None


def turns_of(mark: str, number: int, count: int) -> list[discord.ui.Button[discord.ui.View]]:
    """Back, where one is, and on; what leads nowhere is shown and cannot be clicked."""
    back, on = (number - 1, number > 0), (number + 1, number + 1 < count)
    return [
        _turn("◀", turn_carried(mark, back[0]), can=back[1]),
        _turn(f"{number + 1}/{count}", f"page:{mark}:here", can=False),
        _turn("▶", turn_carried(mark, on[0]), can=on[1]),
    ]


def _turn(label: str, carried: str, *, can: bool) -> discord.ui.Button[discord.ui.View]:
    return discord.ui.Button(label=label, custom_id=carried, disabled=not can, row=0)


def _action_buttons(
    actions: Sequence[Action], locale: str, *, first_row: int
) -> Iterable[discord.ui.Button[discord.ui.View]]:
    described = [(action.label, BUTTONS.carried_by(action), action.destroys) for action in actions]
    declined = any(action.declines for action in actions)
    if any(action.destroys for action in actions) and not declined:
        described.append((say("command.cancel_it", locale), CANCEL, False))
    for place, (label, carried, destroys) in enumerate(described):
        style = discord.ButtonStyle.danger if destroys else discord.ButtonStyle.secondary
        yield discord.ui.Button(
            label=label[:LONGEST_LABEL],
            custom_id=carried,
            style=style,
            row=first_row + place // A_ROW,
        )
