"""Commands that are typed in messages and pressed under them, by the names that menus have."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.button_data import CANCEL, ButtonRules, line_in, turn_carried, turn_in
from bot.commands.menu_names import menu_name, menu_names, respelt
from bot.commands.message_commands import MessageCommands, MessageCommandUse
from bot.commands.syntax import YES
from bot.model.commands import Action, Answer
from bot.model.events import RoomRef
from bot.platforms.paged_answer import AnswerPage, PagedAnswers
from bot.platforms.pages import PageStore
from bot.texts.catalogue import languages, say
from memory.clock import FrozenClock
from tests.cast import LEA, LOBBY, NOON, direct
from tests.table import real_table
from tests.web.served_page import GivenAnswers

TABLE = real_table()
BUTTONS = ButtonRules(longest_carried=64, most_actions=3)
IN_MENUS = re.compile(r"[a-z0-9_]{1,32}")


def commands_on(answers: GivenAnswers, longest_page: int = 200) -> MessageCommands:
    """Commands whose answers a test gives."""
    pages = PagedAnswers(PageStore(FrozenClock(NOON)), BUTTONS.split, longest_page)
    return MessageCommands(answers, pages, username="eko_bot")


def use(where: RoomRef | None = None, *, file_limit: int = 0) -> MessageCommandUse:
    """Something that Léa typed or pressed, alone with the pet unless it is said."""
    room = direct(LEA) if where is None else where
    return MessageCommandUse(
        external_id="7", room=room, author=LEA, locale="en", file_limit=file_limit
    )


@pytest.mark.parametrize("locale", languages())
def test_every_command_has_a_name_of_its_own_in_menus(locale: str) -> None:
    """Of the signs that they take, and it leads to the command, also behind the pet's name."""
    named = menu_names(TABLE, locale)
    assert len(named) == len(TABLE)
    for called, command in named.items():
        assert IN_MENUS.fullmatch(called)
        assert respelt(f"/{called}", TABLE) == f"/{command.name}"
        assert respelt(f"/{called}@Eko_Bot le chat", TABLE, "eko_bot") == f"/{command.name} le chat"


@pytest.mark.parametrize(
    "text",
    ["bonjour", "/", "//forget_me", "/forget_me@other_bot", "/unheard_of x", " /forget_me", "/é"],
)
def test_what_calls_none_of_them_stays_as_it_is(text: str) -> None:
    """Other programs' commands too, and what only stands among words."""
    assert respelt(text, TABLE, "eko_bot") == text


@given(st.text(max_size=60))
def test_names_in_menus_have_nothing_but_what_is_taken(name: str) -> None:
    """Whatever they are made of, and twice is as once."""
    made = menu_name(name)
    assert re.fullmatch(r"(?:[a-z0-9]+(?:_[a-z0-9]+)*)?", made)
    assert menu_name(made) == made


@given(st.text(max_size=80), st.integers(1, 80))
def test_a_button_carries_what_it_means_or_is_none(token: str, longest: int) -> None:
    """In bytes, as services count them."""
    made = Action(label="x", command="forget", arguments={"confirm": YES, "token": token})
    carried = ButtonRules(longest_carried=longest, most_actions=1).carried_by(made)
    if carried is not None:
        assert len(carried.encode("utf-8", "surrogatepass")) <= longest
        line = line_in(carried, TABLE)
        assert line is not None
        assert (line.name, line.arguments) == ("forget", made.arguments)


@given(st.text(max_size=60))
def test_what_was_carried_is_read_or_refused(carried: str) -> None:
    """It comes back from outside, and need not be what was given out."""
    turn_in(carried)
    line = line_in(carried, TABLE)
    assert line is None or line.command is not None


def test_a_line_is_a_command_only_with_all_that_it_needs() -> None:
    """What is mistyped is a message, to which the pet says what it takes."""
    commands = commands_on(GivenAnswers())
    line = commands.line_in("/forget_me@eko_bot")
    assert line is not None
    assert line.name == "forget-me"
    for text in ("/memory", "/forgett x", "bonjour", "/forget_me@other"):
        assert commands.line_in(text) is None


async def typed(answers: GivenAnswers, where: RoomRef | None = None) -> AnswerPage | None:
    """The answer to a command that needs nothing."""
    commands = commands_on(answers)
    line = commands.line_in("/usage") or commands.line_in("/why")
    assert line is not None
    return await commands.typed(use(where, file_limit=9), line)


async def test_an_answer_is_private_where_two_are_alone() -> None:
    """Files too are given there alone; the use is known by its id."""
    answers = GivenAnswers(answer=Answer(text="voilà"))
    for where, is_private in ((None, True), (LOBBY, False)):
        page = await typed(answers, where)
        assert page is not None
        assert page.content == "voilà"
        invoked = answers.called[-1]
        assert (invoked.external_id, invoked.private) == ("7", is_private)
        assert invoked.takes_files is is_private


async def test_one_that_was_taken_before_is_not_answered_and_a_hurried_one_is_told() -> None:
    """Neither is done."""
    assert await typed(GivenAnswers()) is None
    hurried = GivenAnswers(answer=Answer(text="voilà"), busy=True)
    page = await typed(hurried)
    assert page is not None
    assert page.content == say("rates.command_refused", "en")
    assert hurried.called == []


async def test_pages_are_turned_by_who_asked_and_known_for_a_while() -> None:
    """Another account, or a store that has begun anew, leads nowhere, and says so."""
    lines = "\n".join(f"ligne {number}" for number in range(80))
    commands = commands_on(GivenAnswers(answer=Answer(text=lines)))
    line = commands.line_in("/why")
    assert line is not None
    first = await commands.typed(use(), line)
    assert first is not None
    assert first.turn is not None
    assert first.count > 1
    carried = turn_carried(first.turn.mark, 1)
    assert len(carried.encode()) <= BUTTONS.longest_carried
    second = await commands.pressed(use(), carried)
    assert second is not None
    assert second.content != first.content
    gone = await commands_on(GivenAnswers()).pressed(use(), carried)
    assert gone is not None
    assert gone.content == say("command.pages_gone", "en")


@pytest.mark.parametrize(
    ("carried", "told"),
    [(CANCEL, "command.cancelled"), ("unheard of", "command.button_gone")],
)
async def test_a_button_that_does_nothing_says_so(carried: str, told: str) -> None:
    """Without buttons under it."""
    page = await commands_on(GivenAnswers()).pressed(use(), carried)
    assert page == AnswerPage(content=say(told, "en"), locale="en")


async def test_a_button_calls_its_command() -> None:
    """With what it carries."""
    answers = GivenAnswers(answer=Answer(text="fait"))
    made = Action(label="x", command="forget", arguments={"confirm": YES, "token": "t1"})
    carried = BUTTONS.carried_by(made)
    assert carried is not None
    page = await commands_on(answers).pressed(use(), carried)
    assert page is not None
    assert page.content == "fait"
    assert answers.called[0].arguments == {"confirm": YES, "token": "t1"}
