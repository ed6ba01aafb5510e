"""How much of a question a line says, in its own words or near ones; pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files

from memory.language.synonyms import Shares, near
from memory.language.text import fold, light_stems, stems
from memory.language.word_lists import STOP_WORDS

_LIGHT_WEIGHT = 0.4
_EXACT, _NEAR, _SPELT, _CONTEXT = 1.0, 0.8, 0.75, 0.6
_LONG = 5
"""Letters of stems that are compared by their beginning."""


class QuestionWords:
    """The words of one question, looked for in many lines."""

    def __init__(self, plain: str, topic: Sequence[str]) -> None:
        self._topic = tuple(topic)
        terms = near(plain)
        self._near = {stem: _words_near(stem, terms) for stem in topic}

    def coverage(self, said: Collection[str], before: Collection[str]) -> float:
        """The share of the question that a line says, in 0..1; words before it count less."""
        if not self._topic:
            return _WITHOUT_TOPIC
        weights = [_weight(stem) for stem in self._topic]
        found = [
            max(self._found(stem, said), _CONTEXT * self._found(stem, before))
            for stem in self._topic
        ]
        return sum(w * f for w, f in zip(weights, found, strict=True)) / sum(weights)

    def says(self, stem: str) -> bool:
        """Whether the question says a word of a line itself, in some form."""
        return any(stem == one or _alike(one, stem) for one in self._topic)

    def finds(self, stem: str, said: Collection[str]) -> bool:
        """Whether a line says a word of the question, or a near one."""
        return stem not in self._near or self._found(stem, said) > 0

    def _found(self, stem: str, said: Collection[str]) -> float:
        if stem in said:
            return _EXACT
        if any(
            term in said or (" " in term and set(term.split()) <= set(said))
            for term in self._near[stem]
        ):
            return _NEAR
        return _SPELT if any(_alike(stem, one) for one in said) else 0.0


def accented(text: str) -> list[str]:
    """The stems of words that are others without their accents: "thé" is no "the"."""
    return stems(" ".join(word for word in _ACCENTED.findall(text) if fold(word) in STOP_WORDS))


_ACCENTED = re.compile(r"\b\w*[àâçéèêëîïôùûü]\w*\b", re.IGNORECASE)

_WITHOUT_TOPIC = 0.55

_TIMES = frozenset(
    stems(
        """
        tonight today tomorrow yesterday week month year weekend morning evening day time soir matin
        demain hier semaine mois annee an jour nuit aujourdhui monday tuesday wednesday thursday
        friday saturday sunday lundi mardi mercredi jeudi vendredi samedi dimanche
        """
    )
)
_TIME_WEIGHT = 0.25


def _weight(stem: str) -> float:
    """How much a word of a question says: times and adverbs are often left out of an answer."""
    if stem in _TIMES or stem.endswith(("ment", "iqu")):
        return _TIME_WEIGHT
    return _LIGHT_WEIGHT if stem in light_stems() else 1.0


def _alike(one: str, other: str) -> bool:
    """Whether two stems are forms of one word, or one letter apart."""
    if min(len(one), len(other)) < _LONG:
        return False
    if one[:_LONG] == other[:_LONG]:
        return True
    if len(one) == len(other):
        return sum(a != b for a, b in zip(one, other, strict=True)) == 1
    short, long = sorted((one, other), key=len)
    return len(long) - len(short) == 1 and any(
        long[:at] + long[at + 1 :] == short for at in range(len(long))
    )


def _words_near(stem: str, terms: Mapping[str, Shares]) -> frozenset[str]:
    """What may stand for a word: where everyday words have it for themselves, those alone."""
    everyday, alone = _everyday()
    if stem in alone:
        return everyday[stem]
    found = {term for of, near_it in terms.items() if stem in of.split() for term, _ in near_it}
    return frozenset(found) | everyday.get(stem, frozenset())


@cache
def _everyday() -> tuple[Mapping[str, frozenset[str]], frozenset[str]]:
    """What everyday words are near to, and those of them that are near to nothing else."""
    text = (files("bot.llm.offline.questions") / "everyday.tsv").read_text("utf-8")
    found: dict[str, frozenset[str]] = {}
    alone: set[str] = set()
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        group = frozenset(stems(line.lstrip("=").replace("\t", " ").replace(",", " ")))
        alone |= group if line.startswith("=") else frozenset()
        for stem in group:
            found[stem] = found.get(stem, frozenset()) | group
    return found, frozenset(alone)
