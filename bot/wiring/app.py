"""The composition root: every part is made here, from the settings, by constructor arguments."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import structlog

from bot.channels.local.hub import LocalHub
from bot.channels.local.uploads import UploadedPictures
from bot.channels.registry import CHANNELS
from bot.commands.dispatcher import CommandDispatcher, registered_commands
from bot.commands.platform_dispatcher import PlatformDispatcher
from bot.conversation.inbox import Inbox
from bot.conversation.paced_inbox import PacedInbox
from bot.conversation.parts import AnswerSources, ConversationParts
from bot.conversation.voice.listening import Ears
from bot.data_folder import DATABASE, clear_unfinished, refuse_lost_database
from bot.diagnostics.owner_notices import NoticeOutlet, OwnerNoticeDesk
from bot.diagnostics.readiness import Readiness
from bot.model.authority import is_admin
from bot.platforms.introductions import SpaceIntroductions
from bot.platforms.parts import PlatformParts
from bot.platforms.past_reader import PastIntake, PastReader
from bot.platforms.plugin import AnyChannel
from bot.ports import Communities, Host, Model, Platform
from bot.reminders.dispatch import ReminderDispatch
from bot.siblings.desk import SiblingDesk
from bot.siblings.doing import DeedDesk
from bot.siblings.readers import PrivateReaders
from bot.texts.provenance import Provenance
from bot.transfer.upgrade_copies import (
    back_up_before_upgrade,
    clear_outdated_copies,
    way_back,
)
from bot.wiring import adapters as adapter_factories
from bot.wiring import settings as rule_factories
from bot.wiring.answering import answering_of
from bot.wiring.checkins import checkins_of
from bot.wiring.diagnostics import doctor_of, model_check_of, outlets_of
from bot.wiring.memory import (
    Adapters,
    Services,
    compose_tools,
)
from bot.wiring.siblings import open_siblings
from bot.wiring.spaces import open_spaces
from bot.wiring.tracing import open_tracing
from bot.wiring.voices import voices_of
from config.settings import SHARED_OUT, Settings
from memory.clock import SystemClock
from memory.model.errors import DatabaseTooNew, EkoMemoryError
from memory.model.people import PET_ACTOR
from memory.ports import MachineClock
from memory.storage.sqlite.database import Database, open_database
from memory.storage.storage import Storage
from memory.tasks import background_task, within
from memory.upkeep.live_settings import LiveSettings
from memory.vectorstores.in_use import EmbedderOfSpace, IndexOfSpace
from observers.schedule import next_slot

log = structlog.get_logger()


class App(ConversationParts, PlatformParts):
    """The pet, put together: what its channels, its observers and its commands work with.

    Every part is made here, in the order in which they need each other. `tasks` is what runs
    beside: one that ends by itself has failed.
    """

    def __init__(
        self,
        settings: Settings,
        adapters: Adapters,
        platforms: Sequence[Platform],
        channels: Sequence[AnyChannel],
    ) -> None:
        """The pet on `platforms`; `channels` are those that it could be on."""
        clock = adapters.clock
        self.tasks: list[asyncio.Task[None]] = []
        self.settings, self.clock, self.platforms = settings, clock, platforms
        self.embedder, self.index = adapters.embedder, adapters.index
        self.uploads = adapters.uploads
        self.storage = storage = Storage(adapters.database, adapters.embedder, clock)
        self.live_settings = LiveSettings(storage.settings, rule_factories.tuning(settings))
        outlets: list[NoticeOutlet] = []
        self.notices = OwnerNoticeDesk(outlets, clock)
        self.services = Services(settings, adapters, storage, self.live_settings, self.notices)
        self.siblings = self.services.siblings
        self.hub = LocalHub(pet_name=settings.pet.name, clock=clock)
        tools = compose_tools(settings, storage, self.live_settings, self.services)
        managers = {one.name: one.managers for one in channels}
        rules = rule_factories.conversation_rules(
            settings, adapter_factories.turn_prompt(settings), tools.of_model.specs, managers
        )
        ConversationParts.__init__(
            self,
            storage,
            {one.platform: one for one in (self.hub, *platforms)},
            AnswerSources(
                recall=adapters.tracing.recall(self.services.recall_everywhere),
                pictures=adapters.pictures,
                answering=answering_of(
                    settings,
                    clock,
                    self.services.model,
                    tools,
                    messages=storage.messages,
                    reacting=frozenset(one.name for one in channels if one.reacts),
                    tracing=adapters.tracing,
                ),
                unread=adapter_factories.unread_notices(settings),
                traced=adapters.tracing.path,
            ),
            rules,
        )
        self.replied += [
            lambda _: self.services.conversation_facts.wake(),
            lambda turn: self.services.after_reply.replied(turn.session),
        ]
        outlets += outlets_of(settings, storage.people, self.delivery)
        self.reminders = ReminderDispatch(
            storage.reminders,
            self.delivery,
            self.pausing,
            clock,
            rule_factories.dispatch_rules(settings),
        )
        self.checkins = checkins_of(settings, storage, self, self.services.model)
        self.writing_first = {one.name: one.writing_first for one in channels}
        self.readiness = Readiness(storage.health, adapters.embedder, adapters.index, clock)
        self.model_check = model_check_of(settings, rules.turn.prompt)
        self.doctor = doctor_of(
            settings,
            adapters,
            storage,
            self.services,
            pausing=self.pausing,
            model_check=self.model_check,
            channels=[
                *adapter_factories.looks(settings, platforms, channels),
                *self.siblings.looks,
            ],
        )
        readers = PrivateReaders(storage.people, self.register, platforms, SHARED_OUT)
        here = self.services.forgetting.here_alone
        self.sibling_desk = SiblingDesk(storage, self.services.recall, here, readers)
        self.sibling_deeds = DeedDesk(storage, here, readers)
        self.commands = CommandDispatcher(registered_commands(self), self.delivery)
        self.platform_commands = PlatformDispatcher(
            self.commands, self.register, storage.invocations, self.limiter
        )
        self.inbox = Inbox(
            storage.messages,
            self.register,
            self.listener,
            self.commands,
            rule_factories.inbox_rules(settings),
        )
        self.voices = voices_of(settings, storage, self.services.ears, self.inbox, self.hub)
        self.paced_inbox = PacedInbox(self.inbox, self.register, self.limiter)
        PlatformParts.__init__(self, storage, platforms, self.paced_inbox, self.delivery.resume)
        intake = PastIntake(
            inbox=self.inbox,
            register=self.register,
            histories=storage.histories,
            one_at_a_time=self.services.importing,
            learn=self.services.history_learning.wake,
        )
        self.past_reader = PastReader(storage.past_readings, platforms, intake, clock)

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which moments are read and written."""
        return self.settings.zone

    @property
    def provenance(self) -> Provenance:
        """What says where a statement comes from."""
        return Provenance(self.storage.people, self.clock)

    @property
    def communities(self) -> Mapping[str, Communities]:
        """What each platform that has communities knows of them now."""
        return {
            one.platform: known for one in self.platforms if (known := one.communities) is not None
        }

    def next_digest(self, now: datetime) -> datetime | None:
        """When the next digest begins; None if none is planned."""
        return next_slot(now, self.settings.digest.planned_hours, self.settings.digest_zone)


@asynccontextmanager
async def open_app(
    settings: Settings,
    clock: MachineClock | None = None,
    *,
    resuming: bool = False,
    platforms: Sequence[Platform] = (),
    channels: Sequence[AnyChannel] = CHANNELS,
    model: Model | None = None,
) -> AsyncIterator[App]:
    """The pet, listening and thinking until the body ends; then it finishes what it has begun.

    `resuming` sends what a crash left unsent and answers what it left unanswered, before anything
    new is received: a message that came in meanwhile would be heard twice. `platforms` are the
    services elsewhere that it is on; nothing waits for them. `channels` are those it could be on.
    `model` thinks in place of the one that the settings choose.

    Raises:
        DatabaseRefused: the database cannot be used as it is.
        FolderRefused: the folder for backups cannot be looked into.
        VectorStoreUnavailable: the embedded vector store cannot be started.

    """
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        refuse_lost_database(settings.data_dir)
        clear_unfinished(settings.data_dir)
        backups = rule_factories.backup_rules(settings)
        clear_outdated_copies(backups, clock.now())
        opened = open_database(
            settings.data_dir / DATABASE,
            beforehand=partial(back_up_before_upgrade, backups, clock.now()),
        )
        try:
            database = await stack.enter_async_context(opened)
        except DatabaseTooNew as refused:
            raise way_back(backups, refused) from refused
        if model is None:
            model = await stack.enter_async_context(adapter_factories.open_model(settings, clock))
        composed = _composed(
            settings, clock, database, model, platforms=platforms, channels=channels
        )
        app = await stack.enter_async_context(composed)
        await app.services.clock_watch.begin()
        await _load(app)
        for name, work in _here(app):
            app.tasks.append(await stack.enter_async_context(background_task(work, name=name)))
        if resuming:
            await app.checkins.begin()
            await app.delivery.resume()
            await app.inbox.resume()
            offline = adapter_factories.thinks_offline(settings)
            await app.services.conversation_facts.begin(by_rules=offline)
            reminding = background_task(app.reminders.run(), name="reminders")
            app.tasks.append(await stack.enter_async_context(reminding))
            if app.voices is not None:  # once what waited is heard again, which it waits for
                listening = app.voices.run(app.storage.messages.voices_came)
                task = background_task(listening, name="voices")
                app.tasks.append(await stack.enter_async_context(task))
        local = background_task(app.hub.run(app.paced_inbox.receive), name="local")
        app.tasks.append(await stack.enter_async_context(local))
        await app.hub.listening()
        for name, work in app.connections(_host(app)):
            app.tasks.append(await stack.enter_async_context(background_task(work, name=name)))
        try:
            yield app
        finally:
            await _finish(app)


@asynccontextmanager
async def open_still(settings: Settings, clock: MachineClock) -> AsyncIterator[App]:
    """The pet over a copy of its data, until the body ends: it can be asked and does nothing else.

    Nothing runs beside, it is on no platform, and its model is the rules, whatever is chosen.

    Raises:
        DatabaseRefused: the database cannot be used as it is.
        VectorStoreUnavailable: the embedded vector store cannot be started.

    """
    model = adapter_factories.offline_pet(settings, clock)
    async with (
        open_database(settings.data_dir / DATABASE) as database,
        _composed(settings, clock, database, model, still=True) as app,
    ):
        await _load(app)
        yield app


@asynccontextmanager
async def _composed(
    settings: Settings,
    clock: MachineClock,
    database: Database,
    model: Model,
    *,
    platforms: Sequence[Platform] = (),
    channels: Sequence[AnyChannel] = CHANNELS,
    still: bool = False,
) -> AsyncIterator[App]:
    """The pet over an open database, of which nothing runs yet; with `still` nothing will."""
    async with (
        open_spaces(settings, database, still=still) as used,
        adapter_factories.open_vault(settings) as vault,
        adapter_factories.open_transcriber(settings) as transcriber,
        open_siblings(settings, still=still) as siblings,
        open_tracing(settings.telemetry.endpoint) as tracing,
    ):
        uploads = UploadedPictures()
        stores = adapter_factories.file_stores(platforms, uploads)
        adapters = Adapters(
            clock=clock,
            database=database,
            used=used,
            embedder=EmbedderOfSpace(used.spaces),
            index=IndexOfSpace(used.spaces),
            model=tracing.model(model),
            vault=vault,
            pictures=adapter_factories.pictures(settings, platforms, uploads),
            uploads=uploads,
            siblings=siblings,
            ears=None if transcriber is None else Ears(stores=stores, transcriber=transcriber),
            tracing=tracing,
        )
        yield App(settings, adapters, platforms, channels)


async def _load(app: App) -> None:
    """Read what it has in memory of its database."""
    await app.live_settings.load()
    await app.register.load()
    await app.member_roles.load()


def _here(app: App) -> Iterator[tuple[str, Coroutine[Any, Any, None]]]:
    """What goes on beside the talk, in this process."""
    yield "index-move", app.services.index_move.run()  # first, so that it ends last
    yield "indexer", app.services.indexer.run()
    yield "conversations", app.conversations.run()
    yield "commands", app.commands.run()
    yield "refusals", app.limiter.run()
    yield "edits", app.paced_inbox.run()
    yield "notices", app.notices.run()
    yield "afterwards", app.services.after_reply.run()
    yield "history", app.services.history_learning.run()
    yield "past", app.past_reader.run()
    yield from app.siblings.tasks()
    if app.services.reembedding is not None:
        yield "reembedding", app.services.reembedding.run()
    if app.settings.extraction.enabled:
        yield "extraction", app.services.conversation_facts.run()


def _host(app: App) -> Host:
    """What the pet is to any platform; connections add what is done when theirs is back."""
    return Host(
        inbox=app.paced_inbox,
        platform_commands=app.platform_commands,
        announced=app.storage.announced,
        session_times=app.storage.session_starts,
        introductions=SpaceIntroductions(app.storage.greeted_spaces, app.register),
        clock=app.clock,
        member_role=app.member_roles.of,
        choose_member_role=partial(app.member_roles.choose, by=PET_ACTOR),
        is_admin=partial(is_admin, admins=app.settings.admins.identities),
        warn=app.notices.tell,
        follow=app.storage.turns.part_reported,
        groups=partial(app.storage.people.groups, None),
        spoken_in=app.storage.people.spoken_in,
        spaces_elsewhere=app.siblings.vouching.spaces_of,
    )


async def _finish(app: App) -> None:
    """The stages of a stop, each with a limit: where people talk on, answers would never end."""
    limits = app.settings.shutdown
    app.conversations.close()
    answering = asyncio.gather(
        app.conversations.quiet(),
        app.commands.quiet(),
        app.limiter.quiet(),
        *(platform.quiet() for platform in app.platforms),
    )
    if not await within(limits.turns_s, answering):
        log.warning("turns.abandoned", limit_s=limits.turns_s)
    try:
        if not await within(limits.posthooks_s, _settled(app)):
            log.warning("index.postponed", limit_s=limits.posthooks_s)
    except EkoMemoryError as error:
        log.warning("index.postponed", reason=str(error))


async def _settled(app: App) -> None:
    """Do and index what follows the answers; the next start makes up for what is not."""
    await app.paced_inbox.settle()
    await app.notices.quiet()
    await app.services.after_reply.quiet()
    await app.services.clock_watch.look()
    await app.services.indexer.settle()
