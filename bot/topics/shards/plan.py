"""How many processes a pet needs, and what each takes, from counts. Pure; docs/shards.md."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from bot.model.shards import ShardRange

GUILDS_OF_SHARD = 1000
"""Discord recommends a further shard from so many servers on, and requires it at 2,500."""

SHARDS_OF_PROCESS = 16
"""They begin five and a half seconds apart: sixteen are there after a minute and a half."""

MESSAGE_BYTES = 450
"""A message with its indexes, measured."""

STATEMENT_BYTES = 970 + 900 + 2048
"""A statement, its vector in SQLite and its entry in the embedded index, measured."""

MESSAGES_OF_STATEMENT = 20
"""One lasting statement of so many messages: an assumption."""

STATEMENTS_OF_FOLDER = 1_000_000
"""The largest memory that was measured; of a larger one it is not known how fast it recalls."""

PERSON_BYTES = 1000
"""A person with an account and the names they go by."""

PROCESS_BYTES = 350_000_000
"""A process without a guild, measured: the embedder that ships, the index and the database."""

GUILD_BYTES = 12_000
"""A server in memory with 15 channels and 12 roles, measured with 2,600 of them; members are not
kept there."""

REVIEW_USERS = 10_000
"""From so many people on Discord reviews yearly why a bot reads messages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PetSize:
    """What a pet is to be planned for; `days` is how long everything is kept."""

    guilds: int
    members: int
    messages_a_day: int
    days: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardPlan:
    """Processes by their shards, what each takes, and what is to be known besides."""

    processes: Sequence[ShardRange]
    guilds: int
    messages: int
    memory_bytes: int
    disk_bytes: int
    needs_review: bool


def planned(counts: PetSize) -> ShardPlan:
    """The smallest number of processes that stays within what was measured."""
    messages = counts.messages_a_day * counts.days
    shards = max(ceil(counts.guilds / GUILDS_OF_SHARD), 1)
    folders = ceil(messages / MESSAGES_OF_STATEMENT / STATEMENTS_OF_FOLDER)
    processes = max(ceil(shards / SHARDS_OF_PROCESS), folders, 1)
    each = max(ceil(shards / processes), 1)
    total = each * processes
    guilds, kept = ceil(counts.guilds / processes), ceil(messages / processes)
    people = ceil(counts.members / processes)
    return ShardPlan(
        processes=[
            ShardRange(first=first, last=first + each - 1, total=total)
            for first in range(0, total, each)
        ],
        guilds=guilds,
        messages=kept,
        memory_bytes=PROCESS_BYTES + guilds * GUILD_BYTES,
        disk_bytes=kept * MESSAGE_BYTES
        + ceil(kept / MESSAGES_OF_STATEMENT) * STATEMENT_BYTES
        + people * PERSON_BYTES,
        needs_review=counts.members >= REVIEW_USERS,
    )
