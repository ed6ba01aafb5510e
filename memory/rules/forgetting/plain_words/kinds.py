"""The sorts of values that a request asks about without saying them, and that a row holds. Pure."""

import re
from collections.abc import Mapping
from enum import StrEnum

from memory.language.text import fold


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


def kinds_asked(text: str) -> frozenset[ValueKind]:
    """The sorts of values that a part of a request asks about."""
    said = fold(text)
    return frozenset(kind for kind, pattern in _ASKED.items() if pattern.search(said))


def kinds_held(text: str) -> frozenset[ValueKind]:
    """The sorts of values that a row may hold."""
    said = fold(text)
    return frozenset(kind for kind, pattern in _HELD.items() if pattern.search(said))
