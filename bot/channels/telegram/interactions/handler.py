"""Commands on Telegram, typed in a message or pressed as a button, answered under it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import structlog

from bot.channels.telegram.inbound.membership import GroupMembership
from bot.channels.telegram.inbound.objects import CallbackQuery, TelegramMessage, User
from bot.channels.telegram.inbound.reader import VouchedStanding, spaces_in
from bot.channels.telegram.inbound.rooms import (
    GroupRules,
    id_of,
    number_in,
    person_of,
    place_in,
    room_in,
)
from bot.channels.telegram.interactions.keyboard import carried_in, keyboard_of
from bot.channels.telegram.outbound.sender import TelegramForm, TelegramSender
from bot.channels.telegram.service.api import HttpBotApi
from bot.commands.message_commands import MessageCommands, MessageCommandUse
from bot.commands.syntax import CommandLine
from bot.errors import DeliveryFailed, DeliveryRefused
from bot.model.commands import Answer
from bot.model.events import AuthorRef, RoomRef
from bot.platforms.http_api import ApiRefused
from bot.platforms.paged_answer import AnswerPage, in_words
from bot.texts.catalogue import say
from bot.texts.choice import nearest_locale
from memory.model.rooms import RoomKind

log = structlog.get_logger()

FILE_LIMIT = 50_000_000
"""Bytes of a file that a bot may send: https://core.telegram.org/bots/api#senddocument"""

WAITS_S = (1.0, 3.0, None)
"""Seconds before an answer that was not taken is sent again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TelegramOutlet:
    """What answers go out through."""

    api: HttpBotApi
    sender: TelegramSender
    rules: GroupRules
    locale: str


class TelegramCommands:
    """Hands on who used what to the commands, and shows what they say."""

    def __init__(
        self, commands: MessageCommands, outlet: TelegramOutlet, membership: GroupMembership
    ) -> None:
        self._commands = commands
        self._outlet = outlet
        self._membership = membership
        self._under_way: set[str] = set()

    def respelt(self, text: str) -> str:
        """A text with a command's own name in the place of what a menu calls it."""
        return self._commands.respelt(text)

    def line_in(self, text: str) -> CommandLine | None:
        """The command that a text calls with all that it needs; None for everything else."""
        return self._commands.line_in(text)

    def admits(self, author: AuthorRef, room: RoomRef) -> bool:
        """Whether what an account asks for does not come too fast."""
        return self._commands.admits(author, room)

    def locale_of(self, user: User | None) -> str:
        """The pet's language that is nearest to the one that a person reads Telegram in."""
        wish = None if user is None else user.language_code
        return nearest_locale(wish, self._outlet.locale)

    async def typed(self, message: TelegramMessage, author: AuthorRef, line: CommandLine) -> None:
        """Answer a command under the message it was typed in."""
        use = self._use(message, author, id_of(message))
        standing = await self._membership.standing(message)
        page = await self._commands.typed(_vouched(use, standing), line)
        if page is not None:
            # Who speaks as a chat presses as themselves: for them there are lines to type.
            owner = message.from_.id if message.from_ and message.sender_chat is None else None
            form = self._form(message, page, owner)
            await self._shown(use.external_id, lambda: self._posted(form, page))

    async def pressed(self, query: CallbackQuery) -> None:
        """Answer a button in the place of its message; one press at a time counts."""
        message, carried = query.message, carried_in(query.data or "")
        if message is None or carried is None or not _has_button(message, query.data):
            await self._acknowledged(query, "command.button_gone")
            return
        if carried.owner != query.from_.id:
            await self._acknowledged(query, "command.button_of_another")
            return
        id_ = id_of(message)
        if not await self._acknowledged(query) or id_ in self._under_way:
            return
        self._under_way.add(id_)
        try:
            await self._pressed(query, message, carried.data)
        finally:
            self._under_way.discard(id_)

    async def _pressed(self, query: CallbackQuery, message: TelegramMessage, data: str) -> None:
        author = person_of(query.from_)
        use = replace(
            self._use(message, author, f"press:{query.id}"), locale=self.locale_of(query.from_)
        )
        standing = await self._standing(message, query.from_)
        page = await self._commands.pressed(_vouched(use, standing), data)
        if page is not None:
            form = replace(self._form(message, page, query.from_.id), answers=None)
            number = message.ephemeral_message_id or message.message_id
            await self._shown(use.external_id, lambda: self._replaced(form, page, number))

    async def _standing(self, message: TelegramMessage, user: User) -> VouchedStanding:
        return await self._membership.standing(
            message.model_copy(update={"from_": user, "sender_chat": None})
        )

    async def _acknowledged(self, query: CallbackQuery, text: str | None = None) -> bool:
        """Whether Telegram still waits for this press; nothing is done for one that is old.

        What failed otherwise may have been taken.
        """
        said = None if text is None else say(text, self.locale_of(query.from_))
        try:
            await self._outlet.api.call(
                "answerCallbackQuery",
                callback_query_id=query.id,
                text=said,
                show_alert=True if said else None,
            )
        except ApiRefused:
            log.info("press.expired")
            return False
        except DeliveryFailed as error:
            log.warning("press.unacknowledged", reason=str(error))
        return True

    def _use(self, message: TelegramMessage, author: AuthorRef, id_: str) -> MessageCommandUse:
        room = room_in(message, self._outlet.rules, speaker=author.name)
        is_direct = room.kind is RoomKind.DIRECT
        return MessageCommandUse(
            external_id=id_,
            room=room,
            author=author,
            locale=self.locale_of(message.from_),
            file_limit=FILE_LIMIT if is_direct else 0,
        )

    def _form(self, message: TelegramMessage, page: AnswerPage, owner: int | None) -> TelegramForm:
        place = place_in(message)
        text, keyboard = page.content, None
        if owner is None:
            text = in_words(Answer(text=text, actions=page.actions), page.locale)
        else:
            keyboard = keyboard_of(page, owner)
        answers = number_in(id_of(message), place.chat)
        return TelegramForm(place=place, text=text, answers=answers, keyboard=keyboard or None)

    async def _posted(self, form: TelegramForm, page: AnswerPage) -> None:
        await self._outlet.sender.post(form)
        await self._send_file(form, page)

    async def _replaced(self, form: TelegramForm, page: AnswerPage, message: int) -> None:
        """Put a page in the place of a message, or below where that cannot be edited any more."""
        if not await self._outlet.sender.edit(form, message):
            await self._outlet.sender.post(form)
        await self._send_file(form, page)

    async def _send_file(self, form: TelegramForm, page: AnswerPage) -> None:
        if page.file is not None:
            await self._outlet.sender.file(self._outlet.api, form.place, page.file)

    async def _shown(self, id_: str, show: Callable[[], Awaitable[None]]) -> None:
        """Show an answer, again where Telegram is away for a moment; at last it is given up."""
        for wait_s in WAITS_S:
            try:
                await show()
            except DeliveryRefused as error:
                log.info("answer.refused", interaction=id_, reason=str(error))
                return
            except DeliveryFailed as error:
                log.warning("answer.delayed", interaction=id_, reason=str(error))
            else:
                return
            if wait_s is not None:
                await asyncio.sleep(wait_s)
        log.warning("answer.lost", interaction=id_)


def _vouched(use: MessageCommandUse, standing: VouchedStanding) -> MessageCommandUse:
    return replace(
        use,
        spaces=standing.spaces or spaces_in(use.room),
        manages_space=standing.manages_space,
    )


def _has_button(message: TelegramMessage, data: str | None) -> bool:
    """Whether a message shows a button with this: programs can press what is not there."""
    markup = message.reply_markup
    rows = () if markup is None else markup.inline_keyboard
    return any(button.callback_data == data for row in rows for button in row)
