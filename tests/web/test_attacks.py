"""Attacks on every route there is: from other pages, by long bodies, odd paths and old ids."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bot.topics.histories.page import UPLOADS
from bot.web.headers import CONTENT_POLICY
from tests.web.access import GuardedSite, guarded_site
from tests.web.walking import UNKNOWN_IDS, WalkedRoute, routes_of

MOST, FILE = 1 << 20, 16 << 20
"""Bytes of a body that is read."""

FOREIGN = {
    "another site": {"origin": "https://evil.example", "sec-fetch-site": "cross-site"},
    "an old browser": {"origin": "https://evil.example"},
    "a subdomain": {"sec-fetch-site": "same-site"},
    "a sandboxed frame": {"origin": "null"},
}
"""What browsers send along for a page that is not ours."""

STREAMS = ("/events", "/dashboard/digests/events")
"""What would go on for as long as its reader stays."""

LISTS = 14
"""Resources that take a limit, at the least."""


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[GuardedSite]:
    """A pet behind everything that the daemon puts before it."""
    async with guarded_site(tmp_path) as served:
        yield served


async def sent(
    browser: httpx2.AsyncClient, route: WalkedRoute, **more: Any
) -> tuple[str, httpx2.Response]:
    """A route, and what it answers where its parameters are nothing that there is."""
    answer = await browser.request(route.method, route.address(), **more)
    return f"{route.method} {route.path}", answer


async def test_every_answer_says_what_a_browser_may_do_with_it(site: GuardedSite) -> None:
    """Of every route, to strangers and to a key with all rights: errors and redirects as well."""
    browser = site.browser()
    for headers in ({}, await site.key("read", "write", "erase", "admin")):
        for route in routes_of(site.site):
            if not (headers and route.path in STREAMS):
                where, answer = await sent(browser, route, headers=headers)
                assert answer.status_code < 500, where
                assert is_guarded(answer), where


@pytest.mark.parametrize(
    ("status", "method", "path", "more"),
    [
        (200, "GET", "/assets/dashboard.css", {}),
        (404, "GET", "/assets/nothing.css", {}),
        (404, "GET", "/nothing", {}),
        (405, "PUT", "/login", {}),
        (403, "POST", "/login", {"headers": FOREIGN["a sandboxed frame"]}),
        (413, "POST", "/login", {"content": b"x" * (MOST + 1)}),
        (421, "GET", "/", {"headers": {"host": "evil.example"}}),
        (500, "GET", "/broken", {}),
    ],
)
async def test_what_is_said_before_a_route_is_guarded_too(
    site: GuardedSite, status: int, method: str, path: str, more: dict[str, Any]
) -> None:
    """Also when a body is too long, and when all else has failed."""

    async def breaks() -> None:
        raise ZeroDivisionError

    site.site.add_api_route("/broken", breaks)
    answer = await site.browser().request(method, path, **more)
    assert (answer.status_code, is_guarded(answer)) == (status, True)
    assert "ZeroDivisionError" not in answer.text


def is_guarded(answer: httpx2.Response) -> bool:
    """Whether a browser frames nothing of it, runs nothing in it and guesses no type for it."""
    headers = answer.headers
    return (
        headers.get_list("content-security-policy") == [CONTENT_POLICY]
        and headers.get("x-frame-options") == "DENY"
        and headers.get("x-content-type-options") == "nosniff"
    )


@pytest.mark.parametrize("headers", FOREIGN.values(), ids=FOREIGN)
async def test_no_change_comes_from_another_page(
    site: GuardedSite, headers: dict[str, str]
) -> None:
    """By no route that changes anything, whoever is logged in."""
    owner = await site.logged_in()
    for route in routes_of(site.site):
        if route.method != "GET":
            where, answer = await sent(owner, route, headers=headers)
            assert answer.status_code == 403, where
            assert answer.headers["content-type"].startswith("text/plain"), where


@pytest.mark.parametrize("path", STREAMS)
@pytest.mark.parametrize(
    "headers",
    [*FOREIGN.values(), {"sec-fetch-site": "cross-site", "sec-fetch-mode": "cors"}],
    ids=[*FOREIGN, "without an origin"],
)
async def test_no_other_page_follows_a_stream(
    site: GuardedSite, path: str, headers: dict[str, str]
) -> None:
    """With the cookies of a visitor who is the owner as well."""
    owner = await site.logged_in()
    await owner.post("/name", data={"name": "Mickael"})
    answer = await owner.get(path, headers=headers)
    assert (answer.status_code, answer.headers["content-type"]) == (
        403,
        "text/plain; charset=utf-8",
    )


async def test_a_body_that_is_too_long_reaches_no_route(site: GuardedSite) -> None:
    """A form or JSON: refused by what it says it is."""
    browser, headers = site.browser(), await site.key("read", "write", "erase", "admin")
    for kind in ("application/json", "application/x-www-form-urlencoded"):
        for route in routes_of(site.site):
            if route.method != "GET":
                most = FILE if route.path == UPLOADS else MOST
                more = {"content": b"x" * (most + 1), "headers": {**headers, "content-type": kind}}
                where, answer = await sent(browser, route, **more)
                assert answer.status_code == 413, where


FORMS = ("/login", "/name", "/rooms/lobby/say", "/dashboard/memory", "/dashboard/facts")
RESOURCES = ("/api/memories", "/api/memory/facts", "/api/forgettings/preview", "/api/access/keys")


@pytest.mark.parametrize("path", [*FORMS, *RESOURCES])
async def test_a_body_without_end_is_read_no_further(site: GuardedSite, path: str) -> None:
    """One that does not say how long it is, and goes on for ever."""
    taken = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal taken
        while taken < 64 * MOST:
            taken += 65_536
            yield b"x" * 65_536

    kind = "application/json" if path in RESOURCES else "application/x-www-form-urlencoded"
    headers = {**await site.key("read", "write", "erase", "admin"), "content-type": kind}
    answer = await site.browser().post(path, content=endless(), headers=headers)
    assert (answer.status_code, is_guarded(answer)) == (413, True)


PATHS = [
    b"/assets/../headers.py",
    b"/assets/%2e%2e/headers.py",
    b"/assets/%2e%2e%2fheaders.py",
    b"/assets/page/%2e%2e/%2e%2e/headers.py",
    b"/assets/%252e%252e/headers.py",
    b"/assets/..%5cheaders.py",
    b"/assets/%2e%2e%5c%2e%2e%5cweb%5cheaders.py",
    b"/assets/%c0%ae%c0%ae/headers.py",
    b"/assets//etc/passwd",
    b"/assets/%2fetc%2fpasswd",
    b"/assets/" + b"%2e%2e%2f" * 12 + b"etc/passwd",
    b"/assets/dashboard.css%00.py",
    b"/assets/%00",
    b"/assets/" + b"a" * 5000,
    b"/assets/" + b"a/" * 3000,
    b"/assets/%ff%fe",
    b"/assets/%ed%a0%80",
    b"/assets/",
    b"/assets/page",
    b"/assets/page/",
    b"/assets",
]


@pytest.mark.parametrize("path", PATHS, ids=[repr(path[:40]) for path in PATHS])
async def test_nothing_is_served_but_the_files_of_pages(site: GuardedSite, path: bytes) -> None:
    """However a path is written that leads out of their folder, or to no file."""
    address = httpx2.URL("http://localhost").copy_with(raw_path=path)
    answer = await site.browser().get(address, follow_redirects=True)
    assert (answer.status_code, is_guarded(answer)) == (404, True)


@pytest.mark.parametrize("most", ["100000", "0", "-1", "9" * 400, "x", "1e3"])
async def test_no_list_gives_everything_at_once(site: GuardedSite, most: str) -> None:
    """A page of a list is as long as it can be, or refused."""
    browser, headers = site.browser(), await site.key("read", "write", "erase", "admin")
    described = (await browser.get("/api/openapi.json", headers=headers)).json()["paths"]
    limited = [
        path
        for path, methods in described.items()
        if any(one["name"] == "limit" for one in methods.get("get", {}).get("parameters", ()))
    ]
    assert len(limited) >= LISTS
    for path in limited:
        address = WalkedRoute("GET", path).address()
        params = {"limit": most, "q": "anything"}
        answer = await browser.get(address, params=params, headers=headers)
        assert answer.status_code == 422, path
        assert answer.headers["content-type"] == "application/problem+json", path


@pytest.mark.parametrize(
    "odd", ["%00", "%ff", "..%2f..", "'%20OR%201=1--", "9" * 400, "%F0%9F%A6%8A"]
)
async def test_ids_that_are_none_break_nothing(site: GuardedSite, odd: str) -> None:
    """Wherever one stands in an address: there is no such thing, or it is no id."""
    browser, headers = site.browser(), await site.key("read", "write", "erase", "admin")
    ids = {"number": odd} | dict.fromkeys(("memory", "person", "turn", "digest", "room"), odd)
    for route in routes_of(site.site):
        if route.method == "GET" and "{" in route.path:
            address = route.address({**UNKNOWN_IDS, **ids, "key": odd, "name": odd})
            answer = await browser.get(address, headers=headers)
            assert answer.status_code in {303, 401, 404, 422}, (route.path, answer.status_code)


async def test_what_was_forgotten_is_nowhere_any_more(site: GuardedSite) -> None:
    """Each address with its old id says so, and tells no word of it."""
    await site.pet.told("David hid the canary in the shed")
    browser, headers = site.browser(), await site.key("read", "write", "erase", "admin")
    (kept,) = (await browser.get("/api/memories", headers=headers)).json()["items"]
    gone = await browser.delete(f"/api/memories/{kept['id']}", headers=headers)
    assert gone.is_success, gone.text
    for route in routes_of(site.site):
        if "{memory}" in route.path and route.method != "POST":
            address = route.address({**UNKNOWN_IDS, "memory": kept["id"]})
            body = {"content": "another"} if route.method == "PATCH" else None
            answer = await browser.request(route.method, address, headers=headers, json=body)
            assert answer.status_code in {404, 409}, (route, answer.text)
            assert "canary" not in answer.text, route
