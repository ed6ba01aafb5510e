"""What is asked of histories, and what their preview shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, cast

from pydantic import BeforeValidator, Field

from bot.surfaces.requests import Name, OperationRequest
from bot.transfer.history.model import UnreadableLine
from bot.transfer.history.scanning import SampleClaim
from memory.model.shown import Shown


def _chosen(people: object) -> object:
    """Whom authors are chosen to be, from lines NAME=PERSON if not from a mapping.

    Raises:
        ValueError: a line is none such.

    """
    if isinstance(people, Mapping):
        return people
    found = {}
    for line in cast("Sequence[str]", people):
        name, _, person = (part.strip() for part in line.rpartition("="))
        if not name or not person:
            raise ValueError(f'"{line[:80]}" is not NAME=PERSON.')
        found[name] = person
    return found


class HistoryRequest(OperationRequest):
    """A file, who of it is who, where it goes and who may know it.

    `people` says which person an author is, `without` whose lines stay out. `room` is a room of
    several people, a space, or the name of a new room; `private_of` the one person who may know
    it. A new room is known to the people of `known_to`, and with `speakers` to those who speak in
    it and are known.
    """

    path: Annotated[str, Field(min_length=1, max_length=4096)]
    room: Name | None = None
    private_of: Name | None = None
    known_to: tuple[Name, ...] = ()
    speakers: bool = False
    people: Annotated[Mapping[str, Name], BeforeValidator(_chosen)] = {}
    without: tuple[str, ...] = ()
    zone: Annotated[str | None, Field(max_length=64)] = None
    day_first: bool | None = None
    learn_with_model: bool = False


class HistoriesRequest(OperationRequest):
    """The latest imports."""

    limit: Annotated[int, Field(ge=1, le=1000)] = 50


class UndoHistoryRequest(OperationRequest):
    """One import by its number: what goes with it, and with `confirmed` it does."""

    id: Annotated[int, Field(ge=1)]
    confirmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryAuthor:
    """An author of a file: `is_` says whether they are known, new or left out."""

    name: Shown[str]
    lines: Shown[int]
    is_: Shown[str]
    person: Shown[str | None] = None
    """What the person is called here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryPreview:
    """What an import would come to; nothing was written.

    `known_to` is who may know it, `room_is` an existing room, a new one, or private. `dollars` is
    what a model would cost to read it, None where its price is not known.
    """

    file: Shown[str]
    format: Shown[str]
    zone: Shown[str]
    first: Shown[datetime | None]
    last: Shown[datetime | None]
    lines: Shown[Mapping[str, int]]
    authors: Shown[tuple[HistoryAuthor, ...]]
    unreadable: Shown[int]
    reasons: Shown[tuple[UnreadableLine, ...]]
    room: Shown[str]
    room_is: Shown[str]
    known_to: Shown[tuple[str, ...]]
    claims: Shown[tuple[SampleClaim, ...]]
    model: Shown[str | None]
    tokens: Shown[int]
    dollars: Shown[float | None]
    learns_with_model: Shown[bool]
    asks_day_order: Shown[bool]
    """Whether day and month stand as numbers and the file leaves their order open."""
