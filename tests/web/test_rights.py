"""Every operation with every combination of rights: what one may not read is in no answer."""

from collections.abc import AsyncIterator, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bot.surfaces.access.needs import NEEDS
from memory.model.access import EVERY_RIGHT, Right
from tests.web.access import GuardedSite, guarded_site
from tests.web.walking import UNKNOWN_IDS, WalkedRoute, routes_of

CANARY = "zanzibar"
"""A word of what somebody told in private; it is asked for by no one here."""

OPEN = ("/login", "/logout", "/healthz", "/readyz")
STREAMS = ("/dashboard/digests/events",)
CHART = {"name": "days.svg"}
FORBIDDEN = httpx2.codes.FORBIDDEN


def combined() -> Iterator[tuple[Right, ...]]:
    """Every set of rights that a key can have."""
    for count in range(1, len(Right) + 1):
        yield from combinations(Right, count)


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[GuardedSite]:
    """A pet that was told things in private, with facts, a forgetting and two that are alike."""
    async with guarded_site(tmp_path) as served:
        await served.pet.told(f"David hid the {CANARY} in the shed")
        await served.pet.told(f"David lost the {CANARY} kayak")
        await served.pet.told(f"David lives in {CANARY}")
        await served.pet.told(f"David sold the {CANARY} boat")
        await served.does("forget", topic=f"{CANARY} boat", confirmed=True)
        yield served


def operations_of(site: GuardedSite) -> list[WalkedRoute]:
    """Every route of the API and the dashboard that asks who one is."""
    inside = ("/api", "/admin", "/metrics", "/dashboard")
    return [one for one in routes_of(site.site) if one.path.startswith(inside)]


def test_every_operation_is_in_the_table_once() -> None:
    """Nothing is needed of what there is not."""
    assert all(need.rights for need in NEEDS.values())
    assert len({*NEEDS}) == len(NEEDS)


async def test_the_table_and_the_routes_are_the_same(site: GuardedSite) -> None:
    """A route that it does not name would be refused to everybody."""
    assert {f"{one.method} {one.path}" for one in operations_of(site)} == {*NEEDS}


async def test_what_only_the_machine_may_ask_is_not_on_the_network(site: GuardedSite) -> None:
    """To speak as anybody, or to read a file of the machine, stays on the control socket."""
    owner = await site.logged_in()
    assert not [one for one in routes_of(site.site) if one.path.startswith("/operations")]
    for name in ("say", "replay", "recovery_link", "seed", "import", "login"):
        answer = await owner.post(f"/operations/{name}", json={})
        assert answer.status_code == httpx2.codes.NOT_FOUND


@pytest.mark.parametrize("rights", [*combined()], ids="+".join)
async def test_no_answer_tells_what_its_key_may_not_read(
    site: GuardedSite, rights: tuple[Right, ...]
) -> None:
    """Of every operation, by ids that there are and by ones that there are not."""
    browser, headers = site.browser(), await site.key(*rights)
    asked = {**headers, "if-match": '"another"'}
    for ids in (await known_ids(site), {**UNKNOWN_IDS, **CHART}):
        for route in operations_of(site):
            if route.path in STREAMS and Right.READ in rights:
                continue
            known = UNKNOWN_IDS if "/access/" in route.path else ids  # its own key stays
            answer = await browser.request(
                route.method, route.address(known), headers=asked, **body_for(route)
            )
            need = NEEDS[f"{route.method} {route.path}"]
            lacks = not need.rights <= {*rights}
            assert (answer.status_code == FORBIDDEN) is lacks, (route, answer.text[:300])
            if Right.READ not in rights:
                assert CANARY not in told(answer), route


@pytest.mark.parametrize("rights", [("write",), ("erase",), ("write", "erase"), ("admin",)])
async def test_what_is_changed_blindly_is_answered_by_its_id(
    site: GuardedSite, rights: tuple[str, ...]
) -> None:
    """Also where it succeeds: no word of what was there before."""
    browser, headers = site.browser(), await site.key(*rights)
    ids = await known_ids(site)
    for method, path, body in CHANGES:
        address = path.format(**ids)
        answer = await browser.request(method, address, json=body, headers=headers)
        needed = NEEDS[f"{method} {path.replace('{other}', '{memory}')}"].rights
        assert answer.is_success is (needed <= {Right(one) for one in rights}), answer.text
        assert CANARY not in told(answer), (method, path)


CHANGES: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/api/memories", {"content": "Nobody keeps bees here"}),
    ("PATCH", "/api/memories/{memory}", {"content": "David has a shed"}),
    ("DELETE", "/api/memories/{other}", None),
    ("POST", "/api/forgettings", {"topic": "kayak"}),
    ("POST", "/api/forgettings/{number}/undo", None),
    ("PATCH", "/api/memory/settings", {"auto_retrieve_max_results": 7}),
)


async def test_people_are_erased_by_a_right_of_its_own(site: GuardedSite) -> None:
    """Neither writing nor administering is enough."""
    browser = site.browser()
    wanted = {"person": "David", "erase": True}
    for rights in (("write",), ("read", "write"), ("read", "write", "admin")):
        headers = await site.key(*rights)
        answer = await browser.post("/api/forgettings", json=wanted, headers=headers)
        assert answer.status_code == FORBIDDEN, rights
    headers = await site.key("erase")
    answer = await browser.post("/api/forgettings", json=wanted, headers=headers)
    assert answer.is_success, answer.text


async def known_ids(site: GuardedSite) -> dict[str, str]:
    """What there is of each kind that addresses name, as its owner finds it."""
    browser, headers = site.browser(), await site.key(*EVERY_RIGHT)

    async def items(path: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = (await browser.get(path, headers=headers)).json()["items"]
        return found

    memories = [one["id"] for one in await items("/api/memories")]
    return {
        **UNKNOWN_IDS,
        **CHART,
        "memory": memories[0],
        "other": memories[-1],
        "person": str(await site.pet.person()),
        "number": str((await items("/api/forgettings"))[0]["id"]),
        "key": "city",
    }


def body_for(route: WalkedRoute) -> dict[str, Any]:
    """A body that fits most: as JSON for the API, as a form for pages."""
    params = {"person": "David", "q": "shed", "question": "what is in the shed?"}
    fields = {"content": "David hid the boots elsewhere", "topic": "shed", "value": "Nantes"}
    if route.method == "GET":
        return {"params": params}
    if not route.path.startswith("/dashboard"):
        return {"params": {"person": "David"}, "json": None if "undo" in route.path else fields}
    return {"data": {**fields, "account": "discord:david", "line": "1", "useful": "yes"}}


def told(answer: httpx2.Response) -> str:
    """All that an answer says, its headers included."""
    return f"{answer.headers} {answer.text}".casefold()
