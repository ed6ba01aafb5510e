"""What was forgotten is not learned again, unless somebody says it anew."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

import pytest

from memory.model.audience import space_audience
from memory.model.errors import ForgottenBefore
from memory.model.rooms import HOME
from memory.model.statements import MemoryId
from memory.rules.forgetting.selector import Selector
from memory.rules.forgetting.tombstones import IncomingText
from memory.storage.forgotten.value_marks import IncomingRefusals
from tests.cast import NOON, PLATFORM
from tests.forgotten import RUNNER, Household, household
from tests.storage import arrival, open_truth, statement

SECRET = "David cache une clé sous le pot de basilic"


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Household]:
    """David, with new tables; his secret is told and forgotten an hour later."""
    async with open_truth(tmp_path) as opened:
        home = await household(opened, "David")
        said = await home.says("David", "la clé est sous le pot de basilic", external_id="k1")
        await home.learns(SECRET, said)
        home.storage.clock.advance(timedelta(hours=1))
        await home.forget.at_once(Selector(topic="basilic"), RUNNER)
        home.storage.clock.advance(timedelta(hours=1))
        yield home


async def refuses(home: Household, text: str, *, hours: float | None = 0) -> bool:
    """Whether a text said so many hours after noon is refused; None for nobody knows when."""
    at = None if hours is None else NOON + timedelta(hours=hours)
    said = IncomingText(text=text, audience=space_audience(HOME), at=at)
    return (await IncomingRefusals(home.storage.database).refuses([said]))[0]


async def test_the_same_words_are_known_again(home: Household) -> None:
    """Whatever their case and signs; a note's too, whose moment nobody knows."""
    assert await refuses(home, SECRET)
    assert await refuses(home, f"{SECRET.upper()} !")
    assert await refuses(home, SECRET, hours=None)


async def test_what_says_the_same_in_other_words_is_known_again(home: Household) -> None:
    """Most of its words and little else."""
    assert await refuses(home, "La clé cachée de David : sous le pot, au basilic")
    assert not await refuses(home, "David a un pot de miel sous la table de la cuisine")
    assert not await refuses(home, "Le basilic aime le soleil")


async def test_what_is_said_again_afterwards_is_not_refused(home: Household) -> None:
    """Nor what was said elsewhere."""
    assert not await refuses(home, SECRET, hours=1.5)
    elsewhere = IncomingText(text=SECRET, audience=space_audience("guild"), at=NOON)  # type: ignore[arg-type]
    assert await IncomingRefusals(home.storage.database).refuses([elsewhere]) == [False]


async def test_a_recording_brings_nothing_back(home: Household) -> None:
    """Neither under the ids it had nor under others; a row without words is kept of it."""
    again = arrival("la clé est sous le pot de basilic", "k1")
    other = replace(again, external_id="other")
    fresh = replace(again, external_id="fresh", text="le chat dort")
    ids = await home.storage.messages.accept([again, other, fresh])
    assert [id_ is None for id_ in ids] == [True, True, False]
    assert await home.storage.count("messages", "text LIKE '%basilic%'") == 0
    assert await home.storage.messages.forgotten_among([again, other, fresh]) == 2
    assert await home.storage.count("live_messages") == 1


async def test_a_statement_from_before_is_not_stored(home: Household) -> None:
    """Told again later it is."""
    old = statement(SECRET, said_at=NOON, id=MemoryId(uuid5(NAMESPACE_URL, "old")))
    with pytest.raises(ForgottenBefore, match="was forgotten"):
        await home.storage.remember.store(old)
    assert await home.contents() == []
    assert (await home.storage.remember.store(statement(SECRET))).is_new
    assert await home.contents() == [SECRET]


async def test_it_holds_no_text(home: Household) -> None:
    """Not even stems."""
    rows = await home.storage.database.all("SELECT * FROM tombstones")
    assert rows
    assert not any("basilic" in repr(tuple(row)).lower() for row in rows)


async def test_a_message_taken_back_is_no_tombstone(home: Household) -> None:
    """Its author may say it again, and others may have said it before."""
    await home.says("David", "le vélo rouge est volé", external_id="v1")
    count = await home.storage.count("tombstones")
    await home.storage.messages.withdraw(PLATFORM, "v1")
    assert await home.storage.count("tombstones") == count


async def test_a_line_from_before_that_holds_a_forgotten_value_is_refused(home: Household) -> None:
    """Though it says little else of it: a log, a note, somebody's question."""
    said = await home.says("David", "le code du portail est 7391-KX", external_id="k2")
    await home.learns("Le code du portail de David est 7391-KX", said)
    home.storage.clock.advance(timedelta(hours=1))
    await home.forget.at_once(Selector(topic="portail"), RUNNER)
    assert await refuses(home, "journal : 7391-KX refusé trois fois hier soir")
    assert await refuses(home, "journal : 7391-KX refusé trois fois hier soir", hours=None)
    assert not await refuses(home, "journal : 7392-KX refusé trois fois hier soir")
    assert not await refuses(home, "journal : 7391-KX refusé trois fois hier soir", hours=9)
