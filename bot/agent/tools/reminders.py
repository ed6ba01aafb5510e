"""The tools that set, list and cancel reminders, of the person who is being answered alone."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

from pydantic import Field

from bot.agent.toolbox import Arguments, Tool, ToolAnswer, ToolContext
from bot.agent.tools.store import speaker_in
from bot.model.turns import Heard
from memory.language.detection import guess_language
from memory.language.parts.reading import own_words
from memory.language.reminders import read_wish
from memory.language.text import Language
from memory.language.times.zones import zone_called
from memory.model.reminders import (
    LONGEST_REMINDER,
    OwnReminders,
    ReminderRefusal,
    ReminderRefused,
    ReminderRequest,
    ReminderSet,
)
from memory.model.rooms import RoomKind
from memory.reminders.desk import ReminderDesk

_WHY = {
    ReminderRefusal.UNSAID: "No exact moment is said. Ask when.",
    ReminderRefusal.IMPOSSIBLE: "There is no such day or time. Say so, and ask when.",
    ReminderRefusal.PAST: "That moment is past. Say so, and ask when.",
    ReminderRefusal.TWO_WAYS: "Two moments may be meant. Ask which one.",
    ReminderRefusal.REPEATED: "None repeats: each is told once. Say so, and ask when once.",
    ReminderRefusal.TOO_FAR: "That is over five years ahead. Say that you do not promise it.",
    ReminderRefusal.NOTHING: "It is not said of what. Ask of what.",
    ReminderRefusal.TOO_LONG: "The text is too long: {most} characters at most.",
    ReminderRefusal.TOO_MANY: "They have {most} open ones, the most there may be: one has to go.",
}


class ReminderArguments(Arguments):
    """What to remind of, and when."""

    text: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST_REMINDER,
            description="Of what, in their words.",
        ),
    ]
    when: Annotated[
        str,
        Field(
            max_length=200,
            description='In their words, or local time "2026-11-24T18:00"; empty when unsaid.',
        ),
    ] = ""


class ReminderListArguments(Arguments):
    """Nothing to list them, or the number of the one to cancel."""

    cancel: Annotated[int | None, Field(default=None)]


class ReminderTools:
    """Reminders of the speaker, told in the room where they are set."""

    def __init__(self, desk: ReminderDesk, *, locale: str) -> None:
        self._desk = desk
        self._locale: Language = "fr" if locale == "fr" else "en"

    @property
    def of_turn(self) -> tuple[Tool, ...]:
        """What a turn may do with reminders."""
        return (
            Tool(
                "remind_me",
                "Remind the person who speaks, here, once, at a time. Only when they ask for it.",
                ReminderArguments,
                self._remind,
            ),
            Tool(
                "my_reminders",
                "List the reminders of the person who speaks, or cancel one.",
                ReminderListArguments,
                self._list_or_cancel,
            ),
        )

    async def _remind(self, arguments: ReminderArguments, context: ToolContext) -> ToolAnswer:
        batch = context.batch
        context.effects.changed = True
        came = await self._desk.ask(
            ReminderRequest(
                person=batch.person.id,
                account=batch.account,
                room=batch.room,
                asking=tuple(one.message for one in batch.heard),
                message=_asking(batch.heard).message,
                scope=context.scope,
                locale=guess_language(batch.own_text, self._locale),
                text=arguments.text,
                when=arguments.when,
            )
        )
        if isinstance(came, ReminderSet):
            told = _told(came.due_at, came.zone)
            return ToolAnswer(f"Set: reminder {came.id}, on {told}.", came)
        return ToolAnswer(_refused(came), came)

    async def _list_or_cancel(
        self, arguments: ReminderListArguments, context: ToolContext
    ) -> ToolAnswer:
        if arguments.cancel is not None:
            context.effects.changed = True
            gone = await self._desk.cancel(arguments.cancel, speaker_in(context))
            if gone is None:
                return ToolAnswer("They have no open reminder of this number. List them first.")
            return ToolAnswer(f"Cancelled: reminder {gone.id}.")
        own = await self._own(context)
        lines = [f"{one.id}: {one.text} (on {_told(one.due_at, one.zone)})" for one in own.rows]
        more = [f"{own.hidden} more, which are not for this room."] if own.hidden else []
        return ToolAnswer("\n".join((*lines, *more)) or "They have no open reminders.", own)

    async def _own(self, context: ToolContext) -> OwnReminders:
        batch = context.batch
        alone = batch.room.kind is RoomKind.DIRECT
        return await self._desk.listed(batch.person.id, context.scope, alone=alone)


def _refused(refused: ReminderRefused) -> str:
    choices = " or ".join(_told(one, refused.zone) for one in refused.choices)
    may_be = f" It may be {choices}." if choices else ""
    return f"Not set. {_WHY[refused.why].format(most=refused.most)}{may_be}"


def _told(at: datetime, zone: str) -> str:
    return f"{at.astimezone(zone_called(zone) or UTC):%A %Y-%m-%d %H:%M} ({zone})"


def _asking(heard: Sequence[Heard]) -> Heard:
    """The message that asks for it, as far as that can be told; the last one otherwise."""
    return next(
        (one for one in reversed(heard) if read_wish(own_words(one.text)) is not None), heard[-1]
    )
