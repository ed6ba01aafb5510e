"""Whether this is the moment for a check-in, and which one it is. Pure."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta, tzinfo

from memory.language.text import stems
from memory.language.times.time_words import aligned
from memory.model.checkins import (
    FIRST_HOUR,
    LAST_HOUR,
    MOST_A_DAY,
    SNOOZE,
    UNANSWERED,
    AskedThing,
    CheckinRoom,
    CheckinRule,
    HeardLine,
    Occasion,
)
from memory.rules.checkins.reading import SaidDay, told_again, topic_stems
from memory.rules.checkins.words import DONE

APART = timedelta(hours=3)
"""Between two check-ins of one day."""

TALK_LASTS = timedelta(minutes=15)
"""People who wrote so lately are in the middle of something."""

_HOURS = {
    CheckinRule.BIRTHDAY: (9, 20),
    CheckinRule.PLAN: (9, 13),
    CheckinRule.OUTCOME: (10, 20),
    CheckinRule.PROMISE: (10, 20),
}
"""From which hour on a check-in is due on its day, and from which it is too late for that day."""

_DAYS_AFTER = {CheckinRule.OUTCOME: (1, 2), CheckinRule.PROMISE: (1, 2)}
"""How many days after its day something is asked after; the others are for the day itself."""

_SAME = 0.5
"""The share of the words of one thing from which another one is the same."""


def is_time(place: CheckinRoom, now: datetime, zone: tzinfo) -> bool:
    """Whether the pet may write first in a room: by day, not often, and not to silence."""
    local = now.astimezone(zone)
    if not FIRST_HOUR <= local.hour < LAST_HOUR or place.unanswered > UNANSWERED:
        return False
    if place.word_at is not None and now - place.word_at < TALK_LASTS:
        return False
    if not place.asked:
        return True
    today = [one for one in place.asked if one.astimezone(zone).date() == local.date()]
    since = now - max(place.asked)
    return len(today) < MOST_A_DAY and since >= (SNOOZE if place.is_last else APART)


def is_due(said: SaidDay, occasion: Occasion, now: datetime, zone: tzinfo) -> bool:
    """Whether an occasion is to be spoken of now."""
    local, rule = now.astimezone(zone), occasion.rule
    first, last = _HOURS[rule]
    days = (local.date() - said.day).days
    if rule in _DAYS_AFTER:
        return days in _DAYS_AFTER[rule] and first <= local.hour < last
    is_ahead = occasion.at is None or occasion.at > local.time()
    return days == 0 and first <= local.hour < last and is_ahead


def is_told(said: SaidDay, occasion: Occasion, lines: Sequence[HeardLine], zone: tzinfo) -> bool:
    """Whether its person said already how it went, or that it is done, be it before its day."""
    if occasion.rule not in _DAYS_AFTER:
        return False
    if told_again(occasion, lines, midnight(said.day, zone)):
        return True
    done = [one for one in lines if one.at > occasion.said_at and DONE.search(aligned(one.text))]
    return told_again(occasion, done, occasion.said_at)


def is_asked(occasion: Occasion, asked: Iterable[AskedThing]) -> bool:
    """Whether the same was asked after before, in whichever words it was told then."""
    topic = topic_stems(occasion.words)
    for one in asked:
        if one.thing == occasion.thing:
            return True
        if occasion.rule is CheckinRule.BIRTHDAY or one.person != occasion.person:
            continue
        other = topic_stems(one.text)
        shared, fewest = topic & other, min(len(topic), len(other))
        if fewest and len(shared) >= _SAME * fewest:
            return True
    return False


def first_of(occasions: Iterable[Occasion]) -> Occasion | None:
    """The occasion that goes before the others: by its rule, then what was said first."""
    order = list(CheckinRule)
    ranked = sorted(occasions, key=lambda one: (order.index(one.rule), one.said_at, one.thing))
    return next(iter(ranked), None)


def speaks_of(occasion: Occasion) -> frozenset[str]:
    """The stems by which a topic that is to be left alone is known in an occasion."""
    return frozenset((*stems(occasion.words), *stems(occasion.rule)))


def midnight(day: date, zone: tzinfo) -> datetime:
    """When a day begins in a zone."""
    return datetime.combine(day, time(), tzinfo=zone)
