"""The record of an evening: what people say, when and where, and what has to come of it."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from bot.conversation.placement import addressed
from bot.errors import BotError
from memory.language.text import fold

SHIPPED = ("fr", "en")
"""The records that come with the pet, by their languages."""

PET = "Eko"
"""The pet's name in every record."""

ANYONE = "anyone"
"""Whom a fact is about that may be kept of any who were there, such as a plan of several."""

Words = tuple[Annotated[tuple[str, ...], Field(min_length=1)], ...]
"""Ways of saying one thing: a text says it that holds all words of one of them."""


class EveningRefused(BotError):
    """A record cannot be read, or contradicts itself."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ExpectedFact(_Part):
    """Something that may be kept of a person, of the speaker where `of` is not given.

    A statement says it by its `words`, and does not where one of `unless` is in it.
    """

    name: str
    words: Annotated[Words, Field(min_length=1)]
    of: str = ""
    unless: tuple[str, ...] = ()

    def is_said_in(self, text: str) -> bool:
        """Whether a statement says it."""
        return says(text, self.words) and not says(text, [(word,) for word in self.unless])


class EveningLine(_Part):
    """A message, and what it brings.

    `facts` are to be known from then on, and those of an earlier line that `ends` names are over;
    `never` are not to be kept, `confides` are words for the pet alone. An answer `needs` words of
    what was said before.
    """

    at: datetime
    who: str
    where: Literal["group", "private"]
    text: str
    facts: tuple[ExpectedFact, ...] = ()
    ends: tuple[str, ...] = ()
    never: tuple[ExpectedFact, ...] = ()
    confides: Words = ()
    needs: Words = ()

    def is_heard_by(self, who: str) -> bool:
        """Whether a person may know it."""
        return self.where == "group" or self.who == who

    @property
    def is_for_pet(self) -> bool:
        """Whether it is answered."""
        return self.where == "private" or addressed(self.text, (PET,))


class Evening(_Part):
    """Everything that is said, in order; times are those of `zone`."""

    language: str
    zone: str
    lines: Annotated[tuple[EveningLine, ...], Field(min_length=1)]

    @property
    def people(self) -> Sequence[str]:
        """Who speaks, in the order of their first words."""
        return list(dict.fromkeys(line.who for line in self.lines))

    def moment(self, line: EveningLine) -> datetime:
        """When a line is said."""
        return line.at.replace(tzinfo=ZoneInfo(self.zone))

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        problems = [one for place in range(len(self.lines)) for one in self._problems(place)]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def _problems(self, place: int) -> Iterator[str]:
        line, before = self.lines[place], self.lines[:place]
        told = {fact.name for one in before for fact in one.facts}
        if before and line.at < before[-1].at:
            yield f'"{line.text}" is said before the line above it'
        if line.at.tzinfo is not None:
            yield f'"{line.text}" has a zone of its own'
        for fact in (*line.facts, *line.never):
            if fact.of not in {"", ANYONE, *self.people}:
                yield f'"{fact.name}" is of {fact.of}, who says nothing'
        yield from (f'"{one.name}" is told twice' for one in line.facts if one.name in told)
        yield from (f'"{name}" ends and was not told' for name in line.ends if name not in told)
        if line.needs and (not line.is_for_pet or says(line.text, line.needs)):
            yield f'"{line.text}" needs what is not asked of the pet, or says it itself'
        heard = [one.text for one in before if one.is_heard_by(line.who)]
        if line.needs and not any(says(text, line.needs) for text in heard):
            yield f'"{line.text}" needs what was not said before'
        others = [one for one in self.lines if one.where == "group" or one.who != line.who]
        if any(says(one.text, line.confides) for one in others):
            yield f'"{line.text}" confides what is said elsewhere'


def read_evening(name: str) -> Evening:
    """A record that ships with the pet, or one in a TOML file.

    Raises:
        EveningRefused: it cannot be read, or contradicts itself.

    """
    shipped = files("bot.topics.answers.evening") / f"{name}.toml"
    try:
        text = (shipped if name in SHIPPED else Path(name)).read_text("utf-8")
        return Evening.model_validate(tomllib.loads(text))
    except OSError as error:
        raise EveningRefused(f"{name} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise EveningRefused(f"{name} is no TOML file: {error}.") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise EveningRefused(f"{name} is no evening: {place} {first['msg']}.") from error


def says(text: str, words: Iterable[Sequence[str]]) -> bool:
    """Whether a text holds all words of one of these ways; a word may go on: allergi, allergic."""
    read = _spaced(text)
    return any(all(_spaced(word) in read for word in way) for way in words)


def _spaced(text: str) -> str:
    """Folded words, each after one space: a beginning of a word is found, and no end."""
    return "".join(f" {word}" for word in _WORD.findall(fold(text)))


_WORD = re.compile(r"\w+")
