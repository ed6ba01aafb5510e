"""`/quiet-about` and `/talk-about`, as people use them in a lobby and alone."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.cast import DAVID, LEA, LOBBY, direct
from tests.flow.owning import Owner, owned

ALONE = direct(DAVID)


@pytest.fixture
async def owner(tmp_path: Path) -> AsyncIterator[Owner]:
    """A pet of its own."""
    async with owned(tmp_path, "en") as one:
        yield one


async def said(owner: Owner, command: str, topic: str = "", **where: object) -> str:
    """What a command answers David, in English."""
    given = {"topic": topic} if topic else {}
    answer = await owner.uses(command, locale="en", **given, **where)  # type: ignore[arg-type]
    return answer.text


async def test_a_topic_is_left_alone_until_it_is_taken_back(owner: Owner) -> None:
    """It is listed in between, once, however often it was said."""
    assert "nothing you asked me" in await said(owner, "quiet-about", where=ALONE)
    assert "my exams" in await said(owner, "quiet-about", "my exams", where=ALONE)
    await said(owner, "quiet-about", "My  Exams", where=ALONE)
    listed = await said(owner, "quiet-about", where=ALONE)
    assert listed.splitlines()[1:] == ["• my exams"]
    assert "again" in await said(owner, "talk-about", "MY exams", where=ALONE)
    assert "had not asked" in await said(owner, "talk-about", "my exams", where=ALONE)
    assert "nothing you asked me" in await said(owner, "quiet-about", where=ALONE)


async def test_it_is_one_persons_wish(owner: Owner) -> None:
    """Another one's list has nothing of it."""
    await said(owner, "quiet-about", "my exams", where=ALONE)
    assert "nothing" in await said(owner, "quiet-about", who=LEA, where=direct(LEA))


@pytest.mark.parametrize("topic", ["?!", "the", "x" * 200])
async def test_what_names_no_topic_is_not_taken(owner: Owner, topic: str) -> None:
    """A few words are needed that something can be about."""
    assert "in a few words" in await said(owner, "quiet-about", topic, where=ALONE)


async def test_who_is_forgotten_has_no_wishes_left(owner: Owner) -> None:
    """The list goes with the person."""
    await owner.hears("hello there", DAVID, LOBBY)
    await said(owner, "quiet-about", "my exams", where=ALONE)
    shown = await owner.uses("forget-me", where=ALONE, locale="en")
    (confirm,) = [one for one in shown.actions if one.destroys]
    given: dict[str, Any] = dict(confirm.arguments)
    await owner.uses(confirm.command, where=ALONE, locale="en", **given)
    rows = await owner.app.storage.quiet_topics.of(await owner.person())
    assert rows == []
