"""What is put before the model for a line of chat, and what is not, on real tables."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from memory.model.audience import OPERATOR, Origin
from memory.model.authority import BY_OPERATOR
from memory.model.messages import MessageId
from memory.model.retrieval import Candidate, Question, Retrieval
from memory.model.rooms import RoomId, Visibility
from memory.model.statements import Association, MemoryId, Relation
from memory.model.stores import Store
from memory.storage.statements.associations import FoundDuring, associate
from memory.storage.statements.supersession import supersede
from tests.cast import DAVID, LEA, LOBBY, MICKAEL, direct, room_of
from tests.embedder import HashingEmbedder
from tests.flow.pet import RECALL, Pet, calls, responds
from tests.flow.recalling import evidence_on, recall_on
from tests.flow.town import in_town
from tests.patience import PATIENCE_S
from tests.storage import StorageParts, StuckIndex, open_truth, statement

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that knows forty things about a town, learnt long ago."""
    async with in_town(tmp_path) as born:
        born.storage.clock.advance(20 * DAY)
        yield born


async def knows(pet: Pet, content: str, **fields: object) -> MemoryId:
    """A statement that is kept and indexed."""
    stored = await pet.storage.remember.store(statement(content, **fields))
    await pet.storage.indexer.settle()
    return stored.id


def about(text: str, speaker: str = "David") -> Question:
    """A question asked in the lobby, by whoever may read everything."""
    return Question(text=text, context="", speaker=speaker, room=room_of(LOBBY), scope=OPERATOR)


def kept(found: Retrieval) -> list[str]:
    """What is put before the model, best first."""
    return [one.candidate.content for one in found.items if one.kept]


async def test_an_answer_is_found_by_the_words_of_what_it_answers(pet: Pet) -> None:
    """It says none of them itself."""
    await pet.overhears("qui a vu le chargeur de mon violoncelle électrique ?", LEA, LOBBY)
    await pet.overhears("derrière le canapé", MICKAEL, LOBBY)
    pet.storage.clock.advance(DAY)
    await pet.overhears("bon appétit les copains", MICKAEL, LOBBY)
    found = await pet.asked("Eko, où est le chargeur du violoncelle électrique ?", DAVID, LOBBY)
    assert "derrière le canapé" in found
    assert "appétit" not in found


async def test_a_name_finds_what_is_known_under_another(pet: Pet) -> None:
    """In both directions, once somebody said that they are one."""
    await knows(pet, "dev = Mickael")
    await knows(pet, "Mickael restaure des horloges", subjects=("Mickael",))
    await knows(pet, "dev a perdu son parapluie", subjects=("dev",))
    questions = ("dev restaure quoi ?", "il a perdu quoi Mickael ?")
    best = [kept(await pet.recall.before(about(question)))[0] for question in questions]
    assert best == ["Mickael restaure des horloges", "dev a perdu son parapluie"]


async def test_a_name_given_in_private_leads_nowhere_else(pet: Pet) -> None:
    """Or the lobby could ask who somebody is."""
    person = (await pet.storage.people.person("chat", DAVID.external_id, DAVID.name)).id
    secret = Origin(visibility=Visibility.PRIVATE, person=person)
    await knows(pet, "Spectre = Mickael", origin=secret)
    await knows(pet, "Mickael restaure des horloges", subjects=("Mickael",))
    question = "Eko, Spectre fait quoi de ses mains ?"
    assert "horloges" not in await pet.asked(question, LEA, LOBBY)
    assert "horloges" not in await pet.asked(question, DAVID, LOBBY)
    assert "horloges" in await pet.asked(question, DAVID, direct(DAVID))


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("qu'est-ce que Léa cuisinait hier ?", "Léa cuisinait une ratatouille"),
        ("qu'est-ce que Léa cuisinait il y a une semaine ?", "Léa cuisinait un gratin"),
        ("what was Léa cooking in January?", "Léa cuisinait des crêpes"),
    ],
)
async def test_a_time_in_the_question_prefers_what_was_said_then(
    pet: Pet, question: str, first: str
) -> None:
    """The days of the store: crêpes in January, a gratin last week, a ratatouille yesterday."""
    pet.storage.clock.advance(20 * DAY)
    for days, dish in ((35, "des crêpes"), (7, "un gratin"), (1, "une ratatouille")):
        said_at = pet.storage.clock.now() - days * DAY
        await knows(pet, f"Léa cuisinait {dish}", subjects=("Léa",), said_at=said_at)
    found = await pet.recall.before(about(question))
    assert kept(found)[0] == first
    timeless = await pet.recall.before(about("qu'est-ce que Léa cuisinait ?"))
    assert len([one for one in kept(timeless) if "cuisinait" in one]) == 3


@pytest.mark.parametrize(
    ("content", "question"),
    [
        ("le chien de Rosalie est malade", "is the dog of Rosalie sick?"),
        ("Rosalie a perdu les clés de sa voiture", "did Rosalie lose the keys of her car?"),
        ("Rosalie bought a red bicycle", "quel vélo Rosalie a acheté, le rouge ?"),
    ],
)
async def test_words_of_the_other_language_are_found(pet: Pet, content: str, question: str) -> None:
    """By what they mean, and not by the name alone."""
    await knows(pet, content)
    found = await pet.recall.before(about(question))
    assert kept(found)[:1] == [content]
    (best,) = (one for one in found.items if one.candidate.content == content)
    assert best.candidate.signals["words"] > 0.3


async def test_a_search_lists_a_statement_whose_message_says_more(pet: Pet) -> None:
    """It would step back for the message, which a search for statements does not list."""
    for street in ("Meuniers", "Tanneurs", "Potiers", "Drapiers", "Vanniers", "Orfèvres"):
        await knows(pet, f"un luthier vend du bois rue des {street}")
    await pet.overhears("mon violoncelle est chez le luthier pour un vernis", LEA, LOBBY)
    row = await pet.storage.database.one("SELECT max(id) AS id FROM messages")
    assert row is not None
    learnt = await knows(
        pet, "Léa a confié son violoncelle au luthier", messages=(MessageId(row["id"]),)
    )
    found = await pet.recall.search("violoncelle luthier vernis", [Store.MEMORY], OPERATOR, 5)
    assert [one.id for one in found][:1] == [learnt]


async def test_a_fact_and_the_message_it_was_learnt_from_are_told_once(pet: Pet) -> None:
    """Whether words find them or what is new is asked for."""
    await pet.overhears("mon violoncelle est chez le luthier", LEA, LOBBY)
    row = await pet.storage.database.one("SELECT max(id) AS id FROM messages")
    assert row is not None
    await knows(
        pet,
        "Léa a confié son violoncelle au luthier",
        subjects=("Léa",),
        messages=(MessageId(row["id"]),),
    )
    pet.storage.clock.advance(HOUR)
    for question in ("qui a confié un violoncelle au luthier ?", "quoi de neuf ?", "who is Léa?"):
        found = await pet.recall.before(about(question))
        assert [one for one in kept(found) if "luthier" in one] == [
            "Léa a confié son violoncelle au luthier"
        ]
        reasons = {one.candidate.content: one.reason for one in found.items}
        assert reasons["mon violoncelle est chez le luthier"] == "another says the same"


async def tied(pet: Pet) -> tuple[MemoryId, MemoryId]:
    """An outcome and its reason, which have not a word in common."""
    outcome = await knows(pet, "Victorine boite depuis lundi")
    reason = await knows(pet, "une trottinette a percuté quelqu'un devant la gare")
    return outcome, reason


async def test_a_tie_brings_the_reason_one_hop_away(pet: Pet) -> None:
    """Right after the outcome, before all that only the index is near to."""
    outcome, reason = await tied(pet)
    question = about("qui boite depuis lundi ?")
    before = {one.id: one.signals for one in await pet.recall.ranked(question)}
    assert "tied" not in before.get(reason, {})
    tie = Association(start=outcome, end=reason, relation=Relation.CAUSED_BY, weight=1.0)
    await pet.storage.database.write(
        lambda one: associate(one, [tie], FoundDuring.WRITE, pet.storage.clock.now())
    )
    ranked = await pet.recall.ranked(question)
    assert [one.id for one in ranked[:2]] == [outcome, reason]
    assert ranked[1].signals["tied"] > 0


async def test_a_tie_into_another_audience_brings_nothing(pet: Pet) -> None:
    """What was told in private is not the reason given in the lobby."""
    person = (await pet.storage.people.person("chat", DAVID.external_id, DAVID.name)).id
    secret = Origin(visibility=Visibility.PRIVATE, person=person)
    outcome = await knows(pet, "Victorine boite depuis lundi")
    reason = await knows(pet, "une trottinette l'a percutée", origin=secret)
    tie = Association(start=outcome, end=reason, relation=Relation.CAUSED_BY, weight=1.0)
    await pet.storage.database.write(
        lambda one: associate(one, [tie], FoundDuring.WRITE, pet.storage.clock.now())
    )
    await pet.asked("Eko, qui boite depuis lundi ?", LEA, LOBBY)
    rows = await pet.storage.database.all("SELECT ref FROM memory_retrieval_items")
    refs = [row["ref"] for row in rows]
    assert any(str(outcome) in ref for ref in refs)
    assert not any(str(reason) in ref for ref in refs)


async def test_the_same_memory_does_not_come_back_turn_after_turn(pet: Pet) -> None:
    """While its injection stands in the window, however it is asked for; then it does."""
    await knows(pet, "Léa joue du violoncelle dans un orchestre")
    assert "orchestre" in await pet.asked("Eko, qui joue du violoncelle ?", DAVID, LOBBY)
    for again in ("et dans quel orchestre ?", "tu es sûr pour le violoncelle ?"):
        assert "orchestre (" not in await pet.asked(f"Eko, {again}", DAVID, LOBBY)
    pet.storage.clock.advance(HOUR)
    assert "orchestre (" in await pet.asked("Eko, qui joue du violoncelle ?", DAVID, LOBBY)


SMALL_TALK = ["hi all", "salut tout le monde", "mdr", "ok merci !", "thanks guys", "!play x", "👍"]


@pytest.mark.parametrize("text", SMALL_TALK)
async def test_small_talk_looks_nothing_up(pet: Pet, text: str) -> None:
    """Nor what is said to another bot."""
    await knows(pet, f"David a écrit {text}", subjects=("David",), importance=1.0)
    assert await pet.asked(text) == ""
    assert await pet.storage.count("memory_retrievals", "reason = 'nothing to look up'") == 1
    assert await pet.storage.count("memory_retrieval_items") == 0


UNRELATED = [
    "how do I mount an ntfs partition read only?",
    "mon serveur apache renvoie une erreur 502 depuis la mise à jour",
    "anyone knows why grub does not see windows",
    "tu préfères le rugby ou le handball ?",
    "j'ai rêvé d'un dragon qui jouait aux échecs",
    "is there a way to resize this terminal without losing the scrollback",
    "il faut que je révise mes partiels de chimie",
    "sudo apt-get update gives me a hash sum mismatch",
    "franchement la fin du film était nulle",
    "what is the meaning of life",
]


@pytest.mark.parametrize("text", UNRELATED)
async def test_what_nobody_ever_spoke_of_brings_nothing(pet: Pet, text: str) -> None:
    """Something is always nearest, and it does not fit."""
    found = await pet.recall.before(about(text))
    assert found.reason == "looked up"
    assert kept(found) == []


async def uses(pet: Pet) -> dict[str, int]:
    """How often each statement was used, of those that were."""
    rows = await pet.storage.database.all(
        "SELECT content, access_count FROM memories"
        " WHERE access_count > 0 AND last_accessed_at IS NOT NULL"
    )
    assert len(rows) == await pet.storage.count("memories", "access_count > 0")
    return {row["content"]: row["access_count"] for row in rows}


async def test_only_what_was_injected_or_listed_counts_as_used(pet: Pet) -> None:
    """Not what was considered, and each once a turn."""
    await knows(pet, "Léa accorde un clavecin")
    await knows(pet, "Nadia cultive des orchidées")
    await pet.recall.ranked(about("qui accorde un clavecin ?"))
    assert await uses(pet) == {}
    assert "clavecin" in await pet.asked("Eko, qui accorde un clavecin ?", DAVID, LOBBY)
    assert await pet.storage.count("memory_retrieval_items", "kept = 0") > 5
    assert await uses(pet) == {"Léa accorde un clavecin": 1}
    pet.model.will(calls(("search_memories", {"query": "orchidées"})), responds("Nadia."))
    await pet.asked("salut Eko", LEA, LOBBY)
    listed = await uses(pet)
    assert listed["Nadia cultive des orchidées"] == 1


async def in_order(storage: StorageParts, fusion: str, question: str) -> list[Candidate]:
    """What is found, best first, by one way to put it in order."""
    limits = replace(RECALL.limits, fusion=fusion)  # type: ignore[arg-type]
    recall = recall_on(storage, evidence_on(storage), replace(RECALL, limits=limits))
    return await recall.ranked(about(question))


async def test_by_ranks_a_row_that_two_signals_prefer_comes_first(pet: Pet) -> None:
    """By score the one comes first that is far ahead in what weighs most."""
    now = pet.storage.clock.now()
    whole = await knows(pet, "Léa accorde son violoncelle baroque", said_at=now - 700 * DAY)
    part = await knows(pet, "un violoncelle", said_at=now - 200 * DAY)
    question = "qui accorde un violoncelle baroque en 2025 ?"
    by_score = await in_order(pet.storage, "score", question)
    by_rank = await in_order(pet.storage, "rrf", question)
    assert [one.id for one in by_score[:2]] == [whole, part]
    assert [one.id for one in by_rank[:2]] == [part, whole]
    assert all(0 <= one.worth <= 1.2 for one in by_rank)


VECTOR_SOURCES = ("history_vector", "knowledge_vector", "live_vector", "memory_vector")


async def test_sources_that_are_late_cost_their_candidates_only(tmp_path: Path) -> None:
    """What words found is put before the model, and the ledger names who was late."""
    embedder = HashingEmbedder()
    index = StuckIndex(embedder.fingerprint)
    async with open_truth(tmp_path, embedder=embedder, index=index) as storage:
        await storage.remember.store(statement("Léa joue du violoncelle"))
        await storage.indexer.settle()
        index.works = False
        recall = recall_on(storage, evidence_on(storage), replace(RECALL, deadline_s=0.5))
        async with asyncio.timeout(PATIENCE_S):
            found = await recall.before(about("qui joue du violoncelle ?"))
        index.works = True
        again = await recall.before(about("qui joue du violoncelle ?"))
    assert kept(found) == kept(again) == ["Léa joue du violoncelle"]
    assert (found.late, again.late) == (VECTOR_SOURCES, ())
    assert found.items[0].candidate.similarity is None


async def test_sources_that_fail_cost_their_candidates_only(pet: Pet) -> None:
    """As when the vector store is away; it is found again when it is back."""
    await knows(pet, "Léa accorde un clavecin")
    pet.storage.index.available = False
    found = await pet.recall.before(about("qui accorde un clavecin ?"))
    assert kept(found) == ["Léa accorde un clavecin"]
    assert found.late == VECTOR_SOURCES
    pet.storage.index.available = True
    assert (await pet.recall.before(about("qui accorde un clavecin ?"))).late == ()


async def test_a_message_of_which_nothing_holds_any_more_is_not_brought_up(pet: Pet) -> None:
    """What was learnt from it was replaced; who asks for the past still finds it."""
    await pet.overhears("j'apprends le violoncelle au conservatoire", LEA, LOBBY)
    (said,) = await pet.storage.messages.recent(RoomId(f"{LOBBY.platform}:{LOBBY.external_id}"), 1)
    old = await knows(pet, "Léa apprend le violoncelle au conservatoire", messages=(said.id,))
    new = await knows(pet, "Léa apprend le hautbois au conservatoire")
    now = pet.storage.clock.now()
    await pet.storage.memories.write(
        lambda transaction: supersede(transaction, [old], BY_OPERATOR, by=new, until=now, now=now)
    )
    await pet.storage.indexer.settle()
    pet.storage.clock.advance(DAY)
    found = await pet.asked("Eko, Léa apprend quoi au conservatoire ?", DAVID, LOBBY)
    before = await pet.asked("Eko, Léa apprenait quoi avant au conservatoire ?", DAVID, LOBBY)
    assert "hautbois" in found
    assert "violoncelle" not in found
    assert "violoncelle" in before
