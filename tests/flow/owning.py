"""A pet without a key, told things by several people, and asked about by command."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.channels.local.ports import Shown
from bot.model.commands import Answer, Choice
from bot.model.events import AuthorRef, Inbound, Invoked, RoomRef
from bot.surfaces.operations import Operations
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from config.sections.obsidian import ObsidianSettings
from config.sections.vectors import EmbedderSettings
from config.sections.web import WebSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.audience import Origin
from memory.model.messages import AuthorKind
from memory.model.people import PersonId
from memory.model.rooms import HOME, RoomId, Visibility
from tests.cast import DAVID, LOBBY, NOON, room_of
from tests.storage import statement


@dataclass
class Owner:
    """The pet with its clock in the test's hand; people use its commands without a platform."""

    app: App
    clock: FrozenClock
    used: int = 0

    async def hears(self, text: str, who: AuthorRef = DAVID, where: RoomRef = LOBBY) -> None:
        """Take one message; what it waits for is not waited for."""
        self.used += 1
        await self.app.inbox.receive(
            Inbound(
                external_id=f"m{self.used}",
                room=where,
                author=who,
                text=text,
                sent_at=self.clock.now(),
                spaces=frozenset({HOME}),
            )
        )

    async def person(self, who: AuthorRef = DAVID) -> PersonId:
        """Whose account it is."""
        return (await self.app.register.person(who)).id

    async def told(
        self,
        content: str,
        who: AuthorRef = DAVID,
        where: RoomRef | None = None,
        **fields: Any,
    ) -> None:
        """A statement that somebody made, in the lobby or alone with the pet."""
        person = await self.person(who)
        room = None if where is None else room_of(where)
        if room is not None:
            await self.app.register.keep(room)
        origin = Origin(
            visibility=Visibility.PRIVATE if room is None else room.visibility,
            person=person,
            room=None if room is None else RoomId(room.id),
            account=who.account,
        )
        given = {"said_by": who.name, "author": person, "subjects": (who.name,), "origin": origin}
        given |= fields
        given.setdefault("about_person", person if content.startswith(who.name) else None)
        await self.app.services.writer.store(statement(content, **given))

    async def uses(
        self,
        command: str,
        who: AuthorRef = DAVID,
        where: RoomRef = LOBBY,
        *,
        locale: str = "fr",
        **arguments: str,
    ) -> Answer:
        """What a command of the platform's own says to somebody."""
        answer = await self.app.platform_commands.call(
            self._invoked(command, who, where, locale, arguments)
        )
        assert answer is not None
        return answer

    async def proposes(
        self, command: str, option: str, typed: str, who: AuthorRef = DAVID, where: RoomRef = LOBBY
    ) -> list[Choice]:
        """What an option can be."""
        invoked = self._invoked(command, who, where, "fr", {option: typed})
        return list(await self.app.platform_commands.complete(invoked, option))

    async def contents(self) -> list[str]:
        """Every statement that is recalled."""
        events = [one async for one in Operations(self.app).call("memories", {})]
        return [row["content"] for row in events[-1]["result"]["memories"]]

    def _invoked(
        self, command: str, who: AuthorRef, where: RoomRef, locale: str, arguments: dict[str, str]
    ) -> Invoked:
        self.used += 1
        return Invoked(
            external_id=f"i{self.used}",
            room=where,
            author=who,
            command=command,
            arguments=arguments,
            locale=locale,
            spaces=frozenset({HOME}),
        )


@asynccontextmanager
async def owned(
    folder: Path,
    locale: str = "fr",
    *,
    web: WebSettings | None = None,
    obsidian: ObsidianSettings | None = None,
) -> AsyncIterator[Owner]:
    """A pet of a folder that people can use commands of."""
    clock = FrozenClock(NOON)
    settings = Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        locale=locale,
        web=web or WebSettings(),
        obsidian=obsidian or ObsidianSettings(),
    )
    async with open_app(settings, clock) as app:
        yield Owner(app=app, clock=clock)


async def typed(app: App, text: str, who: AuthorRef, where: RoomRef) -> str:
    """What a line typed on the web page is answered."""
    async with app.hub.talk(who, where).events() as events:
        await app.hub.say(where, who, text)
        async for event in events:
            if isinstance(event, Shown) and event.kind is AuthorKind.PET:
                return event.text
    raise AssertionError("nothing was said")
