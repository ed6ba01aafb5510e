"""A store for one evaluation: the pet as it is configured, with another past, for a while."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from os import cpu_count, getloadavg
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.evaluation.ingestion import IngestedConversation, take_in
from benchmarks.evaluation.locomo import Conversation
from bot.data_folder import MODELS
from bot.errors import BotError
from bot.wiring.app import App, open_app
from config.sections.learning import DigestSettings, ExtractionSettings
from config.sections.vectors import VectorSettings
from config.settings import Settings
from memory.clock import FrozenClock

Said = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and of how much."""

UNHURRIED_MS = 10_000
"""Time limit of a search and an embedding here: a busy machine must not change what is found. It
is longer where more wants to run than there are processors."""


class TrialRefused(BotError):
    """An evaluation cannot be run with these settings."""


@dataclass(frozen=True, slots=True)
class EmptyTrial:
    """A pet that has heard nothing, and its clock."""

    app: App
    clock: FrozenClock


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A pet that has heard conversations and nothing else."""

    app: App
    clock: FrozenClock
    places: tuple[IngestedConversation, ...]


def trial_settings(settings: Settings, embedder: str | None, fusion: str | None) -> Settings:
    """The user's settings with what an option replaces; nothing of the trial goes elsewhere.

    Raises:
        TrialRefused: voyage was asked for and cannot be called.

    """
    chosen = settings.embedder
    if embedder == "voyage" and chosen.api_key is None and chosen.base_url is None:
        raise TrialRefused("--embedder voyage needs VOYAGE_API_KEY, or a base_url in [embedder].")
    patience_ms = unhurried_ms(_waiting())
    recall = {"deadline_ms": patience_ms, "embed_timeout_ms": patience_ms}
    return settings.model_copy(
        update={
            "embedder": chosen.model_copy(update={"kind": embedder or chosen.kind}),
            "vectors": VectorSettings(kind="edge"),
            "recall": settings.recall.model_copy(
                update=recall | ({"fusion": fusion} if fusion else {})
            ),
            "digest": DigestSettings(enabled=False),
            "extraction": ExtractionSettings(enabled=False),
            "rooms": (),
        }
    )


def unhurried_ms(waiting: float) -> int:
    """The time limit where so many tasks want each processor."""
    return round(UNHURRIED_MS * max(1.0, waiting))


def _waiting() -> float:
    """How many tasks want each processor, by the load of the last minute."""
    return getloadavg()[0] / (cpu_count() or 1)


@asynccontextmanager
async def empty_store(settings: Settings, begins: datetime) -> AsyncIterator[EmptyTrial]:
    """A pet in a temporary folder that has heard nothing yet, until the body ends.

    Afterwards nothing is left of it.
    """
    with TemporaryDirectory(prefix="eko-eval-") as folder:
        clock = FrozenClock(begins)
        inside = settings.model_copy(update={"data_dir": Path(folder)})
        (inside.data_dir / MODELS).symlink_to((settings.data_dir / MODELS).resolve())
        async with open_app(inside, clock) as app:
            yield EmptyTrial(app, clock)


@asynccontextmanager
async def trial(
    settings: Settings, conversations: Sequence[Conversation], said: Said, *, facts: bool
) -> AsyncIterator[Trial]:
    """A store that has heard these conversations, until the body ends.

    The clock stands after the last word of all.
    """
    async with empty_store(settings, conversations[0].ends) as empty:
        places = []
        for done, conversation in enumerate(conversations):
            said("hearing the conversations", done, len(conversations))
            places.append(await take_in(empty.app, empty.clock, conversation, facts=facts))
        said("hearing the conversations", len(places), len(places))
        empty.clock.at = max(place.asked_at for place in places)
        await empty.app.services.recall.warm_up()
        yield Trial(app=empty.app, clock=empty.clock, places=tuple(places))
