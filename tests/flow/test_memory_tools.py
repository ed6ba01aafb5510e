"""The `memory__` tools: everything that fits, every word that was said, texts kept as they are."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.model.events import AuthorRef, RoomRef
from bot.model.requests import ToolRound
from memory.learning.kept_texts import MANUAL
from memory.model.audience import Origin
from memory.model.rooms import Visibility
from tests.cast import CORNER, DAVID, LEA, LOBBY, PLATFORM, author, direct, group
from tests.flow.pet import Pet, awake, calls, responds
from tests.forgotten import forget_one, forgetting_on
from tests.storage import statement

RECIPE = """Le gratin de Mamie. Couper 1 kg de courge en dés.
- 20 cl de crème
- 100 g de comté
Cuire 45 minutes à 180 degrés."""


@pytest.fixture
async def pet(tmp_path: Path) -> AsyncIterator[Pet]:
    """A pet that has just been born."""
    async with awake(tmp_path) as born:
        yield born


async def told(
    pet: Pet,
    name: str,
    who: AuthorRef = DAVID,
    where: RoomRef = CORNER,
    said: str = "Tu peux regarder ça ?",
    **arguments: Any,
) -> str:
    """What a tool tells the model in a turn of somebody somewhere."""
    pet.model.will(calls((name, arguments)), responds("Voilà."))
    await pet.asked(said, who, where)
    last = pet.model.requests[-1].messages[-1]
    assert isinstance(last, ToolRound)
    return last.results[0].text


async def test_one_search_goes_through_every_collection(pet: Pet) -> None:
    """Each line says what it is, how old, by whom and where."""
    await pet.overhears("Mon violoncelle est chez le luthier Bertrand", DAVID, LOBBY)
    await pet.storage.remember.store(
        statement("David apprend le violoncelle baroque", said_by="David")
    )
    await pet.asked("Eko, Zoé me prêtera son violoncelle électrique", LEA, LOBBY)
    pet.storage.clock.advance(timedelta(days=3))
    lines = (await told(pet, "memory__search", where=LOBBY, said="Eko, le violoncelle ?",
                        query="violoncelle")).splitlines()  # fmt: skip
    assert len(lines) <= 5
    assert any("fact, il y a 3 jours, said by David)" in line for line in lines)
    assert any("message, il y a 3 jours, said by you (David), in lobby)" in line for line in lines)


async def test_a_core_fact_is_listed_as_one(pet: Pet) -> None:
    """Where another asks: who it is of is told from it before anything is looked up."""
    stated = {"content": "Léa est infirmière à Grenoble", "subjects": ["Léa"]}
    pet.model.will(calls(("store_memory", stated)), responds("Noté."))
    await pet.asked("Eko, je suis infirmière à Grenoble", LEA, LOBBY)
    assert await pet.storage.count("core_facts") >= 1
    found = await told(
        pet, "memory__search", where=LOBBY, said="Eko, qui soigne ?", query="infirmière Grenoble"
    )
    assert "(core fact, " in found


async def test_a_search_lists_only_what_fits(pet: Pet) -> None:
    """Five at most, and nothing where nothing does."""
    for number in range(9):
        await pet.overhears(f"Le phare de Cordouan, photo {number}", DAVID, LOBBY)
    await pet.overhears("Quelqu'un a un tournevis ?", LEA, LOBBY)
    found = await told(pet, "memory__search", query="phare de Cordouan")
    assert len(found.splitlines()) == 5
    assert "tournevis" not in found
    assert await told(pet, "memory__search", query="zeppelin") == "Nothing found."


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("marathon", {"David", "Léa", "Zoé"}),
        ('"marathon de Paris"', {"David"}),
        ("marathon -Paris", {"Léa", "Zoé"}),
        ("author:léa marathon", {"Léa"}),
        ("marathon room:#Lobby", {"David", "Léa"}),
        ("marathon before:hier", {"David"}),
        ("marathon after:hier room:lobby", {"Léa"}),
        ("author:DAVID", {"David"}),
        ("marath*", {"David", "Léa", "Zoé"}),
        ("room:nulle-part marathon", set()),
    ],
)
async def test_words_are_found_with_who_where_and_when(
    pet: Pet, query: str, found: set[str]
) -> None:
    """In lobbies and in what was said to the pet, latest first, each once."""
    await pet.overhears("J'ai couru le marathon de Paris", DAVID, LOBBY)
    pet.storage.clock.advance(timedelta(days=5))
    await pet.overhears("Paris sans marathon, jamais", author("Max"), LOBBY)
    await pet.storage.messages.withdraw("chat", (await last_id(pet)))
    await pet.overhears("Un marathon, moi jamais", LEA, LOBBY)
    await pet.asked("Eko, mon marathon est en mai", author("Zoé"), CORNER)
    lines = await told(pet, "memory__search_text", DAVID, CORNER, "Regarde.", query=query)
    names = {name for name in ("David", "Léa", "Zoé", "Max") if name in lines}
    assert names == found


async def last_id(pet: Pet) -> str:
    """The platform's id of the last message."""
    rows = await pet.storage.database.all(
        "SELECT external_id FROM messages ORDER BY id DESC LIMIT 1"
    )
    return str(rows[0]["external_id"])


async def test_an_exchange_is_told_once_and_for_both_its_halves(pet: Pet) -> None:
    """Its messages are not listed beside it; the pet's own words are found by its name."""
    pet.model.will(responds("Le luthier s'appelle Bertrand."))
    await pet.asked("Comment s'appelle le luthier ?")
    found = await told(pet, "memory__search_text", query="luthier Bertrand")
    assert found.count("luthier") == 2
    assert "exchange" in found
    assert "Bertrand" in await told(pet, "memory__search_text", query="author:eko luthier")


async def test_word_for_word_finds_statements_that_are_recalled_only(pet: Pet) -> None:
    """What was replaced, has expired or was forgotten is not found by its words either."""
    origin = Origin(visibility=Visibility.SPACE)
    kept = [
        await pet.storage.remember.store(
            statement(f"Le mot zanzibar, {name}", origin=origin, **more)
        )
        for name, more in (("un vélo", {}), ("une heure", {"ttl": timedelta(hours=1)}))
    ]
    assert "vélo" in await told(pet, "memory__search_text", said="a ?", query="zanzibar")
    pet.storage.clock.advance(timedelta(hours=2))
    assert "heure" not in await told(pet, "memory__search_text", said="b ?", query="zanzibar")
    await forget_one(forgetting_on(pet.storage), kept[0].id)
    assert await told(pet, "memory__search_text", said="c ?", query="zanzibar") == "Nothing found."


@pytest.mark.parametrize("name", ["memory__search", "memory__search_text"])
async def test_a_long_message_is_listed_around_what_was_asked(pet: Pet, name: str) -> None:
    """The sentence that says it, though it stands far behind what a line has room for."""
    walk = "On a marché encore un peu ce jour-là sans rien voir du tout. " * 12
    await pet.overhears(f"{walk}Le zeppelin de Jules est tombé à Brest. {walk}", DAVID, LOBBY)
    found = await told(pet, name, where=LOBBY, said="Eko, regarde ?", query="zeppelin Jules")
    assert "Le zeppelin de Jules est tombé à Brest." in found
    assert len(found) < 700


@pytest.mark.parametrize("name", ["memory__search", "memory__search_text"])
async def test_nobody_finds_what_was_said_elsewhere_in_private(pet: Pet, name: str) -> None:
    """Not by meaning, not by words, not by its author or room."""
    await pet.asked("Mon code secret est xylophone", LEA, direct(LEA))
    await pet.overhears("Le xylophone est à vendre", DAVID, group("ailleurs", space="elsewhere"))  # type: ignore[arg-type]
    query = "xylophone" if name == "memory__search" else "xylophone* author:Léa"
    assert await told(pet, name, DAVID, LOBBY, "Eko ?", query=query) == "Nothing found."
    assert "secret" in await told(pet, name, LEA, direct(LEA), "Et moi ?", query=query)


async def test_a_name_somebody_has_elsewhere_does_not_find_them_here(pet: Pet) -> None:
    """That two accounts are one person's is known only where both have spoken."""
    other = author("Rossinante")
    lea = await pet.storage.people.person(PLATFORM, LEA.external_id, LEA.name)
    await pet.storage.database.write(
        lambda transaction: transaction.run(
            "INSERT INTO identities (platform, external_id, person_id, name)"
            " VALUES (:platform, :id, :person, :name)",
            {"platform": PLATFORM, "id": other.external_id, "person": lea.id, "name": other.name},
        )
    )
    await pet.overhears("Le cheval est au pré", other, group("ailleurs", space="elsewhere"))  # type: ignore[arg-type]
    await pet.overhears("Mon violon est accordé", LEA, LOBBY)
    query = "author:Rossinante"
    assert await told(pet, "memory__search_text", DAVID, LOBBY, "Eko ?", query=query) == (
        "Nothing found."
    )
    await pet.overhears("Je signe autrement", other, LOBBY)
    found = await told(pet, "memory__search_text", DAVID, LOBBY, "Eko, et là ?", query=query)
    assert "violon" in found
    assert "cheval" not in found


@pytest.mark.parametrize("query", ['"', "AND", "NEAR(", "a* OR", "{}:", "after:demain-ish x"])
async def test_hostile_queries_are_answered_in_words(pet: Pet, query: str) -> None:
    """As nothing found, or as a sentence that says what is wrong."""
    await pet.overhears("rien de spécial", DAVID, LOBBY)
    found = await told(pet, "memory__search_text", query=query)
    assert found == "Nothing found." or found.endswith(".")
    assert "fts5" not in found
    assert "database" not in found


async def test_a_text_is_kept_word_for_word_and_found_again(pet: Pet) -> None:
    """In its pieces, in the scope of where it was asked for."""
    await pet.asked(RECIPE, DAVID, direct(DAVID))
    done = await told(pet, "memory__index", DAVID, direct(DAVID), "Garde cette recette",
                      title="Gratin", text=RECIPE)  # fmt: skip
    assert done.startswith('Kept "Gratin" word for word')
    (row,) = await pet.storage.database.all("SELECT * FROM knowledge")
    assert (row["content"], row["kind"], row["channel"]) == (RECIPE, "note", MANUAL)
    assert row["audience"].startswith("person:")
    await pet.storage.indexer.settle()
    found = await told(pet, "memory__search", DAVID, direct(DAVID), "Et ?", query="courge comté")
    assert "note, " in found
    assert "gratin" not in await told(pet, "memory__search_text", LEA, LOBBY, "Eko ?",
                                      query="gratin")  # fmt: skip
    again = await told(pet, "memory__index", DAVID, direct(DAVID), "Encore",
                       title="gratin", text=RECIPE)  # fmt: skip
    assert "kept already" in again or again.startswith("Kept")
    assert await pet.storage.count("knowledge") == 1


async def test_a_shorter_text_leaves_nothing_of_the_longer_one(pet: Pet) -> None:
    """The same title takes the place of the old one, whole."""
    long = " ".join(f"Étape {number} : remuer la soupe doucement." for number in range(60))
    await keep(pet, "Soupe", long)
    assert await pet.storage.count("knowledge") > 3
    await keep(pet, "Soupe", "Ouvrir la boîte.")
    assert await pet.storage.count("knowledge") == 1


async def keep(pet: Pet, title: str, text: str) -> None:
    """Say a text and have it kept."""
    pet.model.will(calls(("memory__index", {"title": title, "text": text})), responds("Fait."))
    await pet.asked(text)


async def test_nobody_said_it_so_it_is_not_kept(pet: Pet) -> None:
    """Neither the model's own text, nor the pet's, nor what was said elsewhere."""
    pet.model.will(responds("Battre les œufs en neige ferme."))
    await pet.asked("Comment faire une mousse ?")
    await pet.asked("Le code du portail est 1234", LEA, direct(LEA))
    for text in ("Une recette inventée.", "Battre les œufs en neige ferme.", "1234", "..."):
        pet.model.will(calls(("memory__index", {"title": "x", "text": text})), responds("Non."))
        await pet.asked("Garde ça")
        assert "Nobody wrote that here" in pet.model.results[-1]
    assert await pet.storage.count("knowledge") == 0
