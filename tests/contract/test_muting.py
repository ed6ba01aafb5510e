"""Muting: what others said of a person is recalled no more at their wish, and stays their word."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from memory.forgetting.purge import Purge
from memory.model.audience import OPERATOR, Origin
from memory.model.authority import Actor, Mandate
from memory.model.errors import ForgottenBefore
from memory.model.forgetting import Kind
from memory.model.rooms import SpaceId, Visibility
from memory.model.statements import RowState
from memory.model.stores import Collection
from memory.rules.forgetting.erasure import KeptBecause
from memory.rules.forgetting.selector import Requester, Selector
from tests.cast import group, room_of
from tests.forgotten import (
    RUNNER,
    Household,
    dump,
    forgettings_on,
    holding,
    household,
    memory_ids,
)
from tests.storage import open_truth

SNORES = "Léa ronfle comme un tracteur"


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Household]:
    """David says something of Léa in the lobby, and Mickael hears it."""
    async with open_truth(tmp_path) as opened:
        yield await household(opened, "David", "Léa", "Mickael")


async def claim(home: Household, content: str = SNORES) -> UUID:
    """David's word about Léa."""
    said = await home.says("David", content)
    return await home.learns(content, said, said_by="David", about_person=home.people["Léa"].id)


async def test_what_others_said_of_one_is_muted_and_given_back(home: Household) -> None:
    """Nothing finds it, its words and message are kept, and an undo gives all of it back."""
    memory = await claim(home)
    tells = await home.talks(
        "Mickael", "et Léa ?", f"{SNORES}.", (Collection.MEMORY, memory, SNORES)
    )
    await home.storage.indexer.settle()
    before = await dump(home.storage.database)
    receipt = await home.forget.at_once(Selector(memories=memory_ids(memory)), home.asks("Léa"))
    assert receipt.counts[Kind.MUTED] == 1
    assert Kind.STATEMENTS not in receipt.counts
    assert Kind.MESSAGES not in receipt.counts
    assert await home.contents() == []
    assert await home.storage.memories.gone([memory], OPERATOR) == {memory: RowState.FORGOTTEN}
    tables = {"messages", "memories"}
    assert {*await holding(home.storage, "tracteur")} == {*tables, *(f"{t}_fts" for t in tables)}
    row = await home.storage.turns.by_id(tells.id, OPERATOR)
    assert row is not None
    assert "tracteur" not in f"{row.reply}{row.recalled}"
    await home.forget.undo(home.asks("Léa"))
    assert await home.contents() == [SNORES]
    assert await dump(home.storage.database) == before


async def test_a_preview_counts_what_is_muted_once(home: Household) -> None:
    """Not what is muted already; and others are not shown that there is such a thing."""
    await claim(home)
    everything = Selector(person=home.people["Léa"].id, about=True, erase=True)
    preview = await home.forget.preview(everything, home.asks("Léa"))
    assert preview.counts[Kind.MUTED] == 1
    others = await home.forget.preview(Selector(topic="tracteur"), home.asks("Mickael"))
    assert [(row.why, row.said_by) for row in others.kept] == [
        (KeptBecause.SAID_BY_OTHERS, "David")
    ]
    await home.forget.at_once(everything, home.asks("Léa"))
    assert Kind.MUTED not in (await home.forget.preview(everything, home.asks("Léa"))).counts
    others = await home.forget.preview(Selector(topic="tracteur"), home.asks("Mickael"))
    assert others.kept == ()


async def test_its_author_can_still_have_it_forgotten(home: Household) -> None:
    """It is their word: muted it is still theirs."""
    memory = await claim(home)
    await home.forget.at_once(Selector(memories=memory_ids(memory)), home.asks("Léa"))
    await home.forget.at_once(Selector(topic="tracteur"), home.asks("David"))
    assert await home.storage.count("memories", "content <> ''") == 0


async def test_it_is_not_learnt_again_from_the_same_words(home: Household) -> None:
    """A digest or a replay reads them once more; said anew, it is a new word of its author."""
    memory = await claim(home)
    said_at = home.storage.clock.now()
    home.storage.clock.advance(timedelta(minutes=1))
    await home.forget.at_once(Selector(memories=memory_ids(memory)), home.asks("Léa"))
    with pytest.raises(ForgottenBefore):
        await home.learns(SNORES, said_by="David", said_at=said_at)
    assert await home.contents() == []
    home.storage.clock.advance(timedelta(days=1))
    await home.learns(SNORES, said_by="David")
    assert await home.contents() == [SNORES]


async def test_a_purge_leaves_its_author_their_words(home: Household) -> None:
    """It stays muted: what ends is the undoing."""
    memory = await claim(home)
    receipt = await home.forget.at_once(Selector(memories=memory_ids(memory)), home.asks("Léa"))
    await Purge(forgettings_on(home.storage), home.storage.indexer.settle, []).now(
        receipt.id, RUNNER
    )
    assert await home.contents() == []
    assert await home.storage.count("memories", f"content = '{SNORES}'") == 1


async def test_a_name_mutes_nothing(home: Household) -> None:
    """Who takes the name of whom it is about is another person."""
    memory = await claim(home)
    await home.calls_themselves("Mickael", "Léa")
    for selector in (
        Selector(memories=memory_ids(memory)),
        Selector(person=home.people["Mickael"].id, about=True, erase=True),
    ):
        preview = await home.forget.preview(selector, home.asks("Mickael"))
        assert not {Kind.MUTED, Kind.STATEMENTS} & {*preview.counts}


async def test_a_manager_reaches_their_community_and_no_other(home: Household) -> None:
    """By command, over what anybody said there; nothing that is private or for everybody."""
    here, there = SpaceId("here"), SpaceId("there")
    asker = home.asks("Mickael", room_of(group("hall", space=here)))
    lea = home.people["Léa"].id
    kept = {
        name: await home.learns(f"Léa aime {name}", origin=replace(origin, person=lea))
        for name, origin in {
            "ici": Origin(visibility=Visibility.SPACE, space=here),
            "ailleurs": Origin(visibility=Visibility.SPACE, space=there),
            "seule": Origin(visibility=Visibility.PRIVATE, space=here),
            "tous": Origin(visibility=Visibility.EVERYONE, space=here),
        }.items()
    }
    manager = Actor(person=asker.person, mandate=Mandate.SPACE, space=here)
    for scope in (asker.scope, OPERATOR):
        selector = Selector(memories=memory_ids(*kept.values()))
        preview = await home.forget.preview(selector, Requester(scope=scope, actor=manager))
        assert [one.text for one in preview.samples] == ["Léa aime ici"]
