"""Things said to the pet from a terminal: asked and waited for, said, and a room followed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Literal
from uuid import UUID

from bot.channels.local.hub import LOBBY, direct_room
from bot.channels.local.ports import Changed, LocalEvent, Reacted, Shown, TakenBack, Writing
from bot.conversation.placement import addressed
from bot.conversation.wording import clean
from bot.errors import BotError
from bot.model.events import AuthorRef, RoomRef
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import Name, OperationRequest
from bot.surfaces.values import Event
from bot.topics.answers.why import ExplainOperations
from bot.wiring.settings import names_of
from memory.model.conversations import Turn
from memory.model.messages import AuthorKind, TurnId


class AskRequest(OperationRequest):
    """Say one thing to the pet and wait for its answer; without a room, in private."""

    text: str
    name: Name
    room: Literal["lobby"] | None = None
    timeout_s: float = 180


class SayRequest(OperationRequest):
    """Say one thing in a room without waiting."""

    text: str
    name: Name
    room: Literal["lobby"] | None = None


class ListenRequest(OperationRequest):
    """Follow a room from now on."""

    name: Name
    room: Literal["lobby"] | None = None


class AccountsRequest(OperationRequest):
    """The accounts that are one person with the terminal's of this name."""

    name: Name


class TalkOperations(TopicOperations):
    """Things said to the pet from a terminal: asked and waited for, said, and a room followed."""

    @operation("ask")
    async def ask(self, ask: AskRequest) -> AsyncIterator[Event]:
        """Say one thing and wait for the answer; the result has the reply and what it rests on."""
        author, room = _seat(ask.name, ask.room)
        talk = self._app.hub.talk(author, room)
        text = self._called(ask.text) if room is LOBBY else ask.text
        if not clean(ask.text):
            raise NothingSaid("There is nothing to say: the text is empty.")
        if self._is_away(room) and not self._app.commands.knows(text):
            raise NoAnswer("It is paused, and would neither hear nor answer: see eko resume.")
        async with talk.events() as events:
            await talk.say(text)
            yield {"progress": {"state": "thinking"}}
            try:
                async with asyncio.timeout(ask.timeout_s):
                    turn = await self._answer(events, author)
            except TimeoutError:
                raise NoAnswer(f"No answer came within {ask.timeout_s:g} seconds.") from None
        yield {"result": await self._told(turn)}

    def _is_away(self, room: RoomRef) -> bool:
        return self._app.pausing.of(self._app.register.room(room).space) is not None

    def _called(self, text: str) -> str:
        """The words with the pet's name first, unless they call it themselves."""
        settings = self._app.settings
        if addressed(text, names_of(settings)):
            return text
        return f"@{settings.pet.name} {text}"

    async def _answer(self, events: AsyncIterator[object], author: AuthorRef) -> Turn | str:
        """The turn that answers this author, or the words that answer a command."""
        person = await self._app.register.person(author)
        async for event in events:
            if not isinstance(event, Shown) or event.kind is not AuthorKind.PET:
                continue
            with suppress(ValueError):
                turn = await self._app.storage.turns.by_id(
                    TurnId(UUID(event.key.split(":")[0])), self._caller.scope
                )
                if turn is not None and turn.person == person.id:
                    return turn
            if event.key.startswith("command:"):
                return event.text
        raise NoAnswer("The room was closed before an answer came.")

    async def _told(self, turn: Turn | str) -> Event:
        if isinstance(turn, str):
            return {"reply": turn, "expression": "neutral", "turn": None, "recall": None}
        return await ExplainOperations(self._app, self._caller).told(turn)

    @operation("say")
    async def say(self, say: SayRequest) -> Event:
        """Say one thing in a room without waiting."""
        author, room = _seat(say.name, say.room)
        await self._app.hub.talk(author, room).say(say.text)
        return {}

    @operation("listen")
    async def listen(self, listen: ListenRequest) -> AsyncIterator[Event]:
        """Tell what happens in a room from now on, as progress without an end."""
        author, room = _seat(listen.name, listen.room)
        async with self._app.hub.talk(author, room).events() as events:
            yield {"progress": {"listening": room.name, "pet": self._app.settings.pet.name}}
            async for event in events:
                if not isinstance(
                    event, Changed | TakenBack | Reacted
                ):  # what is printed stays printed
                    yield {"progress": _event_json(event)}

    @operation("accounts")
    async def accounts(self, asked: AccountsRequest) -> Event:
        """The accounts of the person that a name at the terminal belongs to."""
        author, _ = _seat(asked.name, None)
        person = await self._app.register.known(author)
        accounts = [] if person is None else await self._app.storage.person_views.accounts(person)
        return {"accounts": [[one.platform, one.name] for one in accounts]}


class NothingSaid(BotError):
    """A text without words."""


class NoAnswer(BotError):
    """The pet did not answer in time."""


def _seat(name: str, room: str | None) -> tuple[AuthorRef, RoomRef]:
    author = AuthorRef(platform="console", external_id=name, name=name)
    return author, LOBBY if room else direct_room(author)


def _event_json(event: LocalEvent) -> Event:
    """An event of a room as JSON."""
    if isinstance(event, Shown):
        return {
            "shown": event.text,
            "key": event.key,
            "kind": event.kind.value,
            "author": event.author,
            "at": event.sent_at.isoformat(),
            "expression": event.expression.value if event.expression else None,
            "mine": event.mine,
        }
    if isinstance(event, Writing):
        return {"event": "writing", "kind": event.kind.value, "author": event.author}
    return {"event": "missed"}
