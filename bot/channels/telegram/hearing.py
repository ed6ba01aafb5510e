"""What one connection hears with, put together."""

from dataclasses import dataclass

from bot.channels.telegram.greeting import TelegramGreeting, TelegramGreetingRules
from bot.channels.telegram.inbound.groups import Groups
from bot.channels.telegram.inbound.membership import GroupMembership
from bot.channels.telegram.inbound.rooms import GroupRules
from bot.channels.telegram.inbound.words import BotAccount
from bot.channels.telegram.intake import Intake, IntakeParts, Start
from bot.channels.telegram.interactions.handler import TelegramCommands, TelegramOutlet
from bot.channels.telegram.interactions.keyboard import BUTTONS
from bot.channels.telegram.options import TelegramOptions
from bot.channels.telegram.outbound.refusals import RefusingRooms
from bot.channels.telegram.outbound.sender import TelegramSender
from bot.channels.telegram.service.api import HttpBotApi
from bot.commands.message_commands import MessageCommands
from bot.platforms.paged_answer import PagedAnswers
from bot.platforms.pages import PageStore
from bot.ports import Host

LONGEST_PAGE = 3500
"""UTF-16 units of a page of an answer: less than a message, and more than fits on a screen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HearingParts:
    """What outlives a connection; `pages` are the answers that are turned."""

    api: HttpBotApi
    sender: TelegramSender
    rules: GroupRules
    options: TelegramOptions
    refusing: RefusingRooms


class Hearings:
    """Makes the intake of each connection, with the pages and the taken updates of those before."""

    def __init__(self, host: Host, parts: HearingParts, start: Start) -> None:
        self._host = host
        self._parts = parts
        self._start = start
        self._pages = PagedAnswers(PageStore(host.clock), BUTTONS.split, LONGEST_PAGE)
        self._intake: tuple[BotAccount, Intake] | None = None
        self._groups = Groups(parts.api, parts.rules)

    async def intake(self, pet: BotAccount) -> Intake:
        """What reads the updates of this account.

        Raises:
            DeliveryFailed: Telegram did not say what became of a group.

        """
        await self._groups.load(self._host.groups)
        if self._intake is None or self._intake[0] != pet:
            self._intake = pet, self._made(pet)
        return self._intake[1]

    def _made(self, pet: BotAccount) -> Intake:
        host, parts = self._host, self._parts
        membership = GroupMembership(parts.api, parts.rules, self._groups.known)
        outlet = TelegramOutlet(
            api=parts.api, sender=parts.sender, rules=parts.rules, locale=parts.options.locale
        )
        commands = MessageCommands(host.platform_commands, self._pages, username=pet.username)
        greeting = TelegramGreeting(
            host.introductions,
            parts.sender.send,
            TelegramGreetingRules(
                pet_name=parts.options.pet_name,
                locale=parts.options.locale,
                groups=parts.rules,
                greets=parts.options.greets,
            ),
        )
        about = IntakeParts(
            pet=pet,
            rules=parts.rules,
            groups=self._groups,
            membership=membership,
            commands=TelegramCommands(commands, outlet, membership),
            greeting=greeting,
            refusing=parts.refusing,
            start=self._start,
        )
        return Intake(host.inbox, host.clock, about)
