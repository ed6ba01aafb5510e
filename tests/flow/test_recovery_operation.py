"""`eko people recovery-link`: which account it is for, and where its link leads."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.web import WebSettings
from config.settings import Settings
from memory.model.linking import RecoveredAccount


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """A pet at whose page three people have spoken, two of them under one name."""
    web = WebSettings(origins=("https://eko.example",))
    async with open_app(Settings(data_dir=tmp_path, web=web)) as opened:
        for account, name in (("a1", "Léa"), ("b1", "Tom"), ("b2", "Tom")):
            await opened.storage.people.person("web", account, name)
        await opened.storage.people.person("console", "Zoé", "Zoé")
        yield opened


async def asked(app: App, account: str) -> Any:
    """What the operation says at last."""
    operations = Operations(app)
    events = [one async for one in operations.call("recovery_link", {"account": account})]
    return events[-1].get("result") or events[-1]["error"]


@pytest.mark.parametrize("account", ["Léa", "léa", "a1", "web:a1"])
async def test_a_link_is_given_for_one_account(app: App, account: str) -> None:
    """By its name or id; it leads to the page as browsers see it, and brings that account back."""
    given = await asked(app, account)
    assert given["link"] == f"https://eko.example/recover#{given['code']}"
    found = RecoveredAccount(platform="web", external_id="a1", name="Léa")
    assert await app.storage.recovery.redeem(given["code"]) == found


@pytest.mark.parametrize(
    ("account", "says"),
    [
        ("Tom", "Several accounts are called"),
        ("Zoé", "No account of the page is called"),  # the terminal asks for no cookie
        ("", "at least 1 character"),
    ],
)
async def test_it_is_said_why_none_is_given(app: App, account: str, says: str) -> None:
    """A link for the wrong person would be that person."""
    assert says in await asked(app, account)
