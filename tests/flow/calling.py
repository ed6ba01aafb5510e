"""Commands called as a test needs it, without a room around them."""

from collections.abc import Mapping, Sequence

from bot.commands.dispatcher import CommandDispatcher
from bot.commands.platform_dispatcher import PlatformDispatcher
from bot.commands.syntax import read_line
from bot.conversation.arrival_rates import ArrivalLimiter, RateRules
from bot.conversation.pauses import Pausing
from bot.conversation.rooms import RoomRegistry, RoomRegistryRules
from bot.model.commands import Answer, Authority, Call, Caller, Command
from bot.model.events import AuthorRef, RoomRef
from bot.model.turns import Reply
from memory.model.messages import MessageId
from memory.model.rooms import HOME, Room, SpaceId
from memory.storage.community.done_once import Invocations
from memory.storage.community.pauses import Pauses
from memory.storage.community.room_choices import RoomChoices
from tests.cast import CORNER, DAVID, person_of, room_of
from tests.flow.limits import RATES
from tests.storage import StorageParts


def register_on(storage: StorageParts, rules: RoomRegistryRules) -> RoomRegistry:
    """A register on real tables, with what the settings say."""
    roles = RoomChoices(storage.database, storage.clock)
    pausing = Pausing(Pauses(storage.database, storage.clock))
    return RoomRegistry(storage.people, roles, pausing, rules)


class Nobody:
    """Says nothing to anybody."""

    async def say(self, room: Room, reply: Reply, nonce: str, *, answers: str | None) -> None:
        """Nothing."""


def dispatcher_on(
    storage: StorageParts,
    register: RoomRegistry,
    table: Sequence[Command],
    rates: RateRules = RATES,
) -> PlatformDispatcher:
    """A dispatcher of a platform's own commands, on real tables."""
    return PlatformDispatcher(
        CommandDispatcher(table, Nobody()),
        register,
        Invocations(storage.database, storage.clock),
        ArrivalLimiter(rates, Nobody(), storage.clock, locale="fr"),
    )


def caller(
    who: AuthorRef = DAVID,
    where: RoomRef = CORNER,
    *,
    authority: Authority = Authority.PET,
    locale: str = "fr",
    spaces: frozenset[SpaceId] = frozenset({HOME}),
    message: MessageId | None = None,
) -> Caller:
    """Somebody who calls a command."""
    return Caller(
        person=person_of(who),
        room=room_of(where),
        account=who.account,
        authority=authority,
        locale=locale,
        spaces=spaces,
        message=message,
    )


async def answered(
    table: Mapping[str, Command], text: str, by: Caller | None = None, *, locale: str = "fr"
) -> Answer:
    """What the table answers to a typed line."""
    dispatcher = CommandDispatcher(list(table.values()), Nobody())
    line = read_line(text, dispatcher.table)
    assert line is not None
    assert line.command is not None
    call = Call(caller=by or caller(locale=locale), arguments=line.arguments)
    return await dispatcher.call(line.name, call)
