"""`/privacy check`: a copy of the memory is told canaries, and asked for them as members would.

A canary is a statement with a made-up word. It is told in private, in a closed room of the
community or in another community, then asked for in each kind of room, through the recall that
answers use and the search that tools use. Nothing is ever posted, and the copy is deleted.
"""

import asyncio
import json
import secrets
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import structlog

from bot.data_folder import CHECKING, DATABASE
from bot.errors import BotError
from bot.topics.upgrades.rehearsal import settings_of_copy
from bot.transfer.upgrading import copies_folder, refuse_without_room
from bot.wiring.app import App, open_still
from config.settings import Settings
from memory.clock import SystemClock
from memory.model.audience import Origin, scope_of
from memory.model.messages import Arrival, Handling
from memory.model.people import Person
from memory.model.retrieval import Question
from memory.model.rooms import HOME, Room, RoomId, RoomKind, RoomRole, SpaceId
from memory.model.statements import NewMemory, Source
from memory.model.stores import Collection, Store
from memory.storage.backups.copies import upgraded_copy
from memory.upkeep.filling import IndexFiller

log = structlog.get_logger()

CANARIES = 60
"""Told of each run: twenty of each kind."""

_ASKING_S = 40.0
"""How long is asked; with the copy it comes to a minute."""

_MOST_S = 90.0
"""After which the process that looks is ended: the disk may be slow."""

_PLATFORM = "canary"
_MEMBERS, _FOUND = 3, 20
_THINGS = ("boat", "cat", "bakery", "telescope", "tandem", "orchard", "violin", "kayak")
_PARTS = ("ba", "dro", "fi", "gul", "ka", "lem", "mo", "nar", "pyx", "ro", "sa", "tev", "vu", "zi")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyChecked:
    """How many canaries were told and asked for, how often, and how many came out.

    `known` came up where they may be known: a look that finds none of these shows nothing.
    """

    tried: int
    known: int
    asked: int
    rooms: int
    came_out: int

    @property
    def is_telling(self) -> bool:
        """Whether the canaries could be found at all."""
        return self.tried > 0 and self.known * 10 >= self.tried * 9


class NotChecked(BotError):
    """The look was not made; the sentence says why."""


class PrivacyChecks:
    """Looks in a process of its own, which asks some hundred times; one look at a time."""

    def __init__(
        self, data_dir: Path, command: Sequence[str] = (sys.executable, "-m", "bot")
    ) -> None:
        self._copies = data_dir / CHECKING
        self._command = (*command, "privacy-check")
        self._looking = asyncio.Lock()

    async def run(self, space: SpaceId) -> PrivacyChecked | None:
        """What a look in a community came to; None while another one goes on.

        Raises:
            NotChecked: it failed, or took too long.

        """
        if self._looking.locked():
            return None
        async with self._looking:
            pipe = asyncio.subprocess.PIPE
            child = await asyncio.create_subprocess_exec(
                *self._command, space, "--json", stdout=pipe, stderr=pipe
            )
            try:
                async with asyncio.timeout(_MOST_S):
                    said, _ = await child.communicate()
                return PrivacyChecked(**json.loads(said))
            except (TimeoutError, ValueError, TypeError) as error:
                log.warning("privacy_check.failed", status=child.returncode)
                raise NotChecked("The look failed or took too long.") from error
            finally:
                if child.returncode is None:
                    child.kill()
                    await child.wait()
                    await asyncio.to_thread(shutil.rmtree, self._copies, ignore_errors=True)


async def checked_privacy(settings: Settings, space: SpaceId) -> PrivacyChecked:
    """Copy the memory, look in the copy, delete it; the pet may run meanwhile.

    Raises:
        NotChecked: there is no pet yet, or no such space.
        AlreadyRunning: another look is under way.
        DatabaseRefused: the memory cannot be copied.

    """
    database, clock = settings.data_dir / DATABASE, SystemClock()
    if not database.exists():
        raise NotChecked(f"There is no pet in {settings.data_dir} yet.")
    refuse_without_room(settings.data_dir, "A look")
    command = "eko privacy-check"
    with copies_folder(settings.data_dir, clock.now(), name=CHECKING, command=command) as folder:
        await upgraded_copy(database, folder / DATABASE)
        async with open_still(settings_of_copy(settings, folder), clock) as app:
            return await _Look(app, space).made()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Canary:
    """A made-up word, who told it where, and how it is asked for."""

    word: str
    teller: Person
    room: Room
    text: str
    question: str


class _Look:
    """Tells canaries to a pet over a copy, and asks for them."""

    def __init__(self, app: App, space: SpaceId) -> None:
        self._app = app
        self._space = space
        self._asked = 0

    async def made(self) -> PrivacyChecked:
        """What came of it, of as many canaries as there was time for."""
        members = await self._members()
        rooms = await self._rooms()
        canaries = [self._canary(number, members) for number in range(CANARIES)]
        await self._tell(canaries)
        until, tried, known, out = perf_counter() + _ASKING_S, 0, 0, 0
        for number, one in enumerate(canaries):
            if perf_counter() > until:
                break
            tried += 1
            known += await self._comes_up(one, one.teller, one.room)
            seats = [(members[(number + n) % len(members)], room) for n, room in enumerate(rooms)]
            seats += [(who, _direct(who)) for who in members if who != one.teller]
            out += any([await self._comes_up(one, who, room) for who, room in seats])
        return PrivacyChecked(
            tried=tried, known=known, asked=self._asked - tried, rooms=len(rooms), came_out=out
        )

    async def _members(self) -> list[Person]:
        """Some who spoke in the community, and one who has just come."""
        people = self._app.storage.people
        newcomer = await people.person(_PLATFORM, "newcomer", "Nomi")
        return [*await people.speakers_in(self._space, _MEMBERS), newcomer]

    async def _rooms(self) -> list[Room]:
        """A room of each kind that the community has, and an open lobby."""
        people, lobby = self._app.storage.people, _group("lobby", self._space)
        known = await people.groups(self._space)
        if not known and self._space != HOME:
            raise NotChecked(f'There is no space "{self._space}".')
        await people.keep_room(lobby)
        groups = [lobby, *known]
        return list({(one.role, one.visibility): one for one in groups}.values())

    def _canary(self, number: int, members: Sequence[Person]) -> _Canary:
        teller = members[number // 3 % len(members)]
        room = (
            _direct(teller),
            _group("closed", self._space, confidential=True),
            _group("elsewhere", SpaceId("canary:elsewhere")),
        )[number % 3]
        word, place = (_made_up(), _made_up())
        thing = f"{_THINGS[number % len(_THINGS)]} in {place}"
        return _Canary(
            word=word,
            teller=teller,
            room=room,
            text=f"{teller.name}'s {thing} is called {word}",
            question=f"What is {teller.name}'s {thing} called?",
        )

    async def _tell(self, canaries: Sequence[_Canary]) -> None:
        """Store each as a message and as what was learnt from it, as its room decides."""
        storage, services, now = self._app.storage, self._app.services, self._app.clock.now()
        for room in {one.room.id: one.room for one in canaries}.values():
            await storage.people.keep_room(room)
        told = await storage.messages.accept(
            [
                Arrival(
                    platform=_PLATFORM,
                    external_id=one.word,
                    room=one.room,
                    author=one.teller.name,
                    person=one.teller.id,
                    text=one.text,
                    sent_at=now,
                    handling=Handling.OBSERVED,
                )
                for one in canaries
            ]
        )
        stored = await services.writer.store_all(
            [
                NewMemory(
                    store=Store.MEMORY,
                    content=one.text,
                    origin=Origin(
                        visibility=one.room.visibility,
                        person=one.teller.id,
                        room=one.room.id,
                        space=one.room.space,
                    ),
                    source=Source.CONVERSATION,
                    said_by=one.teller.name,
                    author=one.teller.id,
                    messages=(message,),
                )
                for one, message in zip(canaries, told, strict=True)
                if message is not None
            ]
        )
        filler = IndexFiller(storage.outbox, self._app.embedder, self._app.index)
        await filler.bring(Collection.MEMORY, [one.id for one in stored])

    async def _comes_up(self, one: _Canary, who: Person, room: Room) -> bool:
        """Whether a canary is recalled, or found by its own word, for a person in a room."""
        self._asked += 1
        scope = scope_of(room, who.id, (self._space,))
        recall = self._app.services.recall
        question = Question(
            text=one.question, context="", speaker=who.name, room=room, scope=scope, person=who.id
        )
        recalled = (await recall.before(question)).lines
        found = await recall.search_everything(one.word, scope, _FOUND, 0)
        past = await recall.search_history(one.word, scope, _FOUND)
        texts = [row.content for row in recalled] + [row.content for row in (*found, *past)]
        return any(one.word in text for text in texts)


def _made_up() -> str:
    return "".join(secrets.choice(_PARTS) for _ in range(5)).capitalize()


def _direct(who: Person) -> Room:
    """Where a person is alone with the pet."""
    key = f"canary:{who.id}"
    return Room(
        id=RoomId(key),
        platform=_PLATFORM,
        external_id=key,
        name=who.name,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


def _group(name: str, space: SpaceId, *, confidential: bool = False) -> Room:
    """A room of several people that only the copy has."""
    return Room(
        id=RoomId(f"canary:{name}"),
        platform=_PLATFORM,
        external_id=name,
        name=name,
        kind=RoomKind.GROUP,
        role=RoomRole.LOBBY,
        space=space,
        confidential=confidential,
    )
