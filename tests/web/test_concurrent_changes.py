"""Two changes of one revision at once: exactly one is made, the other is told that it was late."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.cast import LOBBY, room_of
from tests.web.access import GuardedSite, guarded_site

TIMES = 6
LATE, GONE = httpx2.codes.PRECONDITION_FAILED, httpx2.codes.NOT_FOUND

Request = tuple[str, Any]
"""A method, and a body or None."""


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[GuardedSite]:
    """A pet."""
    async with guarded_site(tmp_path) as served:
        yield served


async def raced(
    site: GuardedSite, address: str, revision: str, *, one: Request, other: Request
) -> Counter[int]:
    """The statuses of two changes that are under way together."""
    headers = {**await site.key("read", "write", "erase"), "if-match": revision}
    browser = site.browser()
    answers = await asyncio.gather(
        *(
            browser.request(method, address, json=body, headers=headers)
            for method, body in (one, other)
        )
    )
    return Counter(answer.status_code for answer in answers)


async def revision_of(site: GuardedSite, address: str) -> str:
    """The ETag of something."""
    answer = await site.browser().get(address, headers=await site.key("read"))
    return str(answer.headers["etag"])


EDIT: Callable[[str], Request] = lambda words: ("PATCH", {"content": words})  # noqa: E731
FORGET: Request = ("DELETE", None)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (FORGET, FORGET),
        (EDIT("David keeps two goats"), FORGET),
        (FORGET, EDIT("David keeps two goats")),
        (EDIT("David keeps two goats"), EDIT("David keeps nine hens")),
    ],
    ids=["both forget", "edit and forget", "forget and edit", "both edit"],
)
async def test_a_memory_is_changed_once(site: GuardedSite, one: Request, other: Request) -> None:
    """Each time, by whichever came first."""
    for number in range(TIMES):
        await site.pet.told(f"David painted the number {number}{number} on his {WORDS[number]}")
        headers = await site.key("read")
        found = (await site.browser().get("/api/memories", headers=headers)).json()["items"]
        (memory,) = [row["id"] for row in found if WORDS[number] in row["content"]]
        address = f"/api/memories/{memory}"
        revision = await revision_of(site, address)
        assert await raced(site, address, revision, one=one, other=other) == {200: 1, LATE: 1}


WORDS = ("boat", "shed", "fence", "gate", "bench", "mailbox")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (FORGET, FORGET),
        (("PATCH", {"value": "Nantes"}), ("PATCH", {"value": "Brest"})),
        (("PATCH", {"value": "Nantes"}), FORGET),
    ],
    ids=["both forget", "both edit", "edit and forget"],
)
async def test_a_fact_is_changed_once(site: GuardedSite, one: Request, other: Request) -> None:
    """By its person and its key; what is forgotten already is not there for who comes after."""
    await site.pet.person()
    headers = await site.key("read", "write", "erase")
    address = "/api/memory/facts/city?person=David"
    for _ in range(TIMES):
        new = {"person": "David", "key": "city", "value": "Lyon"}
        await site.browser().post("/api/memory/facts", json=new, headers=headers)
        revision = await revision_of(site, address)
        (late,) = await raced(site, address, revision, one=one, other=other) - Counter([200])
        assert late in ({LATE, GONE} if FORGET in (one, other) else {LATE})
        await site.browser().delete(address, headers=headers)


CHANGES: Mapping[str, tuple[Any, Any]] = {
    "/api/memory/settings": (
        {"auto_retrieve_max_results": 7, "auto_retrieve_min_score": 0.4},
        {"auto_retrieve_max_results": 9},
    ),
    "/api/rooms/{room}": ({"role": "pet", "confidential": True}, {"role": "mention"}),
}


@pytest.mark.parametrize("path", CHANGES)
async def test_a_setting_or_a_room_is_changed_once(site: GuardedSite, path: str) -> None:
    """And what the late one wanted is nowhere, in no part."""
    room = room_of(LOBBY)
    await site.pet.app.register.keep(room)
    address = path.format(room=room.id)
    one, other = CHANGES[path]
    revision = await revision_of(site, address)
    counted = await raced(site, address, revision, one=("PATCH", one), other=("PATCH", other))
    assert counted == {200: 1, LATE: 1}
