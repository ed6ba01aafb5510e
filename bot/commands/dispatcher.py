"""The dispatcher of commands: answers them outside any turn, also while one runs."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

import structlog

from bot.commands.refusal import refusal
from bot.commands.syntax import (
    NO,
    CommandLine,
    faults,
    name_in,
    nearest,
    read_line,
    usage,
)
from bot.model.commands import Answer, Authority, Call, Caller, Choice, Command
from bot.model.turns import Reply
from bot.platforms.paged_answer import in_words
from bot.ports import Speaker
from bot.texts.catalogue import say
from bot.texts.commands import described, position
from bot.topic import registered
from memory.model.people import Person, PersonId
from memory.model.rooms import Room, RoomId, RoomRole
from memory.tasks import Boundary

log = structlog.get_logger()

MOST_CHOICES = 25
"""Proposals for one option: no platform shows more."""


def registered_commands(app: object) -> tuple[Command, ...]:
    """The commands that topics registered for this pet, in the order of the catalogue of texts."""
    found = [one for module in registered("commands") for one in module.commands(app)]
    return tuple(sorted(found, key=lambda one: position(one.name)))


class CommandDispatcher:
    """The table of commands, for those typed as text and for those a platform has of its own."""

    def __init__(self, table: Sequence[Command], speaker: Speaker) -> None:
        self._table = {command.name: command for command in (*table, self._help())}
        self._speaker = speaker
        self._waiting: asyncio.Queue[tuple[Caller, str, str | None]] = asyncio.Queue()
        # What a plain no calls, by whom it was offered to and where, until they say something else.
        self._offered: dict[tuple[PersonId, RoomId], CommandLine] = {}

    @property
    def table(self) -> Mapping[str, Command]:
        """Every command by its name."""
        return self._table

    def knows(self, text: str) -> bool:
        """Whether the text is one of the commands: a slash, then a name of the table."""
        return read_line(text, self._table) is not None

    def takes(self, text: str, person: Person, room: Room, *, called: bool = False) -> bool:
        """Whether the text is for a command, as what a person says next in a room.

        A command is; where the pet answers everything or was `called` by its name also what is
        written like one; and a plain no to what a command has just offered them to do.
        """
        offered = self._offered.pop((person.id, room.id), None)
        if offered is not None and _is_no(text):
            self._offered[person.id, room.id] = offered
            return True
        is_asked = called or room.role is RoomRole.PET
        return self.knows(text) or (is_asked and name_in(text) is not None)

    def take(self, caller: Caller, text: str, *, answers: str | None = None) -> None:
        """Answer a typed command soon, beside everything else: no message waits for it."""
        self._waiting.put_nowait((caller, text, answers))

    async def run(self) -> None:
        """Answer what is taken until cancelled."""
        async with asyncio.TaskGroup() as answering:
            while True:
                answering.create_task(self._typed(*await self._waiting.get()))

    async def quiet(self) -> None:
        """Wait until everything that was taken is answered."""
        await self._waiting.join()

    async def call(self, name: str, call: Call) -> Answer:
        """The answer of a command; a refusal or a failure is one sentence.

        Raises:
            KeyError: there is no command of this name.

        """
        command = self._table[name]
        if call.caller.authority < command.needs:
            log.info("command.refused", command=name, account=call.caller.account)
            return Answer(text=refusal(command.needs, call.caller))
        with Boundary("command.failed", command=name):
            return await self._checked(command, call)
        return Answer(text=say("command.failed", call.locale))

    async def complete(
        self, name: str, option: str, typed: str, caller: Caller
    ) -> Sequence[Choice]:
        """What an option of a command can be; nothing for a caller who may not call it."""
        command = self._table.get(name)
        if command is None or caller.authority < command.needs:
            return ()
        wanted = next((one for one in command.options if one.name == option), None)
        if wanted is None or wanted.complete is None:
            return ()
        with Boundary("completion.failed", command=name, option=option):
            return (await wanted.complete(caller, typed))[:MOST_CHOICES]
        return ()

    async def _checked(self, command: Command, call: Call) -> Answer:
        fault = faults(command, call.arguments)
        if fault["missing"]:
            return Answer(text=say("command.usage", call.locale, usage=usage(command, call.locale)))
        if fault["wrong"]:
            option = fault["wrong"][0]
            choices = ", ".join(option.choices)
            return Answer(
                text=say("command.wrong_value", call.locale, option=option.name, choices=choices)
            )
        return await command.run(call)

    async def _typed(self, caller: Caller, text: str, answers: str | None) -> None:
        caller = self._in_their_language(caller, text)
        try:
            with Boundary("answer.failed", room=caller.room.id):
                reply = Reply(text=in_words(await self._replied(text, caller), caller.locale))
                nonce = f"command:{caller.message}"
                await self._speaker.say(caller.room, reply, nonce, answers=answers)
        finally:
            self._waiting.task_done()

    def _in_their_language(self, caller: Caller, text: str) -> Caller:
        """The caller with the language of the name they typed: who asks /aide reads French."""
        line, called = read_line(text, self._table), name_in(text)
        if line is None or line.command is None or called is None:
            return caller
        return replace(caller, locale=line.command.language_of(called) or caller.locale)

    async def _replied(self, text: str, caller: Caller) -> Answer:
        """What is said to a typed text; what a plain no to that would mean is noted."""
        asked = (caller.person.id, caller.room.id)
        line = self._offered.pop(asked, None) if _is_no(text) else read_line(text, self._table)
        if line is None:
            return self._unknown(text, caller)
        answer = await self._answered(line, caller)
        for declining in filter(lambda action: action.declines, answer.actions):
            command = self._table[declining.command]
            self._offered[asked] = CommandLine(
                name=command.name, command=command, arguments=declining.arguments
            )
        return answer

    def _unknown(self, text: str, caller: Caller) -> Answer:
        """What is said to what looks like a command and is none."""
        name = name_in(text)
        if name is None:
            return Answer(text=say("command.nothing_offered", caller.locale))
        allowed = self._allowed(caller)
        names = (*(one.name for one in allowed), *(one.called(caller.locale) for one in allowed))
        meant = nearest(name, names)
        text = "command.unknown" if meant is None else "command.mistyped"
        return Answer(text=say(text, caller.locale, name=name, meant=meant))

    async def _answered(self, line: CommandLine, caller: Caller) -> Answer:
        if line.command is not None:
            return await self.call(line.name, Call(caller=caller, arguments=line.arguments))
        of_group = [one for one in self._allowed(caller) if one.name.split()[0] == line.name]
        if not of_group:
            return Answer(text=refusal(self._least(line.name), caller))
        return Answer(text=_listed(of_group, caller.locale))

    def _allowed(self, caller: Caller) -> list[Command]:
        return [one for one in self._table.values() if one.needs <= caller.authority]

    def _least(self, first: str) -> Authority:
        """What the commands that begin with this word need at least."""
        return min(one.needs for one in self._table.values() if one.name.split()[0] == first)

    def _help(self) -> Command:
        async def run(call: Call) -> Answer:
            return Answer(text=_grouped(self._allowed(call.caller), call.locale))

        return Command(name="help", **described("commands.help"), run=run)


def _is_no(text: str) -> bool:
    return text.strip(" .!").lower() in NO


def _grouped(commands: Sequence[Command], locale: str) -> str:
    """The commands of everybody, then those of who looks after a room or the pet, with a heading.

    Each group keeps the order of the commands.
    """
    own = [one for one in commands if one.needs is Authority.NONE]
    managing = [one for one in commands if one.needs is not Authority.NONE]
    if not managing:
        return _listed(own, locale)
    return "\n".join(
        (_listed(own, locale), "", say("command.managing", locale), _listed(managing, locale))
    )


def _listed(commands: Sequence[Command], locale: str) -> str:
    return "\n".join(f"{usage(one, locale)} - {one.summary[locale]}" for one in commands)
