"""Two communities that share nothing but the pet, and the people who look after them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from bot.model.commands import Action, Answer, Choice
from bot.model.events import AuthorRef, Inbound, Invoked, RoomRef
from bot.wiring.app import App, open_app
from config.sections.pet import AdminSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.learning.store import Stored
from memory.model.audience import Origin
from memory.model.authority import BY_OPERATOR
from memory.model.rooms import RoomKind, RoomRole, SpaceId, Visibility
from tests.cast import NOON
from tests.storage import statement

PLATFORM = "discord"

_numbers = count(1)


def account(number: int, name: str) -> AuthorRef:
    """Somebody's account."""
    return AuthorRef(platform=PLATFORM, external_id=str(number), name=name)


KEEPER, ALICE, BOB, ZOE = (
    account(number, name) for number, name in enumerate(("Kim", "Alice", "Bob", "Zoé"), start=1)
)
"""Who looks after the pet, who manages the one and the other community, and one who does not."""


def channel(number: int, name: str, guild: int) -> RoomRef:
    """A channel of a community."""
    return RoomRef(
        platform=PLATFORM,
        external_id=str(number),
        name=name,
        kind=RoomKind.GROUP,
        role=RoomRole.LOBBY,
        space=SpaceId(f"discord:{guild}"),
    )


A, B = SpaceId("discord:100"), SpaceId("discord:200")
HALL, GARDEN, CELLAR = (
    channel(101, "hall", 100),
    channel(102, "garden", 100),
    replace(channel(103, "cellar", 100), confidential=True),
)
THREAD = replace(channel(104, "tulips", 100), parent="102")
HARBOUR = channel(201, "harbour", 200)

_MANAGED_BY = {A: ALICE, B: BOB}


def settings_of(folder: Path, **given: Any) -> Settings:
    """A pet that Kim looks after, without a key and an embedder."""
    return Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        admins=AdminSettings(identities=("discord:1",)),
        **given,
    )


@asynccontextmanager
async def pet(folder: Path, clock: FrozenClock | None = None, **given: Any) -> AsyncIterator[App]:
    """The pet in both communities."""
    async with open_app(settings_of(folder, **given), clock or FrozenClock(NOON)) as app:
        yield app


async def says(
    app: App, text: str, who: AuthorRef = ZOE, where: RoomRef = HALL, **fields: Any
) -> None:
    """Somebody says something in a room."""
    await app.inbox.receive(said(app, text, who, where, **fields))


def said(
    app: App, text: str, who: AuthorRef = ZOE, where: RoomRef = HALL, **fields: Any
) -> Inbound:
    """A message as the platform delivers it, sent now if not at another moment."""
    fields.setdefault("sent_at", app.clock.now())
    fields.setdefault("external_id", f"m{next(_numbers)}")
    return Inbound(room=where, author=who, text=text, spaces=frozenset({where.space}), **fields)


async def kept(app: App) -> int:
    """How many messages are stored."""
    return (await app.storage.health.counts())["messages"]


async def known(app: App, content: str, space: SpaceId, **fields: Any) -> Stored:
    """A statement that a community knows, and no other."""
    origin = Origin(visibility=Visibility.SPACE, space=space)
    return await app.services.writer.store(statement(content, origin=origin, **fields), BY_OPERATOR)


async def asks(
    app: App,
    command: str,
    who: AuthorRef = ALICE,
    where: RoomRef = HALL,
    *,
    locale: str = "en",
    **arguments: str,
) -> Answer:
    """What a command of the platform's own answers to somebody in a room."""
    answer = await app.platform_commands.call(invoked(command, who, where, arguments, locale))
    assert answer is not None
    return answer


async def proposed(
    app: App, command: str, option: str, typed: str, who: AuthorRef = ALICE, where: RoomRef = HALL
) -> list[Choice]:
    """What is proposed for an option of which something was typed."""
    call = invoked(command, who, where, {option: typed}, "en")
    return list(await app.platform_commands.complete(call, option))


async def presses(
    app: App, action: Action, who: AuthorRef = ALICE, where: RoomRef = HALL
) -> Answer:
    """What a button answers."""
    return await asks(app, action.command, who, where, **action.arguments)


def invoked(
    command: str, who: AuthorRef, where: RoomRef, arguments: dict[str, str], locale: str
) -> Invoked:
    """A command as the platform delivers it."""
    return Invoked(
        external_id=f"i{next(_numbers)}",
        room=where,
        author=who,
        command=command,
        arguments=arguments,
        locale=locale,
        spaces=frozenset({where.space}),
        manages_space=_MANAGED_BY.get(where.space) == who,
    )


async def audited(app: App) -> list[tuple[str, str, str, str]]:
    """Who did what to what and how, the latest first."""
    entries = await app.storage.audit.latest(50)
    return [(one.actor, one.action, one.target, one.detail) for one in entries]
