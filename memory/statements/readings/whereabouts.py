"""The time zone of where people say that they are: "I'm in New York", "je suis à Tokyo"; pure.

Only what is plainly so now counts: no question, denial, wish, past, plan or place of another.
"""

import re
from collections.abc import Iterator
from datetime import tzinfo

from memory.language.expressions import SentencePattern, read_part
from memory.language.text import fold
from memory.language.times.time_words import aligned
from memory.language.times.zones import zone_in, zone_of_place

_LEAD = (
    r"(?:(?:hi|hey|hello|well|so|ok|okay|now|right now|currently|btw|by the way|actually|today|and"
    r"|but|salut|bonjour|coucou|la|en ce moment|maintenant|actuellement|aujourd hui|au fait|bon"
    r"|donc|et|mais|en fait|sorry|pardon|non|no|wait)\b,? ?){0,3}"
)
_EN = (
    r"(?:i m|i am|im|we re|we are)(?: (?:now|currently|still|back|here|living|staying|based|working"
    r"|right now|at home))? in"
    r"|i (?:now |currently )?(?:live|stay) in|i (?:ve |have )?(?:just |recently )?(?:moved|arrived"
    r"|landed|relocated) (?:to|in)"
)
_FR = (
    r"(?:je suis|j suis|chuis|on est|nous sommes)(?: (?:maintenant|actuellement|toujours|encore"
    r"|bien|rentree?|arrivee?s?|installee?|en deplacement|en vacances))? (?:a|au|aux|en|dans)"
    r"|(?:j habite|je vis|je loge|je sejourne|je reside)(?: maintenant| actuellement)?"
    r" (?:a|au|aux|en)"
    r"|j ai (?:demenage|emmenage|atterri) (?:a|au|aux|en)|je viens d (?:arriver|atterrir)"
    r" (?:a|au|aux|en)"
)
_PLACE = SentencePattern(rf"{_LEAD}(?:{_EN}|{_FR}) (?P<place>[a-z][a-z ]{{1,59}})")
_OWN_ZONE = SentencePattern(
    rf"{_LEAD}(?:my time ?zone is|i m on|i am on|mon fuseau(?: horaire)? est"
    r"|je suis a l heure d)"
)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
_NO_WORDS = re.compile(r"[^a-z0-9]+")
_NOT_NOW = frozenset(
    [
        "next",
        "tomorrow",
        "tonight",
        "later",
        "soon",
        "until",
        "last",
        "yesterday",
        "if",
        "when",
        "for",
        "from",
        "prochaine",
        "prochain",
        "demain",
        "bientot",
        "quand",
        "jusqu",
        "derniere",
        "dernier",
        "hier",
        "si",
        "depuis",
        "des",
    ]
)
"""Words behind a place that make of it a plan, a memory or a condition."""
_MOST_WORDS = 4


def zone_told_in(text: str) -> tzinfo | None:
    """The zone of where the author of a text says they are, by its last such sentence, or None.

    A country counts where it has one zone, a city where zones are named after it.
    """
    told = map(_zone_of, reversed(_SENTENCE.findall(read_part(text))))
    return next(filter(None, told), None)


def _zone_of(sentence: str) -> tzinfo | None:
    line = _NO_WORDS.sub(" ", fold(sentence)).strip()
    if sentence.endswith("?"):
        return None
    if _OWN_ZONE.match(line):
        named = zone_in(sentence, aligned(sentence))
        return None if named is None else named.zone
    found = _PLACE.match(line)
    return None if found is None else next(_zones(found["place"].split()), None)


def _zones(words: list[str]) -> Iterator[tzinfo]:
    """The zones of the names that the words begin with, the longest first."""
    for size in range(min(len(words), _MOST_WORDS), 0, -1):
        name = " ".join(words[:size]).removeprefix("the ").removesuffix(" time")
        zone = zone_of_place(name)
        if zone is not None and not _NOT_NOW & set(words[size:]):
            yield zone
