"""A pet without a model that hears what was told and is asked, as a process hears people."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count, zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

from benchmarks.companion_set import Encounter, ToldLine
from benchmarks.evaluation.trial_store import trial_settings
from benchmarks.settings import bench_settings
from bot.agent.toolbox import RESPOND
from bot.channels.local.hub import LOBBY, direct_room
from bot.llm.offline.model import OfflinePet
from bot.model.events import AuthorRef, Inbound, RoomRef
from bot.model.requests import ModelReply, ModelRequest
from bot.wiring.adapters import offline_pet
from bot.wiring.app import App, open_app
from memory.clock import FrozenClock
from memory.model.audience import Origin
from memory.model.messages import AuthorKind
from memory.model.people import PersonId
from memory.model.rooms import RoomId, Visibility
from memory.model.statements import NewMemory, SelfCategory, Source
from memory.model.stores import Store
from observers.schedule import slot_of

_ZONE = ZoneInfo("Europe/Paris")
NOW = datetime(2026, 11, 18, 19, 40, tzinfo=_ZONE)
"""When everything is asked: a Wednesday evening."""

PET = "Eko"
_SELF = "self"
_DIRECT = "direct"
_DIGEST_HOURS = (2, 6, 10, 14, 18, 22)
_QUIET = timedelta(seconds=2)
"""More than the quiet after which the pet answers."""


@dataclass
class PromptedPet:
    """The offline pet, which says the given words once where there are some."""

    pet: OfflinePet
    words: str = ""

    @property
    def name(self) -> str:
        """The model's name."""
        return self.pet.name

    async def complete(self, request: ModelRequest) -> ModelReply:
        """What the offline pet does; what it says at the end are the given words."""
        reply = await self.pet.complete(request)
        if not self.words or all(call.name != RESPOND for call in reply.calls):
            return reply
        calls = tuple(
            replace(call, arguments=call.arguments | {"message": self.words})
            if call.name == RESPOND
            else call
            for call in reply.calls
        )
        return replace(reply, calls=calls)


@dataclass
class CompanionPet:
    """A running pet with its clock; it hears lines and gives its replies."""

    app: App
    clock: FrozenClock
    model: PromptedPet
    numbers: "count[int]" = field(default_factory=count)

    async def hears(self, told: Sequence[ToldLine], asker: str) -> None:
        """Take the lines at their times, with what it answered then and learnt by its schedule."""
        for line, after in zip_longest(told, told[1:]):
            at = NOW - line.ago
            await self._passes_until(max(at, self.clock.now() + timedelta(seconds=1)))
            if line.where == _SELF:
                await self._knows_of_itself(line)
            elif line.by != PET:
                answered = after is not None and after.by == PET and after.where == line.where
                self.model.words = after.text if after is not None and answered else ""
                is_meant = line.to_pet or answered
                await self._says(line.text, line.by, _room(line.where, asker), is_meant=is_meant)
                self.model.words = ""
        await self._passes_until(max(NOW, self.clock.now() + timedelta(seconds=1)))

    async def asked(self, text: str, by: str, where: str) -> str:
        """What it replies to a person; "" where it says nothing."""
        room, since = _room(where, by), self.clock.now()
        await self._says(text, by, room, is_meant=True)
        shown = await self.app.storage.messages.recent(
            RoomId(f"{room.platform}:{room.external_id}"), 5
        )
        replies = [
            one.text for one in shown if one.author_kind is AuthorKind.PET and one.sent_at >= since
        ]
        return "\n".join(replies)

    async def _says(self, text: str, by: str, room: RoomRef, *, is_meant: bool = False) -> None:
        await self.app.inbox.receive(
            Inbound(
                external_id=str(next(self.numbers)),
                room=room,
                author=_author(by),
                text=text,
                sent_at=self.clock.now(),
                spaces=frozenset({LOBBY.space}),
                mentions_pet=is_meant,
            )
        )
        self.clock.advance(_QUIET)
        self.app.conversations.typing(PersonId(""), RoomId(""))
        await self.app.conversations.quiet()
        await self.app.services.after_reply.quiet()
        await self.app.services.indexer.settle()

    async def _passes_until(self, moment: datetime) -> None:
        before, idle = self.clock.now(), timedelta(minutes=self.app.settings.sessions.idle_minutes)
        if moment - before > idle:
            self.clock.at = before + idle + timedelta(minutes=1)
            await self.app.contexts.end_idle()
            self.app.services.after_reply.look_around()
            await self.app.services.after_reply.quiet()
            await self.app.services.conversation_facts.read_due()
        self.clock.at = moment
        slot = slot_of(moment, _DIGEST_HOURS, _ZONE)
        if slot != slot_of(before, _DIGEST_HOURS, _ZONE):
            await self.app.services.digest.run(slot)
        await self.app.services.indexer.settle()

    async def _knows_of_itself(self, line: ToldLine) -> None:
        await self.app.services.writer.store(
            NewMemory(
                store=Store.SELF,
                content=line.text,
                origin=Origin(visibility=Visibility.EVERYONE),
                source=Source.CHAT,
                category=SelfCategory.PREFERENCE,
                said_at=self.clock.now(),
            )
        )


@asynccontextmanager
async def companion(language: str, begins: datetime) -> AsyncIterator[CompanionPet]:
    """An empty pet that speaks a language when people's own cannot be told, until the body ends."""
    with TemporaryDirectory(prefix="eko-companion-") as folder:
        settings = trial_settings(bench_settings(Path(folder)), "offline", None)
        settings = settings.model_copy(update={"locale": language})
        clock = FrozenClock(begins)
        model = PromptedPet(offline_pet(settings, clock))
        async with open_app(settings, clock, model=model) as app:
            yield CompanionPet(app, clock, model)


async def reply_in(encounter: Encounter, language: str) -> str:
    """What a pet of an empty store that was told the lines replies to the words."""
    longest = max((line.ago for line in encounter.told), default=timedelta())
    async with companion(language, NOW - longest - timedelta(minutes=1)) as pet:
        await pet.hears(encounter.told, encounter.by)
        return await pet.asked(encounter.text, encounter.by, encounter.where)


def _author(name: str) -> AuthorRef:
    return AuthorRef(platform="web", external_id=name, name=name)


def _room(where: str, asker: str) -> RoomRef:
    return direct_room(_author(asker)) if where == _DIRECT else LOBBY
