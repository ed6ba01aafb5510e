"""`eko why`: which turn is meant, and everything that its reply rests on."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.model.audience import OPERATOR
from tests.forgotten import forget_one
from tests.processes import eko
from tests.storage import statement


@asynccontextmanager
async def asked(folder: Path) -> AsyncIterator[App]:
    """A pet without a key that was asked in the lobby and, by somebody else, in private."""
    settings = Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
    )
    async with open_app(settings) as app:
        await app.services.writer.store(statement("David joue du violoncelle", said_by="David"))
        await app.services.writer.store(statement("Léa collectionne les boussoles"))
        await does(app, "ask", text="qui joue du violoncelle ?", name="Zoé", room="lobby")
        await does(app, "ask", text="qui a des boussoles ?", name="Tom")
        yield app


async def does(app: App, operation: str, **arguments: Any) -> dict[str, Any]:
    """What an operation ends with."""
    events = [event async for event in Operations(app).call(operation, arguments)]
    last: dict[str, Any] = events[-1]
    return last


async def why(app: App, **arguments: Any) -> dict[str, Any]:
    """The explanation, as it comes to the command line."""
    told: dict[str, Any] = (await does(app, "why", **arguments))["result"]
    return told


async def test_the_last_turn_is_explained_when_none_is_named(tmp_path: Path) -> None:
    """What was asked, the reply, and what stood behind it with its source."""
    async with asked(tmp_path) as app:
        told = await why(app)
        assert (told["person"], told["where"]) == ("Tom", "in private")
        assert (told["asked"], told["recall"]["reason"]) == ("qui a des boussoles ?", "looked up")
        (line,) = [one for one in told["recall"]["lines"] if "boussoles" in one["content"]]
        assert line["words"] == ["boussoles"]
        assert line["signals"]["words"] > 0
        assert line["sources"]["memory_text"] == 1
        assert 0.5 <= line["confidence"] <= 1
        assert line["source"] == "conversation"


@pytest.mark.parametrize("text", ["Eko, salut !", "@Eko salut !", "salut !"])
async def test_the_pet_is_called_once_in_the_lobby(tmp_path: Path, text: str) -> None:
    """A name called twice would be looked up as a word, and every greeting would find talk."""
    async with asked(tmp_path) as app:
        told = (await does(app, "ask", text=text, name="Léa", room="lobby"))["result"]
        assert told["asked"].count("Eko") == 1
        assert told["recall"]["reason"] == "nothing to look up"


async def test_a_turn_is_named_by_its_id_its_person_or_its_room(tmp_path: Path) -> None:
    """The whole id or its beginning."""
    async with asked(tmp_path) as app:
        told = await why(app, name="Zoé")
        assert told["asked"] == "@Eko qui joue du violoncelle ?"
        assert told["where"] == "in lobby"
        for arguments in (
            {"turn": told["turn"]},
            {"turn": told["turn"][:12].upper()},
            {"room": "lobby"},
            {"name": "zoé", "room": "lobby"},
        ):
            assert (await why(app, **arguments))["turn"] == told["turn"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"turn": "zzz"}, 'No turn begins with "zzz".'),
        ({"turn": "%"}, 'No turn begins with "%".'),
        ({"turn": "-"}, 'Several turns begin with "-": give more of it.'),
        ({"name": "Nina"}, "The pet has not answered Nina yet."),
        ({"name": "Tom", "room": "lobby"}, "The pet has not answered Tom in lobby yet."),
        ({"turn": "a", "name": "Tom"}, "Give a turn, or whose last turn is meant, not both."),
        ({"turn": ""}, "turn takes at least 1 character."),
    ],
)
async def test_what_is_not_there_is_one_sentence(
    tmp_path: Path, arguments: dict[str, str], sentence: str
) -> None:
    """Whichever way it is asked for."""
    async with asked(tmp_path) as app:
        assert await does(app, "why", **arguments) == {"error": sentence}


async def test_before_the_first_turn_there_is_none(tmp_path: Path) -> None:
    """It says so."""
    async with open_app(Settings(data_dir=tmp_path, embedder=EmbedderSettings(kind="none"))) as app:
        assert await does(app, "why") == {"error": "The pet has not answered anybody yet."}


async def test_ask_and_why_tell_the_same(tmp_path: Path) -> None:
    """One shape; `why` adds what was dropped."""
    async with asked(tmp_path) as app:
        answer = (await does(app, "ask", text="où est le violoncelle ?", name="Zoé"))["result"]
        told = await why(app)
        assert told["recall"].pop("dropped") is not None
        for one in (told, answer):
            del one["age"]
            for line in (*one["recall"]["lines"], *one["recall"]["standing"]):
                del line["age"]
        assert told == answer


async def test_what_was_forgotten_since_is_not_quoted(tmp_path: Path) -> None:
    """Neither in what was injected nor in what was dropped."""
    async with asked(tmp_path) as app:
        (known,) = [
            one
            for one in await app.storage.memories.latest(None, OPERATOR, 10)
            if "violoncelle" in one.content
        ]
        await forget_one(app.services.forgetting, known.id)
        recall = (await why(app, name="Zoé"))["recall"]
        (line,) = [one for one in recall["lines"] if one["ref"].startswith(f"memory:{known.id}")]
        assert (line["state"], line["content"], line["said_by"]) == ("forgotten", "", None)
        assert "David joue" not in json.dumps(recall)


async def test_the_offline_pet_says_why_itself(tmp_path: Path) -> None:
    """From the same explanation, in the language it is asked in."""
    async with asked(tmp_path) as app:
        french = await does(app, "ask", text="d'où tu sais ça ?", name="Zoé", room="lobby")
        assert "David l'a dit il y a" in french["result"]["reply"]
        assert "« David joue du violoncelle »" in french["result"]["reply"]
        await does(app, "ask", text="who has boussoles?", name="Ann")
        english = await does(app, "ask", text="how do you know that?", name="Ann")
        assert "Léa collectionne les boussoles" in english["result"]["reply"]


async def test_the_command_prints_plain_lines_when_it_is_piped(tmp_path: Path) -> None:
    """With `--all` what was dropped too; a mistake is one sentence and status 1."""
    async with asked(tmp_path):
        pass
    plain = eko(tmp_path, "why", "--as", "Zoé", "--all").stdout
    assert "- [memory] David joue du violoncelle" in plain
    assert "violoncelle (+" in plain
    assert "said by David" in plain
    assert "Dropped:" in plain or "Nothing else was considered." in plain
    assert json.loads(eko(tmp_path, "why", "--json").stdout)["person"] == "Tom"
    wrong = eko(tmp_path, "why", "zzz")
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert wrong.stderr.strip() == 'No turn begins with "zzz".'


async def test_the_sweep_removes_what_was_dropped_after_its_days(tmp_path: Path) -> None:
    """`why` says when, instead of calling it nothing."""
    async with asked(tmp_path) as app:
        await app.storage.ledger.trim(timedelta(seconds=-1))
        recall = (await why(app))["recall"]
        assert recall["dropped"] == []
        assert recall["trimmed_at"] is not None
        assert recall["lines"]
