"""The composition root: every part is made here, from the settings, by constructor arguments."""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any

import structlog

from bot.channels.local.hub import LocalHub
from bot.channels.local.uploads import UploadedPictures
from bot.channels.registry import CHANNELS
from bot.commands.dispatcher import CommandDispatcher
from bot.commands.platform_dispatcher import PlatformDispatcher
from bot.conversation.arrival_rates import ArrivalLimiter
from bot.conversation.coalescer import Coalescer
from bot.conversation.composer import Composer
from bot.conversation.delivery import Delivery
from bot.conversation.inbox import Inbox
from bot.conversation.member_roles import MemberRoleChoices
from bot.conversation.paced_inbox import PacedInbox
from bot.conversation.pauses import Pausing
from bot.conversation.prompt.context import ContextBuilder
from bot.conversation.rate_limit import GuardedListener, LoopGuard
from bot.conversation.rooms import RoomRegistry
from bot.conversation.scheduler import TurnScheduler
from bot.conversation.turn import AnswerTurn
from bot.data_folder import DATABASE, clear_unfinished, refuse_lost_database
from bot.diagnostics.doctor import Doctor
from bot.diagnostics.model_check import ModelCheck
from bot.diagnostics.owner_notices import DirectRoomNotices, NoticeOutlet, OwnerNoticeDesk
from bot.diagnostics.readiness import Readiness
from bot.model.authority import is_admin
from bot.platforms.catch_up import CatchUp
from bot.platforms.introductions import SpaceIntroductions
from bot.platforms.plugin import AnyChannel
from bot.platforms.redelivery import Redelivery
from bot.ports import Host, Model, Platform
from bot.reminders.dispatch import ReminderDispatch
from bot.transfer.upgrade_copies import back_up_before_upgrade, clear_outdated_copies
from bot.wiring import adapters as adapter_factories
from bot.wiring import settings as rule_factories
from bot.wiring.answering import answering_of
from bot.wiring.commands import CommandParts, command_table
from bot.wiring.diagnostics import doctor_of
from bot.wiring.memory import (
    Adapters,
    Services,
    compose_surroundings,
    compose_tools,
)
from bot.wiring.spaces import open_spaces
from config.settings import Settings
from memory.clock import SystemClock
from memory.model.conversations import Turn
from memory.model.errors import EkoMemoryError
from memory.ports import Clock, Embedder, MachineClock, VectorIndex
from memory.storage.sqlite.database import open_database
from memory.storage.storage import Storage
from memory.tasks import background_task, within
from memory.upkeep.live_settings import LiveSettings
from memory.vectorstores.in_use import EmbedderOfSpace, IndexOfSpace

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """The pet, put together: what its channels, its observers and its commands work with."""

    settings: Settings
    clock: Clock
    storage: Storage
    live_settings: LiveSettings
    embedder: Embedder
    index: VectorIndex
    services: Services
    register: RoomRegistry
    member_roles: MemberRoleChoices
    pausing: Pausing
    doctor: Doctor
    readiness: Readiness
    model_check: ModelCheck
    hub: LocalHub
    uploads: UploadedPictures
    platforms: Sequence[Platform]
    redelivery: Redelivery
    contexts: ContextBuilder
    delivery: Delivery
    inbox: Inbox
    paced_inbox: PacedInbox
    conversations: TurnScheduler
    commands: CommandDispatcher
    limiter: ArrivalLimiter
    notices: OwnerNoticeDesk
    platform_commands: PlatformDispatcher
    reminders: ReminderDispatch
    catch_ups: Sequence[CatchUp]
    """What reads back what was said while it was away, for each platform."""
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    """What runs beside; one that ends by itself has failed."""


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
        database = await stack.enter_async_context(opened)
        spaces = await stack.enter_async_context(open_spaces(settings, database))
        if model is None:
            model = await stack.enter_async_context(adapter_factories.open_model(settings, clock))
        vault = await stack.enter_async_context(adapter_factories.open_vault(settings))
        uploads = UploadedPictures()
        adapters = Adapters(
            clock=clock,
            database=database,
            spaces=spaces,
            embedder=EmbedderOfSpace(spaces),
            index=IndexOfSpace(spaces),
            model=model,
            vault=vault,
            pictures=adapter_factories.pictures(settings, platforms, uploads),
            uploads=uploads,
        )
        app = _compose(settings, adapters, platforms, channels)
        await app.services.clock_watch.begin()
        await app.live_settings.load()
        await app.register.load()
        await app.member_roles.load()
        for name, work in _here(app):
            app.tasks.append(await stack.enter_async_context(background_task(work, name=name)))
        if resuming:
            await app.delivery.resume()
            await app.inbox.resume()
            app.services.conversation_facts.wake()
            reminding = background_task(app.reminders.run(), name="reminders")
            app.tasks.append(await stack.enter_async_context(reminding))
        local = background_task(app.hub.run(app.paced_inbox.receive), name="local")
        app.tasks.append(await stack.enter_async_context(local))
        await app.hub.listening()
        for name, work in _elsewhere(app):
            app.tasks.append(await stack.enter_async_context(background_task(work, name=name)))
        try:
            yield app
        finally:
            await _finish(app)


def _here(app: App) -> Iterator[tuple[str, Coroutine[Any, Any, None]]]:
    """What goes on beside the talk, in this process."""
    yield "indexer", app.services.indexer.run()
    yield "conversations", app.conversations.run()
    yield "commands", app.commands.run()
    yield "refusals", app.limiter.run()
    yield "edits", app.paced_inbox.run()
    yield "notices", app.notices.run()
    yield "afterwards", app.services.after_reply.run()
    if app.services.reembedding is not None:
        yield "reembedding", app.services.reembedding.run()
    if app.settings.extraction.enabled:
        yield "extraction", app.services.conversation_facts.run()


def _elsewhere(app: App) -> Iterator[tuple[str, Coroutine[Any, Any, None]]]:
    """What keeps the platforms there: no start waits for them, and they come back by themselves."""
    yield "redelivery", app.redelivery.run()
    for platform, catch_up in zip(app.platforms, app.catch_ups, strict=True):
        yield platform.platform, platform.run(_host(app, catch_up))
        yield f"{platform.platform} catch-up", catch_up.run()


def _host(app: App, catch_up: CatchUp) -> Host:
    return Host(
        inbox=app.paced_inbox,
        platform_commands=app.platform_commands,
        announced=app.storage.announced,
        session_times=app.storage.session_starts,
        introductions=SpaceIntroductions(app.storage.greeted_spaces, app.register),
        clock=app.clock,
        member_role=app.member_roles.of,
        connected=partial(_connected, app, catch_up),
        arrived=partial(_arrived, app, catch_up),
        is_admin=partial(is_admin, admins=app.settings.admins.identities),
        warn=app.notices.tell,
        follow=app.storage.turns.part_reported,
        groups=partial(app.storage.people.groups, None),
    )


def _connected(app: App, catch_up: CatchUp) -> None:
    """Make up for the time without a connection, in both directions."""
    catch_up.connected()
    app.redelivery.connected()


def _arrived(app: App, catch_up: CatchUp, rooms: Collection[str]) -> None:
    """Make up for the time in which some rooms were not there, in both directions."""
    catch_up.arrived(rooms)
    app.redelivery.connected()


async def _finish(app: App) -> None:
    """The stages of a stop: answers under way, then what follows an answer, each with its limit.

    Where people go on talking the answers would never end.
    """
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


def _compose(
    settings: Settings,
    adapters: Adapters,
    platforms: Sequence[Platform],
    channels: Sequence[AnyChannel],
) -> App:
    storage = Storage(adapters.database, adapters.embedder, adapters.clock)
    live_settings = LiveSettings(storage.settings, rule_factories.tuning(settings))
    outlets: list[NoticeOutlet] = []
    notices = OwnerNoticeDesk(outlets, adapters.clock)
    services = Services(settings, adapters, storage, live_settings, notices)
    hub = LocalHub(pet_name=settings.pet.name, clock=adapters.clock)
    told: list[Callable[[Turn], None]] = [
        lambda _: services.conversation_facts.wake(),
        lambda turn: services.after_reply.replied(turn.session),
    ]
    there = {one.platform: one for one in (hub, *platforms)}
    delivery = Delivery(there, storage.turns, storage.people, told)
    if settings.notices.account is not None:
        platform, _, account = settings.notices.account.partition(":")
        owner = (platform, account)
        outlets.append(DirectRoomNotices(owner, storage.people, delivery, locale=settings.locale))
    contexts = ContextBuilder(
        storage.turns,
        storage.messages,
        storage.summaries,
        compose_surroundings(settings, adapters),
        idle=timedelta(minutes=settings.sessions.idle_minutes),
    )
    tools = compose_tools(settings, storage, live_settings, services)
    turn_rules = rule_factories.turn_rules(
        settings, adapter_factories.turn_prompt(settings), tools.of_model.specs
    )
    path = AnswerTurn(
        Composer(services.recall, adapters.pictures, storage.zones, turn_rules),
        answering_of(settings, adapters.clock, services.model, tools, storage.messages),
        contexts,
        delivery,
        turn_rules,
    )
    conversations = TurnScheduler(
        Coalescer(rule_factories.windows(settings)),
        path,
        adapters.clock,
        most_restarts=settings.coalescing.max_restarts,
    )
    guard = LoopGuard(rule_factories.loop_rules(settings))
    limiter = ArrivalLimiter(
        rule_factories.rate_rules(settings), delivery, adapters.clock, locale=settings.locale
    )
    unread = adapter_factories.unread_notices(settings)
    listener = GuardedListener(conversations, guard, limiter, unread, adapters.clock)
    told.append(listener.answered)
    pausing = Pausing(storage.pauses, storage.reminders.changed.set)
    member_roles = MemberRoleChoices(storage.member_roles)
    register = RoomRegistry(
        storage.people,
        storage.room_choices,
        pausing,
        rule_factories.register_rules(settings, {one.name: one.managers for one in channels}),
    )
    model_check = rule_factories.model_check(settings, turn_rules.prompt)
    doctor = doctor_of(
        settings,
        adapters,
        storage,
        services,
        pausing=pausing,
        model_check=model_check,
        channels=adapter_factories.looks(settings, platforms, channels),
    )
    parts = CommandParts(
        storage=storage,
        live_settings=live_settings,
        services=services,
        clock=adapters.clock,
        register=register,
        member_roles=member_roles,
        communities={
            one.platform: known for one in platforms if (known := one.communities) is not None
        },
        pausing=pausing,
        doctor=doctor,
        settings=settings,
    )
    commands = CommandDispatcher(command_table(parts), delivery)
    inbox = Inbox(
        storage.messages, register, listener, commands, rule_factories.inbox_rules(settings)
    )
    paced_inbox = PacedInbox(inbox, register, limiter)
    return App(
        settings=settings,
        clock=adapters.clock,
        storage=storage,
        live_settings=live_settings,
        embedder=adapters.embedder,
        index=adapters.index,
        services=services,
        register=register,
        member_roles=member_roles,
        pausing=pausing,
        doctor=doctor,
        readiness=Readiness(storage.health, adapters.embedder, adapters.index, adapters.clock),
        model_check=model_check,
        hub=hub,
        uploads=adapters.uploads,
        platforms=platforms,
        redelivery=Redelivery([("undelivered", delivery.resume)]),
        contexts=contexts,
        delivery=delivery,
        inbox=inbox,
        paced_inbox=paced_inbox,
        conversations=conversations,
        commands=commands,
        limiter=limiter,
        notices=notices,
        platform_commands=PlatformDispatcher(commands, register, storage.invocations, limiter),
        reminders=ReminderDispatch(
            storage.reminders,
            delivery,
            pausing,
            adapters.clock,
            rule_factories.dispatch_rules(settings),
        ),
        catch_ups=[
            CatchUp(one.past, storage.read_backs, paced_inbox, adapters.clock, one.catch_up)
            for one in platforms
        ],
    )
