"""`[embedder] kind = "none"`: recall by words, names and times, and nobody complains."""

import asyncio
from pathlib import Path

from structlog.testing import capture_logs

from bot.model.events import Inbound
from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.vectors import EmbedderSettings, VectorSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.audience import OPERATOR, scope_of
from memory.model.people import PersonId
from memory.model.recalled import block_of
from memory.model.retrieval import Question
from memory.model.stores import Collection, Store
from tests.cast import DAVID, LOBBY, NOON, room_of
from tests.patience import PATIENCE_S
from tests.storage import statement


def settings(folder: Path, kind: str) -> Settings:
    """The defaults in a folder, with this embedder."""
    return Settings(
        data_dir=folder,
        embedder=EmbedderSettings.model_validate({"kind": kind}),
        vectors=VectorSettings(kind="edge"),
    )


async def told(app: App) -> None:
    """A statement and a lobby message, through the product's own ways in."""
    await app.services.writer.store(statement("David habite à Nantes"))
    said = Inbound(
        external_id="1", room=LOBBY, author=DAVID, text="Le violoncelle est accordé", sent_at=NOON
    )
    await app.inbox.receive_all([said], recorded=True)
    await app.services.indexer.settle()


def asked(text: str) -> Question:
    """A question in the lobby."""
    room = room_of(LOBBY)
    scope = scope_of(room, PersonId("nobody"))
    return Question(text=text, context="", speaker="Léa", room=room, scope=scope)


async def test_words_are_found_without_vectors(tmp_path: Path) -> None:
    """What was said and what is known, by the pre-hook and by a search."""
    async with open_app(settings(tmp_path, "none"), FrozenClock(NOON)) as app:
        await told(app)
        injected = await app.services.recall.before(asked("qui a accordé le violoncelle ?"))
        found = await app.services.recall.search("Nantes", [Store.MEMORY], OPERATOR, 5)
    assert "Le violoncelle est accordé" in block_of(injected.lines)
    assert [one.content for one in found] == ["David habite à Nantes"]


async def test_nothing_is_missed_and_nothing_waits(tmp_path: Path) -> None:
    """No warning for a question, no change left over, and `verify` and `doctor` say why."""
    with capture_logs() as logs:
        async with open_app(settings(tmp_path, "none"), FrozenClock(NOON)) as app:
            await told(app)
            await app.services.recall.warm_up()
            await app.services.recall.before(asked("où habite David ?"))
            waiting = await app.storage.outbox.waiting()
            verified = [event async for event in Operations(app).call("verify", {})]
            doctor = [event async for event in Operations(app).call("doctor", {})]
    assert [entry for entry in logs if entry["log_level"] == "warning"] == []
    assert waiting == 0
    assert verified[-1]["result"]["sound"]
    assert any("no embedder" in event.get("progress", {}).get("warning", "") for event in verified)
    details = {check["name"]: check["detail"] for check in doctor[-1]["result"]["checks"]}
    assert details["embedder"].startswith("none")
    assert details["vector store"].startswith("not used")


async def test_an_embedder_chosen_later_gets_everything(tmp_path: Path) -> None:
    """What was remembered without one is embedded then."""
    async with open_app(settings(tmp_path, "none"), FrozenClock(NOON)) as app:
        await told(app)
    async with open_app(settings(tmp_path, "offline"), FrozenClock(NOON)) as app:
        async with asyncio.timeout(PATIENCE_S):
            while await app.storage.outbox.fingerprint() != str(app.embedder.fingerprint):
                pass  # the indexer is about to notice; reading lets it run
        await app.services.indexer.settle()
        held = [len(await app.index.ids(one)) for one in (Collection.MEMORY, Collection.LIVE)]
    assert held == [1, 1]


async def test_vectors_that_nobody_reads_any_more_are_removed(tmp_path: Path) -> None:
    """Without an embedder nothing could take out of them what is forgotten."""
    async with open_app(settings(tmp_path, "offline"), FrozenClock(NOON)) as app:
        await told(app)
    assert list((tmp_path / "vectors").iterdir())
    async with open_app(settings(tmp_path, "none"), FrozenClock(NOON)):
        pass
    assert list((tmp_path / "vectors").iterdir()) == []
