"""The daemon as a process, beside a vault: it follows it, and is killed while it does."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from tests.patience import PATIENCE_S
from tests.peers.daemon import awake, kept
from tests.vault import PIE, write

NOTES = 300


def settings(vault: Path) -> Mapping[str, str]:
    """A pet without embedder that follows a vault for the home space."""
    return {
        "EKO_EMBEDDER__KIND": "none",
        "EKO_COALESCING__DEBOUNCE_S": "0",
        "EKO_OBSIDIAN__KIND": "folder",
        "EKO_OBSIDIAN__FOLDER": str(vault),
        "EKO_OBSIDIAN__AUDIENCE": "space",
    }


async def knows(data: Path, words: str) -> None:
    """Wait until exactly the notes with these words are known."""
    query = f"SELECT count(*), sum(content LIKE '%{words}%') FROM knowledge"  # noqa: S608 - a test's own words
    async with asyncio.timeout(PATIENCE_S):
        found = None
        while not found or found[0] == 0 or found[0] != found[1]:
            ((*found,),) = await asyncio.to_thread(kept, data, query)


async def test_a_vault_is_followed_without_a_command(tmp_path: Path) -> None:
    """An edit is soon known, and what it replaced is not; so is a note in place of another."""
    vault, data = tmp_path / "vault", tmp_path / "data"
    write(vault, "pie.md", "Bake it for forty minutes. #eko")
    async with awake(data, settings(vault)) as daemon:
        await daemon.has_written("notes.refreshed")
        write(vault, "pie.md", "Bake it for fifty minutes. #eko")
        await knows(data, "fifty")
        (vault / "pie.md").rename(vault / "tart.md")
        write(vault, "tart.md", "Plums are blue. #eko")
        await knows(data, "blue")
        assert await daemon.interrupted() == 0, daemon.output
    assert kept(data, "SELECT path FROM notes") == [("tart.md",)]


async def test_a_pass_that_is_killed_is_finished_at_the_next_start(tmp_path: Path) -> None:
    """Each piece is there once, and the indexes agree."""
    vault, data = tmp_path / "vault", tmp_path / "data"
    for number in range(NOTES):
        write(vault, f"{number}.md", PIE + f"\nJar {number}.")
    async with awake(data, settings(vault)) as daemon:
        await _begun(data)
        await daemon.killed()
    before = kept(data, "SELECT count(*) FROM notes")[0][0]
    async with awake(data, settings(vault)) as daemon:
        await daemon.has_written("notes.refreshed")
        sound = await daemon.does("verify")
        assert sound["result"]["sound"], sound
        assert await daemon.interrupted() == 0, daemon.output
    assert 0 < before < NOTES
    assert kept(data, "SELECT count(*) FROM notes") == [(NOTES,)]
    assert kept(data, "SELECT count(*), count(DISTINCT id) FROM knowledge") == [
        (NOTES * 2, NOTES * 2)
    ]
    assert kept(data, "SELECT count(*) FROM note_pieces") == [(NOTES * 2,)]


async def _begun(data: Path) -> None:
    """Wait until some notes are kept."""
    async with asyncio.timeout(PATIENCE_S):
        while await asyncio.to_thread(kept, data, "SELECT count(*) FROM notes") == [(0,)]:
            pass


async def test_a_vault_for_nobody_is_refused_at_the_start(tmp_path: Path) -> None:
    """In one line; the pet starts all the same."""
    write(tmp_path / "vault", "pie.md")
    chosen = {**settings(tmp_path / "vault"), "EKO_OBSIDIAN__AUDIENCE": "none"}
    async with awake(tmp_path / "data", chosen) as daemon:
        await daemon.has_written("notes.refused")
        assert await daemon.interrupted() == 0, daemon.output
    assert kept(tmp_path / "data", "SELECT count(*) FROM knowledge") == [(0,)]


async def test_a_vault_that_is_not_followed_any_more_is_forgotten(tmp_path: Path) -> None:
    """Taking the setting away takes the notes away."""
    vault, data = tmp_path / "vault", tmp_path / "data"
    write(vault, "pie.md")
    async with awake(data, settings(vault)) as daemon:
        await daemon.has_written("notes.refreshed")
        await daemon.interrupted()
    async with awake(data, {**settings(vault), "EKO_OBSIDIAN__KIND": "off"}) as daemon:
        async with asyncio.timeout(PATIENCE_S):
            while await asyncio.to_thread(kept, data, "SELECT count(*) FROM knowledge") != [(0,)]:
                pass
        await daemon.interrupted()
    assert kept(data, "SELECT count(*) FROM notes") == [(0,)]
