"""Commands on WhatsApp: typed in messages, and pressed as buttons or rows under answers."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import structlog

from bot.channels.whatsapp.cloud.events import Press
from bot.channels.whatsapp.cloud.sender import CloudSender
from bot.commands.message_commands import MessageCommands, MessageCommandUse
from bot.commands.syntax import CommandLine
from bot.errors import DeliveryFailed, DeliveryRefused
from bot.model.events import AuthorRef, Inbound, RoomRef
from bot.platforms.paged_answer import AnswerPage
from bot.platforms.room_queues import RoomQueues
from bot.texts.choice import spoken_locale
from memory.tasks import Boundary

log = structlog.get_logger()

FILE_LIMIT = 64 * 1024 * 1024
"""Bytes of a file in an answer: WhatsApp takes 100 MB, and the pet holds all of it in memory."""

ATTEMPTS = 3
"""Tries to show an answer, with a wait that doubles from `FIRST_WAIT_S`."""

FIRST_WAIT_S = 0.5

MOST_LOCALES = 1000
"""Persons whose language is kept in mind: WhatsApp does not say which one they read."""

Work = Callable[[], Awaitable[None]]


class CloudCommands:
    """Answers commands one after the other for each person, side by side for several."""

    def __init__(self, commands: MessageCommands, sender: CloudSender, locale: str) -> None:
        self._commands = commands
        self._sender = sender
        self._locale = locale
        self._locales: OrderedDict[str, str] = OrderedDict()
        self._queues: RoomQueues[Work] = RoomQueues(_done)

    async def run(self) -> None:
        """Answer what was taken until cancelled."""
        await self._queues.run()

    async def quiet(self) -> None:
        """Wait until everything that was taken is answered."""
        await self._queues.empty()

    def line_in(self, inbound: Inbound) -> CommandLine | None:
        """The command that a message calls; None where it is words as any other."""
        self._read(inbound.author, inbound.text)
        return None if inbound.attachments else self._commands.line_in(inbound.text.strip())

    def typed(self, inbound: Inbound, line: CommandLine) -> None:
        """Answer a typed command soon."""
        use = self._use(inbound.external_id, inbound.author, inbound.room)
        self._put(use, partial(self._commands.typed, use, line))

    def pressed(self, press: Press) -> None:
        """Answer a button soon."""
        use = self._use(press.external_id, press.author, press.room)
        self._put(use, partial(self._commands.pressed, use, press.carried))

    def _put(
        self, use: MessageCommandUse, said: Callable[[], Awaitable[AnswerPage | None]]
    ) -> None:
        self._queues.put(use.room.external_id, partial(self._answer, use, said))

    async def _answer(
        self, use: MessageCommandUse, said: Callable[[], Awaitable[AnswerPage | None]]
    ) -> None:
        """Send the answer; a failure is logged."""
        page = await said()
        if page is None:
            return
        for attempt in range(1, ATTEMPTS + 1):
            try:
                await self._sender.show(use.author.external_id, page, use.external_id)
            except DeliveryRefused as error:
                log.warning("answer.refused", reason=str(error))
            except DeliveryFailed as error:
                log.warning("answer.failed", attempt=attempt, reason=str(error))
                if attempt < ATTEMPTS:
                    await asyncio.sleep(FIRST_WAIT_S * 2 ** (attempt - 1))
                continue
            return

    def _use(self, external_id: str, author: AuthorRef, room: RoomRef) -> MessageCommandUse:
        return MessageCommandUse(
            external_id=external_id,
            room=room,
            author=author,
            locale=self._locales.get(author.external_id, self._locale),
            file_limit=FILE_LIMIT,
        )

    def _read(self, author: AuthorRef, text: str) -> None:
        """Take the language of what a person writes for theirs."""
        known = self._locales.pop(author.external_id, self._locale)
        self._locales[author.external_id] = spoken_locale(text[:500], known)
        if len(self._locales) > MOST_LOCALES:
            self._locales.popitem(last=False)


async def _done(works: Sequence[Work]) -> None:
    for work in works:
        with Boundary("answer.broken"):
            await work()
