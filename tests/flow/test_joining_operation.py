"""`eko people join`: an account of a recording is put to the person whose it is, and taken back."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.settings import Settings


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """A pet that knows somebody on Discord and in a recording."""
    async with open_app(Settings(data_dir=tmp_path)) as opened:
        await opened.storage.people.person("discord", "7", "Nadia")
        await opened.storage.people.person("irc", "nadia", "nadia_")
        yield opened


async def asked(app: App, operation: str, **arguments: Any) -> Any:
    """What an operation says at last."""
    events = [one async for one in Operations(app).call(operation, arguments)]
    return events[-1].get("result") or events[-1]["error"]


async def people(app: App) -> int:
    """How many people the accounts belong to."""
    listed = await asked(app, "people")
    return len({one["person"] for one in listed["accounts"]})


async def test_accounts_are_one_person_once_it_is_said_to_do_it(app: App) -> None:
    """Without that they are only shown, and a split takes it back."""
    both = {"account": "irc:nadia", "other": "discord:7"}
    shown = await asked(app, "join_accounts", **both, yes=False)
    assert ({one["name"] for one in shown["accounts"]}, shown["done"]) == (
        {"Nadia", "nadia_"},
        False,
    )
    assert await people(app) == 2
    assert (await asked(app, "join_accounts", **both, yes=True))["done"]
    assert await people(app) == 1
    assert (await asked(app, "split_account", account="irc:nadia", yes=True))["done"]
    assert await people(app) == 2


@pytest.mark.parametrize(
    ("account", "other"), [("irc:nobody", "discord:7"), ("irc:nadia", "irc:nadia")]
)
async def test_it_is_said_why_accounts_are_not_joined(app: App, account: str, other: str) -> None:
    """Nothing is changed."""
    assert isinstance(
        await asked(app, "join_accounts", account=account, other=other, yes=True), str
    )
    assert await people(app) == 2
