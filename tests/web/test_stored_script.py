"""Script that is told, named, written and asked: on no page is any of it more than text."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import httpx2
import pytest

from config.sections.obsidian import ObsidianSettings
from memory.model.rooms import RoomRole
from tests.cast import LOBBY, author, group
from tests.vault import write
from tests.web.access import GuardedSite, guarded_site
from tests.web.test_attacks import STREAMS
from tests.web.walking import UNKNOWN_IDS, routes_of

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{7*7}}"
"""Breaks out of text, of either kind of attribute, and of a template."""

MALLORY, DEN = author(EVIL), group(EVIL, RoomRole.PET)

SHOWN_ON = {
    "/dashboard/memory",
    "/dashboard/facts",
    "/dashboard/people",
    "/dashboard/rooms",
    "/dashboard/brain",
    "/dashboard/brain/graph/{memory}",
    "/dashboard/conversations",
    "/dashboard/conversations/{turn}",
    "/dashboard/digests/{digest}",
    "/dashboard/people/{person}",
    "/dashboard/memory/{memory}",
    "/dashboard/access",
    "/dashboard/notes",
    "/rooms/{slot}/lines",
    "/",
}
"""Pages that show some of it, at the least: else the test would show nothing."""

MOST_BYTES = 200_000
"""Of a page, though one note has a million."""


@dataclass
class Marked(HTMLParser):
    """What a browser would run or load of a page, beside what is ours; and its text."""

    odd: list[str] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Judge a tag."""
        given = dict(attrs)
        source = given.get("src") or given.get("href") or given.get("action") or ""
        is_ours = (given.get("src") or "").startswith("/assets/")
        if (tag == "script" and not is_ours) or source in {"x", "javascript:alert(1)"}:
            self.odd.append(self.get_starttag_text() or tag)
        self.text += given.get("value") or ""
        self.odd += [f"{tag} {name}" for name in given if name.startswith(("on", "style"))]

    def handle_data(self, data: str) -> None:
        """Keep what is read."""
        self.text += data


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[GuardedSite]:
    """A pet with a vault in which somebody wrote script, too."""
    vault = tmp_path / "vault"
    write(vault, "<img src=x onerror=alert(1)>.md", f"---\ntags: ['{EVIL[:25]}', eko]\n---\n{EVIL}")
    write(vault, "long.md", "<script>alert(1)</script> " * 40_000)
    obsidian = ObsidianSettings(kind="folder", folder=str(vault), audience="space")
    async with guarded_site(tmp_path / "data", obsidian=obsidian) as served:
        yield served


async def filled(site: GuardedSite) -> httpx2.AsyncClient:
    """The browser of the owner, whose pet was told script by each way there is."""
    await site.pet.hears(EVIL, MALLORY, LOBBY)
    await site.pet.hears(EVIL, MALLORY, DEN)
    await site.does("digest")
    await site.pet.told(f"{EVIL} lives in {EVIL}", MALLORY, DEN, subjects=(EVIL,))
    await site.pet.told(f"{EVIL} is to be forgotten", MALLORY)
    await site.does("remember", text=f"I am {EVIL}", self_category="preference")
    await site.does("remember", text=f"learn {EVIL}", goal_category="connection")
    await site.does("ask", text=f"I live in {EVIL}, who am I?", name="Mallory")
    await site.does("notes_sync")
    owner = await site.logged_in(site.browser(agent=EVIL))
    await owner.post("/dashboard/access/keys", data={"name": EVIL, "rights": "read"})
    fact = {"person": "Mallory", "key": "alias", "value": EVIL, "visibility": "space"}
    added = await owner.post("/api/memory/facts", json=fact)
    assert added.is_success, added.text
    await owner.post("/name", data={"name": EVIL[:25]})
    await owner.post("/rooms/lobby/say", data={"words": EVIL})
    return owner


async def listed(owner: httpx2.AsyncClient, path: str) -> list[dict[str, Any]]:
    """The entries of a resource."""
    found = (await owner.get(path)).json()
    return list(found["items"])


async def ids_of(owner: httpx2.AsyncClient) -> dict[str, list[str]]:
    """What there is, by the name that addresses have for it."""
    return {
        "memory": [one["id"] for one in await listed(owner, "/api/memories")],
        "person": [one["id"] for one in await listed(owner, "/api/people")],
        "digest": [one["id"] for one in await listed(owner, "/api/digests")],
        "turn": [one["turn"] for one in await listed(owner, "/api/memory/retrievals")],
    }


def addresses(site: GuardedSite, ids: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Every route that is read, with its address for each thing there is."""
    for route in routes_of(site.site):
        if route.method == "GET" and route.path not in STREAMS:
            named = [name for name in ids if f"{{{name}}}" in route.path]
            for one in ids[named[0]] if named else [""]:
                yield route.path, route.address({**UNKNOWN_IDS, **dict.fromkeys(named, one)})


async def test_no_page_has_script_that_was_stored(site: GuardedSite) -> None:
    """Memories, names, rooms, notes and tags, facts, keys, browsers, and what is asked for."""
    owner = await filled(site)
    shown: set[str] = set()
    for path, address in addresses(site, await ids_of(owner)):
        for asked in ({}, dict.fromkeys(("q", "name", "who", "person", "path", "note"), EVIL)):
            answer = await owner.get(address, params=asked)
            if answer.headers["content-type"].startswith("text/html"):
                assert len(answer.content) < MOST_BYTES, address
                page = Marked()
                page.feed(answer.text)
                assert page.odd == [], address
                assert "alert(1)>49" not in page.text, address
                if "alert" in page.text and not asked:
                    shown.add(path)
    assert shown >= SHOWN_ON, SHOWN_ON - shown
