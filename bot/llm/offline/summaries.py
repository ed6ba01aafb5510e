"""Summarises a conversation by rules: the sentences of the person that say most, word for word."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from math import log

from bot.ports import WordRarity
from memory.language.detection import nothing_to_look_up
from memory.language.questions.asking import share_that_asks
from memory.language.text import stems
from memory.rules.compaction import Checkpoint, Exchange, SummarySpan, unheaded
from memory.statements.extraction.finder import find_statements
from memory.statements.extraction.sentences import own_lines, sentences

LONGEST = 600
"""Characters of one summary: about 100 words, as much as a model is allowed."""

LONGEST_SENTENCE = 240
"""Characters kept of one sentence: a longer one would be most of the summary by itself."""

LEAST_STEMS = 2
"""Words that carry content: with one alone a sentence says nothing by itself ("tu me le
rappelles ?"), unless it is a statement."""

LEAST_SENTENCES = 2
"""Sentences of a summary: one alone is found as the line that it is."""

_ASKS = 0.5
"""The share of a sentence that asks, from which it tells nothing."""

FOUND_FIRST = 1000.0
"""What a sentence gains that states something: it goes before whatever is merely rare."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    stems: frozenset[str]
    states: bool


class RuleSummariser:
    """Picks what says most, in order; needs no model and never fails.

    `rarity` says how rare words are in all conversations, `zone` is the one people's days are in,
    `called` are the names that a greeting may have in it.
    """

    def __init__(self, rarity: WordRarity, *, zone: tzinfo, called: Sequence[str] = ()) -> None:
        self._rarity = rarity
        self._zone = zone
        self._called = tuple(called)

    async def summarise(self, span: SummarySpan, before: str) -> str:
        """The person's sentences that tell most; "" when they tell less than two things.

        A question tells nothing. `before` is not needed.
        """
        del before
        # A thread, because finding statements takes milliseconds and the event loop has others.
        return await self._told(await asyncio.to_thread(self._sentences_of, span.told))

    async def roll_up(self, summaries: Sequence[Checkpoint]) -> str:
        """The sentences of several summaries that say most."""
        return await self._told(
            [
                _Sentence(text, frozenset(stems(text)), states=False)
                for one in summaries
                for text in sentences(unheaded(one.content))
            ]
        )

    def _sentences_of(self, told: Iterable[Exchange]) -> list[_Sentence]:
        """What a person said, sentence by sentence, without small talk."""
        said = (
            _Sentence(_ended(text), frozenset(stems(text)), states=_states(text, one, self._zone))
            for one in told
            for line in own_lines(one.text)
            for text in sentences(line)
            if not (nothing_to_look_up(text, self._called) or _asks(text))
        )
        return [one for one in said if one.states or len(one.stems) >= LEAST_STEMS]

    async def _told(self, said: Sequence[_Sentence]) -> str:
        words = frozenset(stem for one in said for stem in one.stems)
        seen, rows = await self._rarity.seen(words)
        chosen = _chosen(said, _weights(words, seen, rows), LONGEST)
        return " ".join(chosen) if len(chosen) >= LEAST_SENTENCES else ""


def _asks(text: str) -> bool:
    return text.rstrip().endswith("?") or share_that_asks(text) >= _ASKS


def _states(text: str, one: Exchange, zone: tzinfo) -> bool:
    return bool(find_statements(text, one.speaker, one.at.astimezone(zone)))


def _ended(text: str) -> str:
    """The sentence with a sign at its end, and no longer than one may be."""
    if len(text) > LONGEST_SENTENCE:
        return f"{text[:LONGEST_SENTENCE].rpartition(' ')[0] or text[:LONGEST_SENTENCE]}…"
    return text if text[-1] in ".!?…" else f"{text}."


def _weights(words: Iterable[str], seen: Mapping[str, int], rows: int) -> Mapping[str, float]:
    """How rare each word is: the logarithm of how many rows there are for each that has it."""
    return {word: log(1 + (rows + 1) / (1 + seen.get(word, 0))) for word in words}


def _chosen(said: Sequence[_Sentence], weights: Mapping[str, float], room: int) -> list[str]:
    """The sentences that add most, as many as there is room for, in the order they were said.

    Each word counts once: what a sentence repeats of another one adds nothing.
    """
    left, told, places = dict(weights), set[str](), list[int]()
    open_ = {place for place, one in enumerate(said) if one.stems}
    while open_:
        best = max(open_, key=lambda place: (_adds(said[place], left), -place))
        open_.discard(best)
        one = said[best]
        if _adds(one, left) <= 0 or one.text in told:
            continue
        if len(one.text) + 1 <= room:
            room -= len(one.text) + 1
            told.add(one.text)
            places.append(best)
            left |= dict.fromkeys(one.stems, 0.0)
    return [said[place].text for place in sorted(places)]


def _adds(one: _Sentence, left: Mapping[str, float]) -> float:
    new = sum(left[stem] for stem in one.stems)
    return new + FOUND_FIRST if new and one.states else new
