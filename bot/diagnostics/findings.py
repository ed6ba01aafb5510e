"""What the doctor looks at and finds. Values."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal


class PartState(StrEnum):
    """How a part is."""

    OK = "ok"
    NOTE = "note"
    """It works, or is not used; there is something to know."""
    FAIL = "fail"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One part: `said` and `todo` name texts under `doctor`, filled by `values`.

    `texts` is the folder of the channel whose they are, None for those of the pet.
    """

    part: str
    state: PartState
    said: str
    todo: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    texts: Path | None = None


Look = Callable[[], Awaitable[Finding]]
"""Looks at one part now; never fails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenParts:
    """Which parts the settings ask for. `model_url` is None where there is no language model.

    `model_is_local`: its tokens cost nothing, so that it may be asked. `dashboard` is how it is
    served: to this machine, by TLS of a proxy, not at all for the lack of one, or in the open.
    """

    data_dir: Path
    keys_file: Path
    """Where keys are written down, if it exists."""
    embedding: Literal["none", "offline", "local", "service"]
    model_url: str | None
    model_is_local: bool
    notes: bool
    page: bool
    dashboard: Literal["here", "by_tls", "refused", "in_the_open"]


def ok(part: str, said: str, **values: object) -> Finding:
    """A part that works."""
    return Finding(part=part, state=PartState.OK, said=said, values=values)


def note(part: str, said: str, todo: str, **values: object) -> Finding:
    """A part that works, or is not used, and something to know of it."""
    return Finding(part=part, state=PartState.NOTE, said=said, todo=todo, values=values)


def fail(part: str, said: str, todo: str, **values: object) -> Finding:
    """A part that does not work."""
    return Finding(part=part, state=PartState.FAIL, said=said, todo=todo, values=values)
