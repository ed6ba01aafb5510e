"""Whether a stretch of talk may state something, so that a model is asked to read it; pure."""

import re
from collections import Counter
from collections.abc import Sequence

from memory.claims.reader import read_claims
from memory.language.detection import nothing_to_look_up, told_language
from memory.language.parts.reading import own_words
from memory.language.questions.asking import share_that_asks
from memory.language.text import light_stems, stems
from observers.ports import Chunk


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
    ends = {*(aside.after for aside in chunk.asides), chunk.lines[-1].message}
    stated = 0
    for line, text, found in zip(chunk.lines, words, read_claims(words), strict=True):
        clauses = len({one.start for one in found if one.status.is_stated})
        stated += clauses or _may_tell(text)
        if line.message in ends:
            if stated > stored[line.message]:
                return True
            stated = 0
    return False


def _may_tell(text: str) -> bool:
    """Whether a line tells something in words that no claim is read in: "je prends le vin".

    Or proposes a time: what people agree on is put as a question.
    """
    if share_that_asks(text) >= _ASKING or text.rstrip().endswith("?"):
        return _NAMES_TIME.search(text) is not None
    is_empty = nothing_to_look_up(text, ())
    return not is_empty and len(set(stems(text)) - light_stems()) >= _SAYING


_ASKING, _SAYING = 0.5, 2
_NAMES_TIME = re.compile(
    r"\d ?(?:h|am|pm|:)|\d{1,2}[./]\d{1,2}|(?:day|di|demain|tomorrow|tonight|soir)\b",
    re.IGNORECASE,
)


def _is_foreign(text: str) -> bool:
    return len(text.split()) >= _TELLING and told_language(text) is None


_TELLING = 3
"""Words from which a text has a language."""
