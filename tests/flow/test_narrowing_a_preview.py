"""A preview is narrowed as people say it: to the offline pet, to a model, and by `/forget`."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.model.requests import ModelReply
from bot.surfaces.operations import Operations
from bot.texts.catalogue import say
from memory.clock import FrozenClock
from tests.cast import CORNER, DAVID, LEA, NOON, direct
from tests.flow.pet import ScriptedModel, awake, calls, responds
from tests.flow.test_changed_minds import offline as by_rules
from tests.flow.test_forgetting_in_chat import ask, offline, replies
from tests.forgotten import is_unsure_of

TOLD = {
    "en": ("my bike is red", "my bike has a bell", "my bike is in the shed"),
    "fr": ("mon vélo est rouge", "mon vélo a une sonnette", "mon vélo est au garage"),
}
UNSURE = {
    "en": "please forget what I said about my bicycle",
    "fr": "oublie ce que j'ai dit de ma bicyclette stp",
}
ASKED = {"en": "forget everything about my bike", "fr": "oublie tout ce que j'ai dit du vélo"}


async def tell(app: Any, locale: str) -> list[str]:
    """David tells of his bike and asks to have it forgotten; the lines he is shown."""
    for text in TOLD[locale]:
        await ask(app, text)
    return numbered(await ask(app, ASKED[locale]))


def numbered(answer: str) -> list[str]:
    """The lines of an answer that have a number, in order."""
    found = [line.partition(". ") for line in answer.splitlines() if line[:1].isdigit()]
    assert [number for number, _, _ in found] == [str(one + 1) for one in range(len(found))]
    return [text for _, _, text in found]


def shown(answer: str) -> list[str]:
    """The lines that an answer shows, numbered or one alone."""
    alone = [line[2:] for line in answer.splitlines() if line.startswith("• ")]
    return alone or numbered(answer)


def kept(folder: Path) -> set[str]:
    """What people's messages still say of it."""
    with closing(sqlite3.connect(folder / "eko.sqlite3")) as database:
        said = {text for (text,) in database.execute("SELECT text FROM messages")}
    return said & {one for texts in TOLD.values() for one in texts}


@pytest.mark.parametrize(
    ("locale", "narrowing", "yes", "first"),
    [
        ("en", "only the second", "yes", True),
        ("en", "yes, but not the first", "yes", False),
        ("fr", "seulement le deuxième", "oui", True),
        ("fr", "oui mais pas le premier", "oui", False),
    ],
)
async def test_the_offline_pet_shows_some_lines_again(
    tmp_path: Path, locale: str, narrowing: str, yes: str, *, first: bool
) -> None:
    """And forgets nothing else once they agree to these."""
    async with offline(tmp_path, locale=locale) as app:
        lines = await tell(app, locale)
        again = shown(await ask(app, narrowing))
        assert again == ([lines[1]] if first else lines[1:])
        assert kept(tmp_path) == {*TOLD[locale]}
        await ask(app, yes)
        gone = {lines[1]} if first else {*lines[1:]}
        assert kept(tmp_path) == {*TOLD[locale]} - gone


async def test_the_offline_pet_asks_for_a_line_it_has_shown(tmp_path: Path) -> None:
    """And then takes no assent to all of it for an answer."""
    async with offline(tmp_path, locale="en") as app:
        await tell(app, "en")
        assert "which number" in await ask(app, "only the tenth")
        await ask(app, "yes")
        assert kept(tmp_path) == {*TOLD["en"]}
        lines = shown(await ask(app, ASKED["en"]))
        assert "which number" in await ask(app, "only 9")
        assert shown(await ask(app, "the second")) == lines[1:2]


@pytest.mark.parametrize("said", ["yes, but not the one about the bell", "only if I ask again"])
async def test_what_leaves_something_out_in_other_words_forgets_nothing(
    tmp_path: Path, said: str
) -> None:
    """It is no assent to all of it."""
    async with offline(tmp_path, locale="en") as app:
        await tell(app, "en")
        await ask(app, said)
        assert kept(tmp_path) == {*TOLD["en"]}


async def test_numbers_in_other_talk_name_no_lines(tmp_path: Path) -> None:
    """Nothing was shown, or something else was said since."""
    async with offline(tmp_path, locale="en") as app:
        await tell(app, "en")
        await ask(app, "what time is it?")
        assert "forget" not in (await ask(app, "only the second")).lower()


async def test_in_a_group_there_are_no_lines_to_name(tmp_path: Path) -> None:
    """Figures only, before and after."""
    clock = FrozenClock(NOON)
    async with awake(tmp_path, model=by_rules(clock), clock=clock) as pet:
        for text in TOLD["en"]:
            await pet.hears(text, DAVID, CORNER)
            await pet.answers()
        await pet.hears("Eko, forget everything about my bike", DAVID, CORNER)
        assert not numbered((await pet.answers())[-1])
        await pet.hears("Eko, only the first", DAVID, CORNER)
        assert not shown((await pet.answers())[-1])
        await pet.hears("Eko, yes", DAVID, CORNER)
        await pet.answers()
        assert await pet.storage.count("messages", "text LIKE 'my bike%'") == 3


async def test_a_command_narrows_what_it_showed(tmp_path: Path) -> None:
    """By the words people use, and again; without a preview they are a topic."""
    async with offline(tmp_path, locale="en") as app:
        assert (await ask(app, "/forget only 2")).startswith("I do not find")
        for text in TOLD["en"]:
            await ask(app, text)
        lines = shown(await ask(app, "/forget bike"))
        assert "no line" in await ask(app, "/forget only 19")
        again = shown(await ask(app, "/forget not the first"))
        assert again == lines[1:]
        assert shown(await ask(app, "/forget 1")) == again[:1]
        assert (await ask(app, "/forget confirm")).startswith("Forgotten: ")
        assert kept(tmp_path) == {*TOLD["en"]} - {again[0]}
        assert not any(again[0] in reply for reply in replies(tmp_path))


def forgets(**arguments: Any) -> ModelReply:
    """A call of the tool."""
    return calls(("memory__forget", arguments))


async def test_a_model_names_the_lines_of_a_preview(tmp_path: Path) -> None:
    """By the numbers it was given, in a later message of the same person, to be confirmed."""
    model, private = ScriptedModel(), direct(DAVID)
    async with awake(tmp_path, model=model) as pet:
        for text in TOLD["fr"]:
            await pet.asked(text, DAVID, private)
        model.will(forgets(topic="vélo"), forgets(only=[1]), responds("tout ça ?"))
        await pet.asked("oublie mon vélo", DAVID, private)
        before, at_once = model.results
        assert len(numbered(before)) == 3
        assert "There is nothing to confirm" in at_once
        model.will(forgets(only=[1]), responds("hm"))
        await pet.asked("que le premier", LEA, direct(LEA))
        assert "There is nothing to confirm" in model.results[-1]
        model.will(forgets(without=[4]), responds("lequel ?"))
        await pet.asked("pas le quatrième", DAVID, private)
        assert "lines 1 to 3 were shown" in model.results[-1]
        model.will(forgets(without=[2]), responds("ces deux-là ?"))
        await pet.asked("pas le deuxième", DAVID, private)
        lines = numbered(before)
        assert numbered(model.results[-1]) == [lines[0], lines[2]]
        model.will(forgets(confirm="latest"), responds("c'est fait"))
        await pet.asked("oui", DAVID, private)
        rows = await pet.storage.database.all(
            "SELECT text FROM messages WHERE text LIKE 'mon vélo%'"
        )
        assert [row["text"] for row in rows] == [lines[1]]


@pytest.mark.parametrize(
    ("locale", "also", "yes"),
    [
        ("en", "also 2", "yes"),
        ("en", "2", "yes"),
        ("en", "both of them", "yes"),
        ("fr", "aussi la 2", "oui"),
        ("fr", "oui, et la deuxième aussi", "oui"),
        ("fr", "les deux", "oui"),
    ],
)
async def test_the_offline_pet_offers_what_may_be_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: str, also: str, yes: str
) -> None:
    """It stays unless they name it; shown again it is among what goes."""
    is_unsure_of(monkeypatch, 1)
    async with offline(tmp_path, locale=locale) as app:
        for text in TOLD[locale]:
            await ask(app, text)
        answer = await ask(app, UNSURE[locale])
        assert numbered(answer) == [*TOLD[locale][:2]]
        assert say("offline.perhaps", locale) in answer
        again = await ask(app, also)
        assert {*numbered(again)} == {*TOLD[locale][:2]}
        assert say("offline.perhaps", locale) not in again
        await ask(app, yes)
        assert kept(tmp_path) == {TOLD[locale][2]}


@pytest.mark.parametrize("locale", ["en", "fr"])
async def test_what_was_offered_stays_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    """An assent is one to what was said to go."""
    is_unsure_of(monkeypatch, 1, 2)
    async with offline(tmp_path, locale=locale) as app:
        for text in TOLD[locale]:
            await ask(app, text)
        await ask(app, UNSURE[locale])
        await ask(app, {"en": "yes", "fr": "oui"}[locale])
        assert kept(tmp_path) == {*TOLD[locale][1:]}


async def test_a_model_takes_what_was_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told which lines are sure, and names the others by their numbers."""
    is_unsure_of(monkeypatch, 2)
    model, private = ScriptedModel(), direct(DAVID)
    async with awake(tmp_path, model=model) as pet:
        for text in TOLD["en"]:
            await pet.asked(text, DAVID, private)
        model.will(forgets(topic=UNSURE["en"]), responds("this, perhaps that?"))
        await pet.asked(UNSURE["en"], DAVID, private)
        assert "Perhaps these as well" in model.results[-1]
        assert numbered(model.results[-1]) == [TOLD["en"][0], TOLD["en"][2]]
        model.will(forgets(also=[2]), responds("both, then?"))
        await pet.asked("2 too", DAVID, private)
        assert "Perhaps" not in model.results[-1]
        assert {*numbered(model.results[-1])} == {TOLD["en"][0], TOLD["en"][2]}


async def test_a_command_offers_what_may_be_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And takes it by its number, or leaves it."""
    is_unsure_of(monkeypatch, 1)
    async with offline(tmp_path, locale="fr") as app:
        for text in TOLD["fr"]:
            await ask(app, text)
        answer = await ask(app, f"/forget {UNSURE['fr']}")
        assert numbered(answer) == [*TOLD["fr"][:2]]
        assert "/oublier aussi 2" in answer
        assert {*numbered(await ask(app, "/oublier aussi 2"))} == {*TOLD["fr"][:2]}
        await ask(app, "/forget confirm")
        assert kept(tmp_path) == {TOLD["fr"][2]}


async def test_in_a_group_it_is_said_that_more_may_be_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not what, since others read along."""
    is_unsure_of(monkeypatch, 1, 2)
    clock = FrozenClock(NOON)
    async with awake(tmp_path, model=by_rules(clock), clock=clock) as pet:
        for text in TOLD["en"]:
            await pet.hears(text, DAVID, CORNER)
            await pet.answers()
        await pet.hears(f"Eko, {UNSURE['en']}", DAVID, CORNER)
        answer = (await pet.answers())[-1]
        assert "2 other lines may be meant as well" in answer
        assert not any(text in answer for text in TOLD["en"])


async def test_a_command_says_in_a_group_that_more_may_be_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Likewise."""
    is_unsure_of(monkeypatch, 1)
    async with offline(tmp_path, locale="en") as app:
        for text in TOLD["en"]:
            await ask(app, text)
        asked = {"text": f"/forget {UNSURE['en']}", "name": "David", "room": "lobby"}
        events = [one async for one in Operations(app).call("ask", asked)]
        answer = events[-1]["result"]["reply"]
        assert "1 other line may be meant as well" in answer
        assert not any(text in answer for text in TOLD["en"])
