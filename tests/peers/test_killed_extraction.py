"""The daemon is killed while it learns from conversations: each stretch is learnt from once."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.peers.daemon import Daemon, awake, kept
from tests.peers.thinker import Thinker, thinker

WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
SPANS = 3


def listening(service: Thinker) -> Mapping[str, str]:
    """A daemon that talks and learns nothing yet."""
    return {**service.settings, "EKO_EXTRACTION__ENABLED": "false"}


def learning(service: Thinker) -> Mapping[str, str]:
    """One that reads what it was told at once, two exchanges at a time."""
    return {
        **service.settings,
        "EKO_EXTRACTION__IDLE_S": "0",
        "EKO_EXTRACTION__SPAN_TURNS": "2",
    }


async def told(data: Path, service: Thinker) -> None:
    """Tell a pet six words, and let it sleep."""
    async with awake(data, listening(service)) as daemon:
        for word in WORDS:
            await daemon.does("ask", text=f"j'aime {word}", name="David")
        assert await daemon.interrupted() == 0, daemon.output
    service.bodies.clear()


async def is_learnt_once(data: Path, daemon: Daemon) -> None:
    """Every word is a fact once, of the message that said it; nothing is open, all agrees."""
    sound = await daemon.does("verify")
    assert sound["result"]["sound"], sound
    assert await daemon.interrupted() == 0, daemon.output
    contents = [row[0] for row in kept(data, "SELECT content FROM memories ORDER BY content")]
    assert contents == sorted(f"David aime {word}" for word in WORDS)
    spans = kept(data, "SELECT state, facts FROM extraction_spans ORDER BY first_turn")
    assert spans == [("stored", 2)] * SPANS
    assert kept(data, "SELECT count(*) FROM sessions WHERE last_turn > extracted_to") == [(0,)]
    assert kept(data, "SELECT count(DISTINCT message_id) FROM memory_sources") == [(6,)]


@pytest.mark.parametrize("held", [1, 2, 3])
async def test_an_extraction_that_is_killed_goes_on_at_the_next_start(
    tmp_path: Path, held: int
) -> None:
    """Killed while the model reads its first, second or third stretch."""
    data = tmp_path / "data"
    async with thinker() as service:
        await told(data, service)
        service.holds = frozenset({held})
        async with awake(data, learning(service)) as daemon:
            await service.was_asked(held)
            await daemon.killed()
        async with awake(data, learning(service)) as daemon:
            await daemon.has_written("conversations.extracted")
            await is_learnt_once(data, daemon)
        assert len(service.bodies) == SPANS + 1


async def test_an_extraction_that_is_killed_as_it_stores_is_not_done_again(tmp_path: Path) -> None:
    """Whichever of its last writes were made: the next start makes the others, once."""
    data = tmp_path / "data"
    async with thinker() as service:
        await told(data, service)
        async with awake(data, learning(service)) as daemon:
            await service.was_asked(SPANS)
            await daemon.killed()
        async with awake(data, learning(service)) as daemon:
            if kept(data, "SELECT 1 FROM sessions WHERE last_turn > extracted_to"):
                await daemon.has_written("conversations.extracted")
            await is_learnt_once(data, daemon)
        assert len(service.bodies) in {SPANS, SPANS + 1}
