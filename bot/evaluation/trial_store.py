"""A store for one evaluation: the pet as it is configured, with another past, for a while."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.data_folder import MODELS
from bot.errors import BotError
from bot.evaluation.ingestion import IngestedConversation, take_in
from bot.evaluation.locomo import Conversation
from bot.wiring.app import App, open_app
from config.sections.digest import DigestSettings
from config.sections.extraction import ExtractionSettings
from config.sections.vectors import VectorSettings
from config.settings import Settings
from memory.clock import FrozenClock

Said = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and of how much."""

UNHURRIED_MS = 10_000
"""Time limit of a search and an embedding here: a busy machine must not change what is found."""


class TrialRefused(BotError):
    """An evaluation cannot be run with these settings."""


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
    recall = {"deadline_ms": UNHURRIED_MS, "embed_timeout_ms": UNHURRIED_MS}
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


@asynccontextmanager
async def trial(
    settings: Settings, conversations: Sequence[Conversation], said: Said, *, facts: bool
) -> AsyncIterator[Trial]:
    """A store in a temporary folder that has heard these conversations, until the body ends.

    Afterwards nothing is left of it. The clock stands after the last word of all.
    """
    with TemporaryDirectory(prefix="eko-eval-") as folder:
        clock = FrozenClock(conversations[0].ends)
        inside = settings.model_copy(update={"data_dir": Path(folder)})
        (inside.data_dir / MODELS).symlink_to((settings.data_dir / MODELS).resolve())
        async with open_app(inside, clock) as app:
            places = []
            for done, conversation in enumerate(conversations):
                said("hearing the conversations", done, len(conversations))
                places.append(await take_in(app, clock, conversation, facts=facts))
            said("hearing the conversations", len(places), len(places))
            clock.at = max(place.asked_at for place in places)
            await app.services.recall.warm_up()
            yield Trial(app=app, clock=clock, places=tuple(places))
