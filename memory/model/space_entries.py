"""Entries of an export that only a space's has: what was chosen there, and what was forgotten."""

from typing import Annotated, Literal

from pydantic import Field

from memory.model.export_fields import CheckedEntry, Forgotten, Key, Mark, Moment, Name


class SpaceSettingEntry(CheckedEntry):
    """One thing that was chosen for a space or one of its rooms; `value` is a role or language.

    A person is named where the owner let them know the space.
    """

    entry: Literal["space_setting"] = "space_setting"
    kind: Literal["greeted", "everyone_role", "pause", "member", "room", "checkins"]
    space: Key
    room: Key | None
    person: Key | None
    value: Name
    confidential: bool
    at: Moment
    until: Moment | None


class MarksKeyEntry(CheckedEntry):
    """A key under which the marks of what was forgotten were made."""

    entry: Literal["marks_key"] = "marks_key"
    key: Annotated[str, Field(pattern="^([0-9a-f]{2}){16,64}$")]


class TombstoneEntry(CheckedEntry):
    """What is not learnt again: marks of a forgotten text (memory/rules/forgetting/tombstones.py).

    `forgetting` is the name of its key with the number that the forgetting had there.
    """

    entry: Literal["tombstone"] = "tombstone"
    forgetting: Forgotten
    kind: Literal["message", "memory", "knowledge"]
    audience: Key
    content: Mark
    stems: tuple[Mark, ...]
    telling: tuple[Mark, ...]
    forgotten_at: Moment


class ValueMarkEntry(CheckedEntry):
    """A value that is masked when it comes in, until the `person` whose it was says it again."""

    entry: Literal["value_mark"] = "value_mark"
    forgetting: Forgotten
    audience: Key
    mark: Mark
    person: Key | None
    forgotten_at: Moment
