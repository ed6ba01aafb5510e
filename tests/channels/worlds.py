"""Every world there is, by its name; those of channels that are not here are left out."""

import os
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from importlib import import_module
from importlib.util import find_spec

import pytest

from tests.channels.world import ChannelWorld

LONG = pytest.mark.skipif(
    "EKO_PEERS" not in os.environ, reason="takes minutes in all: with EKO_PEERS set, as in CI"
)
"""Marks trials of load over every channel."""

OpenWorld = Callable[[], AbstractAsyncContextManager[ChannelWorld]]

_PLACES: Mapping[str, str] = {
    "discord": "tests.channels.discord_world:open_discord_world",
    "matrix": "tests.channels.matrix_world:open_matrix_world",
    "telegram": "tests.channels.telegram_world:open_telegram_world",
    "whatsapp": "tests.channels.whatsapp_world:open_whatsapp_world",
    "whatsapp-agent": "tests.channels.whatsapp_agent_world:open_whatsapp_agent_world",
}


def names() -> list[str]:
    """The worlds that are here."""
    return [name for name, place in _PLACES.items() if find_spec(place.partition(":")[0])]


def opening(name: str) -> OpenWorld:
    """What opens a world; it skips the test where the world's software is not installed."""
    module, _, function = _PLACES[name].partition(":")
    opens: OpenWorld = getattr(import_module(module), function)
    return opens
