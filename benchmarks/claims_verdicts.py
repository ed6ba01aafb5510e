"""How the replies to entries of tests/data/claims are judged, and what was learnt of them. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from benchmarks.claims_entries import Ask, ClaimEntry, Kind
from benchmarks.claims_play import PlayedEntry
from benchmarks.companion import UNKNOWING
from benchmarks.companion_set import LANGUAGES
from bot.texts.catalogue import texts_in
from memory.language.text import fold, stems

Verdict = Mapping[str, int]
"""What is so of one reply or of one entry, by its name; or how many memories there are."""

_REPEATED = re.compile(
    r"[“«].*?(?:[”»]|$)|\b(?:said|told (?:me|you)|(?:a|as|ai) dit)\b[^:“«]{0,40}:(?!\s*[“«]).*"
)
"""Words of people that a reply repeats, folded: their doubts are not the pet's."""

_DOUBTING = re.compile(
    r"\b(?:not sure|i think|i guess|maybe|perhaps|probably|might"
    r"|pas sure?|je crois|je pense|peut-etre|sans doute|probablement|il me semble)\b"
)
"""Ways to say that it is not sure, folded, beside the offline pet's own."""

_AGE = re.compile(r"(?:\d+ [a-z]+ ago|il y a \d+ [a-z]+)(?=\)? ?:)")
"""When something was said, as the pet says it before a quotation: its number answers nothing."""

_OVER = re.compile(
    r"\b(?:no longer|not any ?more|any ?more|used to|left|quit|resigned|ended|(?:is|are|it's) over"
    r"|former|formerly|ex|until|broke up|split up|are done|sold|died|cancelled|called off"
    r"|plus|quitte|demission\w*|termine\w*|fini\w*|ancien\w*|jusqu'\w*|separe\w*|rompu"
    r"|vendu\w*|morte?s?|annule\w*|arrete\w*|c'est passe)\b"
)
"""Words, folded, that say of something in their sentence that it is so no more."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])[”»\"]?\s+")

_WHOLE = frozenset(("yes", "no", "not", "oui", "non", "may", "mai", "mars"))
"""Words that many others begin with: "yesterday", "maintenant"."""


def verdict_of_entry(played: PlayedEntry) -> Verdict:
    """What is judged once for an entry: what was learnt of its message."""
    if played.entry.kind == "natural":
        return {
            "learnt": bool(played.learnt or played.facts),
            "value learnt": is_value_learnt(played),
        }
    if played.entry.kind == "traps":
        return {"taken": bool(played.learnt), "memories": len(played.learnt)}
    return {}


def verdict_of_reply(entry: ClaimEntry, ask: Ask, reply: str) -> Verdict:
    """What is judged of the reply to one of its asks; of utterances nothing is."""
    judged = _JUDGES.get(entry.kind)
    return judged(_Reply(reply, entry.people), ask) if judged else {}


def is_value_learnt(played: PlayedEntry) -> bool:
    """Whether a current memory has at least half of the words that carry a stated value."""
    kept = [set(stems(one.content)) for one in played.memories if one.is_current]
    values = [set(stems(value)) for value in played.entry.values]
    return any(value and 2 * len(value & words) >= len(value) for value in values for words in kept)


class _Reply:
    """A reply in folded words, and the names of the people of its talk."""

    def __init__(self, text: str, people: Iterable[str]) -> None:
        self.text = fold(text)
        self.first_line = fold(text.partition("\n")[0])
        self._names = frozenset(map(fold, people))

    def has(self, wanted: Iterable[str]) -> bool:
        """Whether its first line has one of the words."""
        return self._is_in(self.first_line, wanted)

    def has_anywhere(self, wanted: Iterable[str]) -> bool:
        """Whether any line has one of the words."""
        return self._is_in(self.text, wanted)

    def _is_in(self, folded: str, wanted: Iterable[str]) -> bool:
        plain = _AGE.sub(" ", folded)
        return any(_pattern(fold(one), self._names).search(plain) for one in wanted)

    def tells_as_current(self, former: Iterable[str]) -> bool:
        """Whether its first line has one of the words in a sentence that says nothing is over."""
        if self.first_line.endswith(_all_over()):
            return False
        wanted = tuple(former)
        sentences = _SENTENCE_END.split(self.first_line)
        return any(self._is_in(one, wanted) and not _OVER.search(one) for one in sentences)

    @property
    def is_unknowing(self) -> bool:
        """Whether it says in its own words that it does not know."""
        return UNKNOWING.search(self._own_words) is not None

    @property
    def is_hedged(self) -> bool:
        """Whether it says in its own words that it is not sure."""
        own = self._own_words
        return self.is_unknowing or own.startswith(_hedges()) or bool(_DOUBTING.search(own))

    @property
    def _own_words(self) -> str:
        return _REPEATED.sub(" ", self.first_line)


@lru_cache(maxsize=4096)
def _pattern(word: str, names: frozenset[str]) -> re.Pattern[str]:
    """The beginning of a word; "5" is not in "15" or "50", nor the name "Tom" in "tomorrow"."""
    start = r"(?<!\w)" if word[:1].isalnum() else ""
    end = r"(?!\d)" if word[-1:].isdigit() else ""
    if word in _WHOLE | names:
        end = r"(?!\w)"
    return re.compile(start + re.escape(word) + end)


@lru_cache
def _hedges() -> tuple[str, ...]:
    """How a reply of the offline pet begins that is not sure, in each language, folded."""
    texts = (texts_in(language).choices("offline.unsure", line="") for language in LANGUAGES)
    return tuple(fold(one).strip() for each in texts for one in each)


@lru_cache
def _all_over() -> tuple[str, ...]:
    """How a line of the offline pet ends of which all is over, in each language, folded."""
    said = (texts_in(language).say("offline.is_over", what="") for language in LANGUAGES)
    return tuple(fold(one).strip() + end for one in said for end in ("", "”", " »"))


def _told_then_asked(reply: _Reply, ask: Ask) -> Verdict:
    right = _is_right(reply, ask)
    return {
        "right": right,
        "right hedged": right and reply.is_hedged,
        "unknowing": not right and reply.is_unknowing,
        "wrong unhedged": not right and not reply.is_hedged and bool(reply.text),
    }


def _trap(reply: _Reply, ask: Ask) -> Verdict:
    return {"answered wrong": reply.has_anywhere(ask.misleading) and not reply.is_hedged}


def _changed(reply: _Reply, ask: Ask) -> Verdict:
    told = reply.tells_as_current(ask.misleading)
    right = _is_right(reply, ask) if ask.answers else bool(reply.text) and not told
    return {
        "right": right,
        "right unhedged": right and not reply.is_hedged,
        "former told": told and not reply.is_hedged,
    }


def _unknown(reply: _Reply, ask: Ask) -> Verdict:
    wrong = reply.has_anywhere(ask.misleading)
    return {
        "right": reply.is_unknowing,
        "wrong told": wrong,
        "wrong told unhedged": wrong and not reply.is_hedged,
    }


def _is_right(reply: _Reply, ask: Ask) -> bool:
    return reply.has(ask.answers) and not reply.has(ask.misleading)


_JUDGES: Mapping[Kind, Callable[[_Reply, Ask], Verdict]] = {
    "natural": _told_then_asked,
    "changes": _changed,
    "unchanged": _told_then_asked,
    "traps": _trap,
    "unknown": _unknown,
    "talks": _told_then_asked,
}
