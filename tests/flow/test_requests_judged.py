"""The harness for leaks tells for whom a request to a model was made, and what may stand in it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.harness.canaries import Canary
from tests.harness.given import Given, Seats, asked_in, has_no_seat, misgiven
from tests.harness.obedient import obedient
from tests.harness.stage import Stage, staged

TOLD = Canary(word="Zuqozuqo", topic="boat", language="en", who="bob", where="cellar")


@pytest.fixture
async def heard(tmp_path: Path) -> AsyncIterator[tuple[Stage, list[Given]]]:
    """A stage, and what its model was given of one talk in the cellar and one alone."""
    async with obedient() as model:
        given: list[Given] = []
        model.watched = given.append
        async with staged(tmp_path, model_url=model.url) as stage:
            await stage.says("bob", "cellar", TOLD.statement)
            await stage.says("bob", "dm", "what is my boat called?")
            yield stage, given


async def test_each_request_is_placed_and_holds_nothing_of_elsewhere(
    heard: tuple[Stage, list[Given]],
) -> None:
    """By the mark of its session, in whatever order they are looked at."""
    stage, given = heard
    seats = Seats(stage)
    placed = [(seats.of(one), TOLD.word in one.text) for one in reversed(given)]
    assert (("cellar", "bob"), True) in placed
    assert (("dm", "bob"), False) in placed
    assert {seat for seat, _ in placed} == {("cellar", "bob"), ("dm", "bob")}
    assert [misgiven(one, seats.of(one), [TOLD]) for one in given] == [[]] * len(given)


async def test_a_word_of_a_closed_room_in_a_request_for_another_is_told(
    heard: tuple[Stage, list[Given]],
) -> None:
    """Though it is for the same person, and the session's mark is the only sign of it."""
    stage, given = heard
    seats = Seats(stage)
    alone = next(one for one in given if seats.of(one) == ("dm", "bob"))
    leaking = replace(alone, text=f"{alone.text} {TOLD.word}")
    assert misgiven(leaking, seats.of(leaking), [TOLD]) == [TOLD]
    assert seats.of(replace(alone, mark="00000000")) is None


@pytest.mark.parametrize(
    ("words", "seat"),
    [
        ("<transcript a>\nRoom: discord:103\nLines:\n1. [x] Bob: y", ("cellar", "")),
        ("<transcript a>\nRoom: discord:dm-12\nLines:\n1. [x] Bob: y", ("dm", "bob")),
        ("<transcript a>\nPlace: discord, cellar\n1. [x] Bob: y", ("cellar", "")),
        ("<transcript a>\nPlace: discord, in private\n1. [x] Bob: y", ("dm", "bob")),
        ("<transcript a>\nPlace: web, in private\n1. [x] Zed: y", ("own", "zed")),
        ("<transcript a>\nPerson: Bob\n1. [discord, hall, Mon 2026-01-17] y", ("hall", "")),
        ("<transcript a>\nRoom: discord:999\nLines:\n1. [x] Bob: y", None),
        ("what is my boat called?", None),
    ],
)
async def test_what_is_read_or_summed_up_is_placed_by_its_room(
    heard: tuple[Stage, list[Given]], words: str, seat: tuple[str, str] | None
) -> None:
    """Such a request is of no session: the room stands in its first lines."""
    assert Seats(heard[0]).of(Given(words=words, text=words)) == seat


def test_statements_that_are_compared_are_for_one_audience() -> None:
    """They have no room, so one alone may be for anybody, and two only for the same."""
    other = replace(TOLD, word="Plyplyply", where="hall")
    words = "<statements a>\nNew, said by Bob: x\n1. [y] z"
    both = Given(words=words, text=f"{TOLD.word} {other.word}")
    assert has_no_seat(both)
    assert misgiven(both, None, [TOLD, other]) == [other]
    assert misgiven(replace(both, text=TOLD.word), None, [TOLD, other]) == []


async def test_a_branch_is_placed_by_the_turn_that_asked_it(tmp_path: Path) -> None:
    """It sees nothing of the talk but its question."""
    async with obedient() as model:
        given: list[Given] = []
        model.watched = given.append
        async with staged(tmp_path, model_url=model.url) as stage:
            await stage.says("bob", "dm", "search_history boat")
            branches = [one for one in given if asked_in("", one.mark) in one.words]
            assert branches
            assert {Seats(stage).of(one) for one in branches} == {("dm", "bob")}
