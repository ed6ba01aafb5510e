"""Relatives, friends and others that people speak of by what they are to them; pure."""

import re

from memory.language.chat_spelling import is_french
from memory.language.text import fold

_GROUPS = (
    r"sisters?|sis|soeurs?|frangines?|soeurette",
    r"brothers?|bro|freres?|frangins?|frerot",
    r"sons?|boys?|fils|fiston|kids?|gamin|garcon",
    r"daughters?|girls?|fille|filles|fillette|gamine",
    r"children|child|kids|enfants?|gosses?|mioches?|twins|jumeaux|jumelles",
    r"mothers?|mums?|moms?|mam|meres?|maman|daronne",
    r"fathers?|dads?|peres?|papa|daron",
    (
        r"girlfriends?|wife|fiancee|meuf|copine|cherie|femme|missus|amoureuse|partner"
        r"|seeing someone"
        r"|seeing a girl|dating|going out with|sors avec|celle que"
    ),
    (
        r"boyfriends?|husband|fiance|mec|copain|cheri|mari|amoureux|partner|seeing someone"
        r"|seeing a guy"
        r"|dating|going out with|sors avec|celui que"
    ),
    r"neighbou?rs?|voisine?s?",
    r"flatmates?|roommates?|housemates?|colocs?|colocataires?",
    r"boss|manager|patrons?|patronne|chef|cheffe",
    r"friends?|mates?|pals?|best friend|besties?|potes?|amie?s?|copains?|copines?|best",
    r"cousine?s?",
    r"uncles?|oncles?|tontons?",
    r"aunts?|aunty|auntie|tantes?|tatas?|taties?",
    r"grandmothers?|grandma|granny|nana|abuela|mamies?|grand mere|meme",
    r"grandfathers?|grandad|grandpa|papis?|grand pere|pepe",
    r"grand ?(?:children|child|kids?|sons?|daughters?)|petits? (?:enfants?|fils)|petites? filles?",
    r"nephews?|neveux?",
    r"nieces?",
    r"eldest|oldest|ainee?s?|la grande|le grand",
    r"youngest|cadette?s?|la petite|le petit|benjamine?",
    r"teachers?|profs?|professeure?s?|maitresse",
    r"colleagues?|coworkers?|collegues?",
    r"landlord|landlady|proprio|proprietaire",
)
_RELATIONS = tuple(re.compile(rf"\b(?:{group})\b") for group in _GROUPS)


_HIS = re.compile(r"\b(?:son|sons)\b")
_FIRST = re.compile(
    r"^(?:\w+ ){0,2}?(?:my|our|mon|ma|mes|notre|nos|the|le|la|les) ((?:\w+ ){0,1}\w+)"
)
_OWNED = re.compile(r"^(?!(?:it|that|this|there|here|what|he|she|who|let) )[\w-]+ s ((?:\w+ )?\w+)")
"""Whose it is before what: "David's son"."""
_NAMED = re.compile(r"\b(?i:my|our|mon|ma|mes|notre) (?P<what>\w+) (?P<name>[A-ZÀ-Ý]\w+)")
_NAMED_FIRST = re.compile(r"\b(?P<name>[A-ZÀ-Ý]\w+), (?i:my|our|mon|ma|mes|notre) (?P<what>\w+)\b")


def relations_in(plain: str) -> frozenset[int]:
    """Which relations a written-out text speaks of; a French "son" is "his"."""
    return _relations(_without_his(plain))


def words_of_relations(plain: str) -> list[str]:
    """The words of a written-out text that say a relation."""
    plain = _without_his(plain)
    return [
        word
        for pattern in _RELATIONS
        for found in pattern.finditer(plain)
        for word in found[0].split()
    ]


def subject_relation(plain: str) -> frozenset[int]:
    """The relation that a written-out line begins with: "my son" or "David's son lives in Lyon"."""
    plain = _without_his(plain)
    found = _OWNED.search(plain) or _FIRST.search(plain)
    return _relations(found[1]) if found else frozenset()


def relatives_named_in(text: str) -> list[str]:
    """The names of relatives and friends in a line: "my son Alun", "Alun, my son,"."""
    return [
        found["name"]
        for pattern in (_NAMED, _NAMED_FIRST)
        for found in pattern.finditer(text)
        if _relations(fold(found["what"]))
    ]


def _relations(plain: str) -> frozenset[int]:
    return frozenset(place for place, pattern in enumerate(_RELATIONS) if pattern.search(plain))


def _without_his(plain: str) -> str:
    return _HIS.sub(" ", plain) if is_french(plain) else plain
