"""What is said of reminders, in words, for a chat. Pure."""

from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo

from bot.texts.catalogue import say
from bot.texts.sanitizing import extract
from memory.language.dates_in_words import day_near
from memory.language.times.zones import zone_called
from memory.model.reminders import (
    DueReminder,
    OwnReminders,
    Reminder,
    ReminderRefusal,
    ReminderRefused,
    ReminderSet,
)
from memory.model.rooms import RoomKind

LONGEST_SHOWN = 120
"""Characters of a reminder in a list."""


def moment_in_words(at: datetime, zone: str, locale: str, *, usual: str, today: datetime) -> str:
    """A moment in words: "18:00", "mardi 24 novembre à 09:00", with a zone that is not usual.

    `today` is the present moment: its year is left out, and of a moment of that day the date too.
    """
    place = _zone(zone)
    local, now = at.astimezone(place), today.astimezone(place)
    clock = f"{local:%H:%M}"
    told = clock
    if local.date() != now.date():
        day = day_near(at, today, place, locale)
        told = say("reminder.day_and_time", locale, day=day, time=clock)
    return told if zone == usual else say("reminder.in_zone", locale, moment=told, zone=zone)


def _zone(name: str) -> tzinfo:
    return zone_called(name) or UTC


_WHYS = {
    ReminderRefusal.UNSAID: "reminder.when",
    ReminderRefusal.IMPOSSIBLE: "reminder.impossible",
    ReminderRefusal.PAST: "reminder.past",
    ReminderRefusal.TWO_WAYS: "reminder.two_ways",
    ReminderRefusal.REPEATED: "reminder.repeated",
    ReminderRefusal.TOO_FAR: "reminder.too_far",
    ReminderRefusal.NOTHING: "reminder.nothing",
    ReminderRefusal.TOO_LONG: "reminder.too_long",
    ReminderRefusal.TOO_MANY: "reminder.too_many",
}
_ASKED_WHEN = frozenset(
    {
        ReminderRefusal.IMPOSSIBLE,
        ReminderRefusal.PAST,
        ReminderRefusal.TWO_WAYS,
        ReminderRefusal.REPEATED,
        ReminderRefusal.TOO_FAR,
    }
)
"""What is followed by the question when."""


class ReminderTexts:
    """Says what became of reminders; `usual` is the pet's own zone, by its name."""

    def __init__(self, usual: str) -> None:
        self._usual = usual

    def kept(self, kept: ReminderSet, locale: str, now: datetime) -> str:
        """That a reminder is set, with its moment and number."""
        when = self.moment(kept.due_at, kept.zone, locale, now)
        text = extract(kept.text, LONGEST_SHOWN)
        return say("reminder.set", locale, when=when, text=text, number=kept.id)

    def refused(self, refused: ReminderRefused, locale: str, now: datetime) -> str:
        """Why there is none, with a question where an answer would help."""
        key = _WHYS[refused.why]
        if refused.why is ReminderRefusal.PAST and refused.choices:
            key = "reminder.past_today"
        moments = [self.moment(one, refused.zone, locale, now) for one in refused.choices] or [""]
        values = {"one": moments[0], "other": moments[-1], "count": refused.most}
        told = say(key, locale, **values)
        return f"{told} {say('reminder.when', locale)}" if refused.why in _ASKED_WHEN else told

    def due(self, due: DueReminder, now: datetime, *, late: bool) -> str:
        """What is said when it is due; `late`, when it was."""
        one = due.reminder
        is_group = due.room.kind is RoomKind.GROUP
        told = ("reminder.late", "reminder.due")
        if is_group:
            told = ("reminder.late_in_group", "reminder.due_in_group")
        return say(
            told[0] if late else told[1],
            one.locale,
            name=due.name,
            when=self.moment(one.due_at, one.zone, one.locale, now),
            text=one.text,
        )

    def listed(self, own: OwnReminders, locale: str, now: datetime) -> str:
        """The open reminders, a line each; how many more are for another room."""
        return "\n".join(self._lines(own, locale, now))

    def line(self, one: Reminder, locale: str, now: datetime) -> str:
        """One reminder with its number."""
        when = self.moment(one.due_at, one.zone, locale, now)
        text = extract(one.text, LONGEST_SHOWN)
        return say("reminder.line", locale, number=one.id, when=when, text=text)

    def moment(self, at: datetime, zone: str, locale: str, now: datetime) -> str:
        """A moment in words."""
        return moment_in_words(at, zone, locale, usual=self._usual, today=now)

    def _lines(self, own: OwnReminders, locale: str, now: datetime) -> Iterable[str]:
        if not own.rows and not own.hidden:
            yield say("reminder.none", locale)
            return
        for one in own.rows:
            yield self.line(one, locale, now)
        if own.hidden:
            yield say("reminder.hidden", locale, count=own.hidden)
        if own.rows:
            yield say("reminder.how_to_cancel", locale, number=own.rows[0].id)
