"""Hostile lines in a lobby: the digest by rules reads them without holding the pet."""

import time
from pathlib import Path
from zoneinfo import ZoneInfo

from bot.llm.offline.extraction import RuleExtractor
from observers.digest import Digest, DigestRules
from tests.notices import NotedNotices
from tests.storage import open_truth, overhear

_MOST_S = 5.0
"""Processor seconds of the digest with all around it; with the fault it took 9 and more."""

_RULES = DigestRules(
    chunk_messages=40,
    chunk_chars=200_000,
    overlap_messages=2,
    attempts=2,
    zone=ZoneInfo("Europe/Paris"),
)


async def test_five_lines_of_blanks_are_digested_at_once(tmp_path: Path) -> None:
    """As they could stand in a database from before, longer than any inbox lets in today."""
    async with open_truth(tmp_path) as storage:
        lines = [f"I live in Paris{' ' * 19_900}x{number}" for number in range(5)]
        await overhear(storage, *lines, "I live in Lyon.")
        digest = Digest(storage.digests, storage.learning, RuleExtractor(), _RULES, NotedNotices())
        begun = time.process_time()
        report = await digest.run()
        took_s = time.process_time() - begun
        assert (report.messages, report.quarantined) == (6, 0)
        assert report.facts >= 1
        assert took_s < _MOST_S
