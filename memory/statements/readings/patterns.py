"""How people say in French and English where a person lives, works, is called and the like."""

import re

from memory.language.expressions import SentencePattern
from memory.statements.readings import english, french

_NAME = r"(?-i:[A-ZÀ-ÖØ-Ý])(?:[\w-]|[.'](?!s\b)(?=\w))*"
_NAMES = rf"{_NAME}(?: {_NAME})*"
_TOWN = rf"(?P<value>(?:(?-i:L[ae]s?)\s)?{_NAMES}|{french.SMALL_CITY})"
_LINKS = (
    r"(?!(?:in|at|as|on|for|with|near|since|from|and"
    r"|à|en|de|comme|avec|dans|depuis|et|pour)\b)"
)
_THING = rf"(?P<value>{_NAMES}|(?:une?|l[ae]s?|des|an?|the)\s\w+(?:\s{_LINKS}\w+)?|l'\w+)"
_OF_PERSON = rf"(?P<value>{_NAMES})(?!'s)"
_NOW = (
    r"(?:\s(?:maintenant|désormais|actuellement|toujours|encore|aujourd'hui|enfin|plutôt|now"
    r"|currently|still|actually|finally|instead))*"
)
_LANDS = rf"(?:the\s)?(?P<value>{english.NATION})\b"
_PROVINCES = (
    r"(?!(?:Bretagne|Normandie|Provence|Corse|Alsace|Lorraine|Bourgogne|Auvergne|Savoie|Picardie"
    r"|Champagne|Ardèche|Dordogne|Vendée|Île|Ile|Gascogne|Occitanie|Bavière|Toscane|Catalogne"
    r"|Sicile|Californie|Floride|Texas|Europe|Asie|Afrique|Amérique|Ville|Face)\b)"
)
_NO_TRADES = (
    r"(?!(?:an?\s|une?\s)?(?:vegetarian|vegan|diabetic|twin|widow|widower|grandmother|grandfather"
    r"|father|mother|dad|mom|mum|volunteer|bénévole|retraitée?)\b)"
)
_SCHOOL = (
    rf"(?P<value>(?:la\s|le\s|l')?{_NAMES}|(?:l'|the\s)?(?:université|university|école|school|fac|lycée|collège"
    rf"|college|high\sschool)(?:\s(?:de\s|d'|of\s)?{_NAMES}))"
)
_MATE = (
    r"wife|husband|partner|girlfriend|boyfriend|fianc(?:é|e)e?|spouse"
    r"|femme|mari|épouse|époux|copine|copain|compagne|compagnon|conjointe?|petite amie|petit ami"
)

MATES = SentencePattern(_MATE, re.IGNORECASE)
"""Relatives whose name is an attribute of the person they belong to: one at a time."""


def _said(*patterns: str) -> tuple[SentencePattern, ...]:
    return tuple(SentencePattern(rf"(?:{one})(?P<rest>.*)", re.IGNORECASE) for one in patterns)


PREDICATES: tuple[tuple[str, bool, tuple[SentencePattern, ...]], ...] = (
    (
        "country",
        False,
        _said(
            rf"(?:habite|vi[st]|loge|réside){_NOW}\s(?:en|au|aux)\s{_PROVINCES}"
            rf"(?P<value>{_NAMES})\b",
            rf"(?:lives?|resides?|(?:is|am) (?:living|based)){_NOW}\sin\s{_LANDS}",
        ),
    ),
    (
        "country",
        True,
        _said(
            rf"(?:a|ai)\s(?:déménagé|emménagé)\s(?:en|au|aux)\s{_PROVINCES}(?P<value>{_NAMES})\b",
            rf"(?:has |have )?(?:just )?(?:moved|relocated)\s(?:back\s)?to\s{_LANDS}",
        ),
    ),
    (
        "city",
        False,
        _said(
            rf"(?:habite|vi[st]|loge|réside){_NOW}\s(?:à|a|sur)\s{_TOWN}",
            rf"(?:lives?|resides?|(?:is|am) (?:living|based)){_NOW}\sin\s"
            rf"(?!(?:the\s)?{english.NATION}\b)(?!{english.REGION}\b)(?P<value>{_NAMES})",
        ),
    ),
    (
        "city",
        True,
        _said(
            rf"(?:a|ai)\s(?:déménagé|emménagé)\s(?:à|a|sur)\s{_TOWN}",
            rf"(?:s'est|me suis|est)\sinstallée?\s(?:à|a)\s{_TOWN}",
            rf"viens?t?\sd(?:e\s|')(?:déménager|emménager|s'installer|m'installer)\s(?:à|a)\s{_TOWN}",
            r"(?:has |have )?(?:just )?(?:moved|relocated)\s(?:back\s)?to\s"
            rf"(?!(?:the\s)?{english.NATION}\b)(?!{english.REGION}\b)(?P<value>{_NAMES})",
        ),
    ),
    (
        "employer",
        False,
        _said(
            rf"(?:travaille|bosse|taffe){_NOW}\schez\s(?!elle|lui|eux|moi|soi){_THING}",
            rf"(?:est|suis)\semployée?\s(?:chez|par)\s{_THING}",
            rf"(?:works?|(?:is|am) working){_NOW}\s(?:at|for)\s{_THING}",
            rf"(?:is|am)\semployed\s(?:at|by)\s{_THING}",
        ),
    ),
    (
        "employer",
        True,
        _said(
            rf"(?:(?:a|ai)\sété|est|suis)\sembauchée?\s(?:chez|par)\s{_THING}",
            rf"(?:was|has been|have been|got)\shired\s(?:at|by)\s{_THING}",
        ),
    ),
    (
        "workplace",
        False,
        _said(
            rf"(?:travaille|bosse){_NOW}\sà\s(?P<value>{_NAMES})",
            rf"(?:works?|(?:is|am) working){_NOW}\sin\s(?!(?:the\s)?{english.NATION}\b)"
            rf"(?P<value>{_NAMES})",
        ),
    ),
    (
        "job",
        False,
        _said(
            rf"(?:est|suis|est devenue?|suis devenue?|(?:travaille|bosse) (?:comme|en tant que)"
            rf"|exerce comme){_NOW}\s{_NO_TRADES}(?P<value>{french.JOB})",
            rf"(?:is|am|works? as|(?:is|am) working as|became|(?:has|have) become){_NOW}\s"
            rf"{_NO_TRADES}(?P<value>{english.JOB})",
        ),
    ),
    (
        "age",
        False,
        _said(
            r"(?:a|ai)\s(?P<value>\d{1,3})\sans\b(?!\s(?:de|plus|moins)\b)(?!\sd')",
            r"(?:is|am|turned)\s(?P<value>\d{1,3})(?:\syears?\sold)?(?=$|[\s,.(])(?!\s(?!since|now))",
        ),
    ),
    (
        "birthday",
        False,
        _said(
            r"(?:est|suis)\snée?\s(?P<value>le\s\d{1,2}(?:er)?\s\w+(?:\s\d{4})?"
            r"|le\s\d{1,2}/\d{1,2}(?:/\d{2,4})?)",
            r"(?:was|is)\sborn\s(?:on\s)?(?P<value>(?:the\s)?\d{1,2}(?:st|nd|rd|th)?(?:\sof)?\s"
            rf"{english.MONTHS}(?:,?\s\d{{4}})?|{english.MONTHS}\s\d{{1,2}}(?:st|nd|rd|th)?"
            r"(?:,?\s\d{4})?)",
        ),
    ),
    (
        "birthplace",
        False,
        _said(
            rf"(?:est|suis)\snée?\sà\s(?P<value>{_NAMES})",
            rf"(?:was|is)\sborn\sin\s(?!{english.MONTHS}\b)(?P<value>{_NAMES})",
        ),
    ),
    (
        "name",
        False,
        _said(
            rf"[sm]'appelle\s(?P<value>{_NAMES})",
            rf"(?:is|am)\s(?:called|named)\s(?P<value>{_NAMES})",
        ),
    ),
    (
        "partner",
        False,
        _said(
            rf"(?:est|suis)\s(?:mariée?|fiancée?|pacsée?|en couple)\s(?:à|avec)\s{_OF_PERSON}",
            rf"(?:is|am)\s(?:married|engaged)\sto\s{_OF_PERSON}",
            rf"(?:is|am)\s(?:dating|in a relationship with)\s{_OF_PERSON}",
        ),
    ),
    (
        "partner",
        True,
        _said(
            rf"(?:a|ai)\sépousé\s{_OF_PERSON}",
            rf"(?:s'est|me suis)\smariée?\savec\s{_OF_PERSON}",
            rf"(?:has |have )?married\s{_OF_PERSON}",
        ),
    ),
    (
        "school",
        False,
        _said(
            rf"(?:étudie|fait ses études|fais mes études)(?:\s[\w']+){{0,2}}\s(?:à|au)\s{_SCHOOL}",
            rf"(?:study|studies|goes|go)(?:\s\w+)?\sat\s{_SCHOOL}",
            rf"(?:goes|go)\sto\s(?P<value>(?:the\s)?{_NAMES}\s"
            r"(?:university|college|high\sschool|school|institute))\b",
        ),
    ),
    (
        "car",
        False,
        _said(
            r"(?:conduis|conduit|roule en)\s(?:une?\s)?(?P<value>(?-i:[A-Z])\w+(?:\s\w+)?)",
            r"drives?\san?\s(?P<value>(?-i:[A-Z])\w+(?:\s(?-i:[A-Z0-9])\w*)?)",
        ),
    ),
)
"""For each attribute: its key, whether it tells how it came to be so, and the ways to say it."""

_IS = r"(?:,?\s(?:est|is|c'est|s'appelle|is called|is named|=)|\s?:)\s"

NOUNS: tuple[tuple[str, SentencePattern], ...] = tuple(
    (key, SentencePattern(rf"(?:{noun}){_IS}(?P<value>{value})(?P<rest>.*)", re.IGNORECASE))
    for key, noun, value in (
        ("partner", _MATE, rf"{_NAMES}(?!'s)"),
        ("name", r"(?:first |full |pré|vrai |real )?(?:name|nom)", _NAMES),
        (
            "birthday",
            r"birthday|anniversaire|date de naissance|birth date|date of birth",
            r"[^;(]+",
        ),
        ("age", r"age|âge", r"\d{1,3}\b(?:\sans\b)?"),
        (
            "phone",
            (
                r"(?:nouveau |new )?(?:(?:phone |mobile |cell )?number|phone|mobile"
                r"|numéro(?: de (?:téléphone|portable))?|téléphone|portable)"
            ),
            r"[+(]?\d[\d ().-]{4,}\d",
        ),
        (
            "email",
            r"(?:nouvelle? |new )?(?:(?:adresse )?(?:e-?)?mail(?: address)?|courriel)",
            r"[^\s@]+@[^\s@]+\w",
        ),
        ("employer", r"employer|employeur", r".{2,60}"),
        ("job", r"job|métier|profession", r".{2,60}"),
        ("school", r"school|école|lycée|collège|université|university", _NAMES),
        (
            "project",
            r"current project|projet (?:actuel|en cours|du moment)",
            r".{2,60}",
        ),
        ("car", r"(?:new |nouvelle )?(?:car|voiture)", r"(?:une?|an?)\s.{2,40}"),
        ("city", r"home ?town|city|ville", _NAMES),
        ("country", r"country|pays", _NAMES),
    )
)
"""Attributes told as what a person has: "David's birthday is", "l'anniversaire de David est"."""

FAVOURITES = SentencePattern(
    rf"(?:favou?rite (?P<en>\w+)|(?P<fr>\w+) (?:préférée?|favorite?)){_IS}"
    r"(?P<value>\S.{0,60}?)(?P<rest>)$",
    re.IGNORECASE,
)
"""The one of a kind that a person likes best; "are" and "sont" tell of several."""
