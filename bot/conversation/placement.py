"""What becomes of a message: decided from its event and room, then with who said it. Pure.

What the event and the room settle alone is settled before anybody is looked up, so that what is
dropped never makes a person. Questions that change their object (whether the dispatcher takes a
line, whether the listener heeds a person) are put by the inbox, and only where a decision says so.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from bot.model.events import Inbound, InboundKind
from bot.texts.wordless import notes_alone
from memory.language.parts.reading import own_words
from memory.model.messages import Handling
from memory.model.parts import NoteKind
from memory.model.people import Person
from memory.model.rooms import Room, RoomRole

_GREETING = r"(?:(?:hey|hi|hello|ok|okay|dis|dis-moi|salut|bonjour|bonsoir|coucou|yo)\W{1,3})?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """When messages are handed in: as they are said, from a record, or after they were missed."""

    recorded: bool = False
    missed_at: datetime | None = None

    @property
    def is_now(self) -> bool:
        """Whether they come in as they are said."""
        return not self.recorded and self.missed_at is None

    def is_too_old(self, sent_at: datetime, max_age: timedelta) -> bool:
        """Whether it is too late to answer what was missed."""
        return self.missed_at is not None and self.missed_at - sent_at > max_age


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxRules:
    """The names the pet answers to, and how old a message may be to be answered.

    `listens` says that voice notes become words.
    """

    names: tuple[str, ...]
    pending_max_age: timedelta
    listens: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A message with its room as the pet has it; `text` is what is kept of its words."""

    inbound: Inbound
    room: Room
    text: str
    timing: Timing

    @property
    def is_message(self) -> bool:
        """Whether an account says it, and not the platform of itself."""
        return self.inbound.kind is InboundKind.MESSAGE

    @property
    def is_read_along(self) -> bool:
        """Whether it is learnt from though it does not speak to the pet.

        In a lobby it is, and what its owner brings along in a file is wherever it is put.
        """
        return self.room.role is RoomRole.LOBBY or self.inbound.brought is not None

    @property
    def is_unreadable(self) -> bool:
        """Whether it is nothing but a message of a kind that its channel cannot read."""
        return notes_alone(self.text) == {NoteKind.OTHER}

    def line(self, names: Sequence[str]) -> str:
        """The text as a command is read: "@Eko /help" calls the pet, then the command."""
        if self.text.startswith("/"):
            return self.text
        called = without_name(self.text, names)
        return called if called.startswith("/") else self.text


@dataclass(frozen=True, slots=True)
class Dropped:
    """Nothing of the message is kept."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing of the message is kept, since its author, room or address sends too many."""


@dataclass(frozen=True, slots=True)
class Filed:
    """The message is stored, and treated like this from then on."""

    handling: Handling


@dataclass(frozen=True, slots=True)
class Undecided:
    """What becomes of the message depends on its author.

    `for_commands` asks first whether the dispatcher takes its line as a command; `for_pet` says
    that it speaks to the pet otherwise.
    """

    for_commands: bool
    for_pet: bool


@dataclass(frozen=True, slots=True)
class Commanded:
    """The message is stored, and its line is a command to be answered now."""

    line: str


@dataclass(frozen=True, slots=True)
class ForPet:
    """The message speaks to the pet: it waits for an answer if its author is heeded at all."""


Admission = Dropped | Filed | Undecided
"""What event and room decide."""


Placement = Dropped | Filed | Commanded | ForPet
"""What is decided once the author is known."""


def admission(
    incoming: Incoming, rules: InboxRules, *, is_away: bool, names_command: bool
) -> Admission:
    """What becomes of a message, as far as its event and its room decide it.

    `is_away` says that the pet is to know nothing of that room and moment, `names_command` that
    the line is one of the commands, which are taken all the same.
    """
    is_live_command = incoming.is_message and incoming.timing.is_now and names_command
    if _is_ignored(incoming) or (is_away and not is_live_command):
        return Dropped()
    if not incoming.is_message:
        return Filed(_of_system(incoming))
    if not incoming.timing.recorded:
        return Undecided(for_commands=True, for_pet=_speaks_to_pet(incoming, rules))
    if incoming.is_read_along:
        return Undecided(for_commands=False, for_pet=False)
    return Dropped()


def placement(
    incoming: Incoming,
    undecided: Undecided,
    person: Person,
    rules: InboxRules,
    *,
    is_for_commands: bool,
) -> Placement:
    """What becomes of a message whose author is known; `is_for_commands` is the dispatcher's."""
    if is_for_commands:
        is_now = incoming.timing.is_now  # a command that was missed was for then
        return Commanded(incoming.line(rules.names)) if is_now else Filed(Handling.KEPT)
    is_late = incoming.timing.is_too_old(incoming.inbound.sent_at, rules.pending_max_age)
    if undecided.for_pet and not is_late:
        return ForPet()
    is_kept = person.observed and not incoming.is_unreadable
    if incoming.is_read_along and is_kept:
        return Filed(Handling.OBSERVED)
    return Filed(Handling.STALE) if undecided.for_pet else Dropped()


def _is_ignored(incoming: Incoming) -> bool:
    is_bot = incoming.inbound.author.is_bot
    return is_bot or not incoming.text or incoming.room.role is RoomRole.IGNORED


def _of_system(incoming: Incoming) -> Handling:
    """The pet reacts to what a platform says of itself where everything is answered."""
    is_answered = incoming.room.role is RoomRole.PET and incoming.timing.is_now
    return Handling.PENDING if is_answered else Handling.KEPT


def _speaks_to_pet(incoming: Incoming, rules: InboxRules) -> bool:
    if incoming.room.role is RoomRole.PET or incoming.inbound.mentions_pet:
        return True
    return addressed(own_words(incoming.text), rules.names)


def addressed(text: str, names: Sequence[str]) -> bool:
    """Whether the text calls one of the names: first, last after a comma, or after an @."""
    return any(_calls(name).search(text) is not None for name in names)


def without_name(text: str, names: Sequence[str]) -> str:
    """The text without the call itself: "Eko, where is David?" asks "where is David?"."""
    for name in names:
        text = _calls(name).sub(_keep_greeting, text)
    return text.strip()


@lru_cache(maxsize=64)
def _calls(name: str) -> re.Pattern[str]:
    word = re.escape(name)
    first = rf"^\s*(?P<greeting>{_GREETING})@?{word}\b(?!['’])\s*[,:;!?.]*"
    return re.compile(rf"{first}|@{word}\b|,\s*{word}\b(?=\W*$)", re.IGNORECASE)


def _keep_greeting(call: re.Match[str]) -> str:
    return call["greeting"] or ""
