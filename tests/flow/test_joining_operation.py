"""`eko people join`: an account of a recording is put to the person whose it is, and taken back."""

import asyncio
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
    assert (
        {one["name"] for side in ("joining", "staying") for one in shown["join"][side]},
        shown["done"],
    ) == (
        {"Nadia", "nadia_"},
        False,
    )
    assert await people(app) == 2
    assert (await asked(app, "join_accounts", **both, yes=True))["done"]
    assert await people(app) == 1
    assert (await asked(app, "split_account", account="irc:nadia", yes=True))["done"]
    assert await people(app) == 2


@pytest.mark.parametrize(
    ("account", "other", "why"),
    [
        ("irc:nobody", "discord:7", "Nothing was ever said"),
        ("irc:nadia", "irc:nadia", "one person's already"),
        ("Eko", "discord:7", "Nothing was ever said"),
        ("Nadia", "irc:nadia", "discord:7 (Nadia), discord:8 (Nadia)"),
        (" ", "irc:nadia", "Nothing was ever said"),
        ("%", "irc:nadia", "Nothing was ever said"),
    ],
)
async def test_it_is_said_why_accounts_are_not_joined(
    app: App, account: str, other: str, why: str
) -> None:
    """Unknown ones, the pet, somebody with themselves, a name of several: nothing is changed."""
    await app.storage.people.person("discord", "8", "Nadia")
    refused = await asked(app, "join_accounts", account=account, other=other, yes=True)
    assert why in refused
    assert await people(app) == 3


async def test_a_name_that_one_person_bears_is_enough(app: App) -> None:
    """However it is written in large and small letters."""
    done = await asked(app, "join_accounts", account="NADIA_", other="nadia", yes=True)
    assert done["done"]
    assert await people(app) == 1


async def test_of_two_owners_at_once_one_joins_and_the_other_is_told(app: App) -> None:
    """The audit log has one joining."""
    both = {"account": "irc:nadia", "other": "discord:7", "yes": True}
    done = await asyncio.gather(*(asked(app, "join_accounts", **both) for _ in range(2)))
    assert sorted(isinstance(one, str) for one in done) == [False, True]
    rows = await app.storage.database.all("SELECT actor, action FROM audit_log")
    assert [row["action"] for row in rows] == ["account.joined"]


async def test_a_person_of_several_accounts_is_joined_whole_and_split_off_whole(app: App) -> None:
    """The accounts that came together go together."""
    await asked(app, "join_accounts", account="irc:nadia", other="discord:7", yes=True)
    await app.storage.people.person("mail", "n@home", "Nadia K.")
    shown = await asked(app, "join_accounts", account="discord:7", other="mail:n@home", yes=True)
    assert [one["account"] for one in shown["join"]["joining"]] == ["discord:7", "irc:nadia"]
    assert await people(app) == 1
    apart = {"account": "discord:7", "others": ["irc:nadia"], "yes": True}
    assert (await asked(app, "split_account", **apart))["done"]
    listed = (await asked(app, "people"))["accounts"]
    assert {one["account"]: one["person"] for one in listed}["irc:nadia"] == {
        one["account"]: one["person"] for one in listed
    }["discord:7"]
    assert await people(app) == 2
    every = {"account": "discord:7", "others": ["irc:nadia"]}
    assert "only account" in await asked(app, "split_account", **every)
