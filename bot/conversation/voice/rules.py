"""Which voice notes are listened to, and which are not; pure."""

from dataclasses import dataclass
from datetime import timedelta

from bot.model.events import Inbound
from memory.language.parts.spoken import is_forwarded
from memory.model.parts import NoteKind
from memory.model.voices import VoiceFile, VoiceState
from memory.storage.conversations.voices import WaitingVoice

MOST_BEGUN = 3
"""How often a voice note is begun: one during which the process ended may be why it did."""

TRIED_FOR = timedelta(days=1)
"""How old one may be that is listened to after a restart: platforms keep files for a while."""

_ROUNDING_S = 1.0
"""By how much platforms, files and servers differ about one sound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceRules:
    """How long and how large a voice note may be, and the names that call the pet in one."""

    most_seconds: float
    most_bytes: int
    names: tuple[str, ...]

    def is_too_long(self, seconds: float) -> bool:
        """Whether so much is not listened to."""
        return seconds > self.most_seconds + _ROUNDING_S


def voice_of(inbound: Inbound) -> VoiceFile | None:
    """The sound of a voice note as its platform has it; None where there is none to fetch."""
    for one in inbound.attachments:
        if one.kind is NoteKind.VOICE and one.url and inbound.brought is None:
            return VoiceFile(
                url=one.url, media_type=one.media_type, seconds=one.seconds, size=one.size
            )
    return None


def why_unheard(waiting: WaitingVoice, rules: VoiceRules) -> VoiceState | None:
    """Why a voice note is not even fetched; None where it is."""
    if not waiting.observed:
        return VoiceState.UNOBSERVED
    if is_forwarded(waiting.text):
        return VoiceState.FORWARDED
    if rules.is_too_long(waiting.file.seconds) or waiting.file.size > rules.most_bytes:
        return VoiceState.TOO_LONG
    return VoiceState.FAILED if waiting.begun > MOST_BEGUN else None
