"""The settings in the terms of each part: numbers become durations, names become values. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType

from bot.agent.budget import MINUTE, Cap, Caps
from bot.agent.loop import LoopLimits
from bot.agent.prices import PriceList
from bot.agent.tools.recall_deeply import BranchRules
from bot.conversation.arrival_rates import Rate, RateRules
from bot.conversation.coalescer import Windows
from bot.conversation.composer import TurnRules
from bot.conversation.parts import ConversationRules
from bot.conversation.placement import InboxRules
from bot.conversation.prompt.request import PromptRules
from bot.conversation.rate_limit import LoopRules
from bot.conversation.rooms import RoomRegistryRules, RoomRule
from bot.conversation.voice.rules import VoiceRules
from bot.model.requests import Purpose, ToolSpec
from bot.model.text_limits import LONGEST
from bot.reminders.dispatch import DispatchRules
from bot.texts.reminders import ReminderTexts
from bot.transfer.backups import BackupRules
from config.sections.budget import CapSettings
from config.settings import Settings
from memory.model.ledger import DOLLAR
from memory.model.room_excerpts import ExcerptLimits
from memory.model.rooms import RoomRole, SpaceId
from memory.model.settings import Tuning
from memory.model.ttl import parse_ttl
from memory.reminders.desk import ReminderRules
from memory.retrieval.question_reader import ReadingRules
from memory.retrieval.ranking import Limits
from memory.retrieval.recall import RecallRules
from memory.retrieval.rendering import Wording
from memory.retrieval.sources import Reach
from memory.rules.compaction import CompactionRules
from memory.rules.notes.chunks import NoteChoice
from memory.tokens import CHARS_PER_TOKEN
from observers.conversation_facts import ExtractionRules
from observers.digest import DigestRules


def names_of(settings: Settings) -> tuple[str, ...]:
    """The names the pet answers to, its own first."""
    return (settings.pet.name, *settings.pet.aliases)


def inbox_rules(settings: Settings) -> InboxRules:
    """How the inbox places messages."""
    return InboxRules(
        names=names_of(settings),
        pending_max_age=timedelta(seconds=settings.coalescing.pending_max_age_s),
        listens=settings.voice.url is not None,
    )


def voice_rules(settings: Settings) -> VoiceRules:
    """Which voice notes are listened to."""
    return VoiceRules(
        most_seconds=settings.voice.max_seconds,
        most_bytes=int(settings.voice.max_megabytes * 1_000_000),
        names=names_of(settings),
    )


def reminder_rules(settings: Settings) -> ReminderRules:
    """How many reminders there may be, and the zone of those who name none."""
    return ReminderRules(most_open=settings.reminders.most_open, zone=settings.zone)


def dispatch_rules(settings: Settings) -> DispatchRules:
    """How reminders are said."""
    return DispatchRules(
        pet_name=settings.pet.name,
        idle=timedelta(minutes=settings.sessions.idle_minutes),
        texts=ReminderTexts(settings.zone.key),
    )


def _register_rules(
    settings: Settings, managers: Mapping[str, Mapping[str, str]]
) -> RoomRegistryRules:
    """What is said of people and rooms; `managers` are those of each platform, by language."""
    return RoomRegistryRules(
        names=names_of(settings),
        rooms=tuple(
            RoomRule(
                platform=room.platform,
                external_id=room.external_id,
                role=None if room.role is None else RoomRole(room.role),
                space=None if room.space is None else SpaceId(room.space),
                confidential=room.confidential,
            )
            for room in settings.rooms
        ),
        admins=settings.admins.identities,
        locale=settings.locale,
        managers=managers,
    )


def backup_rules(settings: Settings) -> BackupRules:
    """Where backups go, and how many are kept."""
    chosen = settings.backup
    return BackupRules(
        data_dir=settings.data_dir,
        folder=None if chosen.folder is None else Path(chosen.folder).expanduser().absolute(),
        daily=chosen.keep_daily,
        weekly=chosen.keep_weekly,
        recipients=chosen.recipients,
    )


def conversation_rules(
    settings: Settings,
    system: str,
    tools: tuple[ToolSpec, ...],
    managers: Mapping[str, Mapping[str, str]],
) -> ConversationRules:
    """How conversations go; `managers` are those of each platform's communities, by language."""
    gathered, rates, loops, excerpts = (
        settings.coalescing,
        settings.rates,
        settings.loops,
        settings.room_context,
    )
    return ConversationRules(
        register=_register_rules(settings, managers),
        rates=RateRules(
            account=_rate(rates.per_person),
            room=_rate(rates.per_room),
            address=_rate(rates.per_address),
            overheard_account=_rate(rates.read_per_person),
            overheard_room=_rate(rates.read_per_room),
        ),
        loops=LoopRules(
            per_person=loops.answers,
            per_room=loops.room_answers,
            window=timedelta(seconds=loops.window_s),
            pause=timedelta(seconds=loops.pause_s),
            longest_pause=timedelta(seconds=loops.longest_pause_s),
        ),
        windows=Windows(
            quiet=timedelta(seconds=gathered.debounce_s),
            longest=timedelta(seconds=gathered.max_wait_s),
            most_messages=gathered.max_messages,
        ),
        most_restarts=gathered.max_restarts,
        idle=timedelta(minutes=settings.sessions.idle_minutes),
        excerpts=ExcerptLimits(
            reach=timedelta(minutes=excerpts.minutes),
            most_lines=excerpts.max_lines,
            most_tokens=excerpts.max_tokens,
        ),
        turn=_turn_rules(settings, system, tools),
    )


def _rate(a_minute: int) -> Rate:
    return Rate(burst=max(1, a_minute // 2), per_minute=a_minute)


def turn_limits(settings: Settings) -> LoopLimits:
    """What one answer may take."""
    chosen = settings.model
    return LoopLimits(
        rounds=chosen.max_turns,
        calls=chosen.max_tool_calls,
        tokens=chosen.max_turn_tokens,
        timeout_s=chosen.max_turn_s,
    )


def recall_rules(settings: Settings) -> RecallRules:
    """How far recall looks and how much it injects."""
    chosen = settings.recall
    return RecallRules(
        reach=Reach(
            vector_results=chosen.vector_results,
            text_results=chosen.text_results,
            recent=timedelta(hours=chosen.recent_hours),
        ),
        limits=Limits(
            min_score=chosen.min_score,
            max_results=chosen.max_results,
            live_results=chosen.live_results,
            max_tokens=chosen.max_tokens,
            duplicate_similarity=chosen.dedupe_similarity,
            rrf_k=chosen.rrf_k,
            fusion=chosen.fusion,
        ),
        deadline_s=chosen.deadline_ms / 1000,
        embed_timeout_s=chosen.embed_timeout_ms / 1000,
        window_buffer=chosen.dedupe_buffer,
        wording=Wording(locale=settings.locale, zone=settings.zone),
    )


def tuned(rules: RecallRules, tuning: Tuning) -> RecallRules:
    """The rules of recall with what was chosen while the pet runs."""
    limits = replace(
        rules.limits,
        min_score=tuning.auto_retrieve_min_score,
        max_results=tuning.auto_retrieve_max_results,
    )
    return replace(rules, limits=limits, enabled=tuning.auto_retrieve_enabled)


def tuning(settings: Settings) -> Tuning:
    """What the settings file says of what can be changed while the pet runs."""
    lasting = {kind: parse_ttl(ttl) for kind, ttl in settings.ttl}
    return Tuning(
        auto_retrieve_enabled=settings.recall.enabled,
        auto_retrieve_max_results=settings.recall.max_results,
        auto_retrieve_min_score=settings.recall.min_score,
        obsidian_context_enabled=settings.obsidian.context_enabled,
        obsidian_context_notes=settings.obsidian.context_notes,
        obsidian_context_tag=settings.obsidian.context_tag,
        ttl_defaults=MappingProxyType(lasting),
    )


def reading_rules(settings: Settings) -> ReadingRules:
    """How a question is read."""
    return ReadingRules(names=names_of(settings), zone=settings.zone)


def note_choice(tuning: Tuning) -> NoteChoice:
    """Which notes are for the pet, as things stand."""
    return NoteChoice(
        enabled=tuning.obsidian_context_enabled,
        paths=tuning.obsidian_context_notes,
        tag=tuning.obsidian_context_tag,
    )


def _turn_rules(settings: Settings, system: str, tools: tuple[ToolSpec, ...]) -> TurnRules:
    """What is the same in every turn."""
    return TurnRules(
        names=names_of(settings),
        locale=settings.locale,
        prompt=PromptRules(
            system=system,
            names=names_of(settings),
            tools=tools,
            max_tokens=settings.model.max_tokens,
            locale=settings.locale,
            zone=settings.zone,
            replay_injections=replays_injections(settings),
        ),
    )


def has_compact_tools(settings: Settings) -> bool:
    """Whether the model gets the compact set of tools."""
    chosen, model = settings.tools.set, settings.model
    is_local = model.base_url is not None and model.api_key is None
    return chosen == "compact" or (chosen == "auto" and is_local)


def replays_injections(settings: Settings) -> bool:
    """Whether what was recalled stays in the window with its message."""
    return settings.recall.persist == "window"


def talk_tokens(settings: Settings) -> int:
    """Tokens of a conversation that are shown: at most a quarter of a window that is known."""
    chosen, window = settings.compaction.window_tokens, settings.model.context_tokens
    return chosen if window is None else min(chosen, window // 4)


def compaction_rules(settings: Settings) -> CompactionRules:
    """When the window of a conversation is cut."""
    chosen = settings.compaction
    return CompactionRules(
        window_tokens=talk_tokens(settings),
        keep=max(1, settings.sessions.window_messages // 2),
        longest=LONGEST,
        rollup_of=chosen.rollup_of,
        attempts=chosen.attempts,
        zone=settings.zone,
        locale=settings.locale,
    )


def branch_rules(settings: Settings, system: str) -> BranchRules:
    """How far one deep recall goes."""
    chosen = settings.branch
    return BranchRules(
        system=system,
        locale=settings.locale,
        max_turns=chosen.max_turns,
        max_tokens=chosen.max_tokens,
        most_calls=settings.model.max_tool_calls,
        most_tokens=chosen.most_tokens,
        timeout_s=chosen.timeout_s,
    )


def _piece_chars(settings: Settings) -> int:
    """Characters that are read in one piece: at most a quarter of a window that is known."""
    chosen, window = settings.digest.chunk_chars, settings.model.context_tokens
    return chosen if window is None else min(chosen, int(window // 4 * CHARS_PER_TOKEN))


def digest_rules(settings: Settings) -> DigestRules:
    """How the digest cuts and tries."""
    return DigestRules(
        chunk_messages=settings.digest.chunk_messages,
        chunk_chars=_piece_chars(settings),
        overlap_messages=settings.digest.overlap_messages,
        attempts=settings.digest.attempts,
        zone=settings.zone,
    )


def extraction_rules(settings: Settings) -> ExtractionRules:
    """When conversations are read for facts, and in which pieces."""
    chosen = settings.extraction
    return ExtractionRules(
        idle=timedelta(seconds=chosen.idle_s),
        every_turns=chosen.every_turns,
        span_turns=chosen.span_turns,
        span_chars=chosen.span_chars,
        overlap_turns=chosen.overlap_turns,
        attempts=chosen.attempts,
        zone=settings.zone,
        pet_name=settings.pet.name,
    )


def caps(settings: Settings, prices: PriceList) -> Caps:
    """What a day may cost, at these prices; rules cost nothing, and have no cap."""
    budget, voice = settings.budget, settings.voice
    sound = Cap(audio_ms=_millis(voice.daily_minutes), cost=_billionths(voice.daily_dollars))
    own_sound = Cap(audio_ms=_millis(voice.per_person_minutes)) if voice.url else Cap()
    of_voice = {Purpose.VOICE: sound} if voice.url else {}
    if not settings.model.is_chosen:
        return Caps(per_purpose=of_voice, person=own_sound, newcomers=own_sound, prices=prices)
    return Caps(
        per_purpose={
            Purpose.TURN: _cap(budget.turn),
            Purpose.DIGEST: _cap(budget.digest),
            Purpose.EXTRACTION: _cap(budget.extraction),
            Purpose.EVALUATION: _cap(budget.evaluation),
            Purpose.BRANCH: _cap(budget.branch),
            Purpose.JUDGING: _cap(budget.judging),
            Purpose.COMPACTION: _cap(budget.compaction),
            Purpose.CHECK: _cap(budget.check),
            Purpose.CHECKIN: _cap(budget.checkin),
            **of_voice,
        },
        day=Cap(tokens=budget.daily_tokens, cost=_billionths(budget.daily_dollars)),
        person=replace(own_sound, answers=budget.per_person_turns, tokens=budget.per_person_tokens),
        newcomers=replace(own_sound, answers=budget.newcomer_turns, tokens=budget.newcomer_tokens),
        community=Cap(tokens=budget.per_community_tokens),
        prices=prices,
    )


def _billionths(dollars: float | None) -> int | None:
    return None if dollars is None else round(dollars * DOLLAR)


def _millis(minutes: float | None) -> int | None:
    return None if minutes is None else round(minutes * MINUTE)


def _cap(chosen: CapSettings) -> Cap:
    return Cap(input=chosen.daily_input_tokens, output=chosen.daily_output_tokens)
