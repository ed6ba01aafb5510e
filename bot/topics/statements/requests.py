"""What the operations on statements and core facts take, as JSON bodies and queries have it."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from bot.surfaces.requests import Name, OperationRequest
from memory.model.rooms import Visibility
from memory.model.statements import GoalCategory, MemoryType, SelfCategory, Source
from memory.model.stores import Store

Content = Annotated[str, Field(min_length=1, max_length=2000, pattern=r"\S")]
Day = Annotated[str, Field(max_length=40, description="A day or a moment.")]
NameOrId = Annotated[str, Field(min_length=1, max_length=300, description="A name or an id.")]
PageLength = Annotated[int, Field(ge=1, le=200, description="The most entries of a page.")]
Importance = Annotated[float, Field(ge=0, le=1)]
FactKey = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[a-z][a-z0-9_]*$")]
FactValue = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")]


class _Filters(OperationRequest):
    """What is wanted: all criteria hold together; `from` and `to` are days or moments."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    who: NameOrId | None = None
    room: NameOrId | None = None
    since: Annotated[Day | None, Field(alias="from")] = None
    until: Annotated[Day | None, Field(alias="to")] = None
    visibility: Visibility | None = None


class StatementsRequest(_Filters):
    """Statements, the latest said first; with `as_of` those that held then."""

    store: Store | None = None
    kind: MemoryType | None = None
    category: SelfCategory | GoalCategory | None = None
    source: Source | None = None
    as_of: Annotated[str | None, Field(min_length=1, max_length=80)] = None
    limit: PageLength = 50


class SearchMemoryRequest(_Filters):
    """Find something by meaning, by words, or by both; `said` is what is no statement."""

    q: Annotated[str, Field(min_length=1, max_length=1000, pattern=r"\S")]
    mode: Literal["semantic", "text", "hybrid"] = "hybrid"
    store: Literal["memory", "self", "goals", "said"] | None = None
    kind: MemoryType | SelfCategory | GoalCategory | None = None
    limit: PageLength = 20


class NewStatementRequest(OperationRequest):
    """Write a statement down; private to a `person`, or known to the community of the pet's home.

    Of what the pet is (`self`) and wants (`goals`) everyone may know, and each has a category.
    """

    content: Content
    store: Store = Store.MEMORY
    kind: MemoryType = MemoryType.FACT
    category: SelfCategory | GoalCategory | None = None
    about: Annotated[tuple[Name, ...], Field(max_length=20)] = ()
    person: NameOrId | None = None
    importance: Importance | None = None
    ttl: Annotated[str | None, Field(max_length=20)] = None


class CorrectionRequest(OperationRequest):
    """Other words for a statement."""

    content: Content
    kind: MemoryType | None = None
    importance: Importance | None = None


class NewFactRequest(OperationRequest):
    """A value of a key of a person; `content` says it in words of its own."""

    person: NameOrId
    key: FactKey
    value: FactValue
    visibility: Literal["private", "space"] = "private"
    content: Content | None = None


class FactEditRequest(OperationRequest):
    """Another value; `id` names the fact where several of the key hold."""

    value: FactValue
    id: Annotated[str | None, Field(max_length=36)] = None
