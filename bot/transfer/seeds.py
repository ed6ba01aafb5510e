"""The seed: the first lines of `self` and `goals`, planted once however often it is asked."""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Annotated
from uuid import NAMESPACE_URL, uuid5

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.errors import BotError
from bot.texts.catalogue import ENGLISH
from memory.learning.store import StatementWriter, Stored
from memory.model.audience import Origin
from memory.model.authority import Actor
from memory.model.rooms import Visibility
from memory.model.statements import (
    GoalCategory,
    MemoryId,
    MemoryType,
    NewMemory,
    SelfCategory,
    Source,
)
from memory.model.stores import Store


class SeedRefused(BotError):
    """A seed file cannot be read as it is."""


class _SelfLine(BaseModel):
    model_config = ConfigDict(extra="forbid")

    content: Annotated[str, Field(min_length=1, max_length=2000)]
    category: SelfCategory


class _GoalLine(BaseModel):
    model_config = ConfigDict(extra="forbid")

    content: Annotated[str, Field(min_length=1, max_length=2000)]
    category: GoalCategory
    subjects: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=80)], ...], Field(max_length=12)
    ] = ()


class _Seed(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    self_: Annotated[list[_SelfLine], Field(alias="self", default_factory=list)]
    goals: Annotated[list[_GoalLine], Field(default_factory=list)]


def read_seed(path: Path | None, locale: str) -> list[NewMemory]:
    """The statements of a seed file, or of the one that ships with the pet in its language.

    Ids are derived from the text, of the pet's own seed from the English one, so a seed planted
    again adds nothing, in no language and not even what was forgotten since.

    Raises:
        SeedRefused: the file cannot be read; the sentence says what is wrong.

    """
    if path is None:
        twins = zip(_statements(_built_in(ENGLISH)), _statements(_built_in(locale)), strict=True)
        return [replace(said, id=english.id) for english, said in twins]
    name = str(path)
    try:
        return _statements(path.read_text("utf-8"))
    except OSError as error:
        raise SeedRefused(f"{name} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SeedRefused(f"{name} is not valid TOML: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise SeedRefused(f"{name}, {where}: {first['msg']}.") from error


async def plant(
    remember: StatementWriter, statements: Sequence[NewMemory], by: Actor
) -> list[Stored]:
    """Store the statements of a seed by a command; what came of each, in order."""
    return [await remember.store(one, by) for one in statements]


def _built_in(locale: str) -> str:
    return (files("config") / "prompts" / f"seed_{locale}.toml").read_text("utf-8")


def _statements(text: str) -> list[NewMemory]:
    seed = _Seed.model_validate(tomllib.loads(text))
    return [
        *(_statement(Store.SELF, line.content, line.category) for line in seed.self_),
        *(
            _statement(Store.GOALS, line.content, line.category, line.subjects)
            for line in seed.goals
        ),
    ]


def _statement(
    store: Store, content: str, category: str, subjects: tuple[str, ...] = ()
) -> NewMemory:
    return NewMemory(
        id=MemoryId(uuid5(NAMESPACE_URL, f"eko-seed:{store}:{content}")),
        store=store,
        content=content,
        origin=Origin(visibility=Visibility.EVERYONE),
        source=Source.SEED,
        memory_type=MemoryType.GOAL if store is Store.GOALS else MemoryType.OBSERVATION,
        category=category,
        subjects=subjects,
    )
