"""Of what a turn sends, nearly all is what the turn before has put into the provider's cache."""

import json

import pytest

from benchmarks.prefix import cached_shares, prefix_bytes, sent_text
from benchmarks.recorded_requests import twenty_turns
from bot.agent.toolbox import COMPACT

AIM = 0.9
"""The least share of each of turns 2 to 20 that is to be cached."""


@pytest.mark.parametrize("tools", ["full", "compact"])
async def test_twenty_turns_send_what_is_cached(tools: str) -> None:
    """As recorded by a service on loopback, with the marks that say where the cache ends."""
    bodies = await twenty_turns(tools)
    shares = cached_shares(bodies)
    assert len(shares) == 19
    assert min(shares) >= AIM
    assert all(json.dumps(body).count('"cache_control"') == 4 for body in bodies[1:])
    names = [tool["name"] for tool in bodies[0]["tools"]]
    assert (names == list(COMPACT)) is (tools == "compact")
    assert "{tools}" not in sent_text(bodies[0])


def test_a_byte_that_changes_ends_the_prefix() -> None:
    """Wherever it stands; where the marks stand changes nothing."""
    first = {"tools": [{"name": "a"}], "system": [], "messages": _said("un", "deux")}
    marked = {"type": "text", "text": "un", "cache_control": {"type": "ephemeral"}}
    moved = {**first, "messages": [{"role": "user", "content": [marked]}, *_said("deux")]}
    assert prefix_bytes(first) == prefix_bytes(moved)
    other = {**first, "messages": _said("un", "trois", "quatre")}
    assert 0 < cached_shares([first, other])[0] < 1
    assert cached_shares([first, first]) == [1.0]


def _said(*texts: str) -> list[dict[str, object]]:
    return [{"role": "user", "content": [{"type": "text", "text": text}]} for text in texts]
