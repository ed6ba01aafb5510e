"""Composes what check-ins are chosen and worded by."""

from datetime import timedelta

from bot.checkins.dispatch import CheckinDispatch, CheckinRules
from bot.conversation.parts import ConversationParts
from bot.llm.offline.plans.arranged import arranged_plans
from bot.llm.tasks.checkins import ModelCheckinWording
from bot.ports import Model
from bot.texts.checkins import CheckinTexts
from bot.wiring.adapters import prompt, thinks_offline
from config.settings import Settings
from memory.storage.storage import Storage
from memory.upkeep.claim_pass import ClaimPass
from observers.checkins import CheckinProposer, CheckinSources


def checkins_of(
    settings: Settings, storage: Storage, parts: ConversationParts, model: Model
) -> CheckinDispatch:
    """What writes first where people want that; the model words it where there is one."""
    sources = CheckinSources(
        claims=ClaimPass(storage.claims), zones=storage.zones, quiet_topics=storage.quiet_topics
    )
    texts = CheckinTexts(settings.zone)
    by_model = ModelCheckinWording(model, texts, prompt=prompt("checkin"))
    rules = CheckinRules(
        pet_name=settings.pet.name,
        idle=timedelta(minutes=settings.sessions.idle_minutes),
        wording=texts if thinks_offline(settings) else by_model,
        clock=storage.clock,
    )
    source = CheckinProposer(storage.checkins, sources, arranged_plans, settings.zone)
    return CheckinDispatch(storage.checkins, source, parts.delivery, parts.pausing, rules)
