"""`/notify-memories` and `/undo`: what is kept of one's words is seen at once, and taken back."""

from typing import Protocol

from bot.model.commands import Answer, Call, Caller, Command, Option, OptionKind
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.texts.sanitizing import extract
from bot.topics.statements.changing import said_again
from bot.topics.statements.correct_command import CorrectableStatements, Corrector, asked_which
from bot.wiring.app import App
from memory.learning.correction import Corrections
from memory.model.people import PersonId
from memory.model.statements import Memory, MemoryId
from memory.ports import Clock
from memory.storage.statements.history import History
from memory.storage.statements.statements import Memories


class ShownKeeping(Protocol):
    """Knows who is shown what is kept of their words."""

    async def is_wanted(self, person: PersonId) -> bool:
        """Whether a person is."""
        ...

    async def want(self, person: PersonId, *, wanted: bool) -> None:
        """Show it to a person from now on, or stop it."""
        ...

    async def latest(self, person: PersonId) -> MemoryId | None:
        """The last statement that a person was shown and that still holds."""
        ...


class Undoing:
    """Takes back a statement: what it replaced is so again, and without such it is forgotten."""

    def __init__(
        self, memories: Memories, lifetimes: History, correcting: Corrections, clock: Clock
    ) -> None:
        self._memories = memories
        self._lifetimes = lifetimes
        self._correcting = correcting
        self._clock = clock

    async def held(self, id_: MemoryId | None, caller: Caller) -> list[Memory]:
        """A statement that is recalled, as far as the caller may be told of it there."""
        return await self._memories.visible([id_], caller.scope) if id_ else []

    async def replaced(self, kept: Memory, caller: Caller) -> list[Memory]:
        """What a statement took the place of and would still hold."""
        now = self._clock.now()
        return [
            one.memory
            for one in await self._lifetimes.history(kept.id, caller.scope)
            if one.survivor == kept.id
            and (one.memory.expires_at is None or one.memory.expires_at > now)
        ]

    async def restore(self, kept: Memory, old: Memory, caller: Caller) -> None:
        """Let a statement that was replaced take the place of what replaced it."""
        left = old.expires_at - self._clock.now() if old.expires_at else None
        again = said_again(old, old.content, left)
        await self._correcting.correct(kept, again, caller.commander)


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    services, storage = app.services, app.storage
    undoing = Undoing(storage.memories, storage.lifetimes, services.correcting, app.clock)
    corrector = Corrector(services.correcting, services.forgetting, app.clock, app.zone)
    statements = CorrectableStatements(storage.person_views)
    return (
        undo_command(storage.kept_notes, undoing, statements, corrector),
        notify_command(storage.kept_notes),
    )


def notify_command(keeping: ShownKeeping) -> Command:
    """`/notify-memories on|off`; alone it says how it is."""

    async def run(call: Call) -> Answer:
        person, wish = call.caller.person.id, call.arguments.get("notes")
        if wish is not None:
            await keeping.want(person, wanted=wish == "on")
        is_shown = await keeping.is_wanted(person)
        return Answer(text=say("kept_note.shown" if is_shown else "kept_note.hidden", call.locale))

    notes = Option(
        name="notes",
        **described("commands.notify-memories.notes"),
        kind=OptionKind.WORD,
        choices=("on", "off"),
    )
    return Command(
        name="notify-memories",
        **described("commands.notify-memories"),
        run=run,
        options=(notes,),
    )


def undo_command(
    keeping: ShownKeeping,
    undoing: Undoing,
    statements: CorrectableStatements,
    corrector: Corrector,
) -> Command:
    """`/undo`, for what was shown last, or `/undo WHAT`."""

    async def run(call: Call) -> Answer:
        caller, what = call.caller, call.arguments.get("what", "").strip()
        if what:
            rows = await statements.meant(caller, what)
            if not statements.is_certain(what, rows):
                return asked_which(rows, call)
        else:
            rows = await undoing.held(await keeping.latest(caller.person.id), caller)
            if not rows:
                return Answer(text=say("kept_note.nothing_to_undo", call.locale))
        replaced = await undoing.replaced(rows[0], caller)
        if not replaced:
            return await corrector.take_back(rows[0], call)
        for old in replaced:
            await undoing.restore(rows[0], old, caller)
        words = "; ".join(extract(one.content) for one in replaced)
        content = extract(rows[0].content)
        return Answer(text=say("kept_note.restored", call.locale, content=content, old=words))

    return Command(
        name="undo",
        **described("commands.undo"),
        run=run,
        options=(
            Option(name="what", **described("commands.undo.what"), complete=statements.proposed),
        ),
    )
