"""The API on memory: lists, search, corrections, forgetting, proposals, as programs use them."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from bot.surfaces.api.cursors import cursor_of
from bot.topics.forgetting.signed_receipt import checked
from memory.model.audience import Origin
from memory.model.rooms import HOME, Visibility
from memory.model.statements import GoalCategory, MemoryType
from memory.model.stores import Store
from tests.web.remembering import (
    GUILD,
    HOSTILE,
    UNKNOWN,
    as_manager,
    contents,
    got,
    kept,
    kept_in_guild,
    kept_of_lea,
    kept_twice,
    posted,
    spoken_to,
)
from tests.web.served_site import ServedSite, served_site


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[ServedSite]:
    """A pet whose owner asks."""
    async with served_site(tmp_path) as served:
        yield served


async def test_pages_are_complete_and_repeat_nothing_while_rows_are_added(site: ServedSite) -> None:
    """A cursor keeps its place: what comes later stands before it."""
    ids = [await kept(site, f"David likes the number {n}") for n in range(23)]
    seen, cursor = [], None
    while True:
        page = await got(site, "/api/memories", limit=5, **({"cursor": cursor} if cursor else {}))
        seen += [one["id"] for one in page["items"]]
        site.pet.clock.advance(timedelta(seconds=1))
        await kept(site, f"David saw bird number {len(seen)}")
        if (cursor := page["next"]) is None:
            break
    assert len(seen) == len(set(seen))
    assert set(ids) <= set(seen)


async def test_filters_leave_what_they_name(site: ServedSite) -> None:
    """By person, kind, store, audience and day."""
    await spoken_to(site)
    await kept(site, "David bakes bread", memory_type=MemoryType.EVENT)
    await kept_of_lea(site, "Léa paints boats")
    await kept_in_guild(site, "David likes the harbour")
    assert contents(await got(site, "/api/memories", who="Léa")) == ["Léa paints boats"]
    assert contents(await got(site, "/api/memories", kind="event")) == ["David bakes bread"]
    shared = await got(site, "/api/memories", visibility="space")
    assert contents(shared) == ["David likes the harbour"]
    assert contents(await got(site, "/api/memories", **{"from": "2026-01-18"})) == []
    assert len((await got(site, "/api/memories", to="2026-01-17"))["items"]) == 3
    assert contents(await got(site, "/api/memories", store="self")) == []


async def test_what_the_pet_is_and_wants_is_kept_and_listed_alike(site: ServedSite) -> None:
    """Each store with its categories; one that it does not have is refused."""
    for store, category in ((Store.SELF, "limitation"), (Store.GOALS, "connection")):
        body = {"content": f"Eko has a {category}", "store": store, "category": category}
        made = await posted(site, "/api/memories", body)
        assert made["memory"]["store"] == store
        listed = await got(site, "/api/memories", store=store.value, category=category)
        assert [one["id"] for one in listed["items"]] == [made["id"]]
    wrong = {"content": "x", "store": "self", "category": GoalCategory.CONNECTION.value}
    assert (await site.client.post("/api/memories", json=wrong)).status_code == 422


async def test_a_correction_takes_the_place_and_history_tells_both(site: ServedSite) -> None:
    """The old row stays as it was, and a day before is as it was too."""
    old = await kept(site, "David plays the flute")
    site.pet.clock.advance(timedelta(days=2))
    shown = await site.client.get(f"/api/memories/{old}")
    answer = await site.client.patch(
        f"/api/memories/{old}",
        json={"content": "David plays the oboe"},
        headers={"if-match": shown.headers["etag"]},
    )
    right = answer.json()
    history = await got(site, f"/api/memories/{old}/history")
    assert answer.status_code == 200, answer.text
    assert right["content"] == "David plays the oboe"
    assert [(one["content"], one["superseded_by"]) for one in history["items"]] == [
        ("David plays the flute", right["id"]),
        ("David plays the oboe", None),
    ]
    assert contents(await got(site, "/api/memories")) == ["David plays the oboe"]
    then = await got(site, "/api/memories", as_of="2026-01-17")
    assert contents(then) == ["David plays the flute"]


async def test_a_correction_is_written_down_without_its_words(site: ServedSite) -> None:
    """Who, by which way, which row took the place of which."""
    old = await kept(site, "David plays the flute")
    answer = await site.client.patch(f"/api/memories/{old}", json={"content": "David plays golf"})
    (entry,) = await site.pet.app.storage.audit.latest(1)
    assert (entry.action, entry.target) == ("memory.corrected", old)
    assert (entry.actor, entry.origin) == ("operator", "session test")
    assert (entry.before, entry.after) == (old, answer.json()["id"])


async def test_of_two_owners_who_edit_the_second_is_told(site: ServedSite) -> None:
    """By the revision that the first one has made another: 412 with what it is now."""
    id_ = await kept(site, "David plays the flute")
    tag = (await site.client.get(f"/api/memories/{id_}")).headers["etag"]
    stale = '"0123456789abcdef01234567"'
    refused = await site.client.patch(
        f"/api/memories/{id_}", json={"content": "David sings"}, headers={"if-match": stale}
    )
    passed = await site.client.patch(
        f"/api/memories/{id_}", json={"content": "David sings"}, headers={"if-match": tag}
    )
    assert refused.status_code == 412
    assert refused.json()["current"]["content"] == "David plays the flute"
    assert passed.is_success


async def test_of_two_edits_at_once_one_takes_the_place(site: ServedSite) -> None:
    """The other finds it taken: 409 with what it is now, and nothing of it is kept."""
    id_ = await kept(site, "David plays the flute")
    answers = await asyncio.gather(
        *(
            site.client.patch(f"/api/memories/{id_}", json={"content": f"David plays the {what}"})
            for what in ("oboe", "tuba")
        )
    )
    assert sorted(one.status_code for one in answers) == [200, 409]
    (won,) = [one.json()["content"] for one in answers if one.is_success]
    (lost,) = [one.json() for one in answers if not one.is_success]
    assert contents(await got(site, "/api/memories")) == [won]
    assert lost["current"]["now"]["content"] == won


async def test_what_was_forgotten_meanwhile_is_not_edited(site: ServedSite) -> None:
    """409 says that it is forgotten, without a word of it; and it is found no more."""
    id_ = await kept(site, "David plays the flute")
    assert (await site.client.delete(f"/api/memories/{id_}")).is_success
    for refused in (
        await site.client.patch(f"/api/memories/{id_}", json={"content": "David sings"}),
        await site.client.delete(f"/api/memories/{id_}"),
    ):
        assert refused.status_code == 409
        assert refused.json()["current"] == {"state": "forgotten", "now": None}
        assert "flute" not in refused.text
    assert (await site.client.get(f"/api/memories/{id_}")).status_code == 404


async def test_a_forgetting_is_previewed_done_and_undone(site: ServedSite) -> None:
    """The receipt has figures and no words; its number gives everything back, once."""
    id_ = await kept(site, "David plays the flute")
    await kept(site, "David bakes bread")
    shown = await posted(site, "/api/forgettings/preview", {"ids": [id_]})
    assert [one["text"] for one in shown["samples"]] == ["David plays the flute"]
    done = await posted(site, "/api/forgettings", {"ids": [id_]})
    number = done["receipt"]["id"]
    assert contents(await got(site, "/api/memories")) == ["David bakes bread"]
    receipt = await got(site, f"/api/forgettings/{number}")
    assert "flute" not in str(receipt)
    assert (await got(site, "/api/forgettings"))["items"] == [receipt]
    await posted(site, f"/api/forgettings/{number}/undo")
    assert "David plays the flute" in contents(await got(site, "/api/memories"))
    again = await site.client.post(f"/api/forgettings/{number}/undo")
    assert again.status_code == 409


async def test_a_receipt_is_handed_out_signed(site: ServedSite) -> None:
    """It says where what went was looked for, and no word of it."""
    id_ = await kept(site, "David plays the silver flute on Sundays")
    done = await posted(site, "/api/forgettings", {"ids": [id_]})
    number = done["receipt"]["id"]
    answer = await site.client.get(f"/api/forgettings/{number}/receipt")
    said = checked(answer.content)
    assert said["forgetting"] == await got(site, f"/api/forgettings/{number}")
    assert "flute" not in answer.text
    looks = {one["place"].split(",")[0].split(":")[0]: one for one in said["looked_for_afterwards"]}
    assert looks["statements"]["looked_for"] == 1
    assert "vector store" in looks
    assert all(one["found"] == 0 for one in looks.values())
    assert "when it is purged" in said["not_looked_in"][0]


async def test_a_topic_is_forgotten_and_nothing_of_the_kind_is_refused(site: ServedSite) -> None:
    """422 in a sentence where there was nothing."""
    await kept(site, "David plays the flute")
    done = await posted(site, "/api/forgettings", {"topic": "flute"})
    assert done["receipt"]["counts"]
    nothing = await site.client.post("/api/forgettings", json={"topic": "zeppelin"})
    assert nothing.status_code == 422
    assert (await site.client.post("/api/forgettings", json={})).status_code == 422


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"/api/memories/{UNKNOWN}"),
        ("GET", f"/api/memories/{UNKNOWN}/history"),
        ("GET", f"/api/memories/{UNKNOWN}/dependents"),
        ("PATCH", f"/api/memories/{UNKNOWN}"),
        ("DELETE", f"/api/memories/{UNKNOWN}"),
        ("GET", "/api/forgettings/99"),
        ("GET", f"/api/forgettings/{2**70}"),
        ("GET", "/api/forgettings/99/receipt"),
        ("POST", "/api/forgettings/99/undo"),
        ("POST", "/api/proposals/99/accept"),
        ("POST", "/api/proposals/99/dismiss"),
    ],
)
async def test_what_is_not_there_is_not_found(site: ServedSite, method: str, path: str) -> None:
    """404 as a problem, whatever was asked of it."""
    body = {"content": "x"} if method == "PATCH" else None
    answer = await site.client.request(method, path, json=body)
    assert answer.status_code == 404, answer.text
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("mode", ["text", "hybrid"])
async def test_search_finds_by_words(site: ServedSite, mode: str) -> None:
    """With who said it, and its score where it has one; filters leave the rest out."""
    await spoken_to(site)
    id_ = await kept(site, "David plays the flute in the attic")
    await kept_of_lea(site, "Léa plays the flute too")
    found = await got(site, "/api/memory/search", q="flute attic", mode=mode)
    best = found["items"][0]
    assert (best["id"], best["said_by"], best["kind"]) == (id_, "David", "fact")
    assert (best["score"] is None) == (mode == "text")
    of_lea = await got(site, "/api/memory/search", q="flute", mode=mode, who="Léa")
    assert contents(of_lea) == ["Léa plays the flute too"]
    assert contents(await got(site, "/api/memory/search", q="flute", mode=mode, store="said")) == []


async def test_search_by_meaning_without_an_embedder_says_so(site: ServedSite) -> None:
    """503 in a sentence, no empty page."""
    answer = await site.client.get("/api/memory/search", params={"q": "x", "mode": "semantic"})
    assert answer.status_code == 503
    assert "embedder" in answer.json()["detail"]


async def test_a_manager_sees_and_forgets_what_the_community_knows(site: ServedSite) -> None:
    """No private row, in no list, no search, by no id; and what is everyone's stays."""
    await spoken_to(site)
    private = await kept(site, "David hides a flute")
    shared = await kept_in_guild(site, "David shows a flute")
    home = await kept(
        site, "David lends a flute", origin=Origin(visibility=Visibility.SPACE, space=HOME)
    )
    everyone = (
        await posted(
            site,
            "/api/memories",
            {"content": "Eko has no flute", "store": "self", "category": "limitation"},
        )
    )["id"]
    as_manager(site)
    listed = await got(site, "/api/memories")
    assert {one["id"] for one in listed["items"]} == {shared, everyone}
    for mode in ("text", "hybrid"):
        found = await got(site, "/api/memory/search", q="flute", mode=mode)
        assert {one["id"] for one in found["items"]} == {shared, everyone}
    for hidden in (private, home):
        assert (await site.client.get(f"/api/memories/{hidden}")).status_code == 404
        assert (await site.client.delete(f"/api/memories/{hidden}")).status_code == 404
    assert (await site.client.delete(f"/api/memories/{everyone}")).status_code == 403
    assert (await site.client.delete(f"/api/memories/{shared}")).is_success
    assert contents(await got(site, "/api/memories")) == ["Eko has no flute"]


async def test_a_manager_undoes_what_managers_forgot_and_no_more(site: ServedSite) -> None:
    """What the owner forgot is not there for them."""
    private = await kept(site, "David hides a flute")
    shared = await kept_in_guild(site, "David shows a flute")
    of_owner = await posted(site, "/api/forgettings", {"ids": [private]})
    as_manager(site)
    own = await posted(site, "/api/forgettings", {"ids": [shared]})
    listed = await got(site, "/api/forgettings")
    assert [one["id"] for one in listed["items"]] == [own["receipt"]["id"]]
    askers = [of_owner["receipt"]["asked_by"], own["receipt"]["asked_by"]]
    assert askers == ["operator", f"manager:{GUILD}"]
    refused = await site.client.post(f"/api/forgettings/{of_owner['receipt']['id']}/undo")
    assert refused.status_code == 404
    await posted(site, f"/api/forgettings/{own['receipt']['id']}/undo")
    assert contents(await got(site, "/api/memories")) == ["David shows a flute"]


async def test_a_manager_keeps_and_corrects_in_their_community_alone(site: ServedSite) -> None:
    """What was told in private is not there to be corrected, and nothing is kept for others."""
    private = await kept(site, "David hides a flute")
    as_manager(site)
    made = await posted(site, "/api/memories", {"content": "The quiz is on Friday"})
    assert made["memory"]["visibility"] == "space"
    for body in ({"content": "x", "person": "David"}, {"content": "x", "store": "self"}):
        assert (await site.client.post("/api/memories", json=body)).status_code == 422, body
    hidden = await site.client.patch(f"/api/memories/{private}", json={"content": "x"})
    assert hidden.status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/memory/facts", None),
        ("GET", "/api/proposals", None),
        ("POST", "/api/forgettings", {"person": "David"}),
    ],
)
async def test_a_manager_may_not_do_what_is_the_owners(
    site: ServedSite, method: str, path: str, body: object
) -> None:
    """403, before anything is looked at."""
    as_manager(site)
    answer = await site.client.request(method, path, json=body)
    assert answer.status_code == 403, answer.text


async def test_proposals_are_accepted_and_dismissed(site: ServedSite) -> None:
    """The accepted one ends as history, the dismissed one is never asked again."""
    await kept_twice(site)
    (found,) = (await got(site, "/api/proposals"))["items"]
    await posted(site, f"/api/proposals/{found['id']}/accept")
    assert (await got(site, "/api/proposals"))["items"] == []
    assert contents(await got(site, "/api/memories")) == [found["keep"]["content"]]


async def test_what_a_memory_rests_on_and_holds_up_is_told(site: ServedSite) -> None:
    """The core fact that was read from it."""
    id_ = await kept(site, "David lives in Lyon")
    around = await got(site, f"/api/memories/{id_}/dependents")
    assert [(one["key"], one["value"]) for one in around["facts"]] == [("city", "Lyon")]
    assert around["sources"] == []


async def test_hostile_and_long_texts_are_kept_as_they_are_or_refused(site: ServedSite) -> None:
    """As JSON it is a text as any; 100 KB are too much."""
    made = await posted(site, "/api/memories", {"content": HOSTILE})
    assert made["memory"]["content"] == HOSTILE
    long = await site.client.post("/api/memories", json={"content": "x" * 100_000})
    assert long.status_code == 422


@pytest.mark.parametrize(
    "cursor",
    ["x", "WzFd", "e30", "!!", "W251bGwsbnVsbF0", cursor_of(2**70, 1), cursor_of("\ud800", "x")],
)
async def test_a_cursor_that_no_page_gave_is_refused(site: ServedSite, cursor: str) -> None:
    """400 in a sentence."""
    answer = await site.client.get("/api/memories", params={"cursor": cursor})
    assert answer.status_code == 400, answer.text


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01T00:00:00+14:00", "yesterweek"])
async def test_a_day_beyond_all_time_is_refused(site: ServedSite, day: str) -> None:
    """422 in a sentence."""
    answer = await site.client.get("/api/memories", params={"as_of": day})
    assert answer.status_code == 422, answer.text


async def test_nobody_is_asked_to_log_in_first(site: ServedSite) -> None:
    """401 on each resource without a session or key."""
    site.given.principal = None
    for path in ("memories", "memory/search?q=x", "memory/facts", "forgettings", "proposals"):
        assert (await site.client.get(f"/api/{path}")).status_code == 401
