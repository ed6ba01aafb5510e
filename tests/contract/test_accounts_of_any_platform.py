"""Accounts as the platforms write them: with colons, dots, `@` and more, wherever they are read."""

import json
import re
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from sqlite3 import connect
from typing import Any
from uuid import UUID

import pytest
from pydantic import TypeAdapter

from bot.model.authority import authority_of
from bot.model.commands import Authority
from bot.model.events import AuthorRef, Inbound, ReactionsChanged, RoomRef
from bot.surfaces.operations import Operations
from config.sections.channel import Identity
from memory.model.audience import scope_of
from memory.model.messages import MessageId
from memory.model.people import OPERATOR_ACTOR
from memory.model.reminders import NewReminder, ReminderRequest
from memory.model.rooms import RoomKind, RoomRole
from memory.storage.linking.splitting import Accounts
from tests.cast import DAVID, LOBBY, direct, room_of
from tests.flow.owning import Owner, owned
from tests.flow.pet import Pet, awake
from tests.flow.test_linked_accounts import known, told
from tests.flow.test_splitting import owned as owned_rows
from tests.linked import joined, person_behind

WRITTEN = (
    ("telegram", "1"),
    ("whatsapp", "FR.13491208655302741918"),
    ("whatsapp", "user:50972923564215"),
    ("matrix", "@a:b.example"),
    ("matrix", "@a.b=c/d%_:[2001:db8::1]:8448"),
    ("irc", "*"),
)
"""A number, a business-scoped id, an agent's creator, and ids with all that they may have."""

CODE = re.compile(r"\b\w{4}-\w{4}\b")


@pytest.fixture(params=WRITTEN, ids=":".join)
def other(request: pytest.FixtureRequest) -> AuthorRef:
    """David's other account."""
    platform, external_id = request.param
    return AuthorRef(platform=platform, external_id=external_id, name="Dav")


def alone(who: AuthorRef) -> RoomRef:
    """The direct room of an account, which its platform may call as it calls the account."""
    return RoomRef(
        platform=who.platform,
        external_id=who.external_id,
        name=who.name,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


async def test_joined_it_is_known_there_and_split_it_is_not(
    tmp_path: Path, other: AuthorRef
) -> None:
    """What was told alone on either is known alone on both, until the accounts are two again."""
    async with awake(tmp_path) as pet:
        channels = {**pet.delivery._channels, other.platform: pet.channel}
        pet.delivery._channels = channels
        await told(pet, other, alone(other))
        assert "rendez-vous" not in await known(pet, DAVID, direct(DAVID))
        before = await owned_rows(pet)
        await joined(pet.storage, enters=other)
        assert await person_behind(pet.storage, other) == await person_behind(pet.storage, DAVID)
        assert "rendez-vous" in await known(pet, DAVID, direct(DAVID))
        await _split(pet, other)
        assert await person_behind(pet.storage, other) != await person_behind(pet.storage, DAVID)
        assert "rendez-vous" not in await known(pet, DAVID, direct(DAVID))
        after = await owned_rows(pet)
        for table in ("memories", "aliases", "core_facts"):
            assert after[table] == before[table], table
        problems = (await pet.storage.health.checkup()).problems
    assert problems == ()


async def _split(pet: Pet, who: AuthorRef) -> None:
    accounts = Accounts(pet.storage.database, pet.storage.people, pet.storage.clock)
    await accounts.split(who.account, OPERATOR_ACTOR)


async def test_commands_and_the_operator_name_it(tmp_path: Path, other: AuthorRef) -> None:
    """`/link` with a code from there, `/unlink`, and the operations behind `eko people`."""
    async with owned(tmp_path) as owner:
        await owner.told("Dav joue de la harpe", other, alone(other))
        await owner.told("David adore le levain", where=direct(DAVID))
        await _linked(owner, other)
        assert "harpe" in (await owner.uses("what-do-you-know", where=direct(DAVID))).text
        (action,) = (await owner.uses("unlink", other, alone(other))).actions
        await owner.uses(action.command, other, alone(other), **action.arguments)
        assert await owner.person(other) != await owner.person()
        assert "harpe" not in (await owner.uses("what-do-you-know", where=direct(DAVID))).text
        await _linked(owner, other)
        listed = (await _does(owner, "people"))["accounts"]
        (named,) = (one["account"] for one in listed if one["name"] == "Dav")
        done = await _does(owner, "split_account", account=named, yes=True)
        assert done["leaving"] == {"platform": other.platform, "name": "Dav"}
        assert await owner.person(other) != await owner.person()


async def _linked(owner: Owner, other: AuthorRef) -> None:
    offered = await owner.uses("link", other, alone(other))
    code = CODE.findall(offered.text)[0]
    (action,) = (await owner.uses("link", where=direct(DAVID), code=code)).actions
    await owner.uses(action.command, DAVID, direct(DAVID), **action.arguments)
    assert await owner.person(other) == await owner.person()


async def _does(owner: Owner, operation: str, **arguments: Any) -> dict[str, Any]:
    events = [event async for event in Operations(owner.app).call(operation, arguments)]
    result: dict[str, Any] = events[-1]["result"]
    return result


async def test_its_reactions_and_words_go_when_it_is_forgotten(
    tmp_path: Path, other: AuthorRef
) -> None:
    """A reaction is kept once for the account that made it, and nothing names it afterwards."""
    async with owned(tmp_path) as owner:
        tom = AuthorRef(platform=other.platform, external_id="tom", name="Tom")
        await owner.hears("je pars en Grèce", tom)
        await owner.hears("bon voyage", other)
        put = ReactionsChanged(
            platform=other.platform, external_id="m1", author=other, emoji=("🎉",)
        )
        await owner.app.inbox.receive(put)
        await owner.app.inbox.receive(put)
        assert rows(tmp_path, "SELECT account, emoji FROM reactions") == [(other.account, "🎉")]
        action, *_ = (await owner.uses("forget-me", other, alone(other))).actions
        await owner.uses(action.command, other, alone(other), **action.arguments)
        assert rows(tmp_path, "SELECT 1 FROM reactions") == []
        assert rows(tmp_path, "SELECT 1 FROM messages WHERE text = 'bon voyage'") == []


async def test_an_export_comes_back_with_it(tmp_path: Path, other: AuthorRef) -> None:
    """Into another pet, and into one that knows the account: what came from it keeps it."""
    path = tmp_path / "all.jsonl"
    async with owned(tmp_path / "one") as owner:
        await _talks(owner, other)
        before = accounts_in(tmp_path / "one")
        await _does(owner, "export", path=str(path))
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    (person,) = (one for one in lines if one["entry"] == "person" and one["name"] == "Dav")
    assert person["accounts"] == [
        {"platform": other.platform, "external_id": other.external_id, "name": "Dav"}
    ]
    async with owned(tmp_path / "two") as owner:
        first = await owner.person(other)
        await _does(owner, "import", path=str(path))
        assert await owner.person(other) == first
        assert accounts_in(tmp_path / "two") == before != []


async def _talks(owner: Owner, other: AuthorRef) -> None:
    await owner.app.inbox.receive_all(
        [
            Inbound(
                external_id="x1",
                room=LOBBY,
                author=other,
                text="je suis pompier à Lyon",
                sent_at=owner.clock.now(),
            )
        ],
        recorded=True,
    )
    await owner.told("Dav joue de la harpe", other, LOBBY)


def accounts_in(folder: Path) -> list[tuple[Any, ...]]:
    """From which accounts messages and statements came."""
    return rows(
        folder,
        "SELECT 'message', account FROM messages WHERE author_kind = 'person'"
        " UNION SELECT 'statement', account FROM memories ORDER BY 1",
    )


def rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    """Rows of a pet's tables, while it runs."""
    with closing(connect(folder / "eko.sqlite3")) as raw:
        return raw.execute(query).fetchall()


async def test_a_reminder_is_told_under_the_name_of_the_account_that_asked(
    tmp_path: Path, other: AuthorRef
) -> None:
    """What the same person goes by elsewhere is not for all."""
    async with owned(tmp_path) as owner:
        await owner.told("David adore le levain", where=direct(DAVID))
        await owner.hears("mon pain !", other, alone(other))
        await _linked(owner, other)
        person, room = await owner.person(other), room_of(alone(other))
        asked = ReminderRequest(
            person=person,
            account=other.account,
            room=room,
            asking=(),
            message=MessageId(1),
            scope=scope_of(room, person),
            locale="fr",
            text="le pain",
            when="dans une minute",
        )
        wish = NewReminder(
            key=UUID(int=1),
            request=asked,
            due_at=owner.clock.now() + timedelta(minutes=1),
            zone="UTC",
        )
        await owner.app.storage.reminders.add(wish, 9)
        owner.clock.advance(timedelta(minutes=2))
        (due,) = await owner.app.storage.reminders.due(())
        assert (due.name, due.room.platform) == ("Dav", other.platform)


@pytest.mark.parametrize("written", WRITTEN[:5], ids=":".join)
def test_settings_name_it_and_no_other(written: tuple[str, str]) -> None:
    """As it is, it is an admin's; one that goes on behind it is not."""
    account = ":".join(written)
    lobby = room_of(LOBBY)
    assert TypeAdapter(Identity).validate_python(account) == account
    if "[" not in account:
        assert authority_of(account, lobby, [account], manages_space=False) is Authority.PET
    longer = authority_of(f"{account}.evil", lobby, [account], manages_space=False)
    assert longer is Authority.NONE
