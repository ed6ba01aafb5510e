"""The words of a turn as they come in, and what the offline pet understands of them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.llm.offline.manners.reading import UNRECOGNISED, Recognition
from memory.rules.forgetting.narrowing import Narrowing
from memory.statements.extraction.model import Statement


class Intent(StrEnum):
    """What a message asks for; earlier ones win when it asks for several."""

    CONFIRM = "confirm"
    """Agrees to what was about to be forgotten; only what was said before tells."""
    DECLINE = "decline"
    """Wants nothing of it forgotten, as above."""
    NARROW = "narrow"
    """Means some of the lines of what was about to be forgotten, as above."""
    UNFORGET = "unforget"
    FORGET = "forget"
    WHY = "why"
    ABOUT_ME = "about_me"
    ABOUT_SOMEBODY = "about_somebody"
    QUESTION = "question"
    """Something that may have been told; what it is otherwise stands beside it, as its manner."""
    KEYWORDS = "keywords"
    """Names something and asks nothing: what surely was told of it, as is done by a search."""
    PASSED_ON = "passed_on"
    """Only repeats what others said, and says nothing to the pet."""
    MANNER = "manner"
    """Something that no told line answers."""
    TALK = "talk"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """The words of one turn as they came; `said_at` is aware, in the pet's time zone.

    `in_group`: others read the answer too.
    """

    text: str
    speaker: str
    said_at: datetime
    names: Collection[str] = ()
    in_group: bool = False
    before: Sequence[str] = ()
    """What the speaker said before, the latest first."""
    own_words: Sequence[str] = ()
    """What the pet answered before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Understanding:
    """One turn's words, understood: the statements in them, and one wish with its topic.

    `about` are the names of whom a question is about as a whole, `called` those of the pet.
    `in_group`: others read the answer too.
    """

    text: str
    speaker: str
    language: str
    wish: Intent
    topic: str = ""
    lines: Narrowing | None = None
    """The lines that are meant of what was shown."""
    otherwise: Intent | None = None
    """The wish, where what sounds like one to forget names nothing that is kept."""
    manner: Recognition = UNRECOGNISED
    """What the words are, whatever else is wished."""
    about: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    in_group: bool = False
    statements: tuple[Statement, ...] = ()
