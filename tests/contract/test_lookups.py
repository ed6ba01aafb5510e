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
from memory.model.rooms import SpaceId, Visibility
from memory.model.statements import MemoryType, SelfCategory
from memory.model.stores import Store
from memory.storage.search.candidates import CONVERSATION, CandidateRows
from tests.cast import DAVID, LEA, LOBBY, NOON, PLATFORM, direct, group, person_of, room_of
from tests.truth import FROM_TEST, Truth, arrival, looked_up, matching, open_truth, statement

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
OTHER_SPACE = group("o-lobby", space=SpaceId("other"))
HERE = scope_of(room_of(LOBBY), person_of(DAVID).id)


@pytest.fixture
async def truth(tmp_path: Path) -> AsyncIterator[Truth]:
    """New tables with a lobby in each of two spaces."""
    async with open_truth(tmp_path) as opened:
        for room in (LOBBY, OTHER_SPACE):
            await opened.people.keep_room(room_of(room))
        yield opened


async def hear(
    truth: Truth,
    text: str,
    at: datetime = NOON,
    where: RoomRef = LOBBY,
    handling: Handling = Handling.OBSERVED,
) -> MessageId:
    """One message; its id."""
    number = await truth.count("messages") + 1
    message = replace(
        arrival(text, f"m{number}", handling=handling), room=room_of(where), sent_at=at
    )
    (id_,) = await truth.messages.accept([message])
    assert id_ is not None
    return id_


async def contents(
    truth: Truth, scope: Scope, look: Callable[[CandidateRows], list[Candidate]]
) -> list[str]:
    """What rows say, in their order; their ranks count it from 1 on."""
    found = await looked_up(truth, scope, look)
    assert [one.sources for one in found] == [
        {FROM_TEST.name: rank} for rank in range(1, len(found) + 1)
    ]
    return [one.content for one in found]


async def beside(truth: Truth, *hits: MessageId, scope: Scope = HERE) -> dict[int, str]:
    """The texts around one hit or several, by their offset."""
    found = await near(truth, *hits, scope=scope)
    assert {of for of, _, _ in found} <= set(hits)
    rows = await looked_up(truth, scope, lambda rows: rows.overheard([id_ for _, id_, _ in found]))
    texts = {row.id.int: row.content for row in rows}
    return {offset: texts[id_] for _, id_, offset in found}


async def near(
    truth: Truth, *hits: MessageId, scope: Scope = HERE
) -> set[tuple[MessageId, MessageId, int]]:
    """Hits with the ids around them and their offsets."""
    found = await looked_up(truth, scope, lambda rows: rows.beside(hits))
    return {(MessageId(one.of.int), MessageId(one.row.int), one.offset) for one in found}


async def test_two_before_and_two_after_are_beside_a_message(truth: Truth) -> None:
    """By when they were said, whatever the order in which they came."""
    await hear(truth, "c", NOON)
    late = {2: "e", -2: "a", 1: "d", -1: "b", 3: "f", -3: "z"}
    for minutes, text in late.items():
        await hear(truth, text, NOON + minutes * MINUTE)
    found = await beside(truth, MessageId(1))
    assert found == {-2: "a", -1: "b", 1: "d", 2: "e"}


async def test_messages_of_one_moment_stand_in_the_order_they_came(truth: Truth) -> None:
    """A platform that counts in seconds loses no order."""
    ids = [await hear(truth, text) for text in "abcde"]
    assert await beside(truth, ids[2]) == {-2: "a", -1: "b", 1: "d", 2: "e"}
    assert await beside(truth, ids[0]) == {1: "b", 2: "c"}
    assert await beside(truth, ids[4]) == {-2: "c", -1: "d"}


async def test_several_messages_have_each_their_own_neighbours(truth: Truth) -> None:
    """Also those that are each other's."""
    one, two, three = [await hear(truth, text) for text in "abc"]
    found = await near(truth, one, three)
    assert found == {(one, two, 1), (one, three, 2), (three, two, -1), (three, one, -2)}
    assert await near(truth) == await near(truth, MessageId(999)) == set()


async def test_what_was_said_much_later_is_not_beside(truth: Truth) -> None:
    """An hour is still the same conversation."""
    await hear(truth, "hier", NOON - CONVERSATION - MINUTE)
    await hear(truth, "avant", NOON - CONVERSATION)
    hit = await hear(truth, "midi", NOON)
    await hear(truth, "après", NOON + CONVERSATION)
    await hear(truth, "demain", NOON + CONVERSATION + MINUTE)
    assert await beside(truth, hit) == {-1: "avant", 1: "après"}


async def test_what_is_said_to_the_pet_is_not_in_between(truth: Truth) -> None:
    """People talk on as if it had not been said: the place is that among the observed ones."""
    hit = await hear(truth, "a")
    kept: tuple[Handling, ...] = (Handling.KEPT, Handling.PENDING, Handling.STALE)
    for handling in kept:
        await hear(truth, f"Eko ? {handling}", handling=handling)
    await hear(truth, "b")
    assert await beside(truth, hit) == {1: "b"}


async def test_a_deleted_message_is_beside_nothing_and_leaves_no_gap(truth: Truth) -> None:
    """Nobody reads it; what stood behind it is next."""
    hit, *_ = [await hear(truth, text) for text in "abcd"]
    await truth.messages.withdraw(PLATFORM, "m2")
    assert await beside(truth, hit) == {1: "c", 2: "d"}


async def test_another_room_is_not_beside(truth: Truth) -> None:
    """Though it spoke in between, in the same space."""
    annex = group("annex")
    await truth.people.keep_room(room_of(annex))
    hit = await hear(truth, "a")
    await hear(truth, "ailleurs", where=annex)
    await hear(truth, "b")
    assert await beside(truth, hit) == {1: "b"}


async def test_neighbours_are_read_within_the_scope(truth: Truth) -> None:
    """The id of a message of another space is no key to what was said around it."""
    hit = await hear(truth, "secret", where=OTHER_SPACE)
    await hear(truth, "plus secret", where=OTHER_SPACE)
    assert await beside(truth, hit) == {}
    assert await beside(truth, hit, scope=Scope(frozenset())) == {}
    assert await beside(truth, hit, scope=OPERATOR) == {1: "plus secret"}


async def overheard(
    truth: Truth, start: datetime, end: datetime, scope: Scope = HERE, limit: int = 10
) -> list[str]:
    """The texts of the lobby from a moment to before another."""
    return await contents(
        truth, scope, lambda rows: rows.overheard_between(FROM_TEST, start, end, limit)
    )


async def test_the_lobby_between_two_moments_is_what_was_said_from_the_first(truth: Truth) -> None:
    """And before the second."""
    for hours in range(4):
        await hear(truth, f"{hours}h", NOON + hours * HOUR)
    found = await overheard(truth, NOON + HOUR, NOON + 3 * HOUR)
    assert sorted(found) == ["1h", "2h"]
    assert await overheard(truth, NOON + DAY, NOON + 2 * DAY) == []
    assert await overheard(truth, NOON, NOON) == []


async def test_what_says_most_of_a_time_comes_first(truth: Truth) -> None:
    """And is what stays of more than is asked for."""
    await hear(truth, "ok")
    await hear(truth, "Zimmermann accorde le violoncelle de Léa demain matin à Lisbonne")
    await hear(truth, "le violoncelle de Léa")
    found = await overheard(truth, NOON, NOON + DAY, limit=2)
    assert [len(one) for one in found] == [64, 21]


async def test_the_lobby_of_a_time_leaves_out_what_may_not_be_told(truth: Truth) -> None:
    """What was deleted, never observed, or said in another space."""
    await hear(truth, "dit")
    await hear(truth, "repris")
    await truth.messages.withdraw(PLATFORM, "m2")
    await hear(truth, "Eko ?", handling=Handling.KEPT)
    await hear(truth, "ailleurs", where=OTHER_SPACE)
    assert await overheard(truth, NOON, NOON + DAY) == ["dit"]
    assert await overheard(truth, NOON, NOON + DAY, Scope(frozenset())) == []
    assert sorted(await overheard(truth, NOON, NOON + DAY, OPERATOR)) == ["ailleurs", "dit"]


async def told(
    truth: Truth,
    text: str,
    who: AuthorRef = DAVID,
    where: RoomRef = LOBBY,
    *,
    delivered: bool = True,
    searchable: bool = True,
) -> Turn:
    """An exchange that happens now."""
    await truth.people.keep_room(room_of(where))
    person = await truth.people.person(PLATFORM, who.external_id, who.name)
    session = await truth.turns.session(person.id, room_of(where).id, 15 * MINUTE)
    turn = await truth.turns.keep(
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
        )
    )
    if delivered:
        await truth.turns.delivered(turn.id)
    return turn


async def exchanged(
    truth: Truth, turn: Turn, scope: Scope, start: datetime = NOON, limit: int = 10
) -> list[str]:
    """What the person of a turn said within a day, the latest first."""
    found = await contents(
        truth,
        scope,
        lambda rows: rows.exchanges_between(FROM_TEST, turn.person, start, start + DAY, limit),
    )
    assert all(one.endswith(" → d'accord") for one in found)
    return [one.removesuffix(" → d'accord") for one in found]


async def test_a_persons_exchanges_between_two_moments_come_latest_first(truth: Truth) -> None:
    """Nobody else's, from the first moment on and before the second."""
    first = await told(truth, "un")
    truth.clock.advance(HOUR)
    await told(truth, "deux")
    await told(truth, "autre", LEA)
    truth.clock.advance(DAY - HOUR)
    await told(truth, "demain")
    assert await exchanged(truth, first, HERE) == ["deux", "un"]
    assert await exchanged(truth, first, HERE, limit=1) == ["deux"]
    assert await exchanged(truth, first, HERE, NOON + DAY) == ["demain"]


async def test_exchanges_of_a_time_leave_out_what_was_never_said_or_says_nothing(
    truth: Truth,
) -> None:
    """A reply that the platform did not take, and an apology."""
    turn = await told(truth, "dit")
    await told(truth, "jamais dit", delivered=False)
    await told(truth, "pardon", searchable=False)
    assert await exchanged(truth, turn, HERE) == ["dit"]


async def test_exchanges_of_a_time_are_read_within_the_scope(truth: Truth) -> None:
    """What was said in private is not told in the lobby, to nobody."""
    turn = await told(truth, "secret", where=direct(DAVID))
    await told(truth, "public")
    private = scope_of(room_of(direct(DAVID)), turn.person, [room_of(LOBBY).space])
    assert await exchanged(truth, turn, HERE) == ["public"]
    assert sorted(await exchanged(truth, turn, private)) == ["public", "secret"]


async def known(
    truth: Truth,
    start: datetime = NOON,
    *,
    scope: Scope = HERE,
    store: Store = Store.MEMORY,
    limit: int = 10,
) -> list[str]:
    """Statements that became true within a day."""
    return await contents(
        truth,
        scope,
        lambda rows: rows.statements_between(FROM_TEST, store, start, start + DAY, limit),
    )


async def test_statements_of_a_time_are_those_that_were_said_then(truth: Truth) -> None:
    """However late they were learnt; the most important first, then the latest."""
    kinds = [(1, MemoryType.EVENT), (2, MemoryType.EVENT), (0, MemoryType.IDENTITY)]
    contents = ["Nora a vendu son vélo", "Paul a gagné au loto", "Zoé est chirurgienne"]
    for content, (hours, kind) in zip(contents, kinds, strict=True):
        said_at = NOON + hours * HOUR
        await truth.remember.store(statement(content, memory_type=kind, said_at=said_at))
    await truth.remember.store(statement("Il pleut à Nantes", said_at=NOON + DAY))
    truth.clock.advance(30 * DAY)
    assert await known(truth) == [contents[2], contents[1], contents[0]]
    assert await known(truth, limit=1) == [contents[2]]
    assert await known(truth, NOON + DAY) == ["Il pleut à Nantes"]
    assert await known(truth, NOON - DAY) == []


async def test_a_statement_said_again_stays_of_when_it_became_true(truth: Truth) -> None:
    """Saying it again freshens it and does not move it."""
    await truth.remember.store(statement("Nora a vendu son vélo"))
    truth.clock.advance(5 * DAY)
    await truth.remember.store(statement("Nora a vendu son vélo"))
    assert await known(truth) == ["Nora a vendu son vélo"]
    assert await known(truth, NOON + 5 * DAY) == []


async def test_statements_of_a_time_leave_out_what_is_recalled_no_more(truth: Truth) -> None:
    """Forgotten, superseded, expired, of another store or another audience."""
    gone = (await truth.remember.store(statement("Nora a vendu son vélo"))).id
    await truth.memories.forget(gone, OPERATOR)
    await truth.remember.store(statement("Paul habite à Lyon", subjects=("Paul",)))
    await truth.remember.store(statement("Paul n'habite pas à Lyon", subjects=("Paul",)))
    await truth.remember.store(statement("Zoé est en retard", ttl=HOUR))
    elsewhere = Origin(visibility=Visibility.SPACE, space=SpaceId("other"))
    await truth.remember.store(statement("Marc collectionne les timbres", origin=elsewhere))
    truth.clock.advance(2 * HOUR)
    assert await known(truth) == ["Paul n'habite pas à Lyon"]
    assert await known(truth, store=Store.GOALS) == []
    assert "Marc collectionne les timbres" in await known(truth, scope=OPERATOR)


async def test_what_is_important_about_somebody_comes_most_important_first(truth: Truth) -> None:
    """Then the freshest; whatever the case of the name, and nothing that is merely known."""
    kinds = {
        "Nora est chirurgienne": MemoryType.IDENTITY,
        "Nora veut traverser l'Atlantique": MemoryType.GOAL,
        "Nora rêve d'un voilier": MemoryType.GOAL,
        "Nora décide de déménager": MemoryType.DECISION,
    }
    for content, kind in kinds.items():
        await truth.remember.store(statement(content, subjects=("Nora",), memory_type=kind))
        truth.clock.advance(MINUTE)
    first, second, third, _ = kinds

    async def important(limit: int = 5, scope: Scope = HERE, name: str = "nora") -> list[str]:
        return await contents(
            truth,
            scope,
            lambda rows: rows.important_statements(FROM_TEST, name, Store.MEMORY, limit),
        )

    assert await important() == [first, third, second]
    assert await important(1) == [first]
    assert await important(scope=Scope(frozenset())) == await important(name="Paul") == []
    await truth.remember.store(statement(second, subjects=("Nora",), memory_type=MemoryType.GOAL))
    assert await important() == [first, second, third]


async def about_pet(truth: Truth, content: str, category: SelfCategory) -> None:
    """A statement about the pet."""
    await truth.remember.store(statement(content, store=Store.SELF, category=category))


async def by_text(
    truth: Truth,
    words: str,
    stores: Sequence[Store] = tuple(Store),
    *,
    category: str | None = None,
    limit: int = 10,
) -> set[str]:
    """What full text finds, whether recall asks or somebody who wants one category."""
    match = matching(words)
    found = await truth.memories.by_text(match, stores, HERE, limit, category=category)
    if category is None:
        recalled = await contents(
            truth, HERE, lambda rows: rows.statements_by_text(FROM_TEST, match, stores, limit)
        )
        assert recalled == [one.content for one in found]
    return {one.content for one in found}


async def test_full_text_searches_the_stores_it_is_given(truth: Truth) -> None:
    """One, several or none; in one order over all of them."""
    await truth.remember.store(statement("Nora joue du violoncelle"))
    await about_pet(truth, "J'aime le violoncelle", SelfCategory.PREFERENCE)
    assert await by_text(truth, "violoncelle", [Store.MEMORY]) == {"Nora joue du violoncelle"}
    assert await by_text(truth, "violoncelle", [Store.SELF]) == {"J'aime le violoncelle"}
    assert len(await by_text(truth, "violoncelle")) == 2
    assert await by_text(truth, "violoncelle", []) == set()
    assert len(await by_text(truth, "violoncelle", limit=1)) == 1
    assert await by_text(truth, "") == set()


async def test_full_text_keeps_to_one_category(truth: Truth) -> None:
    """A limitation is looked up among the limitations."""
    await about_pet(truth, "J'aime le violoncelle", SelfCategory.PREFERENCE)
    limit = "Je ne peux pas jouer du violoncelle"
    await about_pet(truth, limit, SelfCategory.LIMITATION)
    category = SelfCategory.LIMITATION
    assert await by_text(truth, "violoncelle", [Store.SELF], category=category) == {limit}


async def test_the_best_of_the_allowed_rows_are_found_however_many_others_fit_better(
    truth: Truth,
) -> None:
    """The limit counts what may be shown, and not what another space said."""
    elsewhere = Origin(visibility=Visibility.SPACE, space=SpaceId("other"))
    for number in range(5):
        content = f"violoncelle violoncelle {number}"
        await truth.remember.store(statement(content, origin=elsewhere))
    await truth.remember.store(statement("hier Nora a joué un peu de violoncelle"))
    assert len(await by_text(truth, "violoncelle", limit=1)) == 1


async def test_a_category_is_read_whole_latest_first(truth: Truth) -> None:
    """The words of one store, as far as asked for, within the scope."""
    limits = ["Je ne peux pas voir les images", "Je ne sais pas chanter"]
    for content in limits:
        await about_pet(truth, content, SelfCategory.LIMITATION)
        truth.clock.advance(MINUTE)
    await about_pet(truth, "J'aime le violoncelle", SelfCategory.PREFERENCE)
    fleeting = statement("Je ne peux pas danser", store=Store.SELF, ttl=MINUTE)
    await truth.remember.store(replace(fleeting, category=SelfCategory.LIMITATION))
    truth.clock.advance(MINUTE)

    async def read(limit: int, scope: Scope = HERE, store: Store = Store.SELF) -> list[str]:
        words = await looked_up(
            truth,
            scope,
            lambda rows: rows.words_of_category(store, SelfCategory.LIMITATION, limit),
        )
        there = await looked_up(truth, scope, lambda rows: rows.statements(words))
        contents = {one.id: one.content for one in there if one.words == words[one.id]}
        return [contents[id_] for id_ in words]

    assert await read(5) == limits[::-1]
    assert await read(1) == limits[1:]
    assert await read(5, Scope(frozenset())) == await read(5, store=Store.GOALS) == []


async def test_statements_alike_share_words_within_store_category_and_scope(truth: Truth) -> None:
    """By words; nothing in common is not alike, and nothing to look for finds nothing."""
    await truth.remember.store(statement("Nora joue du violoncelle"))
    limit = "Je ne peux pas jouer du violoncelle"
    await about_pet(truth, limit, SelfCategory.LIMITATION)
    await about_pet(truth, "J'aime le violoncelle", SelfCategory.PREFERENCE)

    async def alike(text: str, scope: Scope = HERE, category: str | None = None) -> set[str]:
        found = await truth.memories.alike(text, Store.SELF, scope, 5, category=category)
        return {one.content for one in found}

    assert await alike("un violoncelle ?") == {limit, "J'aime le violoncelle"}
    assert await alike("un violoncelle ?", category=SelfCategory.LIMITATION) == {limit}
    assert await alike("il pleut") == await alike("et toi ?") == set()
    assert await alike("un violoncelle ?", Scope(frozenset())) == set()
