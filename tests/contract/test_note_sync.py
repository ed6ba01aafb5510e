"""Following a vault, in a folder or behind Obsidian's plugin: only what changed, and all of it."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Protocol

import pytest
from structlog.testing import capture_logs

from memory.model.audience import OPERATOR, Origin
from memory.model.errors import NotesUnavailable
from memory.model.rooms import Visibility
from memory.model.stores import Collection
from memory.rules.forgetting.tombstones import IncomingText
from memory.rules.notes.chunks import NoteChoice
from observers.notes import AT_ONCE, NoteSync
from observers.ports import NoteSource
from tests.edge.obsidian_server import Plugin, obsidian
from tests.storage import StorageParts, known_by_text, open_truth
from tests.vault import PIE, Counted, Following, opened, write


class Vault(Protocol):
    """What a test does to a vault."""

    def put(self, path: str, text: str) -> None:
        """Write a note."""
        ...

    def take(self, path: str) -> str:
        """Remove a note; its text."""
        ...

    def go_away(self) -> None:
        """Be there no more."""
        ...


@dataclass
class Folder:
    """A vault in a folder."""

    root: Path

    def put(self, path: str, text: str) -> None:
        """Write a note."""
        write(self.root, path, text)

    def take(self, path: str) -> str:
        """Remove a note; its text."""
        text = (self.root / path).read_text("utf-8")
        (self.root / path).unlink()
        return text

    def go_away(self) -> None:
        """Be there no more."""
        self.root.rename(self.root.with_name("elsewhere"))


@dataclass
class Rest:
    """A vault behind the plugin."""

    plugin: Plugin

    def put(self, path: str, text: str) -> None:
        """Write a note."""
        self.plugin.write(path, text)

    def take(self, path: str) -> str:
        """Remove a note; its text."""
        return self.plugin.notes.pop(path)

    def go_away(self) -> None:
        """Be there no more."""
        self.plugin.status = 503


@dataclass
class World:
    """A vault, and tables that follow it."""

    storage: StorageParts
    vault: Vault
    source: Counted
    following: Following = field(default_factory=Following)

    def sync(self) -> NoteSync:
        """What follows it."""
        return self.following.on(self.storage, self.source)

    async def contents(self) -> list[str]:
        """Everything that is known of notes, in the order it was kept."""
        rows = await self.storage.database.all("SELECT content FROM knowledge ORDER BY seq")
        return [row["content"] for row in rows]

    async def finds(self, text: str) -> bool:
        """Whether a text is found by its words."""
        return bool(await known_by_text(self.storage, text, OPERATOR))


@pytest.fixture(params=["folder", "rest"])
async def world(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[World]:
    """A vault of either kind with one note that is wanted and one that is not."""
    async with AsyncExitStack() as stack:
        vault: Vault
        source: NoteSource
        if request.param == "folder":
            source = opened(tmp_path / "vault")
            vault = Folder(tmp_path / "vault")
        else:
            served = await stack.enter_async_context(obsidian())
            source = client = served.client()
            stack.push_async_callback(client.close)
            vault = Rest(served.plugin)
        vault.put("kitchen/pie.md", PIE)
        vault.put("diary.md", "Dear diary, the harbour was grey.")
        storage = await stack.enter_async_context(open_truth(tmp_path))
        yield World(storage, vault, Counted(source))


async def test_a_wanted_note_becomes_knowledge_and_no_other(world: World) -> None:
    """In pieces, in plain words; nothing else of the vault is opened."""
    report = await world.sync().sync()
    assert (report.notes, report.read, report.pieces) == (1, ("kitchen/pie.md",), 2)
    assert await world.contents() == [
        "Five apples, and cinnamon from the island.",
        "Peel the apples.\nBake for forty minutes.",
    ]
    assert "diary.md" not in world.source.read_paths


async def test_an_unchanged_note_is_not_read_again(world: World) -> None:
    """Not by the same sync, and not by one after a restart."""
    await world.sync().sync()
    again = await world.sync().sync()
    assert (again.notes, again.read, again.pieces) == (1, (), 0)
    assert world.source.read_paths == ["kitchen/pie.md"]


async def test_an_edit_touches_the_pieces_it_changed(world: World) -> None:
    """The others keep their row, their time and their embedding."""
    await world.sync().sync()
    await world.storage.indexer.settle()
    kept = await world.storage.database.all("SELECT id, content FROM knowledge")
    world.vault.put("kitchen/pie.md", PIE.replace("forty minutes", "fifty minutes"))
    report = await world.sync().sync()
    left = {row["id"] for row in await world.storage.database.all("SELECT id FROM knowledge")}
    assert report.pieces == 1
    assert [row["content"] for row in kept if row["id"] in left] == [
        "Five apples, and cinnamon from the island."
    ]
    assert await world.storage.outbox.waiting() == 2
    assert await world.finds("fifty minutes")
    assert not await world.finds("forty")


async def test_a_deleted_note_is_forgotten(world: World) -> None:
    """By its words and by its vectors."""
    await world.sync().sync()
    await world.storage.indexer.settle()
    world.vault.take("kitchen/pie.md")
    report = await world.sync().sync()
    await world.storage.indexer.settle()
    assert report.gone == ("kitchen/pie.md",)
    assert await world.contents() == []
    assert await world.storage.index.ids(Collection.KNOWLEDGE) == frozenset()
    assert await world.storage.count("notes") == 0


async def test_a_renamed_note_is_known_by_its_new_name_only(world: World) -> None:
    """Its pieces say where they stand."""
    await world.sync().sync()
    world.vault.put("desserts/tart.md", world.vault.take("kitchen/pie.md"))
    await world.sync().sync()
    rows = await world.storage.database.all("SELECT DISTINCT title FROM knowledge ORDER BY seq")
    assert [row["title"] for row in rows] == [
        "desserts/tart › Apple pie",
        "desserts/tart › Apple pie › Steps",
    ]


async def test_a_note_that_lost_its_tag_is_forgotten(world: World) -> None:
    """Whoever takes the tag away takes the note away."""
    await world.sync().sync()
    world.vault.put("kitchen/pie.md", PIE.replace("eko, ", ""))
    report = await world.sync().sync()
    assert report.gone == ("kitchen/pie.md",)
    assert await world.contents() == []


async def test_a_note_that_gets_the_tag_is_read(world: World) -> None:
    """Also in its text."""
    await world.sync().sync()
    world.vault.put("diary.md", "Dear diary, the harbour was grey. #Eko/daily")
    await world.sync().sync()
    assert await world.finds("grey harbour")


async def test_a_fixed_note_needs_no_tag(world: World) -> None:
    """It is named, in the settings or while the pet runs."""
    world.following.choice = NoteChoice(paths=("diary",))
    await world.sync().sync()
    assert await world.contents() == ["Dear diary, the harbour was grey."]


async def test_other_readers_make_other_rows(world: World) -> None:
    """What was for the home space is for one person now, and was for nobody in between."""
    await world.sync().sync()
    owner = (await world.storage.people.person("chat", "lea", "Léa")).id
    world.following.origin = Origin(visibility=Visibility.PRIVATE, person=owner)
    await world.sync().sync()
    rows = await world.storage.database.all("SELECT DISTINCT audience FROM knowledge")
    assert [row["audience"] for row in rows] == [f"person:{owner}"]


async def test_what_is_no_longer_for_others_goes_even_while_the_vault_is_away(
    world: World,
) -> None:
    """A narrower audience does not wait for Obsidian to be started."""
    world.following.origin = Origin(visibility=Visibility.EVERYONE)
    await world.sync().sync()
    world.following.origin = Origin(visibility=Visibility.SPACE)
    world.vault.go_away()
    with pytest.raises(NotesUnavailable):
        await world.sync().sync()
    assert await world.contents() == []


async def test_a_vault_that_is_away_leaves_what_was_read(world: World) -> None:
    """And says since when it was not refreshed, until it is back."""
    await world.sync().sync()
    refreshed = world.storage.clock.now()
    world.vault.go_away()
    for _ in range(2):
        world.storage.clock.advance(timedelta(hours=1))
        with pytest.raises(NotesUnavailable):
            await world.sync().sync()
    state = await world.storage.notes.state(world.source.vault)
    assert len(await world.contents()) == 2
    assert state.refreshed_at == refreshed
    assert state.troubled_since == refreshed + timedelta(hours=1)
    assert state.trouble


async def test_an_outage_is_logged_once(world: World) -> None:
    """However long it lasts and however often it is tried."""
    world.vault.go_away()
    sync = world.sync()
    with capture_logs() as logs:
        for _ in range(3):
            await sync.refresh()
    assert [one["event"] for one in logs] == ["notes.missed"]


async def test_a_dry_run_reads_and_changes_nothing(world: World) -> None:
    """It says what a run would do."""
    await world.sync().sync()
    world.vault.take("kitchen/pie.md")
    world.vault.put("new.md", "Plums. #eko")
    report = await world.sync().sync(dry_run=True)
    assert (report.read, report.gone) == (("new.md",), ("kitchen/pie.md",))
    assert len(await world.contents()) == 2
    assert world.source.read_paths == ["kitchen/pie.md"]


async def test_another_vault_takes_the_place_of_the_first(world: World, tmp_path: Path) -> None:
    """The notes of a vault that is not followed any more are forgotten."""
    await world.sync().sync()
    other = opened(tmp_path / "other")
    write(tmp_path / "other", "plums.md", "Plums. #eko")
    await world.following.on(world.storage, other).sync()
    assert await world.contents() == ["Plums. #eko"]
    assert await world.storage.count("note_vaults") == 1


async def test_a_note_that_grew_too_large_is_left_out_and_listed(world: World) -> None:
    """What it said before is no longer known, and it is not read again and again."""
    await world.sync().sync()
    world.vault.put("kitchen/pie.md", PIE + "x" * 120_000)
    for _ in range(2):
        await world.sync().sync()
    (listed,) = await world.storage.notes.listed(world.source.vault, OPERATOR)
    assert (listed.state, listed.pieces) == ("too large", 0)
    assert await world.contents() == []
    assert len(world.source.read_paths) == 2


@dataclass
class Tombstones:
    """Remembers what was forgotten, for the home space."""

    texts: set[str]

    async def refuses(self, said: Sequence[IncomingText]) -> list[bool]:
        """Whether exactly this was forgotten, whenever it was said."""
        assert {one.audience for one in said} == {"space:home"}
        return [one.at is None and one.text in self.texts for one in said]


async def test_what_was_forgotten_does_not_come_back_with_its_note(world: World) -> None:
    """A whole piece, and a line that an edit moved into another piece."""
    tombs = Tombstones({"Five apples, and cinnamon from the island.", "Peel the apples."})
    report = await world.following.on(world.storage, world.source, tombs).sync()
    assert await world.contents() == ["Bake for forty minutes."]
    assert report.refused == 2


async def test_more_notes_than_one_transaction_takes_are_all_read(world: World) -> None:
    """And each once."""
    for number in range(AT_ONCE * 2):
        world.vault.put(f"many/{number}.md", f"Jar number {number} holds plums. #eko")
    report = await world.sync().sync()
    assert report.notes == len(set(world.source.read_paths)) == AT_ONCE * 2 + 1
    assert len(world.source.read_paths) == AT_ONCE * 2 + 1
    assert await world.storage.count("note_pieces") == AT_ONCE * 2 + 2


async def test_a_thousand_notes_are_read_once(tmp_path: Path) -> None:
    """Afterwards one look is one request, and an edit is one more."""
    async with obsidian() as served, open_truth(tmp_path) as storage:
        for number in range(1_000):
            served.plugin.write(f"{number % 100}/{number}.md", f"Jar {number} holds plums. #eko")
        client = served.client(timeout_s=60)
        sync = Following().on(storage, client)
        first = await sync.sync()
        asked = len(served.plugin.asked)
        again = await sync.sync()
        served.plugin.write("7/7.md", "Jar 7 holds figs. #eko")
        edited = await sync.sync()
        await client.close()
        assert (first.pieces, asked) == (1_000, 1_001)
        assert (again.read, edited.read) == ((), ("7/7.md",))
        assert len(served.plugin.asked) == asked + 3
        assert await storage.count("knowledge") == 1_000
