"""What would be lost if one statement stood for another. Pure.

A judge that finds two to say the same may be wrong, or right and careless: a rewrite that drops a
name, a number or a word that few statements have is refused, and both stay.
"""

import re

from memory.language.synonyms import translations
from memory.language.term_weights import Rarity
from memory.language.text import stems, words
from memory.language.word_lists import LIGHT_WORDS, NEGATIONS
from memory.rules.comparison import Verdict

_PROPER = re.compile(r"(?<!\w)[A-ZÀ-ÖØ-Ý][\w-]*\w")
_NUMBER = re.compile(r"\d+")
_AND = re.compile(r"[;.]\s|,?\s(?:and|et|but|mais)\s", re.IGNORECASE)


def guarded(verdict: Verdict, new: str, kept: str, rarity: Rarity) -> Verdict:
    """The verdict, or that both stay where following it would lose what only one of them says.

    Where they are the same the new words are dropped; where they are more precise, the kept ones;
    where something changed, what the kept one says besides. `rarity` knows the stems of both.
    """
    if verdict is Verdict.CHANGED and _says_besides(kept, new):
        return Verdict.DISPUTED
    gone, left = {
        Verdict.SAME: (new, kept),
        Verdict.MORE_PRECISE: (kept, new),
    }.get(verdict, ("", ""))
    return Verdict.RELATED if lost(gone, left, rarity) else verdict


def lost(gone: str, left: str, rarity: Rarity) -> frozenset[str]:
    """The names, numbers and rare stems of one statement that another does not say.

    A word that the other says in the other language, or another form of it, is not lost.
    """
    said = set(stems(left)) | set(words(left)) | set(_NUMBER.findall(left))
    return frozenset(
        stem
        for stem in _telling(gone, rarity)
        if stem not in said and said.isdisjoint(translations(stem).get(stem, ()))
    )


def _says_besides(kept: str, new: str) -> bool:
    """Whether a further clause tells a name or a number of what the other is not about."""
    said = set(stems(new))
    return any(
        said.isdisjoint(stems(clause)) and (_PROPER.search(clause) or _NUMBER.search(clause))
        for clause in _AND.split(kept)[1:]
    )


def _telling(text: str, rarity: Rarity) -> frozenset[str]:
    names = {stem for name in _PROPER.findall(text) for stem in stems(name)}
    light = set(stems(" ".join(LIGHT_WORDS)))
    rare = {stem for stem in stems(text) if rarity.is_rare(stem) and stem not in light}
    return frozenset((names | rare | set(_NUMBER.findall(text))) - NEGATIONS)
