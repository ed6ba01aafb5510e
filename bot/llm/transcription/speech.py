"""The words in an answer of a transcription server, without those that were never said. Pure.

Models of speech write something for silence and music, too: signs in brackets, or what stood under
the videos that they learnt from.
"""

import re
import unicodedata
from collections.abc import Sequence

from pydantic import BaseModel

NO_SPEECH = 0.6
"""From this probability on a segment counts as silent; Whisper itself takes the same."""

REPEATED = 2.4
"""How well a segment packs whose words go round in a circle; Whisper itself takes the same."""

_BRACKETED = re.compile(r"\[[^\[\]]{0,80}\]|\([^()]{0,80}\)|\*[^*]{0,80}\*|<[^<>]{0,80}>|[♪♫♬♩]")

_NOT_SAID = frozenset(
    {
        "abonnez vous",
        "like and subscribe",
        "merci d avoir regarde",
        "merci d avoir regarde cette video",
        "merci davoir regarde cette video",
        "please subscribe",
        "please subscribe to my channel",
        "see you in the next video",
        "sous titrage fr",
        "sous titrage societe radio canada",
        "sous titrage st 501",
        "thank you for watching",
        "thank you for watching this video",
        "thanks for watching",
        "thanks for watching and see you next time",
    }
)
"""What these models write for silence, in plain letters."""

_SIGNED = ("amara org", "amara.org")
"""A community that writes subtitles: whatever names it was read and not heard."""


class Segment(BaseModel):
    """A stretch of sound with what was heard in it, as far as the server says so."""

    text: str = ""
    no_speech_prob: float | None = None
    compression_ratio: float | None = None


class HeardAnswer(BaseModel):
    """The answer of a server; other fields are not read."""

    text: str
    language: str | None = None
    duration: float | None = None
    segments: Sequence[Segment] | None = None


def words_of(answer: HeardAnswer) -> str:
    """The words that were said; "" where nothing was."""
    stretches = [one.text for one in answer.segments or () if _speaks(one)]
    texts = stretches if answer.segments else [answer.text]
    said = (" ".join(_BRACKETED.sub(" ", text).split()) for text in texts)
    return " ".join(text for text in said if text and not _is_made_up(text))


def _speaks(segment: Segment) -> bool:
    is_silent = (segment.no_speech_prob or 0) >= NO_SPEECH
    return not is_silent and (segment.compression_ratio or 0) <= REPEATED


def _is_made_up(text: str) -> bool:
    """Whether a stretch has no word in it, or only what these models write for silence."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(
        one if one.isalnum() else " " for one in folded if not unicodedata.combining(one)
    )
    words = " ".join(plain.split())
    return not words or words in _NOT_SAID or any(one in words for one in _SIGNED)
