"""Forgetting as people ask for it: by commands, in plain words, through the tool of a model."""

import re
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from bot.model.requests import ModelReply, ModelRequest
from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.pet import AdminSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from tests.cast import DAVID, LEA, LOBBY
from tests.flow.pet import ScriptedModel, awake, calls, responds
from tests.forgotten import RUNNER


@asynccontextmanager
async def offline(folder: Path, **settings: Any) -> AsyncIterator[App]:
    """A pet without a key."""
    chosen = Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        **settings,
    )
    async with open_app(chosen) as app:
        yield app


async def ask(app: App, text: str, name: str = "David") -> str:
    """What the pet answers to somebody who is alone with it, or says with a command."""
    events = [one async for one in Operations(app).call("ask", {"text": text, "name": name})]
    return str(events[-1]["result"]["reply"])


async def recalled(app: App) -> list[str]:
    """Every statement that is recalled."""
    events = [one async for one in Operations(app).call("memories", {})]
    return [row["content"] for row in events[-1]["result"]["memories"]]


def replies(folder: Path) -> set[str]:
    """What the pet answered, as far as it is kept."""
    with closing(sqlite3.connect(folder / "eko.sqlite3")) as database:
        return {reply for (reply,) in database.execute("SELECT reply FROM turns")}


async def test_a_topic_is_forgotten_by_command_and_given_back(tmp_path: Path) -> None:
    """Seen first, confirmed in another message, undone; what others said stays."""
    async with offline(tmp_path, locale="en") as app:
        await ask(app, "I love rugby")
        await ask(app, "I love rugby", "Tom")
        shown = await ask(app, "/forget rugby")
        assert re.match(r"I would forget: \d+ messages?, 1 conversation with me, 1 memory\.", shown)
        assert "David: I love rugby" in shown or "I love rugby" in shown
        assert len(await recalled(app)) == 2
        assert (await ask(app, "/forget confirm")).startswith("Forgotten: ")
        assert len(await recalled(app)) == 1
        assert (await ask(app, "/forget confirm")).startswith("There is nothing to confirm")
        assert await ask(app, "/forget undo", "Tom") == (
            "There is nothing to undo: after 24 hours it is gone for good."
        )
        assert await ask(app, "/forget undo") == "It is all back."
        assert len(await recalled(app)) == 2


async def test_the_way_the_pet_speaks_is_not_forgotten_with_a_topic(tmp_path: Path) -> None:
    """What only the pet says, as "good to know", is in its answers to everybody: they all stay."""
    async with offline(tmp_path, locale="en") as app:
        tom = await ask(app, "I love tennis", "Tom")
        await ask(app, "I love rugby")
        hiking = await ask(app, "I love hiking")
        assert "you like tennis" in tom
        await ask(app, "/forget rugby")
        assert "answer" not in await ask(app, "/forget confirm")
        await app.services.purging.now(1, RUNNER)
        assert {tom, hiking} <= replies(tmp_path)


async def test_somebody_forgets_everything_about_themselves(tmp_path: Path) -> None:
    """And is read along with no more; an explanation comes first where there is nothing to say."""
    async with offline(tmp_path, locale="fr") as app:
        await ask(app, "j'adore le judo")
        assert (await ask(app, "/forget")).startswith("/oublier SUJET")
        assert "J'arrête aussi de te lire." in await ask(app, "/forget-me")
        done = await ask(app, "/forget-me confirm")
        assert done.startswith("Oublié : ")
        assert "1 nom" in done
        assert await recalled(app) == []
        rows = await app.storage.people.named("someone")
        assert len(rows) == 1


async def test_only_an_admin_forgets_what_others_said(tmp_path: Path) -> None:
    """Anybody else gets what is theirs only, whatever they write."""
    settings = {"locale": "en", "admins": AdminSettings(identities=("console:Ada",))}
    async with offline(tmp_path, **settings) as app:
        path = tmp_path / "lobby.jsonl"
        path.write_text('{"author": "tom", "text": "I love rugby", "at": "2026-01-17T12:00Z"}')
        async for _ in Operations(app).call("replay", {"path": str(path)}):
            pass
        assert "Only the people who look after me" in await ask(app, "/forget --all rugby")
        shown = await ask(app, "/forget rugby", "Ada")
        assert shown.startswith("None of it is your own word: ")
        assert (await ask(app, "/forget --all rugby", "Ada")).startswith("I would forget: ")
        assert (await ask(app, "/forget confirm", "Ada")).startswith("Forgotten: ")
        assert "I do not find" in await ask(app, "/forget --all rugby", "Ada")


@pytest.mark.parametrize(
    ("locale", "told", "wish", "yes", "done", "back", "restored"),
    [
        (
            "fr",
            "j'adore le judo",
            "oublie tout ce que j'ai dit sur le judo",
            "oui",
            "C'est oublié : ",
            "annule l'oubli",
            "Tout est revenu.",
        ),
        (
            "en",
            "I love rugby",
            "forget everything I said about rugby",
            "yes, forget it",
            "Forgotten: ",
            "undo the forgetting",
            "It is all back.",
        ),
    ],
)
async def test_the_offline_pet_forgets_in_plain_words(
    tmp_path: Path, locale: str, told: str, wish: str, yes: str, done: str, back: str, restored: str
) -> None:
    """It says how much that is, asks, and does it once they agree."""
    async with offline(tmp_path, locale=locale) as app:
        await ask(app, told)
        assert len(await recalled(app)) == 1
        shown = await ask(app, wish)
        assert re.search(r"\d", shown)
        assert len(await recalled(app)) == 1
        assert (await ask(app, yes)).startswith(done)
        assert await recalled(app) == []
        assert await ask(app, back) == restored
        assert len(await recalled(app)) == 1


async def test_the_offline_pet_forgets_nothing_by_a_yes_to_something_else(tmp_path: Path) -> None:
    """Only right after it asked."""
    async with offline(tmp_path) as app:
        await ask(app, "j'adore le judo")
        await ask(app, "oublie tout ce que j'ai dit sur le judo")
        await ask(app, "attends, quelle heure est-il ?")
        await ask(app, "oui")
        assert len(await recalled(app)) == 1


def forgets(**arguments: Any) -> ModelReply:
    """A call of the tool."""
    return calls(("memory__forget", arguments))


async def test_a_model_can_only_confirm_in_a_later_turn(tmp_path: Path) -> None:
    """By the token it was given, and for the same person."""
    model = ScriptedModel()
    tokens: list[str] = []

    def impatient(_request: ModelRequest) -> ModelReply:
        tokens.append(re.findall(r'confirm="(\w+)"', model.results[-1])[0])
        return forgets(confirm=tokens[-1])

    async with awake(tmp_path, model=model) as pet:
        await pet.overhears("j'adore le judo", DAVID, LOBBY)
        model.will(forgets(topic="judo"), impatient, responds("tu es sûr ?"))
        await pet.asked("oublie ce que j'ai dit du judo")
        assert "There is nothing to confirm" in model.results[-1]
        assert await pet.storage.count("messages", "text LIKE '%adore le judo%'") == 1
        model.will(forgets(confirm=tokens[0]), responds("hm"))
        await pet.asked("oui", LEA)
        assert "There is nothing to confirm" in model.results[-1]
        model.will(forgets(confirm=tokens[0]), responds("c'est fait"))
        await pet.asked("oui")
        assert model.results[-1].startswith("Forgotten: messages: ")
        assert await pet.storage.count("messages", "text LIKE '%judo%'") == 0
        assert await pet.storage.count("turns", "text || reply || recalled LIKE '%judo%'") == 0


async def test_what_a_model_deleted_is_the_deed_of_whom_it_answered(tmp_path: Path) -> None:
    """Who can have it back, and nobody else; the audit log does not name the operator."""
    model = ScriptedModel()

    def deletes(_request: ModelRequest) -> ModelReply:
        shown = re.findall(r"\[id (\w+)", model.results[-1])[0]
        return calls(("delete_memory", {"id": shown}))

    async with awake(tmp_path, model=model) as pet:
        model.will(calls(("store_memory", {"content": "David adore le judo"})), responds("oh"))
        await pet.asked("j'adore le judo")
        search = calls(("search_memories", {"query": "judo"}))
        model.will(search, deletes, responds("j'oublie ?"))
        await pet.asked("oublie que j'adore le judo")
        model.will(forgets(confirm="latest"), responds("c'est oublié"))
        await pet.asked("oui")
        assert await pet.storage.count("memories", "content LIKE '%judo%'") == 0
        assert await pet.storage.count("audit_log", "actor = 'operator'") == 0
        model.will(forgets(undo=True), responds("non"))
        await pet.asked("annule", LEA)
        assert "There is nothing to undo" in model.results[-1]
        model.will(forgets(undo=True), responds("revoilà"))
        await pet.asked("annule")
        assert await pet.storage.count("memories", "content LIKE '%judo%'") == 1


async def test_an_answer_that_was_thought_meanwhile_keeps_nothing_of_it(tmp_path: Path) -> None:
    """What was injected for it is forgotten while the model thinks."""
    model = ScriptedModel()
    async with awake(tmp_path, model=model) as pet:
        heard = await pet.hears("mon vélo rouge est au garage", LEA, LOBBY)
        await pet.storage.indexer.settle()
        model.gate.clear()
        await pet.hears("où est le vélo rouge de Léa ?")
        pet.lets_quiet_pass()
        await model.thinking.wait()
        assert "garage" in model.injected
        await pet.storage.messages.withdraw(LEA.platform, heard)
        model.gate.set()
        await pet.answers()
        assert await pet.storage.count("turns", "recalled LIKE '%garage%'") == 0
        assert await pet.storage.count("turns") == 1
