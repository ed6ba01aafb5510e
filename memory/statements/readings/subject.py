"""Whom a statement is about, apart from what it says of them. Pure.

"Maria Lopez has a dentist appointment" is of Maria Lopez and about an appointment: two statements
that begin with one name share no more than their person.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from memory.language.expressions import SentencePattern
from memory.language.text import fold, words
from memory.language.word_lists import STOP_WORDS
from memory.statements.readings import english, french

_CACHED = 4_096
"""Statements whose reading is remembered."""

WE = "we"
"""The key of the speaker with others: "nous", "our"."""

SPEAKER = "i"
"""The key of a first person whom nothing names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A statement taken apart: the keys of its people, and the folded words said of them.

    A key is a folded name, `WE`, `SPEAKER`, or a relative ("maria's sister"). No people: it is
    about a thing ("the concert is on Friday"). `is_told` is False where a pronoun hides who it is.
    """

    people: frozenset[str]
    said: str
    is_told: bool = True


_NAME = r"(?-i:[A-ZÀ-ÖØ-Ý])(?:'(?-i:[A-ZÀ-ÖØ-Ý]))?[\w-]*(?:\.(?=\s\w))?"
_PARTICLE = r"(?:(?-i:de|d'|du|des|della|di|da|van|von|den|der|ter|la|le|el|al|bin|ben)\s?)"
_NAMES = rf"@?{_NAME}(?:\s{_PARTICLE}{{0,2}}{_NAME}){{0,3}}"
_THINGS = (
    r"(?:[\w-]+\s)?(?:dogs?|cats?|kitten|puppy|rabbit|horse|parrot|hamster|chien\w*|chat\w*|chiot|lapin"
    r"|cheval|perroquet|doctor|dentist\w*|therapist|teacher|médecin|psy|prof)\b"
)
"""Pets are had and appointments are with these: "Maria's dentist appointment"."""
_KIN = rf"(?!{_THINGS})(?:{english.FAMILY}|{french.FAMILY})\b"
_MY = r"(?:my|our|mon|ma|mes|notre|nos)"
_AND = r"\s(?:and|et)\s"

_GENITIVE = SentencePattern(r"'s |(?<=s)' ")
_FIRST_PERSON = frozenset(("i", "je", "my"))
_OWN_WORDS = frozenset(("my", "our", "mon", "ma", "mes", "notre", "nos"))

_QUOTE = SentencePattern(r"(?P<who>[^«“:]{1,80}?)\s?:\s?[«“]\s?(?P<said>.+?)\s?[»”]$")
_BY_NAME = SentencePattern(rf"(?P<who>{_NAMES})\s?:\s(?P<said>\S.*)")
_OPENING = SentencePattern(
    r"(?:(?:en fait|au fait|finalement|enfin|au final|maintenant|désormais|actually|finally|now"
    r"|currently|in the end|so|donc|well|eh bien|bon|(?-i:ben)|bah|alors|du coup"
    r"|sinon|d'ailleurs|ça y est|voilà|oui|ouais|non|yes|yeah|yep|no|ok|okay|oh|ah|hey"
    r"|hi|hello|salut|bonjour|coucou|btw|by the way|fyi|and|but|et|mais|moi|perso"
    r"|personnellement|personally|(?:depuis|since|as of|en)\s[^,]{1,30}(?=,)),?\s+)+",
    re.IGNORECASE,
)
"""What may stand before a statement and is no part of it."""
_DAY = SentencePattern(
    r"[\w' ]{1,30}\([^)]{4,40}\),?\s(?=(?:je|j'|I|I'm|on|nous|we)\b)", re.IGNORECASE
)
"""A day in front, with its date: "Demain (18/01/2026), je pars"."""
_HASTE = (
    (SentencePattern(r"\bj(?:'|\s)?(?=(?:suis)\b)", re.IGNORECASE), "je "),
    (SentencePattern(r"\bch(?:ui|uis|suis)\b", re.IGNORECASE), "je suis"),
    (SentencePattern(r"\bj(?=(?:ai|habite|adore|aime|étudie|apprends)\b)", re.IGNORECASE), "je "),
    (SentencePattern(r"\bj(?:'\s?|\s)(?=[aeéêhiouy])", re.IGNORECASE), "je "),
    (SentencePattern(r"\bpr ?(?:é|e)f(?:é|e)re\b", re.IGNORECASE), "préfère"),
    (SentencePattern(r"\bdeteste\b", re.IGNORECASE), "déteste"),
    (SentencePattern(r"\b(?:im|(?-i:I)m|I'm)\b", re.IGNORECASE), "I am"),
    (SentencePattern(r"\bI'?ve\b", re.IGNORECASE), "I have"),
    (SentencePattern(r"\b(do|does|did|is|are|was)nt\b", re.IGNORECASE), r"\1n't"),
    (SentencePattern(r"\bcant\b", re.IGNORECASE), "can't"),
    (SentencePattern(r"(?<=\w)'re\b", re.IGNORECASE), " are"),
    (SentencePattern(r"(?<=\w)'ll\b", re.IGNORECASE), " will"),
    (SentencePattern(r"(?<=\w)'ve\b", re.IGNORECASE), " have"),
    (SentencePattern(r"(?<=\bname)'s\b|(?<=\bbirthday)'s\b", re.IGNORECASE), " is"),
)
"""Contractions and what is typed in haste, as the readings spell it."""


@dataclass(frozen=True, slots=True)
class SpokenWords:
    """A statement without the name of who says it and without opening words, spelt out.

    `speaker` is whom "I" means; None where nothing names them.
    """

    words: str
    speaker: str | None

    @property
    def key(self) -> str:
        """The speaker as a key, `SPEAKER` where nothing names them."""
        return key_of(self.speaker or "") or SPEAKER

    def person(self, word: str) -> str | None:
        """The key of whom a word of it names; None of a first person whom nothing names."""
        return key_of((self.speaker or "") if word.lower() in _FIRST_PERSON else word) or None


@lru_cache(maxsize=_CACHED)
def spoken_words(content: str, said_by: str | None = None) -> SpokenWords:
    """What a statement says: that of `David: j'habite à Lyon` in David's own words.

    A word before a colon is a name only where it is the one of `said_by`, or `said_by` is None.
    """
    plain = " ".join(content.replace("’", "'").replace("\u00a0", " ").split()).rstrip(" .!")
    quote = _QUOTE.fullmatch(plain)
    named = None if quote else _BY_NAME.fullmatch(plain)
    if quote:
        plain, said_by = quote["said"].rstrip(" .!"), quote["who"]
    elif said_by and plain.casefold().startswith(f"{said_by.casefold()}: "):
        plain = plain[len(said_by) + 1 :].lstrip()
    elif named and said_by is None:
        plain, said_by = named["said"], named["who"]
    for before in (_OPENING, _DAY):
        if found := before.match(plain):
            plain = plain[found.end() :]
    for typed, meant in _HASTE:
        plain = typed.sub(meant, plain)
    return SpokenWords(plain, said_by)


_FIRST = SentencePattern(r"(?P<who>I|je|j'|we|nous|on)(?:\s|(?<='))(?P<said>\S.*)", re.IGNORECASE)
_PRONOUN = SentencePattern(
    r"(?:he|she|they|it|il|elle|ils|elles|ça|this|that|his|her|their|son|sa|ses|leurs?)\b",
    re.IGNORECASE,
)
_TEAM = SentencePattern(
    r"(?:the|our) team\s(?P<en>\S.*)|(?:l'|notre )équipe\s(?P<fr>\S.*)", re.IGNORECASE
)
_PERSON = rf"(?:{_MY}\s{_KIN}(?:\s{_NAMES})?|{_NAMES}(?:'s\s|(?<=s)'\s){_KIN}|{_NAMES})"
_PEOPLE = SentencePattern(
    rf"(?P<one>{_PERSON})(?:{_AND}(?P<other>{_PERSON}))?,?\s"
    rf"(?!{_NAMES}(?:'s|(?<=s)')\s)(?P<said>\S.*)",
    re.IGNORECASE,
)
_KIN_OF = SentencePattern(
    rf"(?:l[ae]s?\s|l'|the\s)(?P<kin>{_KIN})\s(?:de\s|d'|of\s)(?P<owner>{_NAMES})\s(?P<said>\S.*)",
    re.IGNORECASE,
)
_OWN = SentencePattern(
    rf"(?:{_MY}\s|(?P<owner>{_NAMES})(?:'s|(?<=s)')\s)(?P<said>\S.*)", re.IGNORECASE
)
_THING_OF = SentencePattern(
    rf"(?:l[ae]s?\s|l')(?P<thing>\w[\w -]{{0,40}}?)\s(?:de\s|d')(?P<owner>{_NAMES})"
    r"(?P<said>,?\s\S.*)",
    re.IGNORECASE,
)
_APPOSED = SentencePattern(
    rf"(?P<name>{_NAMES}),\s(?:(?:l[ae]\s|l')(?P<thing>\w[\w -]{{0,40}}?)\s(?:de\s|d')"
    rf"(?P<owner>{_NAMES})|(?P<mine>{_MY})\s(?P<own>\w+)"
    rf"|(?P<whose>{_NAMES})(?:'s|(?<=s)')\s(?P<pet>\w+)),\s(?P<said>\S.*)",
    re.IGNORECASE,
)


@lru_cache(maxsize=_CACHED)
def clause_of(content: str, said_by: str | None = None) -> Clause:
    """A statement taken apart; "I" is the speaker that `said_by` names."""
    spoken = spoken_words(content, said_by)
    return _apart(spoken.words, spoken.key)


def _apart(plain: str, speaker: str) -> Clause:
    if _PRONOUN.match(plain):
        return Clause(people=frozenset(), said=fold(plain), is_told=False)
    ways = (_of_speaker, _of_thing, _of_people, _of_owner)
    found = (way(plain, speaker) for way in ways)
    return next(filter(None, found), Clause(people=frozenset(), said=fold(plain)))


def _of_speaker(plain: str, speaker: str) -> Clause | None:
    if found := _TEAM.fullmatch(plain):
        return _clause("team", found["en"] or found["fr"])
    if found := _FIRST.fullmatch(plain):
        is_one = found["who"].lower() in {"i", "je", "j'"}
        return _clause(speaker if is_one else WE, found["said"])
    return None


def _of_thing(plain: str, speaker: str) -> Clause | None:
    """Of "Rex, le chien de Théo, est mort" the owner, with the animal in what is said."""
    found = _APPOSED.fullmatch(plain)
    if found is None:
        return None
    owner = found["owner"] or found["whose"]
    thing = found["thing"] or found["own"] or found["pet"]
    said = f"{thing} {found['name']} {found['said']}"
    return _clause(key_of(owner) if owner else _mine(found["mine"], speaker), said)


def _of_people(plain: str, speaker: str) -> Clause | None:
    if found := _KIN_OF.fullmatch(plain):
        return _clause(f"{key_of(found['owner'])}'s {key_of(found['kin'])}", found["said"])
    found = _PEOPLE.fullmatch(plain)
    if found is None or _is_article(found["one"]):
        return None
    people = filter(None, (found["one"], found["other"]))
    return _clause(*(_person(one, speaker) for one in people), found["said"])


def _of_owner(plain: str, speaker: str) -> Clause | None:
    if found := _OWN.fullmatch(plain):
        owner = key_of(found["owner"]) if found["owner"] else _mine(plain, speaker)
        return _clause(owner, found["said"])
    if found := _THING_OF.fullmatch(plain):
        return _clause(key_of(found["owner"]), f"{found['thing']}{found['said']}")
    return None


def _clause(*parts: str) -> Clause:
    *people, said = parts
    return Clause(people=frozenset(people), said=fold(said))


def _mine(plain: str, speaker: str) -> str:
    return WE if plain.lower().startswith(("our", "notre", "nos")) else speaker


def _is_article(name: str) -> bool:
    """Whether what looks like a name at the start of a sentence is a word of the language."""
    first, _, relative = name.partition(" ")
    is_word = next(iter(words(first)), "") in {"", *STOP_WORDS}
    return is_word and not (relative and first.lower() in _OWN_WORDS)


def _person(name: str, speaker: str) -> str:
    """The key of a person; a relative is keyed with the one they are a relative of."""
    own, _, relative = name.partition(" ")
    if own.lower() in _OWN_WORDS:
        return f"{_mine(own, speaker)}'s {key_of(relative)}"
    owner, *relatives = _GENITIVE.split(name)
    return "'s ".join(map(key_of, (owner, *relatives)))


def key_of(name: str) -> str:
    """A name as it is compared: its folded words."""
    return " ".join(words(name.lstrip("@")))
