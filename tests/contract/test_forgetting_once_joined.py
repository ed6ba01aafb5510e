"""What was forgotten before two people became one stays so, or is given back to the one person."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.model.audience import Origin
from memory.model.errors import ForgottenBefore
from memory.model.messages import Arrival, Handling
from memory.model.people import PersonId
from memory.model.rooms import Visibility
from memory.rules.forgetting.receipt import ForgettingState, NothingToConfirm
from memory.rules.forgetting.selector import Selector
from tests.cast import DAVID, direct, room_of
from tests.forgotten import Household, holding, household
from tests.linked import linking_on
from tests.storage import open_truth, statement

ALONE = room_of(direct(DAVID))
HOUR = timedelta(hours=1)


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Household]:
    """David, who is Dav as well, with new tables."""
    async with open_truth(tmp_path) as opened:
        await opened.people.keep_room(ALONE)
        yield await household(opened, "David", "Dav")


async def join(home: Household) -> None:
    """Dav is David from now on."""
    linking = linking_on(home.storage)
    code = await linking.offer(home.people["David"].id, "chat:david")
    await linking.join(code, home.people["Dav"].id, "chat:dav")


def all_of(person: PersonId) -> Selector:
    """What `/forget-me` takes."""
    return Selector(person=person, about=True, erase=True)


async def observed(home: Household) -> bool:
    """Whether the one person is observed."""
    return bool(await home.storage.count("people", "merged_into IS NULL AND observed"))


async def test_what_the_merged_person_forgot_can_be_given_back_to_the_one_they_are(
    home: Household,
) -> None:
    """All of it is theirs then, and for them alone."""
    dav, david = home.people["Dav"].id, home.people["David"].id
    alone = Origin(visibility=Visibility.PRIVATE, person=dav, room=ALONE.id)
    told = await home.says("Dav", "mon levain dort", room=ALONE)
    await home.learns("Dav nourrit un levain", told, origin=alone, about_person=dav)
    await home.talks("Dav", "mon levain a débordé", "Pauvre levain !")
    await home.forget.at_once(Selector(topic="levain"), home.asks("Dav", ALONE))
    assert await holding(home.storage, "levain") == []
    await join(home)
    undone = await home.forget.undo(home.asks("David", ALONE))
    assert undone.changed_since == 0
    found = {"messages", "messages_fts", "memories", "memories_fts", "turns", "turns_fts"}
    assert found <= set(await holding(home.storage, "levain"))
    assert await home.storage.count("memories", f"audience = 'person:{david}'") == 1
    assert await home.storage.count("messages", f"person_id = '{david}'") == 3
    for table in ("messages", "turns", "memories"):
        assert await home.storage.count(table, f"person_id = '{dav}'") == 0


async def test_what_was_only_asked_for_must_be_asked_for_anew(home: Household) -> None:
    """Of either: it would take other rows than were shown."""
    await home.says("Dav", "mon levain dort")
    await home.says("David", "mon vélo dort")
    for name in ("Dav", "David"):
        selector = all_of(home.people[name].id)
        assert (await home.forget.ask(selector, home.asks(name), [])).token
    await join(home)
    with pytest.raises(NothingToConfirm):
        await home.forget.confirm(home.asks("David"))
    assert await home.storage.count("forgettings") == 0
    assert await holding(home.storage, "levain") != []


async def test_giving_one_back_takes_no_more_than_a_later_one_did(home: Household) -> None:
    """The merged person's `/forget-me` holds for their words still, and for none of the other's."""
    await home.says("Dav", "mon levain dort")
    first = await home.forget.at_once(Selector(topic="levain"), home.asks("Dav"))
    later = all_of(home.people["Dav"].id)
    await home.forget.at_once(later, home.asks("Dav"))
    await home.says("David", "mon vélo dort")
    await join(home)
    await home.forget.undo(home.asks("David"), first.id)
    assert await holding(home.storage, "levain") == []
    assert "messages" in await holding(home.storage, "vélo")
    assert await home.storage.count("messages", "author = 'David'") == 1


async def test_an_undo_gives_a_husk_no_name_again(home: Household) -> None:
    """The words are back, and the name stands only where it is the one person's."""
    await home.says("Dav", "mon levain dort")
    await home.forget.at_once(all_of(home.people["Dav"].id), home.asks("Dav"))
    await join(home)
    await home.forget.undo(home.asks("David"))
    assert await holding(home.storage, "levain") != []
    assert set(await holding(home.storage, "'Dav'")) == {"aliases", "identities", "messages"}
    await home.forget.at_once(all_of(home.people["David"].id), home.asks("David"))
    assert await holding(home.storage, "'Dav'") == []


@pytest.mark.parametrize("opts_out", [True, False])
async def test_an_undo_takes_back_no_wish_of_the_merged_person(
    home: Household, *, opts_out: bool
) -> None:
    """Somebody who was not to be observed is not, whatever the other's `/forget-me` had changed."""
    await home.says("David", "mon vélo dort")
    await home.storage.people.observe(home.people["Dav"].id, observed=not opts_out)
    await home.forget.at_once(all_of(home.people["David"].id), home.asks("David"))
    await join(home)
    assert not await observed(home)
    await home.forget.undo(home.asks("David"))
    assert await observed(home) is not opts_out
    assert "messages" in await holding(home.storage, "vélo")


@pytest.mark.parametrize("under", ["David", "Dav"])
async def test_what_either_had_forgotten_is_not_learned_again(home: Household, under: str) -> None:
    """Nor under the emptied id, by whoever held it while they were joined."""
    said = home.storage.clock.now()
    alone = Origin(visibility=Visibility.PRIVATE, person=home.people["Dav"].id, room=ALONE.id)
    await home.says("Dav", "mon levain sent la poire mûre", room=ALONE)
    await home.learns("le levain de Dav sent la poire mûre", origin=alone)
    home.storage.clock.advance(HOUR)
    await home.forget.at_once(Selector(topic="levain"), home.asks("Dav", ALONE))
    await join(home)
    again = statement(
        "le levain de Dav sent la poire mûre",
        origin=replace(alone, person=home.people[under].id),
        said_at=said,
    )
    with pytest.raises(ForgottenBefore):
        await home.storage.remember.store(again)
    assert await holding(home.storage, "poire") == []


@pytest.mark.parametrize("name", ["David", "Dav"])
async def test_a_message_that_was_forgotten_does_not_come_in_again(
    home: Household, name: str
) -> None:
    """From a recording, say, by either account."""
    said = home.storage.clock.now()
    await home.says("Dav", "mon levain sent la poire mûre", room=ALONE)
    home.storage.clock.advance(HOUR)
    await home.forget.at_once(Selector(topic="levain"), home.asks("Dav", ALONE))
    await join(home)
    again = Arrival(
        platform="recording",
        external_id="r1",
        room=ALONE,
        author=name,
        person=home.people[name].id,
        text="mon levain sent la poire mûre",
        sent_at=said,
        handling=Handling.KEPT,
    )
    assert await home.storage.messages.accept([again]) == [None]
    assert await holding(home.storage, "poire") == []


async def test_a_receipt_names_the_one_person(home: Household) -> None:
    """Whoever runs the pet sees who asked for it."""
    await home.says("Dav", "mon levain dort")
    first = await home.forget.at_once(Selector(topic="levain"), home.asks("Dav"))
    await join(home)
    receipt = await home.forget.receipt(first.id)
    assert receipt is not None
    assert (receipt.person, receipt.state) == (home.people["David"].id, ForgettingState.FORGOTTEN)
