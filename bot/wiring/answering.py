"""Composes what comes to replies: the model, and the rules behind or instead of it."""

from bot.agent.circuit_breaker import CircuitBreaker
from bot.agent.loop import RESPONDING, ModelLoop
from bot.agent.tools.box import TurnTools
from bot.conversation.fallback import BreakingLoop, FallbackLoop, SameLanguageLoop
from bot.conversation.introduction import IntroducingLoop, RecentMessages
from bot.conversation.keeping_quiet import KeepingQuiet
from bot.conversation.turn import Answering
from bot.conversation.unread_notes import UnreadNotesLoop
from bot.ports import Model
from bot.wiring import adapters as adapter_factories
from bot.wiring import settings as rule_factories
from bot.wiring.tracing import Tracing
from config.settings import Settings
from memory.ports import Clock


def answering_of(
    settings: Settings,
    clock: Clock,
    model: Model,
    tools: TurnTools,
    *,
    messages: RecentMessages,
    reacting: frozenset[str],
    tracing: Tracing,
) -> Answering:
    """What comes to replies: the model, and rules where it fails or its budget is used up.

    Without a model it is rules alone, which say so to each person once. `reacting` are the
    platforms that show an emoji on a message.
    """
    limits = rule_factories.turn_limits(settings)
    offline = adapter_factories.offline_pet(settings, clock)
    if adapter_factories.thinks_offline(settings):
        by_rules = ModelLoop(model, tracing.tools(tools.every), RESPONDING, limits)
        return IntroducingLoop(UnreadNotesLoop(by_rules, ()), messages)
    quiet = KeepingQuiet(names=(settings.pet.name, *settings.pet.aliases), reacting=reacting)
    used = tracing.tools(tools.of_model)
    by_model = SameLanguageLoop(ModelLoop(model, used, quiet.closing, limits))
    thinking = FallbackLoop(
        BreakingLoop(by_model, CircuitBreaker(clock)),
        ModelLoop(offline, tracing.tools(tools.every), RESPONDING, limits),
        tools.every.specs,
    )
    return UnreadNotesLoop(thinking, adapter_factories.unread_kinds(settings))
