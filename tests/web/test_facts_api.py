"""The API on core facts: listed, added, edited, forgotten by person; the pet answers by them."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.surfaces.operations import Operations
from memory.model.audience import Origin
from memory.model.rooms import Visibility
from tests.web.remembering import HOSTILE, got, kept, posted, spoken_to
from tests.web.served_site import ServedSite, served_site


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[ServedSite]:
    """A pet whose owner asks."""
    async with served_site(tmp_path) as served:
        await spoken_to(served)
        yield served


async def facts(site: ServedSite, **params: Any) -> list[tuple[str, str, str]]:
    """Of whom, what, and its value."""
    found = await got(site, "/api/memory/facts", **params)
    return [(one["person"], one["key"], one["value"]) for one in found["items"]]


async def test_a_fact_is_added_edited_and_forgotten(site: ServedSite) -> None:
    """Each way it is listed as it is then, and its history tells what it was."""
    added = await posted(
        site, "/api/memory/facts", {"person": "David", "key": "city", "value": "Lyon"}
    )
    assert added["content"] == "David lives in Lyon"
    shown = await site.client.get("/api/memory/facts/city", params={"person": "David"})
    edited = await site.client.patch(
        "/api/memory/facts/city",
        params={"person": "David"},
        json={"value": "Nantes"},
        headers={"if-match": shown.headers["etag"]},
    )
    assert edited.json()["content"] == "David lives in Nantes"
    assert await facts(site) == [("David", "city", "Nantes")]
    assert ("David", "city", "Lyon") in await facts(site, history=True)
    gone = await site.client.delete("/api/memory/facts/city", params={"person": "David"})
    assert await facts(site) == []
    await posted(site, f"/api/forgettings/{gone.json()['receipt']['id']}/undo")
    assert await facts(site) == [("David", "city", "Nantes")]


async def test_an_edited_fact_changes_what_the_pet_answers(tmp_path: Path) -> None:
    """The person who was told of one city is told of the other."""
    async with served_site(tmp_path) as site:
        ask = {"text": "Where do I live?", "name": "David", "timeout_s": 30}
        await said(site, {"text": "hello", "name": "David", "timeout_s": 30})
        await posted(site, "/api/memory/facts", {"person": "David", "key": "city", "value": "Lyon"})
        before = await said(site, ask)
        await site.client.patch(
            "/api/memory/facts/city", params={"person": "David"}, json={"value": "Nantes"}
        )
        after = await said(site, ask)
    assert "Lyon" in before
    assert "Nantes" in after
    assert "Lyon" not in after


async def said(site: ServedSite, ask: dict[str, Any]) -> str:
    """What the pet answers at the terminal."""
    told = await Operations(site.pet.app).result("ask", ask)
    return str(told["reply"])


async def test_a_sentence_of_its_own_keeps_its_language(site: ServedSite) -> None:
    """An edit puts the value into the words there are."""
    await kept(site, "David habite à Lyon")
    answer = await site.client.patch(
        "/api/memory/facts/city", params={"person": "David"}, json={"value": "Nantes"}
    )
    assert answer.json()["content"] == "David habite à Nantes"


async def test_any_key_and_value_is_kept_as_a_fact(site: ServedSite) -> None:
    """In words that say it, or as it is; hostile ones as well."""
    for key, value in (("shoe_size", "43"), ("project", HOSTILE), ("phone", "not a number")):
        added = await posted(
            site, "/api/memory/facts", {"person": "David", "key": key, "value": value}
        )
        assert (added["key"], added["value"]) == (key, " ".join(value.split()))


async def test_of_two_owners_who_edit_the_second_is_told(site: ServedSite) -> None:
    """412 with what it is now."""
    await posted(site, "/api/memory/facts", {"person": "David", "key": "city", "value": "Lyon"})
    where = {"person": "David"}
    tag = (await site.client.get("/api/memory/facts/city", params=where)).headers["etag"]
    first, second = [
        await site.client.patch(
            "/api/memory/facts/city", params=where, json={"value": city}, headers={"if-match": tag}
        )
        for city in ("Nantes", "Brest")
    ]
    assert first.is_success
    assert second.status_code == 412
    assert [one["value"] for one in second.json()["current"]["items"]] == ["Nantes"]


async def test_where_several_hold_the_edit_names_one(site: ServedSite) -> None:
    """In private and before the community: 422 with their ids, then the one that is named."""
    await kept(site, "David lives in Lyon")
    await kept(site, "David lives in Paris", origin=Origin(visibility=Visibility.SPACE))
    where, path = {"person": "David"}, "/api/memory/facts/city"
    refused = await site.client.patch(path, params=where, json={"value": "Brest"})
    assert refused.status_code == 422
    (public,) = [
        one["id"] for one in (await got(site, path, **where))["items"] if one["value"] == "Paris"
    ]
    edited = await site.client.patch(path, params=where, json={"value": "Brest", "id": public})
    assert edited.json()["visibility"] == "space"
    assert {value for _, _, value in await facts(site)} == {"Lyon", "Brest"}


async def test_pages_go_by_person_and_are_complete(site: ServedSite) -> None:
    """A person's facts stay together, whatever is added meanwhile."""
    for key in ("city", "job", "car"):
        for person in ("David", "Léa"):
            await posted(
                site, "/api/memory/facts", {"person": person, "key": key, "value": "Rennes"}
            )
    first = await got(site, "/api/memory/facts", limit=1)
    await posted(site, "/api/memory/facts", {"person": "David", "key": "age", "value": "32"})
    second = await got(site, "/api/memory/facts", limit=1, cursor=first["next"])
    assert {one["person"] for one in first["items"]} == {"David"}
    assert {one["person"] for one in second["items"]} == {"Léa"}
    assert (len(first["items"]), len(second["items"]), second["next"]) == (3, 3, None)


async def test_what_is_not_known_is_not_found(site: ServedSite) -> None:
    """A key that nobody has: 404; a name that nobody goes by: 422 in a sentence."""
    for method in ("GET", "PATCH", "DELETE"):
        body = {"value": "x"} if method == "PATCH" else None
        answer = await site.client.request(
            method, "/api/memory/facts/car", params={"person": "David"}, json=body
        )
        assert answer.status_code == 404, answer.text
    unknown = await site.client.get("/api/memory/facts", params={"person": "Zoé"})
    assert unknown.status_code == 422
    assert "Zoé" in unknown.json()["detail"]
