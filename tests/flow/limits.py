"""Limits that no test reaches, but for those that mean to."""

from datetime import timedelta

from bot.agent.loop import LoopLimits
from bot.agent.tools.recall_deeply import BranchRules
from bot.conversation.arrival_rates import Rate, RateRules
from bot.conversation.prompt.context import Surroundings
from bot.conversation.rate_limit import LoopRules
from memory.model.room_excerpts import ExcerptLimits
from memory.storage.conversations.room_excerpts import RoomExcerpts
from memory.storage.conversations.session_backgrounds import SessionBackgrounds
from tests.patience import PATIENCE_S
from tests.storage import StorageParts

LOOPS = LoopRules(
    per_person=1000,
    per_room=1000,
    window=timedelta(seconds=60),
    pause=timedelta(seconds=60),
    longest_pause=timedelta(hours=1),
)
"""Nobody is taken for a program, though a test's clock stands still."""

RATES = RateRules(
    account=Rate(burst=100_000, per_minute=1),
    room=Rate(burst=100_000, per_minute=1),
    address=Rate(burst=100_000, per_minute=1),
    overheard_account=Rate(burst=100_000, per_minute=1),
    overheard_room=Rate(burst=100_000, per_minute=1),
)
"""Nobody comes too fast, for the same reason."""

LIMITS = LoopLimits(rounds=5, calls=12, tokens=100_000, timeout_s=PATIENCE_S)
"""What one answer may take, but for the time."""

EXCERPTS = ExcerptLimits(reach=timedelta(minutes=30), most_lines=20, most_tokens=600)
"""What one turn is told of its room: the pet's own numbers."""

BRANCH = BranchRules(
    system="Search.",
    locale="fr",
    max_turns=4,
    max_tokens=300,
    most_calls=12,
    most_tokens=1000,
    timeout_s=10,
)
"""A branch whose limits a test can reach."""


def surroundings_on(storage: StorageParts) -> Surroundings:
    """What is known of where a session is, on these tables."""
    return Surroundings(
        excerpts=RoomExcerpts(storage.database, storage.clock, EXCERPTS),
        backgrounds=SessionBackgrounds(storage.database, storage.clock),
    )
