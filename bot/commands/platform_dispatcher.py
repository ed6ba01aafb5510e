"""The dispatcher for platforms with commands of their own: each is taken once, then answered."""

from collections.abc import Mapping, Sequence

from bot.commands.dispatcher import CommandDispatcher
from bot.conversation.arrival_rates import ArrivalLimiter, ArrivalOrigin
from bot.conversation.rooms import RoomRegistry, room_id
from bot.model.commands import Answer, Call, Choice, Command
from bot.model.events import AuthorRef, Invoked, RoomRef
from memory.storage.community.done_once import Invocations


class PlatformDispatcher:
    """Judges who calls, and hands on to the table that typed commands have as well."""

    def __init__(
        self,
        commands: CommandDispatcher,
        register: RoomRegistry,
        invocations: Invocations,
        limiter: ArrivalLimiter,
    ) -> None:
        self._commands = commands
        self._register = register
        self._invocations = invocations
        self._limiter = limiter

    @property
    def table(self) -> Mapping[str, Command]:
        """Every command by its name."""
        return self._commands.table

    def admits(self, author: AuthorRef, room: RoomRef) -> bool:
        """Whether a command that an account uses now is taken, or comes too fast.

        It counts as what is typed to the pet. Proposals and pages of an answer do not: to refuse
        one costs as much.
        """
        origin = ArrivalOrigin(account=author.account, room=room_id(room))
        return self._limiter.admits_command(origin)

    async def call(self, invoked: Invoked) -> Answer | None:
        """What the command says; None for one that was taken before, or is none of the table."""
        if invoked.command not in self._commands.table:
            return None
        if not await self._invocations.take(invoked.author.platform, invoked.external_id):
            return None
        caller = await self._register.invoked_by(invoked)
        call = Call(caller=caller, arguments=invoked.arguments)
        return await self._commands.call(invoked.command, call)

    async def complete(self, invoked: Invoked, option: str) -> Sequence[Choice]:
        """What an option can be, by what was typed of it in the arguments."""
        caller = await self._register.about_to_invoke(invoked)
        typed = invoked.arguments.get(option, "")
        return await self._commands.complete(invoked.command, option, typed, caller)
