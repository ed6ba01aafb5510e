"""Which adapter serves which setting. Vendors are loaded only where a setting asks for them."""

import tomllib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, Protocol

from bot.agent.metered_voice import Transcriber
from bot.agent.prices import Price, PriceList, Rates
from bot.channels.local.uploads import UploadedPictures
from bot.channels.local.web_accounts import PLATFORM
from bot.channels.registry import CHANNELS
from bot.conversation.pictures import AttachedPictures, NoPictures, Pictures
from bot.conversation.unread_notes import PICTURES, UNREAD, UnreadNotices
from bot.diagnostics.findings import ChosenParts, Finding, Look
from bot.llm.local_servers import is_local
from bot.llm.offline.extraction import RuleExtractor
from bot.llm.offline.model import OfflinePet
from bot.llm.offline.summaries import RuleSummariser
from bot.llm.tasks.comparison import ModelJudge
from bot.llm.tasks.extraction import ModelExtractor
from bot.llm.tasks.fact_forms import FactForm
from bot.llm.tasks.summaries import ModelSummariser
from bot.platforms.plugin import AnyChannel, PetProfile, PlatformState
from bot.ports import FileStore, Model, Platform
from bot.wiring import settings as rule_factories
from config.sections.channel import ChannelSection
from config.sections.model import ModelSettings
from config.sections.obsidian import ObsidianSettings
from config.sections.web import WebSettings
from config.settings import Settings
from memory.learning.judging import BY_RULES, Judge
from memory.model.parts import NoteKind
from memory.ports import Clock
from memory.storage.search.term_counts import Vocabulary
from memory.storage.sqlite.database import Database
from observers.compaction import Summariser
from observers.ports import Extractor, NoteSource

CHANNEL_FOLDERS = "channels"
"""Where in the data folder each channel has one of its own."""

_SERVICES = {"anthropic": "https://api.anthropic.com", "openai": "https://api.openai.com"}
"""Where each provider's own service is."""


def thinks_offline(settings: Settings) -> bool:
    """Whether there is no language model: neither a key nor another server."""
    return not settings.model.is_chosen


def embeds_offline(settings: Settings) -> bool:
    """Whether the embedder that ships in the install is used."""
    chosen = settings.embedder
    return chosen.kind == "offline" or (chosen.kind == "auto" and chosen.api_key is None)


def embeds_locally(settings: Settings) -> bool:
    """Whether a model is used that was fetched onto this machine."""
    return settings.embedder.kind == "local"


def embeds_nothing(settings: Settings) -> bool:
    """Whether there is no embedder at all: recall goes by words, names and times."""
    return settings.embedder.kind == "none"


def indexes_embedded(settings: Settings) -> bool:
    """Whether vectors are kept in the data folder rather than on a server."""
    chosen = settings.vectors
    return chosen.kind == "edge" or (chosen.kind == "auto" and chosen.url is None)


def chosen_parts(settings: Settings) -> ChosenParts:
    """Which parts the doctor looks at."""
    model_url = settings.model.base_url or _SERVICES[settings.model.provider]
    return ChosenParts(
        data_dir=settings.data_dir,
        keys_file=Path(".env").absolute(),
        embedding=_embedding(settings),
        model_url=None if thinks_offline(settings) else model_url,
        model_is_local=not thinks_offline(settings) and is_local(model_url),
        notes=settings.obsidian.kind != "off",
        page=settings.web.enabled,
        dashboard=_dashboard(settings.web),
    )


def _dashboard(web: WebSettings) -> Literal["here", "by_tls", "refused", "in_the_open"]:
    """How the dashboard is served."""
    if not web.is_open:
        return "here"
    if web.insecure_dashboard:
        return "in_the_open"
    return "by_tls" if web.proxies else "refused"


def _embedding(settings: Settings) -> Literal["none", "offline", "local", "service"]:
    if embeds_nothing(settings):
        return "none"
    if embeds_locally(settings):
        return "local"
    return "offline" if embeds_offline(settings) else "service"


@asynccontextmanager
async def open_model(settings: Settings, clock: Clock) -> AsyncIterator[Model]:
    """The model the settings ask for, until the body ends."""
    if thinks_offline(settings):
        yield offline_pet(settings, clock)
        return
    model = served_model(settings.model)
    try:
        yield model
    finally:
        await model.close()


class ServedModel(Model, Protocol):
    """A model behind a service, with connections to it."""

    async def close(self) -> None:
        """Release them."""
        ...


def served_model(chosen: ModelSettings) -> ServedModel:
    """The adapter of the provider that is chosen; the only place that knows which there are."""
    from bot.llm.service.options import ServiceOptions

    options = ServiceOptions(
        api_key=chosen.api_key.get_secret_value() if chosen.api_key else "",
        model=chosen.name,
        base_url=chosen.base_url,
        timeout_s=chosen.timeout_s,
        background_timeout_s=chosen.background_timeout_s,
        retries=chosen.retries,
        prompt_caching=chosen.prompt_caching,
    )
    if chosen.provider == "openai":
        from bot.llm.chat_completions.openai import OpenAiModel

        return OpenAiModel(options)
    from bot.llm.messages_api.claude import ClaudeModel

    return ClaudeModel(options)


def offline_pet(settings: Settings, clock: Clock) -> OfflinePet:
    """What answers from memory by rules."""
    names = (settings.pet.name, *settings.pet.aliases)
    return OfflinePet(clock, settings.zone, names)


def prices() -> PriceList:
    """What models cost, from the list that ships with the pet."""
    given = tomllib.loads((files("config") / "prices.toml").read_text("utf-8"))
    return PriceList(
        source=given["source"],
        as_of=given["as_of"],
        models={name: _price(one) for name, one in given["models"].items()},
    )


def _price(given: dict[str, Any]) -> Price:
    long = given.pop("long", None)
    if long is None:
        return Price(rates=Rates(**given))
    return Price(rates=Rates(**given), long_from=long.pop("from"), long=Rates(**long))


def sees_pictures(settings: Settings) -> bool:
    """Whether the model that is chosen is shown pictures."""
    return settings.model.vision and not thinks_offline(settings)


def unread_kinds(settings: Settings) -> frozenset[NoteKind]:
    """The kinds of what comes with messages that nothing of this pet can read."""
    return UNREAD if sees_pictures(settings) else UNREAD | PICTURES


def unread_notices(settings: Settings) -> UnreadNotices:
    """What remembers who was told that such a kind is not read."""
    listened = frozenset({NoteKind.VOICE}) if settings.voice.url is not None else frozenset()
    return UnreadNotices(unread_kinds(settings) - listened)


@asynccontextmanager
async def open_transcriber(settings: Settings) -> AsyncIterator[Transcriber | None]:
    """What writes down the words of voice notes, until the body ends; None where nothing does."""
    chosen = settings.voice
    if chosen.url is None:
        yield None
        return
    from bot.llm.service.options import ServiceOptions
    from bot.llm.transcription.openai_audio import OpenAiTranscriber

    options = ServiceOptions(
        api_key=chosen.api_key.get_secret_value() if chosen.api_key else "",
        model=chosen.model,
        base_url=chosen.url,
        timeout_s=chosen.timeout_s,
        retries=chosen.retries,
    )
    transcriber = OpenAiTranscriber(options)
    try:
        yield transcriber
    finally:
        await transcriber.close()


def pictures(
    settings: Settings, platforms: Sequence[Platform], uploads: UploadedPictures
) -> Pictures:
    """What shows the model the pictures of these platforms; nothing where it cannot see."""
    if not sees_pictures(settings):
        return NoPictures()
    return AttachedPictures(file_stores(platforms, uploads))


def file_stores(
    platforms: Sequence[Platform], uploads: UploadedPictures
) -> Mapping[str, FileStore]:
    """Where the files of messages are, by platform."""
    stores: dict[str, FileStore] = {one.platform: one.files for one in platforms if one.files}
    return {**stores, PLATFORM: uploads}


@asynccontextmanager
async def open_platforms(
    settings: Settings, channels: Sequence[AnyChannel] = CHANNELS
) -> AsyncIterator[Sequence[Platform]]:
    """The services elsewhere that the settings have an account for, until the body ends.

    A process that has a part of a service only, without what people write to the pet alone, is on
    no other: what comes there would be answered by each of the pet's processes.
    """
    partly = [one for one in channels if not _has_direct(settings, one)]
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(one.open(section, _profile(settings, one)))
            for one in partly or channels
            if one.is_chosen(section := section_of(settings, one))
        ]


def _has_direct(settings: Settings, channel: AnyChannel) -> bool:
    section = section_of(settings, channel)
    return not isinstance(section, ChannelSection) or section.has_direct


def _profile(settings: Settings, channel: AnyChannel) -> PetProfile:
    folder = _folder(settings, channel)
    return PetProfile(name=settings.pet.name, locale=settings.locale, folder=folder)


def _folder(settings: Settings, channel: AnyChannel) -> Path:
    return settings.data_dir / CHANNEL_FOLDERS / channel.name


def looks(
    settings: Settings, platforms: Sequence[Platform], channels: Sequence[AnyChannel]
) -> Sequence[Look]:
    """What looks at each channel for the doctor, used or not."""
    return [partial(_look, settings, platforms, one) for one in channels]


async def _look(settings: Settings, platforms: Sequence[Platform], channel: AnyChannel) -> Finding:
    here = next((one for one in platforms if one.platform == channel.name), None)
    state = replace(_state(here), folder=_folder(settings, channel))
    return await channel.look(section_of(settings, channel), state)


def _state(platform: Platform | None) -> PlatformState:
    if platform is None or not platform.is_connected:
        return PlatformState(connected=False, platform=platform)
    known = platform.communities
    if known is None:
        return PlatformState(connected=True, platform=platform)
    away, gated = known.away(), tuple(known.gated())
    return PlatformState(connected=True, away=away, gated=gated, platform=platform)


def section_of(settings: Settings, channel: AnyChannel) -> object:
    """What the settings choose for a channel, under its name."""
    return getattr(settings, channel.name)


def extractor(settings: Settings, model: Model, form: FactForm, name: str) -> Extractor:
    """What finds facts: rules where there is no model, else the model with the prompt `name`."""
    if thinks_offline(settings):
        return RuleExtractor()
    rules = prompt(name).replace("{facts}", prompt("facts").strip())
    return ModelExtractor(model, form, prompt=rules)


def judge(settings: Settings, model: Model, vocabulary: Vocabulary) -> Judge:
    """What judges statements in the background; a turn judges by rules alone."""
    if thinks_offline(settings):
        return BY_RULES
    return ModelJudge(model, vocabulary, prompt=prompt("judge"), zone=settings.zone)


def summariser(settings: Settings, model: Model, database: Database) -> Summariser:
    """What summarises conversations: rules where there is no model."""
    zone = settings.zone
    if thinks_offline(settings):
        called = (settings.pet.name, *settings.pet.aliases)
        return RuleSummariser(Vocabulary(database, "turns"), zone=zone, called=called)
    return ModelSummariser(model, prompt=prompt("summary"), zone=zone)


def turn_prompt(settings: Settings) -> str:
    """The rules of a turn, with those of the tools that its model has."""
    tools = "tools_compact" if rule_factories.has_compact_tools(settings) else "tools_full"
    return prompt("turn").replace("{tools}", prompt(tools).strip())


def prompt(name: str) -> str:
    """The text of a prompt that ships with the pet."""
    return (files("config") / "prompts" / f"{name}.md").read_text("utf-8")


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
