"""Commands on platforms where they are typed in messages, and pressed as buttons under them."""

from dataclasses import dataclass

import structlog

from bot.commands.button_data import CANCEL, line_in, turn_in
from bot.commands.menu_names import respelt
from bot.commands.syntax import CommandLine, read_line
from bot.model.commands import Answer
from bot.model.events import AuthorRef, Invoked, RoomRef
from bot.platforms.paged_answer import AnswerPage, PagedAnswers, PageReader
from bot.ports import PlatformCommands
from bot.texts.catalogue import say
from memory.model.rooms import RoomKind, SpaceId
from memory.tasks import Boundary

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCommandUse:
    """Who typed or pressed something, and where; `external_id` is of the message or the press.

    `locale` is a language of the pet's.
    """

    external_id: str
    room: RoomRef
    author: AuthorRef
    locale: str
    spaces: frozenset[SpaceId] = frozenset()
    manages_space: bool = False
    file_limit: int = 0


class MessageCommands:
    """Answers commands with pages and buttons; who reads them is who is in the room."""

    def __init__(
        self, commands: PlatformCommands, pages: PagedAnswers, *, username: str | None = None
    ) -> None:
        self._commands = commands
        self._pages = pages
        self._username = username

    def respelt(self, text: str) -> str:
        """A text with a command's own name in the place of what a menu calls it."""
        return respelt(text, self._commands.table, self._username)

    def line_in(self, text: str) -> CommandLine | None:
        """The command that a text calls with all that it needs; None for everything else.

        What is mistyped, or the first word of several commands, is a message as any other: the
        pet says what it takes there.
        """
        line = read_line(self.respelt(text), self._commands.table)
        return None if line is None or line.command is None else line

    def admits(self, author: AuthorRef, room: RoomRef) -> bool:
        """Whether something that an account asks for now is taken, or comes too fast."""
        return self._commands.admits(author, room)

    async def typed(self, use: MessageCommandUse, line: CommandLine) -> AnswerPage | None:
        """The answer to a typed command; None for one that was taken before."""
        return await self._answered(use, line)

    async def pressed(self, use: MessageCommandUse, carried: str) -> AnswerPage | None:
        """The answer to a button; None for a press that was taken before.

        It has no buttons where it says that the one that was pressed leads nowhere any more.
        """
        if carried == CANCEL:
            return _sentence("command.cancelled", use.locale)
        if (turn := turn_in(carried)) is not None:
            page = self._pages.at(turn, use.author.account)
            return page or _sentence("command.pages_gone", use.locale)
        line = line_in(carried, self._commands.table)
        if line is None:
            return _sentence("command.button_gone", use.locale)
        return await self._answered(use, line)

    async def _answered(self, use: MessageCommandUse, line: CommandLine) -> AnswerPage | None:
        if not self._commands.admits(use.author, use.room):
            return _sentence("rates.command_refused", use.locale)
        answer = await self._said(use, line)
        if answer is None:
            return None
        reader = PageReader(
            account=use.author.account, locale=use.locale, file_limit=use.file_limit
        )
        return self._pages.first(answer, reader)

    async def _said(self, use: MessageCommandUse, line: CommandLine) -> Answer | None:
        is_private = use.room.kind is RoomKind.DIRECT
        invoked = Invoked(
            external_id=use.external_id,
            room=use.room,
            author=use.author,
            command=line.name,
            arguments=line.arguments,
            locale=use.locale,
            spaces=use.spaces,
            manages_space=use.manages_space,
            private=is_private,
            takes_files=is_private and use.file_limit > 0,
        )
        with Boundary("command.failed", command=line.name):
            return await self._commands.call(invoked)
        return Answer(text=say("command.failed", use.locale))


def _sentence(text: str, locale: str) -> AnswerPage:
    return AnswerPage(content=say(text, locale), locale=locale)
