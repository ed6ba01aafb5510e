"""What a preview of a forgetting shows of rooms that keep their words: what is said there stays."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from memory.model.audience import Origin
from memory.model.forgetting import Kind
from memory.model.knowledge import KnowledgeKind
from memory.model.rooms import Room, SpaceId, Visibility
from memory.rules.forgetting.receipt import Preview
from memory.rules.forgetting.selector import Selector
from tests.cast import DAVID, direct, group, room_of
from tests.forgotten import RUNNER, Household, household, words_of
from tests.storage import open_truth

CELLAR = room_of(group("cellar"), confidential=True)
ABROAD = room_of(group("abroad", space=SpaceId("abroad")))
ALONE = room_of(direct(DAVID))

TOPIC = Selector(topic="levain")


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Household]:
    """David and Léa, with new tables, a closed room and one of another community."""
    async with open_truth(tmp_path) as opened:
        home = await household(opened, "David", "Léa")
        for room in (CELLAR, ABROAD, ALONE):
            await opened.people.keep_room(room)
        yield home


async def told_in(home: Household, room: Room) -> None:
    """David speaks of sourdough there, is answered, and all of it is kept."""
    david = home.people["David"].id
    origin = Origin(visibility=room.visibility, person=david, room=room.id, space=room.space)
    said = await home.says("David", "mon levain est dans la cave", room=room)
    await home.learns("David a un levain à la cave", said, said_by="David", origin=origin)
    await home.talks("David", "mon levain ?", "Le levain de Léa s'appelle Hector.", room=room)
    told = "David a parlé de levain ; celui de Léa s'appelle Hector."
    await home.notes(told, KnowledgeKind.SUMMARY, david, origin)


async def shown(home: Household, room: Room) -> Preview:
    """What David is shown where he asks."""
    return await home.forget.preview(TOPIC, home.asks("David", room))


async def test_what_was_said_in_a_closed_room_is_counted_elsewhere_and_not_shown(
    home: Household,
) -> None:
    """Not even to its author: neither their words, nor what was learnt, answered or summed up."""
    await told_in(home, CELLAR)
    preview = await shown(home, ALONE)
    assert words_of(preview.samples) == []
    assert preview.counts[Kind.MESSAGES] == 3
    assert {Kind.EXCHANGES, Kind.STATEMENTS, Kind.SUMMARIES} <= {*preview.counts}


async def test_in_the_closed_room_all_of_it_is_shown(home: Household) -> None:
    """To its author there, and to the operator anywhere."""
    await told_in(home, CELLAR)
    here = words_of((await shown(home, CELLAR)).samples)
    assert here == words_of((await home.forget.preview(TOPIC, RUNNER)).samples)
    assert "mon levain est dans la cave" in here
    assert "David a parlé de levain ; celui de Léa s'appelle Hector." in here


async def test_of_another_community_own_words_are_shown_and_no_others(home: Household) -> None:
    """What the pet said or summed up there may be what others told it."""
    await told_in(home, ABROAD)
    preview = await shown(home, ALONE)
    own = ["David a un levain à la cave", "mon levain ?", "mon levain est dans la cave"]
    assert sorted({*words_of(preview.samples)}) == own


async def test_a_reply_whose_question_is_gone_is_shown_within_its_scope_alone(
    home: Household,
) -> None:
    """There are no words of the asker to show in its place."""
    await home.talks("David", "", "Le levain de Léa s'appelle Hector.", room=ABROAD)
    assert words_of((await shown(home, ALONE)).samples) == []
    assert words_of((await shown(home, ABROAD)).samples) == ["Le levain de Léa s'appelle Hector."]


async def test_a_summary_that_carries_what_was_said_elsewhere_is_not_shown(
    home: Household,
) -> None:
    """Whoever may know the talk need not know all that it repeats."""
    told = "David a parlé de levain."
    origin = Origin(visibility=Visibility.PRIVATE, person=home.people["David"].id)
    await home.notes(told, KnowledgeKind.SUMMARY, home.people["David"].id, origin)
    assert words_of((await shown(home, ALONE)).samples) == [told]
    await home.storage.database.write(
        lambda transaction: transaction.run(
            "UPDATE knowledge SET carries = :carries", {"carries": f'["room:{CELLAR.id}"]'}
        )
    )
    assert words_of((await shown(home, ALONE)).samples) == []
