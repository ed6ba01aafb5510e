"""The settings every benchmark runs with: the parts that ship in the install, and no schedule."""

from datetime import UTC
from pathlib import Path

from benchmarks.repetition import is_short
from bot.texts.catalogue import texts_in
from bot.texts.commands import OWN
from bot.texts.log_sentences import LogSentences
from config.logs import set_up_logs
from config.sections.daemon import LogSettings
from config.sections.digest import DigestSettings
from config.sections.rate_limit import RateSettings
from config.sections.recall import RecallSettings
from config.sections.vectors import EmbedderSettings, VectorSettings
from config.sections.web import WebSettings
from config.settings import Settings
from memory.storage.allocator import stop_counting_memory

RATES = dict.fromkeys(RateSettings.model_fields, 100_000)
"""Nothing is refused for its haste: what is measured is how fast it can be taken."""


PATIENT = RecallSettings(deadline_ms=10_000, embed_timeout_ms=30_000)
"""A run that only shows that it runs does not end because the machine is busy."""


def bench_settings(folder: Path) -> Settings:
    """The defaults, with the embedded parts whatever the environment says."""
    made = Settings(
        data_dir=folder,
        embedder=EmbedderSettings(kind="offline"),
        vectors=VectorSettings(kind="edge"),
        digest=DigestSettings(enabled=False),
        rates=RateSettings(**RATES),
        web=WebSettings(port=0),
    )
    return made.model_copy(update={"recall": PATIENT}) if is_short() else made


def prepare_process() -> None:
    """Do what the daemon does before it opens its data; only errors are logged."""
    set_up_logs(LogSettings(level="error"), LogSentences(texts_in(OWN), UTC))
    stop_counting_memory()
