"""A real folder as a vault: what is a note there, what is not, and what tells of changes."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest

from memory.model.errors import NotesUnavailable, NoteTooLarge
from memory.rules.notes.chunks import NoteChoice
from memory.tasks import background_task
from memory.vaults.folder import VaultFolder
from tests.patience import PATIENCE_S
from tests.storage import StorageParts, open_truth
from tests.vault import PIE, TAGGED, Following, opened, write


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A vault of one note."""
    write(tmp_path / "vault", "pie.md")
    return tmp_path / "vault"


async def listed(vault: Path, choice: NoteChoice = TAGGED) -> list[str]:
    """The paths of the wanted notes."""
    return [entry.path for entry in await opened(vault).entries(choice)]


async def test_a_note_may_be_anywhere_below(vault: Path) -> None:
    """With any name, however its ending is written."""
    write(vault, "a/b/Tarte à l'étage.MD")
    assert await listed(vault) == ["pie.md", "a/b/Tarte à l'étage.MD"]


@pytest.mark.parametrize(
    "path", [".obsidian/a.md", ".trash/a.md", "a/.hidden.md", "a.txt", "drawing.canvas", "md"]
)
async def test_what_is_hidden_or_no_text_is_no_note(vault: Path, path: str) -> None:
    """Though it is named."""
    write(vault, path)
    assert await listed(vault, NoteChoice(paths=(path,), tag="eko")) == ["pie.md"]


async def test_a_link_out_of_the_vault_is_refused(vault: Path, tmp_path: Path) -> None:
    """To a note, to a folder of notes and to what is hidden; one that stays inside is a note."""
    write(tmp_path, "outside/secret.md")
    write(vault, ".trash/thrown.md")
    (vault / "secret.md").symlink_to(tmp_path / "outside/secret.md")
    (vault / "thrown.md").symlink_to(vault / ".trash/thrown.md")
    (vault / "folder").symlink_to(tmp_path / "outside")
    (vault / "tart.md").symlink_to(vault / "pie.md")
    assert sorted(await listed(vault)) == ["pie.md", "tart.md"]
    for path in ("secret.md", "folder/secret.md", "thrown.md", "../outside/secret.md"):
        assert await opened(vault).read(path) is None


async def test_a_link_that_leads_nowhere_or_in_a_ring_is_no_note(vault: Path) -> None:
    """Nor does it stop the others."""
    (vault / "nowhere.md").symlink_to(vault / "none.md")
    (vault / "ring.md").symlink_to(vault / "ring.md")
    assert await listed(vault) == ["pie.md"]
    assert await opened(vault).read("ring.md") is None


async def test_a_pipe_is_no_note(vault: Path) -> None:
    """Reading one would wait for ever."""
    os.mkfifo(vault / "pipe.md")
    assert await listed(vault, NoteChoice(paths=("pipe",), tag="eko")) == ["pie.md"]
    assert await opened(vault).read("pipe.md") is None


async def test_bytes_that_are_no_text_do_not_take_the_rest_with_them(vault: Path) -> None:
    """An old note in another encoding is read as far as it goes."""
    (vault / "old.md").write_bytes(b"Cr\xe8me and apples. #eko")
    note = await opened(vault).read("old.md")
    assert note is not None
    assert note.text == "Cr\ufffdme and apples. #eko"


async def test_a_note_that_is_too_large_is_refused(vault: Path) -> None:
    """It is listed, so that whoever looks sees that it is left out."""
    write(vault, "huge.md", PIE + "x" * 2000)
    folder = VaultFolder(vault, most_bytes=1024)
    assert [one.path for one in await folder.entries(TAGGED)] == ["huge.md", "pie.md"]
    with pytest.raises(NoteTooLarge):
        await folder.read("huge.md")


async def test_a_note_that_was_not_written_to_is_not_opened_again(vault: Path) -> None:
    """Its tags are remembered with the version they were read from, and read again after that."""
    folder = opened(vault)
    await folder.entries(TAGGED)
    before = folder._tags["pie.md"]
    await folder.entries(TAGGED)
    assert folder._tags["pie.md"] is before
    write(vault, "pie.md", "No tag any more.")
    assert await folder.entries(TAGGED) == []


@pytest.mark.parametrize("kind", ["missing", "file", "empty"])
async def test_a_vault_that_is_not_there_is_no_empty_vault(tmp_path: Path, kind: str) -> None:
    """A disk that is not mounted must not make the pet forget the notes on it."""
    place = tmp_path / kind
    if kind == "file":
        place.write_text("")
    elif kind == "empty":
        place.mkdir()
    with pytest.raises(NotesUnavailable):
        await VaultFolder(place, most_bytes=1000).entries(TAGGED)


@pytest.fixture
async def changes(vault: Path) -> AsyncIterator[asyncio.Queue[None]]:
    """What the vault tells of, once it is surely watched."""
    told: asyncio.Queue[None] = asyncio.Queue()

    async def watch() -> None:
        async for _ in opened(vault).changes():
            told.put_nowait(None)

    async with background_task(watch(), name="watch"):
        await _until_watched(vault, told)
        yield told


async def _until_watched(vault: Path, told: asyncio.Queue[None]) -> None:
    """Write until it is told of: a watch needs a moment to begin."""
    async with asyncio.timeout(PATIENCE_S):
        while told.empty():
            write(vault, "warm-up.md", "Warm.")
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await told.get()
                    return


async def _told(changes: asyncio.Queue[None]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await changes.get()


async def test_a_change_is_told_of(vault: Path, changes: asyncio.Queue[None]) -> None:
    """An edit, a new note in a new folder, a new name and a deletion."""
    write(vault, "pie.md", PIE + "More.")
    await _told(changes)
    write(vault, "new/plum.md")
    await _told(changes)
    (vault / "new").rename(vault / "newer")
    await _told(changes)
    (vault / "newer/plum.md").unlink()
    await _told(changes)


async def test_a_folder_that_cannot_be_watched_is_said(tmp_path: Path) -> None:
    """What follows it then only looks now and then."""
    with pytest.raises(NotesUnavailable):
        await anext(VaultFolder(tmp_path / "none", most_bytes=1000).changes())


async def test_an_edit_is_soon_known_without_anybody_asking(vault: Path, tmp_path: Path) -> None:
    """The sync that runs beside the pet follows what the folder tells."""
    async with open_truth(tmp_path) as storage:
        sync = Following().on(storage, opened(vault))
        async with background_task(sync.run(), name="notes"):
            await _comes(storage, vault, "forty")
            await _comes(storage, vault, "fifty")


async def _comes(storage: StorageParts, vault: Path, minutes: str) -> None:
    """Write the note until what it says now is known."""
    async with asyncio.timeout(PATIENCE_S):
        while not await storage.count("knowledge", f"content LIKE '%{minutes} minutes%'"):
            write(vault, "pie.md", PIE.replace("forty", minutes))
            storage.database.changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(2):
                    await storage.database.changed.wait()
