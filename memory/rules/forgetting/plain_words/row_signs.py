"""What sort of row it is, whatever is asked: who tells it of whom, with what values, how. Pure."""

import re
from dataclasses import dataclass
from functools import cached_property

from memory.language.text import fold, has_digit, proper_nouns, stems
from memory.rules.forgetting.plain_words.frame import content_stems
from memory.rules.forgetting.plain_words.kinds import ValueKind, kinds_held
from memory.rules.forgetting.plain_words.matters import matters_of

_RELATIVE = re.compile(
    r"\b(?:my|our|the|mon|ma|mes|nos|notre|le|la|les|l'|un|une|a|du|au) ?(cousine?s?|friends?"
    r"|sisters?"
    r"|brothers?|daughters?|sons?|nieces?|nephews?|neighbou?rs?|mum|mom|mother|dad|father|uncle"
    r"|aunt"
    r"|grandma|grandpa|colleagues?|boss|cheff?e?|husband|wife|kids?|amie?s?|copine?s?|copains?"
    r"|soeurs?"
    r"|freres?|filles?|fils|neveux?|voisine?s?|mere|pere|maman|papa|oncle|tante|mamie|papi"
    r"|collegues?"
    r"|mari|femme|enfants?)\b"
)

_TASTE = re.compile(
    r"\b(?:loves?|likes?|adores?|aimes?|prefers?|hates?|detestes?|favou?rite|beurk|lol|mdr)\b"
    r"|\?$"
)
"""Words of what is said of anything, which is seldom asked to be forgotten."""

_FIRST = re.compile(r"\b(?:i|i'm|im|i've|we|j'ai|jai|je|jsuis|g|on|nous|chui|jme)\b")
_OWN = re.compile(r"\b(?:my|our|mon|ma|mes|nos|notre)\b")

_LONG_STEMS = 12

_CONTINUES = re.compile(
    r"^(?:and|also|plus|so|then|second|it|it's|its|they|he|hes|he's|she|shes|she's|that's|there"
    r"|et|aussi|celle|celui|ceux|il|elle|ils|elles|c'est|cest|c'etait|du coup|en plus)\b"
)
"""How a line begins that goes on with the one before."""

_REFERS = re.compile(
    r"^(?:[\w'.,-]+ ){0,3}(?:it|it's|its|he|he's|hes|she|she's|shes|they|him|her|them|that|there|il"
    r"|elle|ils|elles|lui|y|j'y|en|j'en|ca|cela|celui|celle|ceux|c'est|cest)(?= |$)"
)
"""How a line begins that speaks of what was said before."""

_GREETS = re.compile(
    r"^(?:ok|lol|haha|yes|no|oui|non|merci|thanks|thx|hi|hello|salut|bonjour|bonsoir|morning|good"
    r"|coucou|ah|oh)\b"
)

_TODAY = re.compile(
    r"\b(?:today|tonight|tomorrow|this morning|tmrw|demain|ce soir|aujourd'hui|ce matin)\b"
)

_MEASURED = re.compile(
    r"\d ?(?:mg|k|kg|kilos?|euros?|dollars?|pounds|quid|€|£|balles|ans|stone)\b|[€$£] ?\d"
)

_CONFIDES = re.compile(
    r"\b(?:secrets?|nobody|no one|anyone|anybody|lied|lie|confess|truth|honestly|between|promised"
    r"|never told|dont tell|don't tell|shh+|chut|personne|avoue|menti|mentir|verite|franchement"
    r"|promis|entre nous|jamais dit|sait pas|savent pas)\b"
)
"""Words of what is confided."""

_MOST_VALUES = 2


@dataclass(frozen=True)
class RowSigns:
    """One row, read once."""

    text: str

    @cached_property
    def plain(self) -> str:
        """Its words without case and accents."""
        return fold(self.text)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stems of its words, in order."""
        return tuple(stems(self.text))

    @cached_property
    def content(self) -> frozenset[str]:
        """The stems that name something."""
        return frozenset(content_stems(self.text))

    @cached_property
    def kinds(self) -> frozenset[ValueKind]:
        """The sorts of values that it may hold."""
        return kinds_held(self.text)

    @cached_property
    def matters(self) -> frozenset[str]:
        """The matters that it may be of."""
        return matters_of(self.stems)

    @cached_property
    def names(self) -> frozenset[str]:
        """The stems of what it writes with a capital."""
        return frozenset(proper_nouns(self.text))

    @cached_property
    def values(self) -> frozenset[str]:
        """The stems of its names and numbers."""
        return self.names | {one for one in self.stems if has_digit(one)}

    @cached_property
    def goes_on(self) -> bool:
        """Whether it goes on with the row before it."""
        return _CONTINUES.match(self.plain) is not None

    @cached_property
    def refers_back(self) -> bool:
        """Whether it speaks of something that it does not name."""
        return _REFERS.match(self.plain) is not None

    def signs(self, said: frozenset[str], *, tastes: bool) -> dict[str, float]:
        """Its signs as features, beside a request that says these stems and may ask for tastes."""
        tells_of = _RELATIVE.findall(self.plain)
        return {
            "values": min(_MOST_VALUES, len(self.values - said)),
            "number": has_digit(self.plain),
            "measured": _MEASURED.search(self.plain) is not None,
            "named": bool(self.names - said),
            "of others": any(said.isdisjoint(stems(one)) for one in tells_of),
            "taste": not tastes and _TASTE.search(self.plain) is not None,
            "first person": _FIRST.search(self.plain) is not None,
            "own": _OWN.search(self.plain) is not None,
            "long": min(1.0, len(self.stems) / _LONG_STEMS),
            "asks": "?" in self.text,
            "confides": _CONFIDES.search(self.plain) is not None,
            "greets": _GREETS.match(self.plain) is not None,
            "of today": _TODAY.search(self.plain) is not None,
        }


def tells_tastes(text: str) -> bool:
    """Whether a text is about what a person likes."""
    return _TASTE.search(fold(text)) is not None
