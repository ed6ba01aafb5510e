"""Which adapter serves which setting. Vendors are loaded only where a setting asks for them."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from bot.conversation.pictures import AttachedPictures, NoPictures, Pictures
from bot.diagnostics.findings import ChosenParts, DiscordChecker
from bot.llm.offline.extraction import RuleExtractor
from bot.llm.offline.model import OfflinePet
from bot.llm.offline.summaries import RuleSummariser
from bot.llm.tasks.comparison import ModelJudge
from bot.llm.tasks.extraction import ModelExtractor
from bot.llm.tasks.fact_forms import FactForm
from bot.llm.tasks.summaries import ModelSummariser
from bot.ports import Model, Platform
from config.sections.obsidian import ObsidianSettings
from config.settings import Settings
from memory.embedders.none import NoEmbedder
from memory.embedders.wordllama import OfflineEmbedder
from memory.learning.store import BY_RULES, Judge
from memory.model.rooms import RoomRole
from memory.ports import Clock, Embedder, Fingerprint, VectorIndex
from memory.storage.database import Database
from memory.storage.search.term_counts import Vocabulary
from memory.vectorstores.edge.index import EdgeIndex, remove_shards
from memory.vectorstores.in_memory import InMemoryIndex
from observers.compaction import Summariser
from observers.ports import Extractor, NoteSource


def thinks_offline(settings: Settings) -> bool:
    """Whether there is no language model: neither a key nor another server."""
    return settings.model.api_key is None and settings.model.base_url is None


def embeds_offline(settings: Settings) -> bool:
    """Whether the embedder that ships in the install is used."""
    chosen = settings.embedder
    return chosen.kind == "offline" or (chosen.kind == "auto" and chosen.api_key is None)


def embeds_nothing(settings: Settings) -> bool:
    """Whether there is no embedder at all: recall goes by words, names and times."""
    return settings.embedder.kind == "none"


def indexes_embedded(settings: Settings) -> bool:
    """Whether vectors are kept in the data folder rather than on a server."""
    chosen = settings.vectors
    return chosen.kind == "edge" or (chosen.kind == "auto" and chosen.url is None)


def anatomy(settings: Settings) -> ChosenParts:
    """Which parts the doctor looks at."""
    model_url = settings.model.base_url or "https://api.anthropic.com"
    return ChosenParts(
        data_dir=settings.data_dir,
        embedding=_embedding(settings),
        vectors="edge" if indexes_embedded(settings) else "server",
        model_url=None if thinks_offline(settings) else model_url,
        notes=settings.obsidian.kind != "off",
        page=settings.web.enabled,
    )


def _embedding(settings: Settings) -> Literal["none", "offline", "service"]:
    if embeds_nothing(settings):
        return "none"
    return "offline" if embeds_offline(settings) else "service"


def discord_look(settings: Settings) -> DiscordChecker | None:
    """What looks at Discord for the doctor; None without a token."""
    chosen = settings.discord
    if chosen.token is None:
        return None
    from bot.channels.discord.probe import DiscordProbe

    return DiscordProbe(chosen.token.get_secret_value(), api_url=chosen.api_url)


@asynccontextmanager
async def open_model(settings: Settings, clock: Clock) -> AsyncIterator[Model]:
    """The model the settings ask for, until the body ends."""
    if thinks_offline(settings):
        names = (settings.pet.name, *settings.pet.aliases)
        yield OfflinePet(clock, ZoneInfo(settings.timezone), names)
        return
    from bot.llm.messages_api.claude import ClaudeModel, ClaudeOptions

    chosen = settings.model
    model = ClaudeModel(
        ClaudeOptions(
            api_key=chosen.api_key.get_secret_value() if chosen.api_key else "",
            model=chosen.name,
            base_url=chosen.base_url,
            timeout_s=chosen.timeout_s,
            retries=chosen.retries,
            prompt_caching=chosen.prompt_caching,
        )
    )
    try:
        yield model
    finally:
        await model.close()


@asynccontextmanager
async def open_pictures(settings: Settings) -> AsyncIterator[Pictures]:
    """What shows the model pictures, until the body ends; nothing where it cannot see."""
    chosen = settings.discord
    if not settings.model.vision or thinks_offline(settings) or chosen.token is None:
        yield NoPictures()
        return
    from bot.channels.discord.inbound.cdn import Cdn

    cdn = Cdn(is_trial=chosen.api_url is not None)
    try:
        yield AttachedPictures({"discord": cdn})
    finally:
        await cdn.close()


def platforms(settings: Settings) -> Sequence[Platform]:
    """The services elsewhere that the settings have an account for."""
    chosen = settings.discord
    if chosen.token is None:
        return ()
    from bot.channels.discord.channel import DiscordChannel
    from bot.channels.discord.connection import DiscordOptions
    from bot.channels.discord.outbound.sender import SendingRules

    options = DiscordOptions(
        token=chosen.token.get_secret_value(),
        pet_name=settings.pet.name,
        locale=settings.locale,
        default_role=RoomRole(chosen.default_role),
        sending=SendingRules(face=chosen.expression),
        api_url=chosen.api_url,
    )
    return (DiscordChannel(options),)


def extractor(settings: Settings, model: Model, form: FactForm, name: str) -> Extractor:
    """What finds facts: rules where there is no model, else the model with the prompt `name`."""
    if thinks_offline(settings):
        return RuleExtractor()
    return ModelExtractor(model, form, prompt=prompt(name))


def judge(settings: Settings, model: Model, vocabulary: Vocabulary) -> Judge:
    """What judges statements in the background; a turn judges by rules alone."""
    if thinks_offline(settings):
        return BY_RULES
    return ModelJudge(model, vocabulary, prompt=prompt("judge"))


def summariser(settings: Settings, model: Model, database: Database) -> Summariser:
    """What summarises conversations: rules where there is no model."""
    zone = ZoneInfo(settings.timezone)
    if thinks_offline(settings):
        called = (settings.pet.name, *settings.pet.aliases)
        return RuleSummariser(Vocabulary(database, "turns"), zone=zone, called=called)
    return ModelSummariser(model, prompt=prompt("summary"), zone=zone)


def prompt(name: str) -> str:
    """The text of a prompt that ships with the pet."""
    return (files("config") / "prompts" / f"{name}.md").read_text("utf-8")


@asynccontextmanager
async def open_embedder(settings: Settings) -> AsyncIterator[Embedder]:
    """The embedder the settings ask for, until the body ends."""
    if embeds_nothing(settings):
        yield NoEmbedder()
        return
    if embeds_offline(settings):
        yield OfflineEmbedder()
        return
    from memory.embedders.voyage import VoyageEmbedder, VoyageService

    chosen = settings.embedder
    yield VoyageEmbedder(
        VoyageService(
            api_key=chosen.api_key.get_secret_value() if chosen.api_key else "",
            model=chosen.model,
            dimension=chosen.dimension,
            base_url=chosen.base_url,
            timeout_s=chosen.timeout_s,
            attempts=chosen.retries + 1,
        )
    )


@asynccontextmanager
async def open_vault(settings: Settings) -> AsyncIterator[NoteSource | None]:
    """The vault the settings ask for, until the body ends; None without one or an audience."""
    chosen = settings.obsidian
    if chosen.kind == "off" or chosen.audience is None:
        yield None
        return
    if chosen.kind == "folder":
        yield _vault_folder(chosen)
        return
    from memory.vaults.rest import ObsidianRest, RestOptions

    vault = ObsidianRest(
        RestOptions(
            url=chosen.url,
            api_key=chosen.api_key.get_secret_value() if chosen.api_key else "",
            fingerprint=chosen.fingerprint,
            ca_file=None if chosen.ca_file is None else Path(chosen.ca_file),
            timeout_s=chosen.timeout_s,
            most_bytes=chosen.most_bytes,
        )
    )
    try:
        yield vault
    finally:
        await vault.close()


def _vault_folder(chosen: ObsidianSettings) -> NoteSource:
    from memory.vaults.folder import VaultFolder

    folder = Path(chosen.folder or "").expanduser().absolute()
    return VaultFolder(folder, most_bytes=chosen.most_bytes)


@asynccontextmanager
async def open_index(
    settings: Settings, folder: Path, fingerprint: Fingerprint
) -> AsyncIterator[VectorIndex]:
    """The vector store the settings ask for, flushed and released when the body ends."""
    index = await _index(settings, folder, fingerprint)
    try:
        yield index
    finally:
        await index.close()


async def _index(settings: Settings, folder: Path, fingerprint: Fingerprint) -> VectorIndex:
    chosen = settings.vectors
    if not (fingerprint.embeds and indexes_embedded(settings)):
        await asyncio.to_thread(remove_shards, folder, chosen.prefix)
    if not fingerprint.embeds:
        return InMemoryIndex(fingerprint)  # where there are no vectors it stays empty
    if indexes_embedded(settings):
        return await EdgeIndex.open(
            folder, fingerprint, prefix=chosen.prefix, timeout_s=chosen.timeout_s
        )
    from memory.vectorstores.qdrant import QdrantIndex

    return QdrantIndex.at(
        chosen.url or "",
        fingerprint,
        api_key=chosen.api_key.get_secret_value() if chosen.api_key else None,
        prefix=chosen.prefix,
        timeout_s=chosen.timeout_s,
    )
