"""What recall reads of messages, turns and statements: whole, in order, within a scope."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.model.events import AuthorRef, RoomRef
from memory.model.audience import OPERATOR, Origin, Scope, scope_of
from memory.model.conversations import NewTurn, Turn
from memory.model.messages import Handling, MessageId
from memory.model.retrieval import Candidate
from memory.model.room_excerpts import RoomExcerpt
from memory.model.rooms import SpaceId, Visibility
from memory.model.statements import MemoryType, SelfCategory
from memory.model.stores import Store
from memory.storage.search.candidates import CONVERSATION, CandidateRows
from tests.cast import DAVID, LEA, LOBBY, NOON, PLATFORM, direct, group, person_of, room_of
from tests.forgotten import forget_one, forgetting_on
from tests.storage import (
    FROM_TEST,
    StorageParts,
    arrival,
    looked_up,
    matching,
    open_truth,
    statement,
)

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
OTHER_SPACE = group("o-lobby", space=SpaceId("other"))
HERE = scope_of(room_of(LOBBY), person_of(DAVID).id)


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """New tables with a lobby in each of two spaces."""
    async with open_truth(tmp_path) as opened:
        for room in (LOBBY, OTHER_SPACE):
            await opened.people.keep_room(room_of(room))
        yield opened


async def hear(
    storage: StorageParts,
    text: str,
    at: datetime = NOON,
    where: RoomRef = LOBBY,
    handling: Handling = Handling.OBSERVED,
) -> MessageId:
    """One message; its id."""
    storage.clock.at = max(storage.clock.at, at)
    number = await storage.count("messages") + 1
    message = replace(
        arrival(text, f"m{number}", handling=handling), room=room_of(where), sent_at=at
    )
    (accepted,) = await storage.messages.accept([message])
    assert accepted is not None
    return accepted


async def contents(
    storage: StorageParts, scope: Scope, look: Callable[[CandidateRows], list[Candidate]]
) -> list[str]:
    """What rows say, in their order; their ranks count it from 1 on."""
    found = await looked_up(storage, scope, look)
    assert [one.sources for one in found] == [
        {FROM_TEST.name: rank} for rank in range(1, len(found) + 1)
    ]
    return [one.content for one in found]


async def beside(storage: StorageParts, *hits: MessageId, scope: Scope = HERE) -> dict[int, str]:
    """The texts around one hit or several, by their offset."""
    found = await near(storage, *hits, scope=scope)
    assert {of for of, _, _ in found} <= set(hits)
    rows = await looked_up(
        storage, scope, lambda rows: rows.overheard([id_ for _, id_, _ in found])
    )
    texts = {row.id.int: row.content for row in rows}
    return {offset: texts[id_] for _, id_, offset in found}


async def near(
    storage: StorageParts, *hits: MessageId, scope: Scope = HERE
) -> set[tuple[MessageId, MessageId, int]]:
    """Hits with the ids around them and their offsets."""
    found = await looked_up(storage, scope, lambda rows: rows.beside(hits))
    return {(MessageId(one.of.int), MessageId(one.row.int), one.offset) for one in found}


async def test_two_before_and_two_after_are_beside_a_message(storage: StorageParts) -> None:
    """By when they were said, whatever the order in which they came."""
    await hear(storage, "c", NOON)
    late = {2: "e", -2: "a", 1: "d", -1: "b", 3: "f", -3: "z"}
    for minutes, text in late.items():
        await hear(storage, text, NOON + minutes * MINUTE)
    found = await beside(storage, MessageId(1))
    assert found == {-2: "a", -1: "b", 1: "d", 2: "e"}


async def test_messages_of_one_moment_stand_in_the_order_they_came(storage: StorageParts) -> None:
    """A platform that counts in seconds loses no order."""
    ids = [await hear(storage, text) for text in "abcde"]
    assert await beside(storage, ids[2]) == {-2: "a", -1: "b", 1: "d", 2: "e"}
    assert await beside(storage, ids[0]) == {1: "b", 2: "c"}
    assert await beside(storage, ids[4]) == {-2: "c", -1: "d"}


async def test_several_messages_have_each_their_own_neighbours(storage: StorageParts) -> None:
    """Also those that are each other's."""
    one, two, three = [await hear(storage, text) for text in "abc"]
    found = await near(storage, one, three)
    assert found == {(one, two, 1), (one, three, 2), (three, two, -1), (three, one, -2)}
    assert await near(storage) == await near(storage, MessageId(999)) == set()


async def test_what_was_said_much_later_is_not_beside(storage: StorageParts) -> None:
    """An hour is still the same conversation."""
    await hear(storage, "hier", NOON - CONVERSATION - MINUTE)
    await hear(storage, "avant", NOON - CONVERSATION)
    hit = await hear(storage, "midi", NOON)
    await hear(storage, "après", NOON + CONVERSATION)
    await hear(storage, "demain", NOON + CONVERSATION + MINUTE)
    assert await beside(storage, hit) == {-1: "avant", 1: "après"}


async def test_what_is_said_to_the_pet_is_not_in_between(storage: StorageParts) -> None:
    """People talk on as if it had not been said: the place is that among the observed ones."""
    hit = await hear(storage, "a")
    kept: tuple[Handling, ...] = (Handling.KEPT, Handling.PENDING, Handling.STALE)
    for handling in kept:
        await hear(storage, f"Eko ? {handling}", handling=handling)
    await hear(storage, "b")
    assert await beside(storage, hit) == {1: "b"}


async def test_a_deleted_message_is_beside_nothing_and_leaves_no_gap(storage: StorageParts) -> None:
    """Nobody reads it; what stood behind it is next."""
    hit, *_ = [await hear(storage, text) for text in "abcd"]
    await storage.messages.withdraw(PLATFORM, "m2")
    assert await beside(storage, hit) == {1: "c", 2: "d"}


async def test_another_room_is_not_beside(storage: StorageParts) -> None:
    """Though it spoke in between, in the same space."""
    annex = group("annex")
    await storage.people.keep_room(room_of(annex))
    hit = await hear(storage, "a")
    await hear(storage, "ailleurs", where=annex)
    await hear(storage, "b")
    assert await beside(storage, hit) == {1: "b"}


async def test_neighbours_are_read_within_the_scope(storage: StorageParts) -> None:
    """The id of a message of another space is no key to what was said around it."""
    hit = await hear(storage, "secret", where=OTHER_SPACE)
    await hear(storage, "plus secret", where=OTHER_SPACE)
    assert await beside(storage, hit) == {}
    assert await beside(storage, hit, scope=Scope(frozenset())) == {}
    assert await beside(storage, hit, scope=OPERATOR) == {1: "plus secret"}


async def overheard(
    storage: StorageParts, start: datetime, end: datetime, scope: Scope = HERE, limit: int = 10
) -> list[str]:
    """The texts of the lobby from a moment to before another."""
    return await contents(
        storage, scope, lambda rows: rows.overheard_between(FROM_TEST, start, end, limit)
    )


async def test_the_lobby_between_two_moments_is_what_was_said_from_the_first(
    storage: StorageParts,
) -> None:
    """And before the second."""
    for hours in range(4):
        await hear(storage, f"{hours}h", NOON + hours * HOUR)
    found = await overheard(storage, NOON + HOUR, NOON + 3 * HOUR)
    assert sorted(found) == ["1h", "2h"]
    assert await overheard(storage, NOON + DAY, NOON + 2 * DAY) == []
    assert await overheard(storage, NOON, NOON) == []


async def test_what_says_most_of_a_time_comes_first(storage: StorageParts) -> None:
    """And is what stays of more than is asked for."""
    await hear(storage, "ok")
    await hear(storage, "Zimmermann accorde le violoncelle de Léa demain matin à Lisbonne")
    await hear(storage, "le violoncelle de Léa")
    found = await overheard(storage, NOON, NOON + DAY, limit=2)
    assert [len(one) for one in found] == [64, 21]


async def test_the_lobby_of_a_time_leaves_out_what_may_not_be_told(storage: StorageParts) -> None:
    """What was deleted, never observed, or said in another space."""
    await hear(storage, "dit")
    await hear(storage, "repris")
    await storage.messages.withdraw(PLATFORM, "m2")
    await hear(storage, "Eko ?", handling=Handling.KEPT)
    await hear(storage, "ailleurs", where=OTHER_SPACE)
    assert await overheard(storage, NOON, NOON + DAY) == ["dit"]
    assert await overheard(storage, NOON, NOON + DAY, Scope(frozenset())) == []
    assert sorted(await overheard(storage, NOON, NOON + DAY, OPERATOR)) == ["ailleurs", "dit"]


async def told(
    storage: StorageParts,
    text: str,
    who: AuthorRef = DAVID,
    where: RoomRef = LOBBY,
    *,
    delivered: bool = True,
    searchable: bool = True,
) -> Turn:
    """An exchange that happens now."""
    await storage.people.keep_room(room_of(where))
    person = await storage.people.person(PLATFORM, who.external_id, who.name)
    session = await storage.turns.session(person.id, room_of(where).id, 15 * MINUTE)
    turn = await storage.turns.keep(
        NewTurn(
            session=session,
            room=room_of(where),
            channel=PLATFORM,
            speaker=who.name,
            text=text,
            messages=(),
            recalled=(),
            reply="d'accord",
            expression="happy",
            searchable=searchable,
            pet_name="Eko",
            excerpt=RoomExcerpt(at=NOON),
        )
    )
    if delivered:
        await storage.turns.delivered(turn.id)
    return turn


async def exchanged(
    storage: StorageParts, turn: Turn, scope: Scope, start: datetime = NOON, limit: int = 10
) -> list[str]:
    """What the person of a turn said within a day, the latest first."""
    found = await contents(
        storage,
        scope,
        lambda rows: rows.exchanges_between(FROM_TEST, turn.person, start, start + DAY, limit),
    )
    assert all(one.endswith(" → d'accord") for one in found)
    return [one.removesuffix(" → d'accord") for one in found]


async def test_a_persons_exchanges_between_two_moments_come_latest_first(
    storage: StorageParts,
) -> None:
    """Nobody else's, from the first moment on and before the second."""
    first = await told(storage, "un")
    storage.clock.advance(HOUR)
    await told(storage, "deux")
    await told(storage, "autre", LEA)
    storage.clock.advance(DAY - HOUR)
    await told(storage, "demain")
    assert await exchanged(storage, first, HERE) == ["deux", "un"]
    assert await exchanged(storage, first, HERE, limit=1) == ["deux"]
    assert await exchanged(storage, first, HERE, NOON + DAY) == ["demain"]


async def test_exchanges_of_a_time_leave_out_what_was_never_said_or_says_nothing(
    storage: StorageParts,
) -> None:
    """A reply that the platform did not take, and an apology."""
    turn = await told(storage, "dit")
    await told(storage, "jamais dit", delivered=False)
    await told(storage, "pardon", searchable=False)
    assert await exchanged(storage, turn, HERE) == ["dit"]


async def test_exchanges_of_a_time_are_read_within_the_scope(storage: StorageParts) -> None:
    """What was said in private is not told in the lobby, to nobody."""
    turn = await told(storage, "secret", where=direct(DAVID))
    await told(storage, "public")
    private = scope_of(room_of(direct(DAVID)), turn.person, [room_of(LOBBY).space])
    assert await exchanged(storage, turn, HERE) == ["public"]
    assert sorted(await exchanged(storage, turn, private)) == ["public", "secret"]


async def known(
    storage: StorageParts,
    start: datetime = NOON,
    *,
    scope: Scope = HERE,
    store: Store = Store.MEMORY,
    limit: int = 10,
) -> list[str]:
    """Statements that became true within a day."""
    return await contents(
        storage,
        scope,
        lambda rows: rows.statements_between(FROM_TEST, store, start, start + DAY, limit),
    )


async def test_statements_of_a_time_are_those_that_were_said_then(storage: StorageParts) -> None:
    """However late they were learnt; the most important first, then the latest."""
    kinds = [(1, MemoryType.EVENT), (2, MemoryType.EVENT), (0, MemoryType.IDENTITY)]
    contents = ["Nora a vendu son vélo", "Paul a gagné au loto", "Zoé est chirurgienne"]
    for content, (hours, kind) in zip(contents, kinds, strict=True):
        said_at = NOON + hours * HOUR
        await storage.remember.store(statement(content, memory_type=kind, said_at=said_at))
    await storage.remember.store(statement("Il pleut à Nantes", said_at=NOON + DAY))
    storage.clock.advance(30 * DAY)
    assert await known(storage) == [contents[2], contents[1], contents[0]]
    assert await known(storage, limit=1) == [contents[2]]
    assert await known(storage, NOON + DAY) == ["Il pleut à Nantes"]
    assert await known(storage, NOON - DAY) == []


async def test_a_statement_said_again_stays_of_when_it_became_true(storage: StorageParts) -> None:
    """Saying it again freshens it and does not move it."""
    await storage.remember.store(statement("Nora a vendu son vélo"))
    storage.clock.advance(5 * DAY)
    await storage.remember.store(statement("Nora a vendu son vélo"))
    assert await known(storage) == ["Nora a vendu son vélo"]
    assert await known(storage, NOON + 5 * DAY) == []


async def test_statements_of_a_time_leave_out_what_is_recalled_no_more(
    storage: StorageParts,
) -> None:
    """Forgotten, superseded, expired, of another store or another audience."""
    gone = (await storage.remember.store(statement("Nora a vendu son vélo"))).id
    await forget_one(forgetting_on(storage), gone)
    await storage.remember.store(statement("Paul habite à Lyon", subjects=("Paul",)))
    await storage.remember.store(statement("Paul n'habite pas à Lyon", subjects=("Paul",)))
    await storage.remember.store(statement("Zoé est en retard", ttl=HOUR))
    elsewhere = Origin(visibility=Visibility.SPACE, space=SpaceId("other"))
    await storage.remember.store(statement("Marc collectionne les timbres", origin=elsewhere))
    storage.clock.advance(2 * HOUR)
    assert await known(storage) == ["Paul n'habite pas à Lyon"]
    assert await known(storage, store=Store.GOALS) == []
    assert "Marc collectionne les timbres" in await known(storage, scope=OPERATOR)


async def test_what_is_important_about_somebody_comes_most_important_first(
    storage: StorageParts,
) -> None:
    """Then the freshest; whatever the case of the name, and nothing that is merely known."""
    kinds = {
        "Nora est chirurgienne": MemoryType.IDENTITY,
        "Nora veut traverser l'Atlantique": MemoryType.GOAL,
        "Nora rêve d'un voilier": MemoryType.GOAL,
        "Nora décide de déménager": MemoryType.DECISION,
    }
    for content, kind in kinds.items():
        await storage.remember.store(statement(content, subjects=("Nora",), memory_type=kind))
        storage.clock.advance(MINUTE)
    first, second, third, _ = kinds

    async def important(limit: int = 5, scope: Scope = HERE, name: str = "nora") -> list[str]:
        return await contents(
            storage,
            scope,
            lambda rows: rows.important_statements(FROM_TEST, name, Store.MEMORY, limit),
        )

    assert await important() == [first, third, second]
    assert await important(1) == [first]
    assert await important(scope=Scope(frozenset())) == await important(name="Paul") == []
    await storage.remember.store(statement(second, subjects=("Nora",), memory_type=MemoryType.GOAL))
    assert await important() == [first, second, third]


async def about_pet(storage: StorageParts, content: str, category: SelfCategory) -> None:
    """A statement about the pet."""
    await storage.remember.store(statement(content, store=Store.SELF, category=category))


async def by_text(
    storage: StorageParts,
    words: str,
    stores: Sequence[Store] = tuple(Store),
    *,
    category: str | None = None,
    limit: int = 10,
) -> set[str]:
    """What full text finds, whether recall asks or somebody who wants one category."""
    match = matching(words)
    found = await storage.memories.by_text(match, stores, HERE, limit, category=category)
    if category is None:
        recalled = await contents(
            storage, HERE, lambda rows: rows.statements_by_text(FROM_TEST, match, stores, limit)
        )
        assert recalled == [one.content for one in found]
    return {one.content for one in found}


async def test_full_text_searches_the_stores_it_is_given(storage: StorageParts) -> None:
    """One, several or none; in one order over all of them."""
    await storage.remember.store(statement("Nora joue du violoncelle"))
    await about_pet(storage, "J'aime le violoncelle", SelfCategory.PREFERENCE)
    assert await by_text(storage, "violoncelle", [Store.MEMORY]) == {"Nora joue du violoncelle"}
    assert await by_text(storage, "violoncelle", [Store.SELF]) == {"J'aime le violoncelle"}
    assert len(await by_text(storage, "violoncelle")) == 2
    assert await by_text(storage, "violoncelle", []) == set()
    assert len(await by_text(storage, "violoncelle", limit=1)) == 1
    assert await by_text(storage, "") == set()


async def test_full_text_keeps_to_one_category(storage: StorageParts) -> None:
    """A limitation is looked up among the limitations."""
    await about_pet(storage, "J'aime le violoncelle", SelfCategory.PREFERENCE)
    limit = "Je ne peux pas jouer du violoncelle"
    await about_pet(storage, limit, SelfCategory.LIMITATION)
    category = SelfCategory.LIMITATION
    assert await by_text(storage, "violoncelle", [Store.SELF], category=category) == {limit}


async def test_the_best_of_the_allowed_rows_are_found_however_many_others_fit_better(
    storage: StorageParts,
) -> None:
    """The limit counts what may be shown, and not what another space said."""
    elsewhere = Origin(visibility=Visibility.SPACE, space=SpaceId("other"))
    for number in range(5):
        content = f"violoncelle violoncelle {number}"
        await storage.remember.store(statement(content, origin=elsewhere))
    await storage.remember.store(statement("hier Nora a joué un peu de violoncelle"))
    assert len(await by_text(storage, "violoncelle", limit=1)) == 1


async def test_a_category_is_read_whole_latest_first(storage: StorageParts) -> None:
    """The words of one store, as far as asked for, within the scope."""
    limits = ["Je ne peux pas voir les images", "Je ne sais pas chanter"]
    for content in limits:
        await about_pet(storage, content, SelfCategory.LIMITATION)
        storage.clock.advance(MINUTE)
    await about_pet(storage, "J'aime le violoncelle", SelfCategory.PREFERENCE)
    fleeting = statement("Je ne peux pas danser", store=Store.SELF, ttl=MINUTE)
    await storage.remember.store(replace(fleeting, category=SelfCategory.LIMITATION))
    storage.clock.advance(MINUTE)

    async def read(limit: int, scope: Scope = HERE, store: Store = Store.SELF) -> list[str]:
        words = await looked_up(
            storage,
            scope,
            lambda rows: rows.words_of_category(store, SelfCategory.LIMITATION, limit),
        )
        there = await looked_up(storage, scope, lambda rows: rows.statements(words))
        contents = {one.id: one.content for one in there if one.words == words[one.id]}
        return [contents[id_] for id_ in words]

    assert await read(5) == limits[::-1]
    assert await read(1) == limits[1:]
    assert await read(5, Scope(frozenset())) == await read(5, store=Store.GOALS) == []


async def test_statements_alike_share_words_within_store_category_and_scope(
    storage: StorageParts,
) -> None:
    """By words; nothing in common is not alike, and nothing to look for finds nothing."""
    await storage.remember.store(statement("Nora joue du violoncelle"))
    limit = "Je ne peux pas jouer du violoncelle"
    await about_pet(storage, limit, SelfCategory.LIMITATION)
    await about_pet(storage, "J'aime le violoncelle", SelfCategory.PREFERENCE)

    async def alike(text: str, scope: Scope = HERE, category: str | None = None) -> set[str]:
        found = await storage.memories.alike(text, Store.SELF, scope, 5, category=category)
        return {one.content for one in found}

    assert await alike("un violoncelle ?") == {limit, "J'aime le violoncelle"}
    assert await alike("un violoncelle ?", category=SelfCategory.LIMITATION) == {limit}
    assert await alike("il pleut") == await alike("et toi ?") == set()
    assert await alike("un violoncelle ?", Scope(frozenset())) == set()
