"""The latest word holds, whatever order it is learnt in, and what held is known with its time."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from memory.learning.judging import Case, RuleJudge
from memory.learning.store import Stored
from memory.model.audience import OPERATOR, Origin, Scope, audience_of
from memory.model.authority import BY_OPERATOR
from memory.model.listing import HeldStatement
from memory.model.rooms import SpaceId, Visibility
from memory.model.statements import MemoryId, MemoryType, NewMemory, Relation
from memory.model.stores import Store
from memory.rules.comparison import Verdict
from memory.storage.statements.history import History
from tests.cast import NOON
from tests.forgotten import forget_one, forgetting_on
from tests.storage import StorageParts, open_truth, statement

PARIS, LYON, NICE = "David habite à Paris", "David lives in Lyon", "David a déménagé à Nice"
GUILD = Origin(visibility=Visibility.SPACE, space=SpaceId("guild"))


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """Empty tables."""
    async with open_truth(tmp_path) as opened:
        yield opened


def day(number: int) -> datetime:
    """A day counted from the first one."""
    return NOON + timedelta(days=number)


def said(content: str, on: int, **fields: Any) -> NewMemory:
    """A statement made on a day."""
    return statement(content, said_at=day(on), **fields)


async def learns(storage: StorageParts, *news: NewMemory, **options: Any) -> list[Stored]:
    """Remember these in one call, as a digest remembers a chunk."""
    plans = await storage.remember.plan(news, **options)

    async def work(transaction: Any) -> list[Stored]:
        return [await storage.remember.apply(transaction, plan, BY_OPERATOR) for plan in plans]

    return await storage.database.write(work)


async def holding(storage: StorageParts, scope: Scope = OPERATOR) -> list[str]:
    """What holds now."""
    return sorted(row.content for row in await storage.memories.latest(None, scope, 50))


async def held_on(storage: StorageParts, number: float, scope: Scope = OPERATOR) -> list[str]:
    """What held on a day."""
    at = NOON + timedelta(days=number)
    lifetimes = History(storage.database, storage.clock)
    return sorted(row.content for row in await lifetimes.as_of(at, None, scope, 50))


async def history(
    storage: StorageParts, memory: MemoryId, scope: Scope = OPERATOR
) -> list[HeldStatement]:
    """What took whose place."""
    return await History(storage.database, storage.clock).history(memory, scope)


async def test_what_held_is_known_with_the_time_it_held(storage: StorageParts) -> None:
    """From when it was said until what took its place was said, whenever it was stored."""
    for number, content in ((1, PARIS), (10, LYON), (20, NICE)):
        storage.clock.advance(timedelta(days=40))
        await storage.remember.store(said(content, number))
    assert await holding(storage) == [NICE]
    assert await held_on(storage, 0.9) == []
    assert await held_on(storage, 1) == await held_on(storage, 9.9) == [PARIS]
    assert await held_on(storage, 10) == [LYON]
    assert await held_on(storage, 30) == [NICE]


@pytest.mark.parametrize(
    "order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
)
@pytest.mark.parametrize("at_once", [True, False])
async def test_the_order_of_learning_changes_nothing(
    storage: StorageParts, order: Sequence[int], *, at_once: bool
) -> None:
    """A digest, an import or a backfill may come late: what was said last holds."""
    news = [said(PARIS, 1), said(LYON, 10), said(NICE, 20)]
    shuffled = [news[place] for place in order]
    if at_once:
        await learns(storage, *shuffled)
    else:
        for new in shuffled:
            await storage.remember.store(new)
    assert await holding(storage) == [NICE]
    assert await held_on(storage, 5) == [PARIS]
    assert await held_on(storage, 15) == [LYON]
    await storage.indexer.settle()
    assert len(await storage.index.ids(Store.MEMORY.collection)) == 1


async def test_two_versions_in_one_call_are_compared_with_each_other(storage: StorageParts) -> None:
    """The later takes the place, said twice is once, and an old row is not replaced twice."""
    await storage.remember.store(said(PARIS, 0))
    stored = await learns(storage, said(LYON, 1), said(NICE, 2), said(NICE, 3), said(PARIS, 4))
    assert [one.is_new for one in stored] == [True, True, False, True]
    assert await holding(storage) == [PARIS]
    assert [held.memory.content for held in await history(storage, stored[0].id)] == [
        PARIS,
        LYON,
        NICE,
        PARIS,
    ]
    assert await storage.count("associations", "relation = 'updates'") == 3


async def test_what_one_call_repeats_of_a_plan_that_came_to_nothing_is_kept(
    storage: StorageParts,
) -> None:
    """A message may be taken back between the two."""
    plans = await storage.remember.plan(
        [said("David aime le thé", 1), said("David aime le thé", 2)]
    )
    assert plans[1].known is not None

    async def work(transaction: Any) -> Stored:
        return await storage.remember.apply(transaction, plans[1])

    assert (await storage.database.write(work)).is_new
    assert await holding(storage) == ["David aime le thé"]


async def test_an_older_but_more_precise_statement_is_not_lost(storage: StorageParts) -> None:
    """It was true all the same."""
    await storage.remember.store(said("David a un fils", 5))
    await storage.remember.store(said("David a un fils de 3 ans", 1))
    assert await holding(storage) == ["David a un fils de 3 ans"]


async def test_a_denial_that_is_learnt_late_is_history(storage: StorageParts) -> None:
    """He smokes again."""
    new = await storage.remember.store(said("David fume", 5))
    await storage.remember.store(said("David ne fume pas", 1))
    assert await holding(storage) == ["David fume"]
    told = await history(storage, new.id)
    assert [(one.memory.content, one.relation) for one in told] == [
        ("David ne fume pas", Relation.CONTRADICTS),
        ("David fume", None),
    ]
    assert told[0].survivor == new.id


@pytest.mark.parametrize(
    ("first", "then", "relation"),
    [
        (PARIS, LYON, Relation.UPDATES),
        ("David a un fils", "David a un fils de 3 ans", Relation.UPDATES),
        ("David fume", "David ne fume plus", Relation.CONTRADICTS),
    ],
)
async def test_what_took_the_place_is_tied_by_how(
    storage: StorageParts, first: str, then: str, relation: Relation
) -> None:
    """A change updates, an opposite contradicts."""
    await storage.remember.store(said(first, 1))
    new = await storage.remember.store(said(then, 2))
    assert [one.relation for one in await history(storage, new.id)] == [relation, None]


async def test_a_far_value_is_found_among_many(storage: StorageParts) -> None:
    """By what it says of whom: neither its words nor its meaning are near."""
    await storage.remember.store(said(PARIS, 0))
    for number in range(60):
        await storage.remember.store(said(f"David lives for jazz record number {number}", 1))
    stored = await storage.remember.store(said(LYON, 2))
    assert [old.content for old in stored.replaced] == [PARIS]


async def test_what_would_be_lost_stays_and_is_tied(storage: StorageParts) -> None:
    """The employer would go with the city."""
    old = "David lives in Paris and works at Airbus"
    await storage.remember.store(said(old, 1))
    await storage.remember.store(said("David habite à Lyon", 2))
    assert await holding(storage) == ["David habite à Lyon", old]
    assert await storage.count("associations", "relation = 'contradicts'") == 1


class ListedJudge(RuleJudge):
    """Says one verdict of everything, and keeps what it was asked."""

    def __init__(self, verdict: Verdict) -> None:
        self._verdict = verdict
        self.compared: list[str] = []

    async def asked(self, cases: Sequence[Case]) -> Sequence[Sequence[Verdict]]:
        """The same verdict on each."""
        self.compared += [rival.content for case in cases for rival in case.rivals]
        return [[self._verdict] * len(case.rivals) for case in cases]


@pytest.mark.parametrize(
    ("verdict", "left", "tie"),
    [
        (Verdict.SAME, ["David cherche un logement"], None),
        (Verdict.MORE_PRECISE, ["David cherche toujours un toit"], "updates"),
        (Verdict.CHANGED, ["David cherche toujours un toit"], "updates"),
        (Verdict.CONTRADICTS, ["David cherche toujours un toit"], "contradicts"),
        (
            Verdict.DISPUTED,
            ["David cherche toujours un toit", "David cherche un logement"],
            "contradicts",
        ),
        (
            Verdict.RELATED,
            ["David cherche toujours un toit", "David cherche un logement"],
            "related_to",
        ),
    ],
)
async def test_a_verdict_is_followed(
    storage: StorageParts, verdict: Verdict, left: list[str], tie: str | None
) -> None:
    """Whoever judged."""
    await storage.remember.store(said("David cherche un logement", 1))
    judge = ListedJudge(verdict)
    await learns(storage, said("David cherche toujours un toit", 2), judge=judge)
    assert judge.compared == ["David cherche un logement"]
    assert await holding(storage) == left
    rows = await storage.database.all("SELECT relation FROM associations")
    assert [row["relation"] for row in rows] == ([tie] if tie else [])


@pytest.mark.parametrize(("by", "left"), [("David", 1), ("Léa", 2)])
async def test_what_is_said_to_end_ends_if_it_is_ones_own(
    storage: StorageParts, by: str, left: int
) -> None:
    """Whoever read it and named it: what David said of himself is not for another to end."""
    old = await storage.remember.store(said("David répare des vélos", 1, said_by="David"))
    new = said("Tous les outils de David sont au grenier", 2, said_by=by, ends=(old.id,))
    await learns(storage, new)
    assert len(await holding(storage)) == left


async def test_each_audience_has_its_own_latest_word(storage: StorageParts) -> None:
    """What is said in one space neither replaces what another knows, nor is seen from there."""
    mine = await storage.remember.store(said(PARIS, 1))
    theirs = await storage.remember.store(said(LYON, 2, origin=GUILD))
    guild = Scope(frozenset({audience_of(GUILD)}))
    home = Scope(frozenset({audience_of(Origin(visibility=Visibility.SPACE))}))
    assert await holding(storage) == [PARIS, LYON]
    assert await held_on(storage, 3, home) == [PARIS]
    assert await held_on(storage, 3, guild) == [LYON]
    assert await history(storage, theirs.id, home) == []
    lifetimes = History(storage.database, storage.clock)
    assert await lifetimes.called(str(mine.id)[:8], guild) == []
    assert await lifetimes.called(str(mine.id)[:8], home) == [mine.id]


async def test_what_is_forgotten_or_had_expired_is_in_no_list(storage: StorageParts) -> None:
    """Not even in a list of the past."""
    await storage.remember.store(said("David a un rhume", 1, ttl=timedelta(days=3)))
    old = await storage.remember.store(said(PARIS, 1))
    await storage.remember.store(said(LYON, 10))
    assert await held_on(storage, 3) == ["David a un rhume", PARIS]
    assert await held_on(storage, 5) == [PARIS]
    await forget_one(forgetting_on(storage), old.id)
    assert await held_on(storage, 5) == []
    assert await History(storage.database, storage.clock).called(str(old.id), OPERATOR) == []


def own(content: str, category: str, on: int, store: Store = Store.SELF) -> NewMemory:
    """What the pet noticed of itself on a day."""
    return said(content, on, store=store, category=category, memory_type=MemoryType.OBSERVATION)


async def test_how_the_pet_grew_is_counted_by_category_and_month(storage: StorageParts) -> None:
    """With the latest that holds of each, and what took the place of what."""
    await storage.remember.store(own("I cannot see images", "limitation", 0))
    await storage.remember.store(own("I prefer short answers", "preference", 1))
    await storage.remember.store(own("I can see images", "capability", 40))
    await storage.remember.store(own("I do not prefer short answers", "preference", 41))
    await storage.remember.store(own("I can draw", "capability", 42))
    storage.clock.advance(timedelta(days=100))
    lifetimes = History(storage.database, storage.clock)
    months = await lifetimes.months(Store.SELF, OPERATOR)
    assert [(one.month, one.category, one.said, one.holds) for one in months] == [
        ("2026-01", "limitation", 1, 0),
        ("2026-01", "preference", 1, 0),
        ("2026-02", "capability", 2, 2),
        ("2026-02", "preference", 1, 1),
    ]
    latest = await lifetimes.latest_of_each(Store.SELF, OPERATOR)
    assert [one.content for one in latest] == ["I can draw", "I do not prefer short answers"]
    replaced = await lifetimes.replaced(Store.SELF, OPERATOR, 10)
    assert [(one.memory.content, one.survivor) for one in replaced] == [
        ("I prefer short answers", "I do not prefer short answers"),
        ("I cannot see images", "I can see images"),
    ]
    assert replaced[1].memory.valid_until == day(40)
    assert await lifetimes.months(Store.SELF, Scope(frozenset())) == []


async def test_a_lost_ability_takes_the_place_of_the_capability(storage: StorageParts) -> None:
    """And is tied to it, as the limitation was that it ended."""
    await storage.remember.store(own("I cannot see images", "limitation", 0))
    await storage.remember.store(own("I can see images", "capability", 1))
    stored = await storage.remember.store(own("I can no longer see images", "limitation", 2))
    assert [old.content for old in stored.replaced] == ["I can see images"]
    assert await storage.count("associations", "relation = 'contradicts'") == 2


async def test_an_id_names_one_statement(storage: StorageParts) -> None:
    """Its beginning is enough where nobody shares it."""
    ids = [MemoryId(UUID(int=(0xABCD << 112) + number)) for number in (1, 2)]
    for id_, content in zip(ids, ("David aime le thé", "Léa fume"), strict=True):
        await storage.remember.store(said(content, 1, id=id_))
    lifetimes = History(storage.database, storage.clock)
    assert len(await lifetimes.called("abcd", OPERATOR)) == 2
    assert await lifetimes.called(str(ids[1]), OPERATOR) == [ids[1]]
    assert await lifetimes.called("ffff", OPERATOR) == []
