"""Reads from messages what may be asked after: sure words that name a day. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from uuid import UUID

from memory.language.detection import guess_language
from memory.language.parts.reading import own_words
from memory.language.reminders import says_when
from memory.language.text import stems
from memory.language.times.absolute import dated
from memory.language.times.due_times import Undue, due_at
from memory.language.times.named_times import NamedDay
from memory.language.times.time_words import aligned, time_pieces
from memory.model.checkins import ArrangedPlan, CheckinRule, HeardLine, KnownBirthday, Occasion
from memory.model.claims import SURELY, Slot, Status
from memory.model.stores import Collection
from memory.rules.checkins.words import (
    BIG,
    CALLED_OFF,
    DENIES,
    ENDS,
    HABIT,
    INVITES,
    PROMISES,
    TENDER,
    UNSURE,
)
from memory.statements.extraction.sentences import is_joke, is_plain, own_lines, sentences

LONGEST_WORDS = 140
"""Characters of what is said back: more is a story."""

ANSWERED_WITHIN = timedelta(hours=3)
"""Between two lines that answer one invitation."""

_DELICATE = frozenset((Slot.LOSS, Slot.HEALTH))

_AHEAD = frozenset((Status.PLANNED, Status.HOLDS))
"""What has a day to come: "I have a match on Saturday" is said as what holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidDay:
    """A day that words name for sure, with its time where that is said too."""

    day: date
    at: time | None = None


def said_day(words: str, said_at: datetime, zone: tzinfo) -> SaidDay | None:
    """The one day to come that words name; None where they name none, several or one loosely.

    What reads the dates of statements, which goes by the tense too, must mean the same day.
    """
    said, named = says_when(words), [one.value for one in time_pieces(words)]
    days = [one for one in named if isinstance(one, NamedDay)]
    if said.vague or said.wait or len(days) != 1 or HABIT.search(aligned(words)):
        return None
    due = due_at(said, said_at, zone, in_24=True)
    moments = due.choices if isinstance(due, Undue) else (due,)
    local = [one.astimezone(zone) for one in moments]
    meant = dated(words, said_at.astimezone(zone), guess_language(words, "en")).last
    if len({one.date() for one in local} | ({meant} if meant else set())) != 1:
        return None
    is_told = said.clock is not None and not isinstance(due, Undue)
    return SaidDay(day=local[0].date(), at=local[0].time() if is_told else None)


def own_occasions(
    lines: Sequence[HeardLine], zone: tzinfo, *, alone: bool
) -> Iterator[tuple[SaidDay, Occasion]]:
    """What people said of their own, by day; `alone` of whom is written to: plans and promises too.

    `lines` are in order. What a later line may have changed is left out.
    """
    for place, line in enumerate(lines):
        if not line.stands or is_joke(line.text):
            continue
        later = [one for one in lines[place + 1 :] if one.person == line.person]
        found = [*_planned(line, zone, alone=alone), *(_promised(line, zone) if alone else ())]
        for day, one in found:
            if not _is_changed(one, day, later, zone):
                yield day, one


def plan_occasion(plan: ArrangedPlan, zone: tzinfo) -> tuple[SaidDay, Occasion] | None:
    """The day of what a group arranged; None unless that is sure.

    Its author names the day, at once or later; no line of the plan names another one after that.
    """
    asks = next((one for one in plan.lines if INVITES.search(aligned(one.text))), None)
    if asks is None or not asks.stands or is_joke(asks.text):
        return None
    answers = _answers(plan.lines, asks)
    topic = topic_stems(asks.text)
    about = [one for one in plan.lines if one in answers or topic & set(stems(one.text))]
    dated = [(day, one) for one in about if (day := said_day(one.text, one.at, zone))]
    own = [(day, one) for day, one in dated if one.person == asks.person]
    coming = [one for one in _coming(plan, answers, asks) if one != asks.name]
    if not own or not coming:
        return None
    day, line = own[-1]
    is_other = any(other.day != day.day and one.at > line.at for other, one in dated)
    since = plan.lines[plan.lines.index(asks) + 1 :]
    is_off = any(_is_off(one, denies=one.person == asks.person) for one in since)
    words = line.text if line == asks else f"{asks.text} … {line.text}"
    hurts = TENDER.search(aligned(words)) is not None or len(words) > LONGEST_WORDS
    if is_other or is_off or hurts:
        return None
    return day, _occasion(CheckinRule.PLAN, line, words, day, (asks.name, *coming))


def _answers(lines: Sequence[HeardLine], asks: HeardLine) -> list[HeardLine]:
    """An invitation with its answers: up to another member's question, or a silence."""
    found = [asks]
    for one in lines[lines.index(asks) + 1 :]:
        if one.at - found[-1].at > ANSWERED_WITHIN:
            break
        found.append(one)
        if "?" in one.text and one.person != asks.person:
            break
    return found


def _coming(plan: ArrangedPlan, answers: Sequence[HeardLine], asks: HeardLine) -> Sequence[str]:
    """The names of those who said to the invitation that they come, each once."""
    agreed = {one.person for one in answers if "?" not in one.text or one == asks}
    return list(dict.fromkeys(one.name for one in plan.coming if one.person in agreed))


def birthday_of(known: KnownBirthday, today: date) -> Occasion | None:
    """A birthday that is today, in any year; one of 29 February is on the 28th in other years."""
    days = [one.value for one in time_pieces(known.value) if isinstance(one.value, NamedDay)]
    if len(days) != 1 or days[0].month is None or days[0].day is None:
        return None
    month, day = days[0].month, days[0].day
    is_leap = today.year % 4 == 0 and (today.year % 100 != 0 or today.year % 400 == 0)
    if (month, day) == (2, 29) and not is_leap:
        day = 28
    if (today.month, today.day) != (month, day):
        return None
    return Occasion(
        rule=CheckinRule.BIRTHDAY,
        thing=f"birthday:{known.person}:{today.year}",
        person=known.person,
        name=known.name,
        account=known.account,
        words=known.content,
        said_at=known.said_at,
        source=(Collection.KNOWLEDGE, known.fact),
    )


def topic_stems(words: str) -> frozenset[str]:
    """The stems of what words are about, without those of time."""
    rest, read = [], 0
    for piece in time_pieces(words):
        rest.append(words[read : piece.start])
        read = piece.end
    return frozenset(stems(" ".join((*rest, words[read:]))))


def told_again(occasion: Occasion, lines: Sequence[HeardLine], since: datetime) -> bool:
    """Whether its person spoke of it since a moment: they told already how it is."""
    topic = topic_stems(occasion.words)
    return any(
        one.at >= since and one.person == occasion.person and topic & set(stems(one.text))
        for one in lines
    )


def _planned(line: HeardLine, zone: tzinfo, *, alone: bool) -> Iterator[tuple[SaidDay, Occasion]]:
    asks_along = "?" in line.text and INVITES.search(aligned(line.text)) is not None
    if asks_along or any(one.slot in _DELICATE for one in line.claims):
        return
    sure = {
        (one.start, one.end)
        for one in line.claims
        if one.slot is Slot.PLAN and one.status in _AHEAD and one.of_author
        if one.certainty >= SURELY
    }
    for start, end in sorted(sure):
        words = line.text[start:end].strip(" .,;")
        said = aligned(words)
        is_over = ENDS.search(said) is not None
        if not (is_over or (alone and BIG.search(said))) or not _is_settled(words):
            continue
        day = said_day(words, line.at, zone)
        if day is not None and day.day > line.at.astimezone(zone).date():
            rule = CheckinRule.OUTCOME if is_over else CheckinRule.PLAN
            yield day, _occasion(rule, line, words, day)
            return


def _promised(line: HeardLine, zone: tzinfo) -> Iterator[tuple[SaidDay, Occasion]]:
    if not PROMISES.search(aligned(own_words(line.text))):
        return
    for own in own_lines(line.text):
        for sentence in sentences(own):
            is_one = PROMISES.search(aligned(sentence)) is not None and is_plain(sentence)
            day = said_day(sentence, line.at, zone) if is_one and _is_settled(sentence) else None
            if day is not None:
                words = sentence.strip(" .,;")
                yield day, _occasion(CheckinRule.PROMISE, line, words, day)
                return


def _is_settled(words: str) -> bool:
    """Whether words are short, and neither doubt, deny nor ask, nor touch what hurts."""
    said = aligned(words)
    is_sure = not (UNSURE.search(said) or DENIES.search(said))
    return is_sure and not TENDER.search(said) and len(words) <= LONGEST_WORDS and "?" not in words


def _is_changed(occasion: Occasion, day: SaidDay, later: Sequence[HeardLine], zone: tzinfo) -> bool:
    """Whether a later line speaks of the same and may have made it otherwise."""
    topic = topic_stems(occasion.words)
    for one in later:
        if not topic & set(stems(one.text)):
            continue
        other = said_day(one.text, one.at, zone)
        if _is_off(one, denies=True) or (other is not None and other.day != day.day):
            return True
    return False


def _is_off(line: HeardLine, *, denies: bool) -> bool:
    """Whether a line calls something off, or with `denies` says no to it."""
    said = aligned(line.text)
    return CALLED_OFF.search(said) is not None or (denies and DENIES.search(said) is not None)


def _occasion(
    rule: CheckinRule, line: HeardLine, words: str, day: SaidDay, coming: tuple[str, ...] = ()
) -> Occasion:
    return Occasion(
        rule=rule,
        thing=f"message:{line.message}",
        person=line.person,
        name=line.name,
        account=line.account,
        words=words,
        said_at=line.at,
        source=(Collection.LIVE, UUID(int=line.message)),
        message=line.message,
        coming=coming,
        at=day.at,
    )
