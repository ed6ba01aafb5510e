"""Codes that join two accounts into one person, or bring an account back. Values."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from hashlib import blake2b

from memory.model.elsewhere import NOWHERE, Elsewhere
from memory.model.people import AccountId, PersonId
from memory.model.shown import Shown

SIGNS = "ACDEFGHJKMNPQRTVWXY34679"
"""Letters and digits of which none is read, or heard, for another: no O and 0, no B and 8."""

LENGTH = 8
"""Signs of a code: with the five tries of an account one in a hundred billion is found by none."""

OPEN_FOR = timedelta(minutes=10)
"""How long a code can be entered."""

MOST_TRIES = 5
"""Wrong codes that an account may enter within `OPEN_FOR`."""

RECOVERY_LENGTH = 20
"""Signs of a recovery code, which is open for long and to everybody who reaches the page: its 91
bits need no limit on tries."""

_GROUP = 4
"""Signs that are read at once."""
_HASH = 16
"""Bytes of the hash of a code."""


class Moved(StrEnum):
    """What goes from one person to another."""

    MESSAGES = "messages"
    EXCHANGES = "exchanges"
    STATEMENTS = "statements"
    FACTS = "facts"
    REMINDERS = "reminders"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account of a person, and what it goes by there."""

    platform: Shown[str]
    name: Shown[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecoveredAccount:
    """Whose account a recovery code was for; without a name where nothing was said from it."""

    platform: str
    external_id: str
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedAccount:
    """An account, what it goes by, and whose it is."""

    person: Shown[PersonId]
    account: Shown[AccountId]
    name: Shown[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """What entering a code would do.

    `joining` are the accounts of the person who enters it, `staying` those of the one who gave
    it; `counts` says how many rows would change hands.
    """

    joining: tuple[Account, ...]
    staying: tuple[Account, ...]
    counts: Mapping[Moved, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Two people who are one now: `person` owns these accounts of both.

    `counts` says how many rows of `merged` change hands.
    """

    person: PersonId
    merged: PersonId
    accounts: tuple[Account, ...]
    counts: Mapping[Moved, int]
    elsewhere: Elsewhere = NOWHERE
    """Which other processes of the pet have joined them too, as far as is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosure:
    """What one of two people told alone, and the other's direct rooms recall once they are joined.

    `spaces` are communities that the owner let this one know and not the other.
    """

    statements: Shown[int]
    messages: Shown[int]
    spaces: Shown[tuple[str, ...]]
    observed: Shown[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinPreview:
    """Two people who are to be one: `merged` becomes `person`, with all accounts of both.

    `counts` says how many rows of `merged` change hands, `clashes` how many core facts end because
    a later one says otherwise.
    """

    person: Shown[PersonId]
    merged: Shown[PersonId]
    joining: Shown[tuple[OwnedAccount, ...]]
    staying: Shown[tuple[OwnedAccount, ...]]
    counts: Shown[Mapping[Moved, int]]
    told_by_joining: Shown[Disclosure]
    told_by_staying: Shown[Disclosure]
    clashes: Shown[int]

    @property
    def ends_observation(self) -> bool:
        """Whether one of them opted out of being read along with, which binds both."""
        return self.told_by_joining.observed != self.told_by_staying.observed


@dataclass(frozen=True, slots=True, kw_only=True)
class Splitting:
    """What splitting accounts off their person moves, and the accounts that stay with them.

    `counts` says how many rows change hands; `others` leave with the first.
    """

    leaving: Account
    staying: tuple[Account, ...]
    counts: Mapping[Moved, int]
    others: tuple[Account, ...] = ()
    elsewhere: Elsewhere = NOWHERE
    """Which other processes of the pet have split them too, as far as is known."""


def new_code(length: int = LENGTH) -> str:
    """A random code."""
    return "".join(secrets.choice(SIGNS) for _ in range(length))


def shown(code: str) -> str:
    """A code as it is told to people: in groups."""
    return "-".join(code[at : at + _GROUP] for at in range(0, len(code), _GROUP))


def bare(text: str) -> str:
    """A code as it was typed, without what stands between its letters and digits."""
    return "".join(filter(str.isalnum, text.upper()))


def hashed(code: str, key: bytes) -> str:
    """What is kept of a code: a keyed BLAKE2b (RFC 7693) of its signs."""
    return blake2b(code.encode(), digest_size=_HASH, key=key).hexdigest()
