"""After an import was undone no reply, account, name or word of it is left in any file."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.events import AuthorRef, Inbound, RoomRef
from bot.wiring.app import App
from config.sections.recall import RecallSettings
from config.sections.vectors import EmbedderSettings
from memory.clock import FrozenClock
from memory.language.synonyms import load as load_lexicons
from memory.model.rooms import RoomKind, RoomRole
from memory.rules.forgetting.receipt import UNDO_WITHIN
from memory.rules.forgetting.selector import Selector
from tests.cast import NOON
from tests.flow.brought import brings, contents, does, history, line, pet
from tests.flow.test_backups import backed_up, living, restored
from tests.flow.test_histories_undone import bytes_of
from tests.forgotten import RUNNER

NADIA = AuthorRef(platform="discord", external_id="7", name="nadia")
ALONE = RoomRef(
    platform="discord",
    external_id="dm-7",
    name="nadia",
    kind=RoomKind.DIRECT,
    role=RoomRole.PET,
)

NUTS = "Ma sœur est allergique aux noix"
FILE = [
    line("Zoé", NUTS, 1, author_id="+3212345"),
    line("Bastien", "j'habite à Nantes", 2, author_id="@bastien:bees.example"),
    line("Zoé", "mon code est framboise", 3, author_id="+3212345"),
]
TRACES = ("Zoé", "Bastien", "+3212345", "bees.example", "Nantes", "framboise", "Famille")


@pytest.fixture
def clock() -> FrozenClock:
    """The clock of the pet."""
    return FrozenClock(NOON)


@pytest.fixture
async def app(tmp_path: Path, clock: FrozenClock) -> AsyncIterator[App]:
    """A pet that embeds and knows Nadia."""
    patient = RecallSettings(deadline_ms=10_000, embed_timeout_ms=10_000)  # for a busy machine
    load_lexicons()
    async with pet(tmp_path, clock, embedder=EmbedderSettings(), recall=patient) as born:
        await born.services.recall.warm_up()
        await born.register.person(NADIA)
        yield born


async def asks(app: App, clock: FrozenClock, text: str) -> str:
    """What the pet replies to Nadia when they are alone."""
    clock.advance(timedelta(minutes=1))
    asked = Inbound(external_id=text, room=ALONE, author=NADIA, text=text, sent_at=app.clock.now())
    await app.inbox.receive(asked)
    await app.conversations.quiet()
    (row,) = await app.storage.database.all("SELECT reply FROM turns ORDER BY seq DESC LIMIT 1")
    return str(row["reply"])


async def accounts_kept(app: App) -> list[str]:
    """The accounts that any row names."""
    found = await app.storage.database.all(
        "SELECT account FROM messages UNION SELECT account FROM memories"
        " UNION SELECT account FROM knowledge"
        " UNION SELECT platform || ':' || external_id FROM identities"
        " UNION SELECT key FROM erasures WHERE kind IN ('account', 'unobserved') AND key GLOB '*:*'"
    )
    return sorted(row["account"] for row in found if row["account"])


async def test_a_reply_goes_whose_question_has_the_words_of_the_line(
    app: App, tmp_path: Path, clock: FrozenClock
) -> None:
    """Where another question also has the name of who said it, so that no word is the file's."""
    done = await brings(app, history(tmp_path, FILE), known_to=["nadia"])
    assert NUTS in await asks(app, clock, "Qui a une sœur allergique aux noix ?")
    await asks(app, clock, "Quand est-ce que Zoé mange ?")
    await does(app, "history_undo", id=done["id"], confirmed=True)
    replies = await app.storage.database.all("SELECT reply AS text FROM turns")
    said = await app.storage.database.all("SELECT text FROM messages WHERE author_kind = 'pet'")
    assert [row["text"] for row in (*replies, *said) if NUTS in row["text"]] == []


async def test_after_an_undo_no_account_of_its_authors_is_left(app: App, tmp_path: Path) -> None:
    """Neither in emptied statements and facts, nor in what a backup of before follows."""
    done = await brings(app, history(tmp_path, FILE))
    assert "j'habite à Nantes" in " ".join(await contents(app))
    assert "+3212345" in " ".join(await accounts_kept(app))
    await does(app, "history_undo", id=done["id"], confirmed=True)
    assert await accounts_kept(app) == ["discord:7"]
    held = bytes_of(tmp_path)
    assert [one for one in (*TRACES, NUTS) if one.encode() in held] == []


async def test_the_next_day_no_byte_of_it_is_left(
    app: App, tmp_path: Path, clock: FrozenClock
) -> None:
    """In rows, index and vectors, though it was asked about and a line was forgotten before."""
    done = await brings(app, history(tmp_path, FILE), known_to=["nadia"])
    await app.services.indexer.settle()
    await asks(app, clock, "Qui a une sœur allergique aux noix ?")
    await asks(app, clock, "Quel est le code ?")
    (row,) = await app.storage.database.all("SELECT id FROM messages WHERE text GLOB '*framboise'")
    await app.services.forgetting.at_once(Selector(messages=(row["id"],)), RUNNER)
    await does(app, "history_undo", id=done["id"], confirmed=True)
    clock.advance(UNDO_WITHIN + timedelta(minutes=1))
    await app.services.purging.run()
    await app.services.purging.clean()
    assert list((tmp_path / "pet" / "vectors").rglob("*"))
    held = bytes_of(tmp_path)
    assert [one for one in (*TRACES, NUTS) if one.encode() in held] == []


async def test_what_was_forgotten_before_an_undo_names_no_account_either(
    app: App, tmp_path: Path
) -> None:
    """Of a known person, who stays; their emptied rows do."""
    lines = [{**one, "author": one["author"].replace("Zoé", "Nadia")} for one in FILE]
    done = await brings(app, history(tmp_path, lines), people={"Nadia": "nadia"})
    (row,) = await app.storage.database.all("SELECT id FROM messages WHERE text GLOB '*framboise'")
    nuts = await app.storage.database.all("SELECT id FROM messages WHERE text GLOB 'Ma s*'")
    forgotten = Selector(messages=(row["id"], nuts[0]["id"]))
    await app.services.forgetting.at_once(forgotten, RUNNER)
    await does(app, "history_undo", id=done["id"], confirmed=True)
    assert await accounts_kept(app) == ["discord:7"]


async def test_a_backup_of_before_follows_the_undo(tmp_path: Path) -> None:
    """The people met in the import alone have no name and no account after a restore."""
    async with living(tmp_path) as app:
        done = await brings(app, history(tmp_path, FILE))
        archive = await backed_up(app)
        await does(app, "history_undo", id=done["id"], confirmed=True)
        await app.services.backups.journal()
    journal = b"".join(one.read_bytes() for one in (tmp_path / "kept").rglob("*.jsonl"))
    assert b"+3212345" not in journal
    await restored(archive, tmp_path / "other")
    with closing(sqlite3.connect(tmp_path / "other" / "data" / "eko.sqlite3")) as database:
        assert database.execute("SELECT DISTINCT name FROM people").fetchall() == [("someone",)]
        assert database.execute("SELECT * FROM identities").fetchall() == []
        assert database.execute("SELECT count(*) FROM messages WHERE text <> ''").fetchall() == [
            (0,)
        ]
