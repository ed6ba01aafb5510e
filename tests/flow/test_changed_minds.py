"""A decision that is taken back in one burst, and what else changes, in a whole pet."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from bot.llm.offline.model import OfflinePet
from memory.clock import FrozenClock
from memory.model.audience import OPERATOR
from tests.cast import CORNER, DAVID, LEA, NOON
from tests.flow.pet import Pet, ScriptedModel, awake, calls, responds

BURST = ("En fait", "j'ai changé d'avis", "on va utiliser MySQL à la place")
KEPT_BURST = (*BURST[:2], f"retiens qu'{BURST[2]}")


async def holds(pet: Pet) -> list[str]:
    """What is recalled, oldest first."""
    rows = await pet.storage.memories.latest(None, OPERATOR, 50)
    return [row.content for row in reversed(rows)]


async def ties(pet: Pet) -> list[tuple[str, str, str]]:
    """Who takes whose place or disagrees with whom."""
    rows = await pet.storage.database.all(
        "SELECT a.content AS one, t.relation AS tie, b.content AS other FROM associations AS t"
        " JOIN memories AS a ON a.id = t.from_id JOIN memories AS b ON b.id = t.to_id"
        " WHERE t.relation IN ('updates', 'contradicts') ORDER BY t.seq"
    )
    return [(row["one"], row["tie"], row["other"]) for row in rows]


async def bursts(pet: Pet, texts: Sequence[str]) -> None:
    """One person writes several messages that become one turn."""
    for text in texts:
        await pet.hears(text, DAVID, CORNER)
    await pet.answers()


def offline(clock: FrozenClock) -> ScriptedModel:
    """The pet that thinks by rules, where a scripted one would stand."""
    return cast("ScriptedModel", OfflinePet(clock, ZoneInfo("Europe/Paris"), ("Eko",)))


@pytest.mark.parametrize(
    ("decided", "corrected", "left"),
    [
        ("retiens qu'on va utiliser PostgreSQL pour le projet", KEPT_BURST, BURST[2]),
        ("retiens qu'on utilise PostgreSQL", KEPT_BURST, BURST[2]),
        (
            "retiens qu'on part sur PostgreSQL pour la base",
            ("retiens que finalement on prend plutôt MySQL",),
            "on prend plutôt MySQL",
        ),
        (
            "remember that we'll use PostgreSQL for the project",
            ("on second thought", "remember that we'll use MySQL instead"),
            "we'll use MySQL instead",
        ),
        (
            "remember that we decided to use PostgreSQL",
            ("actually", "I changed my mind", "remember that we're going with MySQL"),
            "we're going with MySQL",
        ),
    ],
)
async def test_the_offline_pet_takes_a_decision_back_in_one_turn(
    tmp_path: Path, decided: str, corrected: Sequence[str], left: str
) -> None:
    """However the burst is cut, what held is history and only what holds is recalled."""
    clock = FrozenClock(NOON)
    async with awake(tmp_path, model=offline(clock), clock=clock) as pet:
        await bursts(pet, [decided])
        assert len(await holds(pet)) == 1
        clock.advance(timedelta(days=3))
        await bursts(pet, corrected)
        assert len(await holds(pet)) == 1
        assert left in (await holds(pet))[0]
        assert [(tie, "PostgreSQL" in other) for _, tie, other in await ties(pet)] == [
            ("updates", True)
        ]
        assert await pet.storage.count("turns", "error IS NULL") == 2


async def test_what_was_replaced_is_not_learnt_again_from_its_message(tmp_path: Path) -> None:
    """The talk is read once it falls silent, when the decision was taken back in it already."""
    clock = FrozenClock(NOON)
    async with awake(tmp_path, model=offline(clock), clock=clock) as pet:
        await bursts(pet, ["retiens qu'on va utiliser PostgreSQL pour le projet"])
        await bursts(pet, KEPT_BURST)
        assert await pet.storage.count("memories") == 2
        await pet.falls_silent()
        await pet.learns()
        assert await pet.storage.count("memories") == 2
        assert len(await ties(pet)) == 1


async def test_a_model_need_not_say_that_it_is_a_correction(tmp_path: Path) -> None:
    """Its plain statement is read beside what the person wrote, and it hears what was replaced."""
    async with awake(tmp_path) as pet:
        pet.model.will(keeps("Le projet utilise PostgreSQL"), responds("ok"))
        await bursts(pet, ["on utilise PostgreSQL pour le projet"])
        pet.model.will(keeps("Le projet utilise MySQL"), responds("ok"))
        await bursts(pet, BURST)
        assert pet.model.results[-1].endswith("It takes the place of: Le projet utilise PostgreSQL")
        assert await holds(pet) == ["Le projet utilise MySQL"]
        await pet.storage.indexer.settle()
        injected = await pet.asked("le projet utilise quoi ?", LEA)
        assert "MySQL" in injected
        assert "Le projet utilise PostgreSQL" not in injected


async def test_without_a_correction_two_tools_are_used(tmp_path: Path) -> None:
    """A project has a database and a chat."""
    async with awake(tmp_path) as pet:
        pet.model.will(keeps("Le projet utilise PostgreSQL"), responds("ok"))
        await bursts(pet, ["on utilise PostgreSQL"])
        pet.model.will(keeps("Le projet utilise Slack"), responds("ok"))
        await bursts(pet, ["on utilise aussi Slack"])
        assert await holds(pet) == ["Le projet utilise PostgreSQL", "Le projet utilise Slack"]
        assert await ties(pet) == []


async def test_where_nobody_can_tell_what_was_meant_all_stay(tmp_path: Path) -> None:
    """Tied, so that one is not told without the other."""
    async with awake(tmp_path) as pet:
        for tool in ("Trello", "Fedora"):
            pet.model.will(keeps(f"Le projet utilise {tool}"), responds("ok"))
            await bursts(pet, [f"on utilise {tool}"])
        pet.model.will(keeps("Le projet utilise Gnorp"), responds("ok"))
        await bursts(pet, ["en fait", "on utilise Gnorp à la place"])
        assert len(await holds(pet)) == 3
        assert sorted(await ties(pet)) == [
            ("Le projet utilise Gnorp", "contradicts", "Le projet utilise Fedora"),
            ("Le projet utilise Gnorp", "contradicts", "Le projet utilise Trello"),
        ]


@pytest.mark.parametrize(
    ("said", "replaced"),
    [
        ("on utilise Gnorp à la place de Trello", "Trello"),
        ("en fait on utilise Postgres", "MySQL"),
        ("finalement on utilise Gnorp pour les tâches", "Trello"),
    ],
)
async def test_what_tells_them_apart_is_used(tmp_path: Path, said: str, replaced: str) -> None:
    """A name, a thing of the same kind, the purpose."""
    async with awake(tmp_path) as pet:
        for text in ("Le projet utilise Trello pour les tâches", "Le projet utilise MySQL"):
            pet.model.will(keeps(text), responds("ok"))
            await bursts(pet, ["bonne nouvelle"])
        pet.model.will(keeps(said), responds("ok"))
        await bursts(pet, [said])
        assert [replaced in other for _, _, other in await ties(pet)] == [True]
        assert len(await holds(pet)) == 2


async def test_what_is_no_longer_used_is_denied(tmp_path: Path) -> None:
    """And nothing else with it."""
    async with awake(tmp_path) as pet:
        for text in ("On va utiliser PostgreSQL pour le projet", "On utilise Slack"):
            pet.model.will(keeps(text), responds("ok"))
            await bursts(pet, [text])
        pet.model.will(keeps("On n'utilise plus PostgreSQL"), responds("ok"))
        await bursts(pet, ["on n'utilise plus PostgreSQL"])
        assert await holds(pet) == ["On utilise Slack", "On n'utilise plus PostgreSQL"]
        assert [tie for _, tie, _ in await ties(pet)] == ["contradicts"]


def keeps(content: str, kind: str = "decision", **fields: Any) -> Any:
    """A model that keeps one statement."""
    return calls(("store_memory", {"content": content, "memory_type": kind, **fields}))
