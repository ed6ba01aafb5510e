"""The comparison with the real mem0, for whoever names a Python that has it."""

import os
from pathlib import Path
from typing import Any

import pytest

from benchmarks.peers import Setup, measure

FILE = Path(__file__).parents[1] / "data" / "lighthouse.json"

needs_mem0 = pytest.mark.skipif(
    "EKO_MEM0" not in os.environ, reason="EKO_MEM0 does not name a Python that has mem0ai"
)


@needs_mem0
async def test_mem0_keeps_and_finds_the_same_texts() -> None:
    """Every turn under its own id, nearest first, by vectors that it was given."""
    found: dict[str, Any] = await measure(Setup(file=FILE, python=Path(os.environ["EKO_MEM0"])))
    assert found["texts"] == 20
    assert found["mem0_version"][0].isdigit()
    assert found["mem0"]["recall@20"] == 1.0
    assert found["mem0"]["mrr"] > 0.5
