import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.channels.discord.interactions.buttons import (
    BUTTONS,
    LONGEST_CARRIED,
    MOST_ACTIONS,
    turns_of,
    view_of,
)
from bot.commands.button_data import line_in, turn_in
from bot.commands.syntax import YES
from bot.model.commands import Action
from bot.platforms.paged_answer import PageTurn
from tests.table import real_table

TABLE = real_table()


def action(number: int = 0, *, destroys: bool = False, label: str = "Do") -> Action:
    """Something to do next."""
    arguments = {"confirm": YES, "token": f"t{number}"}
    return Action(label=label, command="forget", arguments=arguments, destroys=destroys)


@given(st.text(st.characters(codec="utf-8"), max_size=120))
def test_what_a_button_carries_is_read_as_it_was_meant(token: str) -> None:
    """Or it is no button: values of several words, and too many of them."""
    made = Action(label="x", command="forget", arguments={"confirm": YES, "token": token})
    carried = BUTTONS.carried_by(made)
    if carried is not None:
        assert len(carried.encode()) <= LONGEST_CARRIED
        line = line_in(carried, TABLE)
        assert line is not None
        assert (line.name, line.arguments) == ("forget", made.arguments)


def test_what_fits_no_button_is_left_over() -> None:
    """One of each, and as many as there are places."""
    words = Action(label="x", command="forget", arguments={"topic": "two words"})
    buttons, others = BUTTONS.split([action(1), words, action(1), action(2)])
    assert buttons == (action(1), action(2))
    assert others == (words,)
    buttons, others = BUTTONS.split([action(n) for n in range(MOST_ACTIONS + 2)])
    assert (len(buttons), len(others)) == (MOST_ACTIONS, 2)


async def test_a_full_view_is_one_that_discord_takes() -> None:
    """Five rows of five, each button with an id of its own and a label that fits."""
    actions = [action(n, destroys=True, label="x" * 100) for n in range(MOST_ACTIONS)]
    view = view_of(actions, "fr", turns_of("mark", 1, 3))
    assert view is not None
    rows = view.to_components()
    buttons = [button for row in rows for button in row["components"]]
    assert [len(row["components"]) for row in rows] == [3, 5, 5, 5, 5]
    assert len({one["custom_id"] for one in buttons}) == len(buttons)
    assert all(1 <= len(one["label"]) <= 80 for one in buttons)


async def test_no_buttons_are_no_view() -> None:
    """The buttons before are taken away then."""
    assert view_of((), "en") is None


async def test_only_what_destroys_stands_beside_cancelling() -> None:
    """An undo needs no way out."""
    view = view_of([action()], "en")
    assert view is not None
    assert [one["label"] for row in view.to_components() for one in row["components"]] == ["Do"]


async def test_what_declines_leaves_no_second_way_out() -> None:
    """Two buttons that do nothing would make people wonder which one does."""
    keep = Action(label="Keep", command="forget", arguments={"cancel": YES}, declines=True)
    view = view_of([action(destroys=True), keep], "en")
    assert view is not None
    labels = [one["label"] for row in view.to_components() for one in row["components"]]
    assert labels == ["Do", "Keep"]


@pytest.mark.parametrize(
    ("number", "disabled"),
    [(0, [True, True, False]), (1, [False, True, False]), (2, [False, True, True])],
)
async def test_pages_are_turned_where_there_are_some(number: int, disabled: list[bool]) -> None:
    """Not before the first, not after the last; every button has an id of its own."""
    buttons = turns_of("mark", number, 3)
    assert [one.disabled for one in buttons] == disabled
    assert len({one.custom_id for one in buttons}) == 3
    for button, to in ((buttons[0], number - 1), (buttons[2], number + 1)):
        if not button.disabled:
            assert turn_in(str(button.custom_id)) == PageTurn(mark="mark", number=to)


@pytest.mark.parametrize("carried", ["page:mark:-1", "page::1", "page:mark:here", "/forget", ""])
def test_other_ids_turn_no_page(carried: str) -> None:
    """What was made otherwise is read otherwise."""
    assert turn_in(carried) is None
