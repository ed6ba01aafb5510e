"""Whether a stretch of talk may state something, so that a model is asked to read it; pure."""

import re
from collections import Counter
from collections.abc import Sequence

from bot.llm.offline.manners.reading import manner_of
from memory.claims.reader import is_luring, read_claims
from memory.language.detection import in_other_letters, nothing_to_look_up, told_language
from memory.language.parts.reading import own_words
from memory.language.questions.asking import share_that_asks
from memory.language.text import light_stems, stems
from memory.model.claims import SURELY
from observers.ports import TOOL, Chunk


def may_state(chunk: Chunk) -> bool:
    """Whether a line may state what no tool has stored: by claims, or as the answer to a question.

    Claims are read in some languages only: what is in no known one may state anything.
    """
    words = [own_words(line.text) for line in chunk.lines]
    if any(_is_foreign(text) for text in words) or _states_more(chunk, words):
        return True
    asked = {aside.after for aside in chunk.asides if aside.text.rstrip().endswith("?")}
    before = (None, *(line.message for line in chunk.lines[:-1]))
    first = bool(chunk.before) and chunk.before[-1].text.rstrip().endswith("?")
    answers = (
        text
        for after, text in zip(before, words, strict=True)
        if (first if after is None else after in asked)
    )
    return any(text.strip() and not text.rstrip().endswith("?") for text in answers)


def _states_more(chunk: Chunk, words: Sequence[str]) -> bool:
    """Whether the lines of a turn state more than its tools have stored."""
    stored = Counter(one.after for one in chunk.asides if one.stored)
    answered = {one.after for one in chunk.asides if not one.by.startswith(TOOL)}
    ends = {*(aside.after for aside in chunk.asides), chunk.lines[-1].message}
    stated = 0
    for line, text, found in zip(chunk.lines, words, read_claims(words), strict=True):
        # What a tool has kept of a turn was read with the rest of it: only what is sure is more.
        least = SURELY if stored[line.message] else 0.0
        told = {one.start for one in found if one.status.is_stated and one.certainty >= least}
        is_open = not least and _may_tell(text, answered=line.message in answered)
        stated += len(told) or is_open
        if line.message in ends:
            if stated > stored[line.message]:
                return True
            stated = 0
    return False


def _may_tell(text: str, *, answered: bool) -> bool:
    """Whether a line tells something in words that no claim is read in: "je prends le vin".

    Or proposes a time: what people agree on is put as a question, if not one that the pet
    `answered`.
    """
    if share_that_asks(text) >= _ASKING or text.rstrip().endswith("?"):
        return not answered and _NAMES_TIME.search(text) is not None
    if nothing_to_look_up(text, ()) or _is_manner(text) or is_luring(text):
        return False
    return len(set(stems(text)) - light_stems()) >= _SAYING


def _is_manner(text: str) -> bool:
    """Whether a line is surely thanks, a greeting, a question or the like, which tell nothing."""
    manner = manner_of(text)
    return manner.sure and not manner.tells


_ASKING, _SAYING = 0.5, 2
_NAMES_TIME = re.compile(
    r"\d ?(?:h|am|pm|:)|\d{1,2}[./]\d{1,2}|(?:day|di|demain|tomorrow|tonight|soir)\b",
    re.IGNORECASE,
)


def _is_foreign(text: str) -> bool:
    if in_other_letters(text):
        return True
    return len(text.split()) >= _TELLING and told_language(text) is None and not _is_manner(text)


_TELLING = 3
"""Words from which a text has a language."""
