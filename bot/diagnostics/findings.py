"""What the doctor looks at and finds: values, and the look at what is outside."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal, Protocol


class PartState(StrEnum):
    """How a part is."""

    OK = "ok"
    NOTE = "note"
    """It works, or is not used; there is something to know."""
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One part: `said` and `todo` name texts under `doctor`, filled by `values`."""

    part: str
    state: PartState
    said: str
    todo: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)


class Login(StrEnum):
    """What came of showing Discord the token."""

    WORKS = "works"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordSight:
    """What was seen of Discord: nothing but the login and the invitation where it does not work.

    `guilds` is None where Discord does not say in how many servers it is.
    """

    login: Login
    name: str = ""
    reads_content: bool = False
    guilds: int | None = None
    invite: str = ""


class DiscordChecker(Protocol):
    """Looks at Discord."""

    async def look(self) -> DiscordSight:
        """What the token is good for now; never fails."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenParts:
    """Which parts the settings ask for. `model_url` is None where there is no language model."""

    data_dir: Path
    embedding: Literal["none", "offline", "service"]
    vectors: Literal["edge", "server"]
    model_url: str | None
    notes: bool
    page: bool
