"""A line that says "tomorrow", told on another day: with the day that it meant; pure."""

import re
from collections.abc import Sequence
from datetime import date, datetime

from bot.llm.offline.questions.talk import TalkLine
from bot.texts.catalogue import Texts
from memory.language.detection import guess_language
from memory.language.parts.reading import others_words
from memory.language.text import Language
from memory.language.times.absolute import dated

_WORKED_OUT = re.compile(
    r"(?:\b(?P<before>de|à|of|from|for|since|until|till|by|before|after) )?"
    r"\b(?P<word>(?:the )?day after tomorrow|(?:the )?day before yesterday|tomorrow|yesterday|today"
    r"|tonight|last night|this (?:morning|afternoon|evening)|après-demain|avant-hier|demain|hier"
    r"|aujourd'hui|ce (?:soir|matin|midi)|cette nuit|cet après-midi)"
    r"(?P<part> (?:morning|afternoon|evening|night|matin|midi|soir|après-midi|aprem))?"
    r" \((?P<day>\d[^()]{5,20})\)",
    re.IGNORECASE,
)
"""A word for a day that means another one by now, with its date behind it."""


def with_its_days(line: TalkLine, now: datetime, texts: Texts) -> str:
    """What a person said, with dates for its relative days, and that they are over if they are.

    `now` is aware, in the zone that days are meant in. What they quote stays word for word.
    """
    said_at = line.at.astimezone(now.tzinfo)
    is_word_for_word = line.by_pet or line.stated or line.teller or others_words(line.text)
    if is_word_for_word or said_at.date() >= now.date() or _COMES_AGAIN.search(line.text):
        return line.text
    language: Language = guess_language(line.text, "fr" if texts.language == "fr" else "en")
    resolved = dated(line.text, said_at, language)
    if resolved.text == line.text:
        return line.text
    told = _WORKED_OUT.sub(lambda found: _on(found, language), resolved.text).rstrip(" .!")
    gone_by = resolved.last is not None and resolved.last < now.date()
    is_over = gone_by and not _TOLD_AS_PAST.search(line.text)
    return _marked_as_over(told, texts) if is_over else told


def _marked_as_over(told: str, texts: Texts) -> str:
    """A line that says behind the sentence with its last date that it is over.

    What follows may still hold: "are you coming on Saturday? I live in Oberkampf street now".
    """
    *_, date_end = (0, *(found.end() for found in _DATE_END.finditer(told)))
    sentence_end = _SENTENCE_END.search(told, date_end)
    end = sentence_end.start() if sentence_end else len(told)
    return texts.say("offline.is_over", what=told[:end]) + told[end:]


_DATE_END = re.compile(r"\b\d{4}\b\)?")
"""Dates are written out with their year at the end."""

_SENTENCE_END = re.compile(r" ?[.!?…](?=[.!?…\s])")


_COMES_AGAIN = re.compile(
    r"\b(?:birthdays?|b-?day|anniversar(?:y|ies)|anniversaires?|born|née?s?|every year|tous les ans"
    r"|chaque année)\b",
    re.IGNORECASE,
)
"""A day of every year is neither of one year nor ever over."""


def without_days_past(lines: Sequence[TalkLine], question: str, now: datetime) -> list[TalkLine]:
    """The lines that may answer a question about a day to come: not those of days that are over."""
    asked = _last_day(question, now)
    if asked is None or asked < now.date():
        return list(lines)
    return [one for one in lines if (_last_day(*_said(one, now)) or asked) >= now.date()]


def _said(line: TalkLine, now: datetime) -> tuple[str, datetime]:
    """The words of a line, and when they were said; what was learnt has its dates in it."""
    if line.stated:
        return _WORKED_OUT.sub(
            lambda found: _on(found, guess_language(line.text, "en")), line.text
        ), now
    return line.text, line.at.astimezone(now.tzinfo)


def _last_day(text: str, said_at: datetime) -> date | None:
    return dated(text, said_at, guess_language(text, "en")).last


_TOLD_AS_PAST = re.compile(
    r"\b(?:was|were|had|did|went|saw|got|\w+ed|étais?|était|avais?|avait|suis allée?|ai \w+[éiu]s?"
    r"|hier|yesterday|ago|il y a|last|dernière?)\b",
    re.IGNORECASE,
)
"""What was past when it was said need not be told so."""


def _on(found: re.Match[str], language: Language) -> str:
    """The day itself, as it goes on after a preposition: a recap "of 11 February", "du 11/02"."""
    before, day = found["before"] or "", f"{found['day']}{found['part'] or ''}"
    if language == "fr":
        return f"{_FRENCH.get(before.lower(), f'{before} le'.lstrip())} {day}"
    return f"{before} {day}" if before else f"on {day}"


_FRENCH = {"de": "du", "à": "au"}
