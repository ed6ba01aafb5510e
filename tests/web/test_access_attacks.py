"""Attacks on the doors of the dashboard and the API, and what must never be told."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest
from structlog.testing import capture_logs

from bot.surfaces.access.attempts import MOST_FAILURES, WINDOW
from bot.topics.access.login import inside
from config.sections.web import WebSettings
from memory.model.access import token_hash
from tests.web.access import GuardedSite, accounts_of, guarded_site

PAGE = "/dashboard/access"
KEYS = "/api/access/keys"
FOUND, MADE, TO_LOGIN, UNKNOWN, FORBIDDEN, GONE, SLOWER = 200, 201, 303, 401, 403, 404, 429
ELSEWHERE = 421


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[GuardedSite]:
    """A pet to which nobody is logged in."""
    async with guarded_site(tmp_path) as served:
        yield served


async def guess(browser: httpx2.AsyncClient, guesses: int = MOST_FAILURES) -> None:
    """Try so many codes that nobody gave out."""
    for number in range(guesses):
        answer = await browser.post("/login", data={"code": f"guess {number}"})
        assert answer.status_code == UNKNOWN


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/",
        "//evil.example/dashboard",
        "/\\evil.example",
        "/dashboard\\@evil.example",
        "/dashboard.evil.example",
        "/dashboards",
        "/dashboard/\n/evil",
        "/dashboard/ x",
        "/logout",
        "javascript:alert(1)",
        "dashboard",
        "",
    ],
)
async def test_a_login_leads_nowhere_else(site: GuardedSite, address: str) -> None:
    """No link to this page can send its reader to another one."""
    assert inside(address) == ""
    data = {"code": await site.code(), "next": address}
    answer = await site.browser().post("/login", data=data)
    assert answer.headers["location"] == "/dashboard"


@pytest.mark.parametrize("address", ["/dashboard", "/dashboard/memory?q=a%20b&as_of=2026-01-01"])
def test_a_login_leads_to_every_page_of_the_dashboard(address: str) -> None:
    """As it was asked for."""
    assert inside(address) == address


async def test_guessing_is_slowed_down(site: GuardedSite) -> None:
    """After ten guesses of an address its next ones wait; a right code does not, from anywhere."""
    attacker, owner = site.browser(address="127.0.0.9"), site.browser()
    await guess(attacker)
    answer = await attacker.post("/login", data={"code": "one more"})
    assert answer.status_code == SLOWER
    assert 0 < int(answer.headers["retry-after"]) <= WINDOW.total_seconds()
    for browser in (attacker, owner):
        entered = await browser.post("/login", data={"code": await site.code()})
        assert entered.status_code == TO_LOGIN
    site.pet.clock.advance(WINDOW)
    answer = await site.browser(address="127.0.0.9").post("/login", data={"code": "one more"})
    assert answer.status_code == UNKNOWN


async def test_guessed_keys_are_counted_too(site: GuardedSite) -> None:
    """But neither they nor a program whose key was revoked shut the right key out."""
    right, stale = await site.key("read", "admin"), await site.key("admin")
    await site.does("key_revoke", id=2)
    browser = site.browser()
    for _ in range(2 * MOST_FAILURES):
        assert (await browser.get(KEYS, headers=stale)).status_code == UNKNOWN
    assert (await browser.get(KEYS, headers=right)).status_code == FOUND
    for number in range(MOST_FAILURES):
        await browser.get(KEYS, headers={"authorization": f"Bearer eko_{number}"})
    answer = await browser.get(KEYS, headers={"authorization": "Bearer eko_more"})
    assert answer.status_code == SLOWER
    assert answer.headers["content-type"] == "application/problem+json"
    assert "retry-after" in answer.headers
    assert (await browser.get(KEYS, headers=right)).status_code == FOUND


async def test_guesses_do_not_end_a_session(site: GuardedSite) -> None:
    """An attacker behind the same address cannot lock those out who are in."""
    owner = await site.logged_in()
    await guess(site.browser())
    assert (await owner.get(PAGE)).status_code == FOUND


async def test_other_pages_can_change_nothing(site: GuardedSite) -> None:
    """Neither by a form of theirs, nor under another name of this machine (DNS rebinding)."""
    owner = await site.logged_in()
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
        for path in (f"{PAGE}/keys", f"{PAGE}/links", "/logout", "/login", KEYS):
            answer = await owner.post(path, headers=headers)
            assert answer.status_code == FORBIDDEN, (path, headers)
    answer = await owner.get(PAGE, headers={"host": "evil.example"})
    assert answer.status_code == ELSEWHERE
    assert (await owner.get(PAGE)).status_code == FOUND
    assert await site.does("keys") == {"keys": []}


@pytest.mark.parametrize(("listens", "by_address"), [("0.0.0.0", FOUND), ("127.0.0.1", ELSEWHERE)])  # noqa: S104 - never opened
async def test_a_page_open_to_the_network_is_found_by_any_address(
    tmp_path: Path, listens: str, by_address: int
) -> None:
    """As one in a container is, which does not know the machine's; other names lead nowhere."""
    async with guarded_site(tmp_path, WebSettings(host=listens)) as site:
        for host, status in (("192.168.1.10:8484", by_address), ("evil.example", ELSEWHERE)):
            answer = await site.browser().get("/", headers={"host": host})
            assert answer.status_code == status


async def test_no_page_can_be_framed_or_kept(site: GuardedSite) -> None:
    """By clickjacking, or in the cache of a proxy or of a shared browser."""
    owner = await site.logged_in()
    for path in (PAGE, "/login", KEYS):
        headers = (await owner.get(path)).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["cache-control"] == "no-store"


async def test_a_key_does_what_it_may(site: GuardedSite) -> None:
    """One with too little is refused; so is one that was revoked, or is too old."""
    browser = site.browser()
    for rights in (("read",), ("write",), ("read", "write")):
        answer = await browser.get(KEYS, headers=await site.key(*rights))
        assert answer.status_code == FORBIDDEN
    short, revoked = await site.key("admin", expires="1h"), await site.key("admin")
    assert (await browser.get(KEYS, headers=short)).status_code == FOUND
    assert (await browser.get(KEYS, headers=revoked)).status_code == FOUND
    await site.does("key_revoke", id=5)
    site.pet.clock.advance(timedelta(hours=1))
    for headers in (short, revoked):
        assert (await browser.get(KEYS, headers=headers)).status_code == UNKNOWN


async def test_a_key_makes_none_that_may_more(site: GuardedSite) -> None:
    """Nor a link, which would be a session with every right."""
    browser, admin = site.browser(), await site.key("admin")
    wanted = {"name": "more", "rights": ["read", "admin"]}
    assert (await browser.post(KEYS, json=wanted, headers=admin)).status_code == FORBIDDEN
    answer = await browser.post(f"{PAGE}/links", headers=admin)
    assert answer.status_code == FORBIDDEN
    same = await browser.post(KEYS, json={"name": "as much", "rights": ["admin"]}, headers=admin)
    assert same.status_code == MADE


async def test_the_api_lists_makes_and_revokes(site: GuardedSite) -> None:
    """With the token of a key in the answer that makes it, and nowhere else."""
    browser, admin = site.browser(), await site.key("read", "write", "admin")
    await site.logged_in()
    wanted = {"name": "script", "rights": ["write", "read"], "expires": "30d"}
    made = (await browser.post(KEYS, json=wanted, headers=admin)).json()
    assert made["rights"] == ["read", "write"]
    first = (await browser.get(KEYS, params={"limit": 1}, headers=admin)).json()
    assert [one["name"] for one in first["items"]] == ["script"]
    assert made["token"] not in json.dumps(first)
    rest = await browser.get(KEYS, params={"limit": 1, "cursor": first["next"]}, headers=admin)
    assert [one["name"] for one in rest.json()["items"]] == ["test"]
    assert (await browser.delete(f"{KEYS}/{made['id']}", headers=admin)).status_code == 204
    assert (await browser.delete(f"{KEYS}/{made['id']}", headers=admin)).status_code == GONE
    sessions = (await browser.get("/api/access/sessions", headers=admin)).json()
    (session,) = sessions["items"]
    ended = await browser.delete(f"/api/access/sessions/{session['id']}", headers=admin)
    assert ended.status_code == 204


@pytest.mark.parametrize("number", ["0", "-1", "x", str(1 << 60), "9" * 400])
async def test_numbers_that_are_none_are_refused(site: GuardedSite, number: str) -> None:
    """Before they reach the database."""
    admin = await site.key("admin")
    answer = await site.browser().delete(f"{KEYS}/{number}", headers=admin)
    assert answer.status_code == 422


@pytest.mark.parametrize(
    "wanted",
    [
        "{}",
        "[]",
        "null",
        '{"name": "", "rights": ["read"]}',
        '{"name": "   ", "rights": ["admin"]}',
        '{"name": "\\ud800", "rights": ["admin"]}',
        '{"name": "x", "rights": []}',
        '{"name": "x", "rights": ["root"]}',
        '{"name": "x", "rights": ["admin"], "expires": "0d"}',
        '{"name": "x", "rights": ["admin"], "expires": "never"}',
        '{"name": "' + "x" * 100_000 + '", "rights": ["admin"]}',
    ],
)
async def test_keys_that_are_none_are_refused(site: GuardedSite, wanted: str) -> None:
    """By a sentence, as problem details."""
    headers = {**await site.key("admin"), "content-type": "application/json"}
    answer = await site.browser().post(KEYS, content=wanted, headers=headers)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert len((await site.does("keys"))["keys"]) == 1


@pytest.mark.parametrize("cookie", ["", "x" * 100_000, "\x7f", "a; b=c"])
async def test_odd_cookies_let_nobody_in(site: GuardedSite, cookie: str) -> None:
    """And break nothing."""
    ((name, _),) = accounts_of(await site.logged_in()).items()
    answer = await site.browser().get(PAGE, headers={"cookie": f"{name}={cookie}"})
    assert answer.status_code == TO_LOGIN


async def test_a_proxys_password_does_not_hide_the_session(site: GuardedSite) -> None:
    """A proxy in front may ask for one of its own, and pass it on."""
    owner = await site.logged_in()
    answer = await owner.get(PAGE, headers={"authorization": "Basic dXNlcjpwYXNz"})
    assert answer.status_code == FOUND


OPEN = WebSettings(host="0.0.0.0")  # noqa: S104 - nothing listens here
MEANT = WebSettings(host="0.0.0.0", insecure_dashboard=True)  # noqa: S104 - the same
PUBLISHED = WebSettings(host="0.0.0.0", published_here=True)  # noqa: S104 - the same
PUBLISHED_BEHIND_PROXY = PUBLISHED.model_copy(update={"proxies": ("10.0.0.1",)})


@pytest.mark.parametrize(
    ("web", "base", "address", "served"),
    [
        (OPEN, "http://localhost", "127.0.0.1", False),
        (OPEN, "http://localhost", "192.0.2.1", False),
        (OPEN, "https://localhost", "192.0.2.1", True),
        (MEANT, "http://localhost", "192.0.2.1", True),
        (PUBLISHED, "http://localhost", "172.18.0.1", True),  # the gateway of a container
        (PUBLISHED_BEHIND_PROXY, "http://localhost", "192.0.2.1", False),
        (WebSettings(), "http://localhost", "127.0.0.1", True),
        (WebSettings(host="::1"), "http://localhost", "::1", True),
        (WebSettings(), "http://localhost", "192.0.2.1", False),  # a proxy says so
        (WebSettings(), "https://localhost", "192.0.2.1", True),
    ],
)
async def test_nothing_is_served_in_the_open(
    tmp_path: Path, web: WebSettings, base: str, address: str, *, served: bool
) -> None:
    """Neither the form, nor the page, nor the API, unless that is meant; and it says why."""
    async with guarded_site(tmp_path, web) as site:
        admin, browser = await site.key("admin"), site.browser(address=address, base=base)
        form = await browser.get("/login")
        assert (form.status_code == FOUND) is served
        assert ("[web] insecure_dashboard" in form.text) is not served
        api = await browser.get(KEYS, headers=admin)
        assert api.status_code == (FOUND if served else FORBIDDEN)
        tried = await browser.post("/login", data={"code": await site.code()})
        assert tried.status_code == (TO_LOGIN if served else FORBIDDEN)


async def test_no_token_is_told_twice(site: GuardedSite, tmp_path: Path) -> None:
    """Neither it nor its hash is in the audit log, the log, an export or a later page."""
    with capture_logs() as logs:
        code, browser = await site.code(), site.browser()
        await browser.post("/login", data={"code": code})
        await browser.post("/login", data={"code": code})
        headers = await site.key("read")
        await site.browser().get(KEYS, headers=headers)
        await site.browser().get(KEYS, headers={"authorization": "Bearer eko_wrong"})
        ((_, session),) = accounts_of(browser).items()
        await site.does("export", path=str(tmp_path / "all.json"))
        told = {
            "audit": json.dumps(await site.does("audit")),
            "export": await asyncio.to_thread((tmp_path / "all.json").read_text, "utf-8"),
            "page": (await browser.get(PAGE)).text,
            "lists": json.dumps([await site.does("keys"), await site.does("sessions")]),
            "log": repr(logs),
        }
    tokens = [code, session, headers["authorization"].removeprefix("Bearer ")]
    secrets = [*tokens, *map(token_hash, tokens), "eko_wrong"]
    found = [(where, one) for where, text in told.items() for one in secrets if one in text]
    assert found == []
    files = await asyncio.to_thread(contents, tmp_path)
    assert not [one for one in tokens for held in files if one.encode() in held]


def contents(folder: Path) -> list[bytes]:
    """What all files of a folder hold."""
    return [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
