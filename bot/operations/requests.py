"""What each operation takes, as the command line sends it and the daemon checks it."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memory.model.statements import GoalCategory, MemoryType, SelfCategory

Name = Annotated[str, Field(min_length=1, max_length=80)]


class OperationRequest(BaseModel):
    """A request: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class AskRequest(OperationRequest):
    """Say one thing to the pet and wait for its answer; without a room, in private."""

    text: str
    name: Name
    room: Literal["lobby"] | None = None
    timeout_s: float = 180


class SayRequest(OperationRequest):
    """Say one thing in a room without waiting."""

    text: str
    name: Name
    room: Literal["lobby"] | None = None


class ListenRequest(OperationRequest):
    """Follow a room from now on."""

    name: Name
    room: Literal["lobby"] | None = None


class AccountsRequest(OperationRequest):
    """The accounts that are one person with the terminal's of this name."""

    name: Name


class RecoveryLinkRequest(OperationRequest):
    """A new recovery link for an account of the page, by its id or its name."""

    account: Annotated[str, Field(min_length=1, max_length=80)]


class ReplayRequest(OperationRequest):
    """Feed a recorded room in. `speed` is how many times faster than it was, None for at once."""

    path: str
    room: Literal["lobby"] = "lobby"
    format: Literal["irc", "jsonl"] | None = None
    speed: Annotated[float | None, Field(gt=0)] = None


class DigestNowRequest(OperationRequest):
    """Digest what is live. `retry` takes back what was set aside after failures."""

    retry: bool = False


class SeedRequest(OperationRequest):
    """Plant the first lines of `self`; None takes the seed that ships with the pet."""

    path: str | None = None
    dry_run: bool = False


class RememberRequest(OperationRequest):
    """Store one statement by hand; private to a person, or known in the home space."""

    text: Annotated[str, Field(min_length=1, max_length=2000)]
    about: tuple[str, ...] = ()
    memory_type: MemoryType = MemoryType.FACT
    self_category: SelfCategory | None = None
    goal_category: GoalCategory | None = None
    importance: Annotated[float | None, Field(ge=0, le=1)] = None
    ttl: str | None = None


class SearchRequest(OperationRequest):
    """Look something up everywhere, or in one store."""

    query: Annotated[str, Field(min_length=1, max_length=2000)]
    store: Literal["memory", "self", "goals"] | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 10


class FindRequest(OperationRequest):
    """Find what was said or kept word for word."""

    query: Annotated[str, Field(min_length=1, max_length=2000)]
    limit: Annotated[int, Field(ge=1, le=1000)] = 20


class ListMemoriesRequest(OperationRequest):
    """List statements, latest first; as of a past moment, or the history of one by its id."""

    store: Literal["memory", "self", "goals"] | None = None
    limit: Annotated[int, Field(ge=1, le=10000)] = 50
    as_of: Annotated[str | None, Field(min_length=1, max_length=80)] = None
    history: Annotated[str | None, Field(min_length=4, max_length=36)] = None


class SelfAndGoalsRequest(OperationRequest):
    """Tell how what the pet is, or wants, grew."""

    store: Literal["self", "goals"]


class ListFactsRequest(OperationRequest):
    """List core facts; of one person by name, and with those that hold no more."""

    person: Name | None = None
    history: bool = False


class SplitAccountRequest(OperationRequest):
    """Take an account out of its person, or only show what that would move."""

    account: Annotated[str, Field(min_length=3, max_length=300)]
    yes: bool = False


class JoinAccountsRequest(OperationRequest):
    """Put an account to the person of another one, or only show what that would move."""

    account: Annotated[str, Field(min_length=3, max_length=300)]
    other: Annotated[str, Field(min_length=3, max_length=300)]
    yes: bool = False


class ListProposalsRequest(OperationRequest):
    """Memories that say the same and wait for a decision."""

    limit: Annotated[int, Field(ge=1, le=10000)] = 50


class DecideRequest(OperationRequest):
    """Accept a proposal by its number; None accepts all that are open."""

    proposal: int | None = None


class DismissRequest(OperationRequest):
    """Let both memories of a proposal stay."""

    proposal: int


class RestoreRequest(OperationRequest):
    """Recall an archived memory again, for a time or, with None, for ever."""

    memory: Annotated[str, Field(min_length=1, max_length=36)]
    ttl: str | None = None


class ListSummariesRequest(OperationRequest):
    """List what was summarised, of a person's conversations, of one conversation, or of all."""

    name: Name | None = None
    session: Annotated[str | None, Field(min_length=1, max_length=36)] = None
    limit: Annotated[int, Field(ge=1, le=1000)] = 20


class VerifyRequest(OperationRequest):
    """Compare the database, its full-text indexes and the vector store.

    `trust_clock` follows a machine whose clock is behind all that was seen, and dates anew.
    """

    repair: bool = False
    trust_clock: bool = False


class IdentityRequest(OperationRequest):
    """Say which pet this is to a shared vector server; or be a new one, or take the pet over."""

    choice: Literal["new", "keep"] | None = None


class ReindexRequest(OperationRequest):
    """Fill the vector store anew from the database."""


class OneSettingRequest(OperationRequest):
    """One setting that can be changed while the pet runs."""

    key: Name


class SetSettingRequest(OperationRequest):
    """A new value for one of them, as text."""

    key: Name
    value: Annotated[str, Field(max_length=10_000)]


class AuditRequest(OperationRequest):
    """The latest entries of the audit log."""

    limit: Annotated[int, Field(ge=1, le=10000)] = 50


class WhyRequest(OperationRequest):
    """Explain one turn: by its id or the beginning of it, or the last one.

    `name` and `room` are those of the person and the room whose last turn is meant.
    """

    turn: Annotated[str | None, Field(min_length=1, max_length=36)] = None
    name: Name | None = None
    room: Name | None = None


class ToLabelRequest(OperationRequest):
    """Past questions with what was injected for them, for a person to label."""

    count: Annotated[int, Field(ge=1, le=200)] = 10


class LabelledRequest(OperationRequest):
    """Labels of those lines, question by question; None is not said."""

    labels: tuple[tuple[bool | None, ...], ...]


class LabelLineRequest(OperationRequest):
    """Whether a line that was injected for a turn was of use, by its reference."""

    turn: UUID
    line: Annotated[str, Field(min_length=1, max_length=200)]
    useful: bool | None


class ExportRequest(OperationRequest):
    """Write everything, or what belongs to one person, to a file or folder that is not there yet.

    `since` is an ISO 8601 day or moment.
    """

    path: Annotated[str, Field(min_length=1, max_length=4096)]
    format: Literal["json", "markdown"] = "json"
    person: Annotated[str | None, Field(min_length=1, max_length=300)] = None
    since: datetime | None = None


class BackupRequest(OperationRequest):
    """Make a backup in a file that is not there yet, or in the folder of the settings."""

    path: Annotated[str | None, Field(min_length=1, max_length=4096)] = None


class ImportRequest(OperationRequest):
    """Take in an exported file; `dry_run` only says what it would come to."""

    path: Annotated[str, Field(min_length=1, max_length=4096)]
    dry_run: bool = False


class SyncNotesRequest(OperationRequest):
    """Look at the vault of notes now, or only say what that would do."""

    dry_run: bool = False


class ForgetRequest(OperationRequest):
    """Show what would be forgotten, or forget it; criteria hold together, ids come on top.

    `start` and `end` are ISO moments or days; `about` adds what others said about the person alone,
    `erase` their names too.
    """

    topic: Annotated[str, Field(max_length=200)] = ""
    person: Name | None = None
    about: bool = False
    erase: bool = False
    room: Name | None = None
    start: Annotated[str | None, Field(max_length=40)] = None
    end: Annotated[str | None, Field(max_length=40)] = None
    ids: tuple[Annotated[str, Field(min_length=1, max_length=36)], ...] = ()
    confirmed: bool = False


class OneForgettingRequest(OperationRequest):
    """One forgetting, by its number."""

    id: Annotated[int, Field(ge=1)]


class ReceiptsRequest(OperationRequest):
    """The latest forgettings."""

    limit: Annotated[int, Field(ge=1, le=10000)] = 50


class MarkRoomRequest(OperationRequest):
    """Whether what is said in a room stays in it, and what was said there before too."""

    room: Annotated[str, Field(min_length=1, max_length=200)]
    confidential: bool
    past: bool = False


class ChooseRoleRequest(OperationRequest):
    """What the pet does in a room, by its name or id; `default` takes a choice back."""

    room: Annotated[str, Field(min_length=1, max_length=200)]
    role: Literal["lobby", "pet", "mention", "ignored", "default"]


class OfSpaceRequest(OperationRequest):
    """One space; None stands for all."""

    space: Annotated[str | None, Field(min_length=1, max_length=200)] = None


class NoArguments(OperationRequest):
    """No arguments."""


def refusal(error: ValidationError) -> str:
    """What is wrong with the first thing a request was refused for, in a sentence."""
    first = error.errors()[0]
    name = ".".join(map(str, first["loc"])).replace("_", "-")
    limits = first.get("ctx", {})
    match first["type"]:
        case "string_too_short":
            return f"{name} takes at least {_characters(limits['min_length'])}."
        case "string_too_long":
            return f"{name} takes at most {_characters(limits['max_length'])}."
        case kind if kind.startswith("datetime"):
            return f'"{first["input"]}" is no date: write 2026-01-17 or 2026-01-17T18:30.'
    return f"{name}: {first['msg']}."


def _characters(count: int) -> str:
    return f"{count:,} character{'' if count == 1 else 's'}"
