"""What the offline pet says to "what do you know about me?"."""

from dataclasses import replace

from bot.model.tool_values import Listed, ListedRow
from tests.unit.offline_talk import ENGLISH, Tools, ask, listed, recalled, row

ASKED = "what do you know about me?"


def _own(number: int, words: str) -> ListedRow:
    return row(f"id{number}", f"David: {words}", "1 day ago", "David")


def _known(*rows: ListedRow) -> Tools:
    values: dict[str, Listed] = {"known_of_asker": listed(*rows), "search_memories": listed()}
    return Tools(values={**values})


HOBBIES = [_own(number, f"I like sport number {number}") for number in range(8)]


async def test_name_home_and_work_come_first_and_the_rest_is_hinted_at() -> None:
    """However many other statements there are, and however late the main ones were made."""
    main = [_own(20, "I live in Bristol"), _own(21, "I work as a nurse")]
    told = await ask(ASKED, _known(*HOBBIES, *main, _own(22, "My name is David Mills")))
    lines = told.splitlines()
    assert lines[1:4] == [
        "David: My name is David Mills (1 day ago)",
        "David: I live in Bristol (1 day ago)",
        "David: I work as a nurse (1 day ago)",
    ]
    assert lines[-1] == ENGLISH.say("offline.more_about_you")


async def test_nothing_is_hinted_at_where_all_is_listed() -> None:
    """Six lines are all there are."""
    told = await ask(ASKED, _known(*HOBBIES[:6]))
    assert len(told.splitlines()) == 7
    assert "/what-do-you-know" not in told


async def test_what_was_recalled_earlier_does_not_stand_beside_what_is_kept_now() -> None:
    """A line recalled before may be corrected by now, and its age is that of then."""
    old = recalled("David: I live in Bath")
    told = await ask(ASKED, _known(_own(1, "I live in Bristol")), recalled=(old,))
    assert "Bath" not in told
    assert "Bristol (1 day ago)" in told


async def test_the_pets_own_reply_is_not_told_as_the_words_of_the_person() -> None:
    """Where an exchange is all that is recalled, the person's part of it is told."""
    exchange = recalled("I like chess → Got it, I'll remember that.", section="history")
    told = await ask(ASKED, recalled=(replace(exchange, age="yesterday"),))
    assert "I like chess (yesterday)" in told
    assert "→" not in told
    assert "Got it" not in told
