"""How near a row is to what a request names: shared words, kinds of values, meaning. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from memory.language.synonyms import near
from memory.language.text import fold, proper_nouns, stems
from memory.language.word_lists import NEGATIONS


class ValueKind(StrEnum):
    """What sort of value a request asks about without saying it."""

    CODE = "code"
    PLACE = "place"
    DATE = "date"
    AMOUNT = "amount"
    NAME = "name"


_ASKED: Mapping[ValueKind, re.Pattern[str]] = {
    ValueKind.CODE: re.compile(
        r"\b(?:codes?|pins?|passwords?|passcode|passphrase|phrase|combination|combo|combinaison|numbers?"
        r"|numeros?|num|phone|iban|account|digits|serial|mdp|mot de passe|chiffres|identifiants?|login|key)\b"
    ),
    ValueKind.PLACE: re.compile(
        r"\b(?:where|places?|location|spots?|address|venue|whereabouts|hideout|hiding|endroits?|lieux?"
        r"|emplacements?|adresse|coin|planque|cachette|repose|habite|ou (?:je|j'|on|il|elle|est|sont|se|c'est))\b"
    ),
    ValueKind.DATE: re.compile(
        r"\b(?:dates?|when|birthday|birthdate|dob|age|born|day|quand|anniversaire|naissance|jour)\b"
    ),
    ValueKind.AMOUNT: re.compile(
        r"\b(?:money|how much|salary|wage|price|cost|debts?|dose|sum|amount|combien|salaire|argent|prix|somme"
        r"|montant|dettes?|size|taille|weight|poids|note|mark|grade)\b"
    ),
    ValueKind.NAME: re.compile(
        r"\b(?:(?:nick|code|sur|pre)?names?|called?|nicknamed|who|whom|to whom|qui|(?:sur|pre)?noms?|pseudo"
        r"|appelle|s'appelle)\b"
    ),
}

_HELD: Mapping[ValueKind, re.Pattern[str]] = {
    ValueKind.CODE: re.compile(r"\b\w*\d\w*\d\w*\d\w*|\b\d{1,4}(?:[- /.]\d{1,4})+|[:=] ?\S+ \S+ \S+ \S+"),
    ValueKind.PLACE: re.compile(
        r"\b(?:in|at|under|behind|beneath|above|inside|near|beside|next to|by|on|below|between|dans|derriere"
        r"|chez|sous|pres|au-dessus|au|aux|a la|a l'|sur|vers|entre|devant|a)\b"
    ),
    ValueKind.DATE: re.compile(
        r"\b(?:jan(?:uary|vier)?|feb(?:ruary)?|fevrier|mar(?:ch|s)|apr(?:il)?|avril|may|mai|june?|juin"
        r"|july|juillet|aug(?:ust)?|aout|sep(?:tember|tembre)?|oct(?:ober|obre)?|nov(?:ember|embre)?"
        r"|dec(?:ember|embre)?|(?:19|20)\d\d|\d+ (?:ans|years)|\d{1,2}(?:st|nd|rd|th)|week \d+"
        r"|lundi|mardi|mercredi|jeudi|vendredi|monday|tuesday|wednesday|thursday|friday)\b"
    ),
    ValueKind.AMOUNT: re.compile(r"\d"),
    ValueKind.NAME: re.compile(
        r"\b(?:names?d?|called|call(?:s|ed)? (?:me|him|her|it)|codenamed|nicknamed|s'appelle|appelle"
        r"|prenomm?e?|nomm?e?|surnomm?e?|baptis\w+)\b"
    ),
}

_OWN = re.compile(
    r"\b(?:i|i'm|im|i've|my|me|mine|we|our|us|j|j'|je|jsuis|jai|jme|g|mon|ma|mes|moi|nous|notre|nos)\b"
)

_CONTINUES = re.compile(
    r"^(?:and|also|plus|it|it's|its|they|he|she|that's|et|aussi|celle|celui|ceux|il|elle|ils|elles)\b"
)
"""How a line begins that goes on with the one before."""

SAME_START = 5
"""Letters with which two words begin that are forms of one: "allergies", "allergic"."""

ALIKE = 0.7
"""What a word counts that is another form of one that is named."""

@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A row that may be meant, as it is compared; `similarity` is of its meaning, 0 to 1."""

    text: str
    similarity: Mapping[str, float]
    follows: str = ""
    """What its author said right before it."""


def kinds_asked(text: str) -> frozenset[ValueKind]:
    """The sorts of values that a part of a request asks about."""
    said = fold(text)
    return frozenset(kind for kind, pattern in _ASKED.items() if pattern.search(said))


def kinds_held(text: str) -> frozenset[ValueKind]:
    """The sorts of values that a row may hold."""
    said = fold(text)
    return frozenset(kind for kind, pattern in _HELD.items() if pattern.search(said))
