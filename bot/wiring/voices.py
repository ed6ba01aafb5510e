"""Composes what makes words of voice notes."""

from bot.channels.local.history import StoredTranscript
from bot.channels.local.hub import LocalHub
from bot.channels.local.own_messages import OwnMessages
from bot.conversation.inbox import Inbox
from bot.conversation.voice.listening import Ears, VoiceListening
from bot.wiring import settings as rule_factories
from config.settings import Settings
from memory.storage.storage import Storage


def voices_of(
    settings: Settings, storage: Storage, ears: Ears | None, inbox: Inbox, hub: LocalHub
) -> VoiceListening | None:
    """What makes words of voice notes; None where nothing listens."""
    if ears is None:
        return None
    rules = rule_factories.voice_rules(settings)
    voices = VoiceListening(storage.voices, ears, inbox, rules, storage.clock)
    voices.shown.append(OwnMessages(hub, StoredTranscript(storage.room_lines)).show_words)
    return voices
