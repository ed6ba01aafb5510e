"""What the API tells of retrievals, digests, statistics, usage, people and rooms."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from bot.surfaces.access.principal import manager, owner
from bot.surfaces.operations import Operations
from memory.model.access import Right
from memory.model.rooms import SpaceId
from tests.cast import CORNER, DAVID, LEA, group
from tests.web.served_site import ServedSite, served_site

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[ServedSite]:
    """The site of a new pet."""
    async with served_site(tmp_path) as served:
        yield served


async def json_of(site: ServedSite, path: str, **parameters: Any) -> Any:
    """What a resource answers that is there."""
    answer = await site.client.get(path, params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def asks(site: ServedSite, text: str, name: str = "David") -> str:
    """Ask the pet in private; the turn that answered."""
    told = await Operations(site.pet.app).result("ask", {"text": text, "name": name})
    return str(told["turn"])


async def test_retrievals_are_paged_without_gaps_while_turns_are_added(site: ServedSite) -> None:
    """Newest first; what comes in meanwhile moves no page."""
    turns = [await asks(site, f"où est le chat numéro {number} ?") for number in range(5)]
    first = await json_of(site, "/api/memory/retrievals", limit=2)
    await asks(site, "et le chien ?")
    second = await json_of(site, "/api/memory/retrievals", limit=2, cursor=first["next"])
    third = await json_of(site, "/api/memory/retrievals", limit=2, cursor=second["next"])
    listed = [one["turn"] for page in (first, second, third) for one in page["items"]]
    assert listed == list(reversed(turns))
    assert third["next"] is None
    assert first["items"][0]["asked"] == "où est le chat numéro 4 ?"


async def test_a_retrieval_says_why(site: ServedSite) -> None:
    """Every candidate with its score; an unknown turn is 404, one that is none 422."""
    await site.pet.told("David joue du violoncelle", DAVID, CORNER)
    turn = await asks(site, "qui joue du violoncelle ?")
    told = await json_of(site, f"/api/memory/retrievals/{turn}")
    assert told["turn"] == turn
    assert told["recall"]["reason"] == "looked up"
    assert "dropped" in told["recall"]
    for unknown, status in ((uuid4(), 404), ("x", 422)):
        answer = await site.client.get(f"/api/memory/retrievals/{unknown}")
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"


async def test_a_cursor_of_another_list_is_refused(site: ServedSite) -> None:
    """With 400 and a sentence, whatever it is."""
    await asks(site, "un ?")
    await asks(site, "deux ?")
    cursor = (await json_of(site, "/api/memory/retrievals", limit=1))["next"]
    for wrong in (cursor, "zzz", "e30"):
        answer = await site.client.get("/api/digests", params={"cursor": wrong})
        assert answer.status_code == 400, wrong


async def test_a_digest_by_post_turns_live_lines_into_memories(site: ServedSite) -> None:
    """It answers its report; the digest then says what each line became."""
    await site.pet.hears(f"j'habite à Lyon {SCRIPT}", DAVID)
    await site.pet.hears("je joue du violoncelle", LEA)
    live = await json_of(site, "/api/live")
    assert [one["author"] for one in live["items"]] == ["David", "Léa"]
    assert {one["state"] for one in live["items"]} == {"waiting"}
    (first,) = (await json_of(site, "/api/live", limit=1))["items"]
    assert first["author"] == "David"
    report = (await site.client.post("/admin/digest")).json()
    assert report["messages"] == 2
    assert report["interrupted"] is None
    assert (await json_of(site, "/api/live"))["items"] == []
    (digest,) = (await json_of(site, "/api/digests"))["items"]
    told = await json_of(site, f"/api/digests/{digest['id']}")
    assert told["messages"] == 2
    (chunk,) = told["items"]
    assert (chunk["state"], chunk["error"]) == ("stored", None)
    david, lea = chunk["lines"]
    assert [david["author"], lea["author"]] == ["David", "Léa"]
    assert any("violoncelle" in each["content"] for each in lea["became"])
    assert {each["state"] for each in lea["became"]} == {"known"}
    assert (await site.client.get(f"/api/digests/{uuid4()}")).status_code == 404


@pytest.mark.parametrize("media", ["application/x-ndjson", "text/event-stream"])
async def test_a_digest_tells_its_progress_where_that_is_asked_for(
    site: ServedSite, media: str
) -> None:
    """Progress first, the result last, one JSON value each."""
    await site.pet.hears("je joue du violoncelle", LEA)
    answer = await site.client.post("/admin/digest", headers={"accept": media})
    assert answer.headers["content-type"].startswith(media)
    events = [json.loads(line.removeprefix("data: ")) for line in answer.text.split("\n") if line]
    assert "progress" in events[0]
    assert events[-1]["result"]["messages"] == 1


async def test_a_digest_needs_the_right_to_administer(site: ServedSite) -> None:
    """A key that writes may not."""
    site.given.principal = owner("key", frozenset({Right.READ, Right.WRITE}))
    assert (await site.client.post("/admin/digest")).status_code == 403


async def test_statistics_count_by_store_and_month(site: ServedSite) -> None:
    """And are told again for a minute, so that no visit counts a million rows."""
    await site.pet.told("David joue du violoncelle", DAVID, CORNER)
    before = await json_of(site, "/api/memory/stats")
    assert before["stores"] == {"memory": 1}
    assert before["growth"] == [{"month": "2026-01", "added": {"memory": 1}}]
    await site.pet.told("David mange des pommes", DAVID, CORNER)
    assert (await json_of(site, "/api/memory/stats"))["stores"] == {"memory": 1}
    site.pet.clock.advance(timedelta(minutes=2))
    assert (await json_of(site, "/api/memory/stats"))["stores"] == {"memory": 2}


async def test_usage_is_divided_and_bounded(site: ServedSite) -> None:
    """Each division is there though nothing was used; a thousand years are refused."""
    told = await json_of(site, "/api/usage", days=7)
    assert set(told["by"]) == {"purpose", "model", "room", "person", "day"}
    assert (await site.client.get("/api/usage", params={"days": 365_000})).status_code == 422


async def test_people_are_listed_by_name_with_their_accounts(site: ServedSite) -> None:
    """One by one over pages, and each with what is known."""
    await site.pet.hears("bonjour", LEA)
    await site.pet.hears("bonjour", DAVID)
    await site.pet.told("David joue du violoncelle", DAVID, CORNER)
    first = await json_of(site, "/api/people", limit=1)
    second = await json_of(site, "/api/people", limit=1, cursor=first["next"])
    assert second["next"] is None
    (david, lea) = first["items"] + second["items"]
    assert (david["name"], lea["name"]) == ("David", "Léa")
    assert david["accounts"] == [{"id": "chat:david", "platform": "chat", "name": "David"}]
    told = await json_of(site, f"/api/people/{david['id']}")
    assert [one["content"] for one in told["statements"]] == ["David joue du violoncelle"]
    found = await json_of(site, "/api/people", q="éa")
    assert [one["id"] for one in found["items"]] == [lea["id"]]
    assert await json_of(site, "/api/people/David") == told
    assert (await site.client.get("/api/people/none")).status_code == 404


async def test_a_digest_goes_on_stretch_by_stretch(site: ServedSite) -> None:
    """A page ends with a stretch; its cursor leads to the next one."""
    await site.pet.hears("je joue du violoncelle", LEA)
    await site.pet.hears("je joue de la guitare", DAVID, group("den"))
    await site.client.post("/admin/digest")
    (digest,) = (await json_of(site, "/api/digests"))["items"]
    path = f"/api/digests/{digest['id']}"
    pages = [await json_of(site, path, limit=1)]
    while pages[-1]["next"]:
        pages.append(await json_of(site, path, limit=1, cursor=pages[-1]["next"]))
    assert len(pages) == digest["chunks"]
    said = [line["author"] for page in pages for one in page["items"] for line in one["lines"]]
    assert sorted(said) == ["David", "Léa"]


async def test_a_room_is_changed_for_its_revision(site: ServedSite) -> None:
    """Its role and that what is said stays there; a stale change is refused."""
    await site.pet.hears("bonjour", DAVID, CORNER)
    path = "/api/rooms/chat:corner"
    seen = await site.client.get(path)
    headers = {"if-match": seen.headers["etag"]}
    changed = await site.client.patch(
        path, json={"role": "mention", "confidential": True}, headers=headers
    )
    assert changed.json() | {"role": "mention", "confidential": True} == changed.json()
    assert (await site.client.patch(path, json={"role": "pet"}, headers=headers)).status_code == 412
    assert (await site.client.patch("/api/rooms/x", json={})).status_code == 404
    assert (await site.client.patch(path, json={"role": "king"})).status_code == 422


async def test_a_manager_reaches_the_rooms_of_its_community_only(site: ServedSite) -> None:
    """Another community's room is not there, nor can it be paused."""
    await site.pet.hears("bonjour", DAVID, CORNER)
    site.given.principal = manager("manager", SpaceId("elsewhere"))
    assert (await json_of(site, "/api/rooms"))["items"] == []
    assert (await site.client.get("/api/rooms/chat:corner")).status_code == 404
    assert (await site.client.patch("/api/rooms/chat:corner", json={})).status_code == 404
    assert (await site.client.post("/api/spaces/home/pause")).status_code == 404
    assert (await site.client.get("/api/people")).status_code == 403
    assert (await json_of(site, "/api/live"))["items"] == []


async def test_a_space_is_paused_and_there_again(site: ServedSite) -> None:
    """All of them by a star; one that there is not is 404."""
    assert (await site.client.post("/api/spaces/home/pause")).json()["paused"] == ["home"]
    assert (await site.client.post("/api/spaces/home/resume")).json()["paused"] == []
    assert (await site.client.post("/api/spaces/*/pause")).json()["space"] == "*"
    assert (await site.client.post("/api/spaces/mars/pause")).status_code == 404


async def test_without_a_vault_there_are_no_notes(site: ServedSite) -> None:
    """Which is said as 404, for a list and for a look at it."""
    assert (await site.client.get("/api/notes")).status_code == 404
    assert (await site.client.post("/api/notes/sync", json={"dry_run": True})).status_code == 404
