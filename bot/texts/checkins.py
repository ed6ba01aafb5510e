"""What the pet says when it writes first, by rules, and how its check-ins stand. Pure."""

from datetime import datetime, timedelta, tzinfo

from bot.texts.catalogue import say
from bot.texts.sanitizing import extract
from memory.language.dates_in_words import day_near, weekday
from memory.language.detection import told_language
from memory.model.checkins import CheckinRoom, Occasion
from memory.rules.checkins.reading import LONGEST_WORDS


class CheckinTexts:
    """Words check-ins by a sentence for each rule; days are told in the pet's zone."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone

    async def words(self, place: CheckinRoom, occasion: Occasion, now: datetime) -> str:
        """The sentence of the rule, in the language of the room."""
        return self.by_rule(place, occasion, now)

    def by_rule(self, place: CheckinRoom, occasion: Occasion, now: datetime) -> str:
        """The same, without waiting."""
        locale = language_of(place, occasion)
        alone, in_group = f"checkins.alone.{occasion.rule}", f"checkins.in_group.{occasion.rule}"
        told = say(
            alone if place.is_direct else in_group,
            locale,
            name=occasion.name,
            words=extract(occasion.words, LONGEST_WORDS),
            day=self._day(occasion.said_at, now, locale),
            coming=", ".join(occasion.coming),
        )
        return with_farewell(place, told[:1].upper() + told[1:], locale)

    def _day(self, said_at: datetime, now: datetime, locale: str) -> str:
        """The day something was said: of the last days its name alone."""
        if now - said_at < _A_WEEK:
            return weekday(said_at, self._zone, locale)
        return day_near(said_at, now, self._zone, locale)


_A_WEEK = timedelta(days=6)


def language_of(place: CheckinRoom, occasion: Occasion) -> str:
    """The language of a check-in: the one it was told in, where the pet tells those two apart."""
    told = told_language(occasion.words) if place.locale in _TOLD_APART else None
    return told or place.locale


_TOLD_APART = frozenset(("en", "fr"))


def with_farewell(place: CheckinRoom, told: str, locale: str) -> str:
    """What is said, after the word that it is the last time, where it is."""
    return f"{say('checkins.last', locale)} {told}" if place.is_last else told
