"""What people asked the pet to leave alone."""

from dataclasses import dataclass
from datetime import datetime

from memory.model.audience import Audience
from memory.model.shown import Shown

LONGEST_TOPIC = 80
"""Characters of a topic: a few words, not a story."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietTopic:
    """A topic that is not to be brought up with one person.

    It may be named, even to that person, only where `audience` may read.
    """

    topic: Shown[str]
    audience: Audience
    since: Shown[datetime]
