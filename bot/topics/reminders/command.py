"""`/reminders`: one's own open reminders from every account; `/reminders cancel N` drops one."""

from bot.model.commands import Action, Answer, Authority, Call, Command, Option, OptionKind
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.texts.reminders import ReminderTexts
from bot.wiring.app import App
from memory.model.reminders import Reminder
from memory.ports import Clock
from memory.reminders.desk import ReminderDesk

MOST_BUTTONS = 5
"""Reminders that can be cancelled by a button: more make a wall."""

LONGEST_NUMBER = 15
"""Digits of a number: no reminder has more."""


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return (reminders_command(app.services.reminders, ReminderTexts(str(app.zone)), app.clock),)


def reminders_command(desk: ReminderDesk, texts: ReminderTexts, clock: Clock) -> Command:
    """For everyone, of their own; the operator cancels anybody's, and does not see it."""

    async def run(call: Call) -> Answer:
        number = call.arguments.get("number")
        return await listed(call) if number is None else await cancelled(call, number.strip("#."))

    async def listed(call: Call) -> Answer:
        caller = call.caller
        own = await desk.listed(caller.person.id, caller.scope, alone=caller.private)
        actions = tuple(_cancelling(one, call.locale) for one in own.rows[:MOST_BUTTONS])
        return Answer(text=texts.listed(own, call.locale, clock.now()), actions=actions)

    async def cancelled(call: Call, number: str) -> Answer:
        caller = call.caller
        is_operator = caller.authority is Authority.PET
        actor = caller.commander if is_operator else caller.speaker
        gone = await desk.cancel(int(number), actor) if _is_number(number) else None
        if gone is None:
            return Answer(text=say("reminder.no_such", call.locale, number=number))
        if gone.person != caller.person.id or not caller.scope.allows(gone.audience):
            return Answer(text=say("reminder.cancelled_unseen", call.locale, number=gone.id))
        line = texts.line(gone, call.locale, clock.now())
        return Answer(text=say("reminder.cancelled", call.locale, line=line))

    return Command(
        name="reminders",
        **described("commands.reminders"),
        run=run,
        options=(
            Option(
                name="number",
                **described("commands.reminders.number"),
                kind=OptionKind.WORD,
                mark="cancel",
            ),
        ),
    )


def _cancelling(one: Reminder, locale: str) -> Action:
    """The button by which a reminder is cancelled."""
    return Action(
        label=say("reminder.cancel_it", locale, number=one.id),
        command="reminders",
        arguments={"number": str(one.id)},
        typed=f"/reminders cancel {one.id}",
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER
