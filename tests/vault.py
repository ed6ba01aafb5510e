"""A vault of notes in a folder, and a pet's tables that follow it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from memory.model.audience import Origin
from memory.model.rooms import Visibility
from memory.rules.forgetting.tombstones import ForgottenTexts
from memory.rules.notes.chunks import Note, NoteChoice, NoteEntry
from memory.vaults.folder import VaultFolder
from observers.notes import NoteRules, NoteSync
from observers.ports import NoteSource
from tests.storage import StorageParts

TAGGED = NoteChoice(tag="eko")

PIE = """---
tags: [eko, cooking]
---
# Apple pie

Five apples, and **cinnamon** from [[Zanzibar|the island]].

## Steps

1. Peel the apples.
2. Bake for forty minutes.
"""


@dataclass
class Counted:
    """A source that counts what is asked of it."""

    source: NoteSource
    read_paths: list[str] = field(default_factory=list)
    listings: int = 0

    @property
    def vault(self) -> str:
        """The source's."""
        return self.source.vault

    async def entries(self, choice: NoteChoice) -> list[NoteEntry]:
        """The source's, counted."""
        self.listings += 1
        return list(await self.source.entries(choice))

    async def read(self, path: str) -> Note | None:
        """The source's, counted."""
        self.read_paths.append(path)
        return await self.source.read(path)

    def changes(self) -> AsyncIterator[None]:
        """The source's."""
        return self.source.changes()


@dataclass
class Following:
    """A sync whose choice and owner a test may change in between."""

    choice: NoteChoice = TAGGED
    origin: Origin = field(default_factory=lambda: Origin(visibility=Visibility.SPACE))
    refresh: timedelta = timedelta(minutes=10)

    async def whose(self) -> Origin:
        """Whose the notes are now."""
        return self.origin

    def on(
        self, storage: StorageParts, source: NoteSource, forgotten: ForgottenTexts | None = None
    ) -> NoteSync:
        """A sync of this source into these tables."""
        rules = NoteRules(choice=lambda: self.choice, origin=self.whose, refresh=self.refresh)
        return NoteSync(source, storage.notes, rules, storage.clock, forgotten)


def write(folder: Path, path: str, text: str = PIE) -> Path:
    """Write a note into the vault of a folder."""
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, "utf-8")
    return place


def opened(folder: Path, most_bytes: int = 100_000) -> VaultFolder:
    """The vault of a folder."""
    folder.mkdir(exist_ok=True)
    return VaultFolder(folder, most_bytes=most_bytes)
