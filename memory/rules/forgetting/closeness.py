"""How near a row is to what a request names: shared words, kinds of values, meaning. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory.language.synonyms import near
from memory.language.text import fold, proper_nouns, stems
from memory.rules.forgetting.frame import content_stems


class ValueKind(StrEnum):
    """What sort of value a request asks about without saying it."""

    CODE = "code"
    PLACE = "place"
    DATE = "date"
    AMOUNT = "amount"
    NAME = "name"


_ASKED: Mapping[ValueKind, re.Pattern[str]] = {
    ValueKind.CODE: re.compile(
        r"\b(?:codes?|pins?|passwords?|passcode|passphrase|phrase|combination|combo|combinaison"
        r"|numbers?"
        r"|numeros?|num|phone|iban|account|digits|serial|mdp|mot de passe|chiffres|identifiants?"
        r"|login|key)\b"
    ),
    ValueKind.PLACE: re.compile(
        r"\b(?:where|places?|location|spots?|address|venue|whereabouts|hideout|hiding|endroits?"
        r"|lieux?"
        r"|emplacements?|adresse|coin|planque|cachette|repose|habite|ou (?:je|j'|on|il|elle|est"
        r"|sont|se|c'est))\b"
    ),
    ValueKind.DATE: re.compile(
        r"\b(?:dates?|when|birthday|birthdate|dob|age|born|day|quand|anniversaire|naissance|jour)\b"
    ),
    ValueKind.AMOUNT: re.compile(
        r"\b(?:money|how much|salary|wage|price|cost|debts?|dose|sum|amount|combien|salaire|argent"
        r"|prix|somme"
        r"|montant|dettes?|size|taille|weight|poids|note|mark|grade)\b"
    ),
    ValueKind.NAME: re.compile(
        r"\b(?:(?:nick|code|sur|pre)?names?|called?|nicknamed|who|whom|to whom|qui|(?:sur"
        r"|pre)?noms?|pseudo"
        r"|appelle|s'appelle)\b"
    ),
}

_HELD: Mapping[ValueKind, re.Pattern[str]] = {
    ValueKind.CODE: re.compile(
        r"\b\w*\d\w*\d\w*\d\w*|\b\d{1,4}(?:[- /.]\d{1,4})+|[:=] ?\S{1,40} \S{1,40} \S{1,40} \S"
    ),
    ValueKind.PLACE: re.compile(
        r"\b(?:in|at|under|behind|beneath|above|inside|near|beside|next to|by|on|below|between"
        r"|dans|derriere"
        r"|chez|sous|pres|au-dessus|au|aux|a la|a l'|sur|vers|entre|devant|a)\b"
    ),
    ValueKind.DATE: re.compile(
        r"\b(?:jan(?:uary|vier)?|feb(?:ruary)?|fevrier|mar(?:ch|s)|apr(?:il)?|avril|may|mai|june?"
        r"|juin"
        r"|july|juillet|aug(?:ust)?|aout|sep(?:tember|tembre)?|oct(?:ober|obre)?|nov(?:ember"
        r"|embre)?"
        r"|dec(?:ember|embre)?|(?:19|20)\d\d|\d+ (?:ans|years)|\d{1,2}(?:st|nd|rd|th)|week \d+"
        r"|lundi|mardi|mercredi|jeudi|vendredi|monday|tuesday|wednesday|thursday|friday)\b"
    ),
    ValueKind.AMOUNT: re.compile(r"\d"),
    ValueKind.NAME: re.compile(
        r"\b(?:names?d?|called|call(?:s|ed)? (?:me|him|her|it)|codenamed|nicknamed|s'appelle"
        r"|appelle"
        r"|prenomm?e?|nomm?e?|surnomm?e?|baptis\w+)\b"
    ),
}

_CONTINUES = re.compile(
    r"^(?:and|also|plus|it|it's|its|they|he|she|that's|et|aussi|celle|celui|ceux|il|elle|ils"
    r"|elles)\b"
)
"""How a line begins that goes on with the one before."""

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
_PLURAL = re.compile(
    r"\b(?:my|mes|the|les|these|ces|those|des|our) (?:\w+ )?\w{3,}[sx]\b|\bdetails\b"
)

_SAME_START = 4
"""Letters with which two words begin that are forms of one: "allergies", "allergic"."""

_FORM = 0.7
"""What another form of a word counts of it."""

_KIND_WORDS = frozenset(
    stems(
        "code codes number numbers numero num name place date pin password phrase backup word lieu"
        " endroit emplacement nom combination details thing old"
    )
)
"""Words that say what sort of value is meant: every value of the sort goes by them."""

LIGHT, NEAR, AROUND, MEANING = 0.1, 0.2, 0.45, 2.0
"""What counts beside a word that is said: a word for a sort of value, one near in meaning, one of
the rest of the request, and the likeness of the whole in meaning. Fitted, as those below, to
tests/data/forgetting-requests/tune.jsonl, alone and mixed with the lines of other scenes."""

KIND, VALUE, OTHERS, TASTE, TELLS, OWN, LONG = 0.4, 1.5, -1.3, -0.65, 1.7, 0.5, 0.8
"""By how much a line is likelier to be meant that holds what is asked about, a name or a number,
that tells of other people, or of tastes, that the author tells of themselves, and that is long."""

_LEAST = 0.1
"""What is left of the score of a line that all of this speaks against."""

_LONG_STEMS = 12

BEST, AMONG_MANY = 0.98, 0.85
"""How near to the best a line must be, in a part that means one thing, or many."""

_PART = 0.3
"""How near to the best of all parts the best of another must be for the part to mean anything."""

POSSIBLE = 0.4
"""The score from which on a line may be what a sure request means."""

SURE = 4.2
"""The score from which on a line is meant by words that may ask for nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRow:
    """A row that may be meant; `alike` is its meaning against each part, from -1 to 1.

    `before` is what the same author said right before it, where it goes on with that.
    """

    text: str
    alike: Sequence[float]
    before: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedParts:
    """What a request names: its parts, and what else it says; `whole` where all of it is meant."""

    parts: Sequence[str]
    context: str = ""
    whole: bool = False


def goes_on(text: str) -> bool:
    """Whether a line goes on with the one before it."""
    return _CONTINUES.match(fold(text)) is not None


def meant(named: NamedParts, rows: Sequence[ComparedRow]) -> tuple[list[int], float]:
    """The places of the rows that are meant, and the score of the best of them."""
    scores = [_scores(named, place, rows) for place in range(len(named.parts))]
    best = max((max(row, default=0.0) for row in scores), default=0.0)
    found: set[int] = set()
    for part, row in zip(named.parts, scores, strict=True):
        highest = max(row, default=0.0)
        if highest <= 0 or (len(scores) > 1 and highest < _PART * best):
            continue
        least = AMONG_MANY if named.whole or _PLURAL.search(part) else BEST
        found |= {place for place, score in enumerate(row) if score >= least * highest}
    if named.whole or any(_PLURAL.search(part) for part in named.parts):
        found |= {place + 1 for place in found if place + 1 < len(rows) and rows[place + 1].before}
    return sorted(found), best


def _scores(named: NamedParts, place: int, rows: Sequence[ComparedRow]) -> list[float]:
    """How near each row is to one part."""
    part = named.parts[place]
    rest = " ".join((*named.parts[:place], *named.parts[place + 1 :], named.context))
    asked = _Asked(part, rest)
    return [asked.relevance(row, row.alike[place]) * asked.likelihood(row.text) for row in rows]


class _Asked:
    """One part of a request, read once."""

    def __init__(self, part: str, rest: str) -> None:
        self._words = list(dict.fromkeys(content_stems(part)))
        self._rest = set(content_stems(rest)) - set(self._words)
        self._near = near(part)
        self._rest_near = near(rest)
        self._said = frozenset(stems(f"{part} {rest}"))
        self._own = frozenset(stems(part))
        self._kinds = kinds_asked(part)
        self._tastes = _TASTE.search(fold(part)) is not None

    def relevance(self, row: ComparedRow, alike: float) -> float:
        """How much of it a row speaks of."""
        said, before = stems(row.text), stems(row.before)
        score = MEANING * max(0.0, alike)
        for word in self._words:
            if word in said:
                score += LIGHT if word in _KIND_WORDS else 1.0
            else:
                near_it = _shared(word, said, self._near)
                score += NEAR * max(near_it, 0.6 * _shared(word, before, self._near))
        around = sum(_shared(word, said, self._rest_near) for word in self._rest)
        return score + AROUND * around

    def likelihood(self, text: str) -> float:
        """How likely a line of this sort is meant at all."""
        plain = fold(text)
        others = any(
            not self._said.intersection(stems(found)) for found in _RELATIVE.findall(plain)
        )
        tastes = _TASTE.search(plain) is not None and not self._tastes
        score = 1 + KIND * len(self._kinds & kinds_held(text))
        score += VALUE * min(2, len(telling_values(text, self._own)))
        score += OTHERS * others + TASTE * tastes
        score += TELLS * (_FIRST.search(plain) is not None) + OWN * (_OWN.search(plain) is not None)
        score += LONG * min(1.0, len(stems(text)) / _LONG_STEMS)
        return max(_LEAST, score)


def telling_values(text: str, but: Collection[str] = ()) -> list[str]:
    """The stems of a text's names and numbers, those of `but` left out."""
    names = [stem for stem in proper_nouns(text) if stem not in but]
    return names + [stem for stem in stems(text) if any(sign.isdigit() for sign in stem)]


def _shared(
    word: str, said: Sequence[str], others: Mapping[str, Sequence[tuple[str, float]]]
) -> float:
    """How much of a word some stems say: itself, another form of it, or a word near it."""
    if word in said:
        return 1.0
    line = f" {' '.join(said)} "
    best = max((share for term, share in others.get(word, ()) if f" {term} " in line), default=0.0)
    return max(best, _FORM) if any(_is_form(word, one) for one in said) else best


def _is_form(one: str, other: str) -> bool:
    """Whether two stems begin alike, up to an ending."""
    least = min(len(one), len(other))
    alike = next((at for at in range(least) if one[at] != other[at]), least)
    return alike > _SAME_START + 1 or (alike >= _SAME_START and alike >= least - 1)


def kinds_asked(text: str) -> frozenset[ValueKind]:
    """The sorts of values that a part of a request asks about."""
    said = fold(text)
    return frozenset(kind for kind, pattern in _ASKED.items() if pattern.search(said))


def kinds_held(text: str) -> frozenset[ValueKind]:
    """The sorts of values that a row may hold."""
    said = fold(text)
    return frozenset(kind for kind, pattern in _HELD.items() if pattern.search(said))
