"""The pages of an export, whatever people and rooms are called."""

from collections.abc import Iterator
from datetime import UTC
from pathlib import PurePosixPath

import pytest

from bot.transfer.pages import ExportPages
from memory.model.export import MessageEntry, PersonEntry, RoomEntry
from memory.model.messages import AuthorKind
from memory.model.rooms import RoomKind, RoomRole
from tests.cast import NOON

NAMES = ["../../etc/passwd", "/root", "..", "", "C:\\x", "lobby\0", "éàü", "名前", "a" * 300]


def pages(name: str) -> Iterator[str]:
    """The names of the pages where somebody and a room are called so."""
    written: dict[str, str] = {}
    exported = ExportPages(written.__setitem__, "en", UTC)
    exported.take(PersonEntry(id="p", name=name, observed=True, met_at=NOON))
    exported.take(
        RoomEntry(
            id="r",
            platform="chat",
            external_id="r",
            name=name,
            kind=RoomKind.GROUP,
            role=RoomRole.LOBBY,
            space="home",
            confidential=False,
            met_at=NOON,
        )
    )
    exported.take(
        MessageEntry(
            platform="chat",
            external_id="1",
            room="r",
            person="p",
            author_kind=AuthorKind.PERSON,
            author=name,
            text="# no heading\n<script>",
            audience="space:home",
            reply_to=None,
            spaces=(),
            handling="observed",
            turn=None,
            sent_at=NOON,
            received_at=NOON,
            edited_at=None,
            live=False,
        )
    )
    exported.finish(NOON)
    assert all("<script>" not in text for text in written.values())
    assert all("\n# no heading" not in text for text in written.values())
    yield from written


@pytest.mark.parametrize("name", NAMES)
def test_no_name_leads_out_of_the_folder(name: str) -> None:
    """Every page stays below it, under a name that any file system takes."""
    names = list(pages(name))
    assert len(names) >= 2
    for page in names:
        parts = PurePosixPath(page).parts
        assert parts[0] in {"README.md", "people", "conversations"}
        assert all(part.isascii() and not part.startswith(".") for part in parts)
        assert all(
            set(part) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.README") for part in parts
        )
        assert max(map(len, parts)) < 60
