"""The thing that a statement is about, and how surely two statements name the same one. Pure.

Of folded words: what stands before the first preposition is the thing itself, the rest says where,
with whom or what for.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from memory.language.expressions import SentencePattern
from memory.language.text import has_digit, stems
from memory.language.times.vocabulary import MONTHS, WEEKDAYS
from memory.language.word_lists import NEGATIONS

_CACHED = 4_096
"""Texts whose reading is remembered."""

_CLAUSE_ENDS = SentencePattern(
    r" ?[,;:(]| (?:and|et|but|mais|because|car|parce|so|since|depuis|after|apres|when|quand|who|qui"
    r"|which|where|il|elle|he|she|they|ils)\b"
)
_PREPOSITIONS = SentencePattern(
    r" (?:for|pour|in|en|at|a|au|aux|chez|on|with|avec|dans|from|by|to|near|pres|sur|of|de|d'|du"
    r"|called|named|s'appelle|appelee?|nommee?)\b"
)
_JOINED = SentencePattern(r"(?: (?:and|et|or)\b|[,;]).*")
ARTICLES = SentencePattern(
    r"^(?:(?:an?|the|her|his|my|our|their|une?|l[ae]s?|sa|son|ses|mon|ma|mes|leurs?|nos|notre|de la"
    r"|d[eu]s?) |l'|d')+"
)

TIMES = frozenset(
    stem
    for word in (
        *MONTHS,
        *WEEKDAYS,
        *"""
        week semaine month mois year annee day jour night nuit morning matin evening soir noon midi
        afternoon tomorrow demain yesterday hier today aujourdhui tonight weekend last next dernier
        derniere prochain prochaine ago spring summer autumn printemps automne hiver now maintenant
        desormais early late tot tard
        """.split(),  # noqa: SIM905 - a list of words reads as a list of words
    )
    for stem in stems(word)
)
VAGUE = frozenset(
    stems(
        "subscription abonnement membership job stage internship course cours lesson class club"
        " team equipe called named appelle nomme new nouveau nouvelle old vieux ancien learning"
        " apprendre"
    )
)
"""Stems that many things share: they tell none of them from another where others stand beside."""

MATTERS = tuple(
    frozenset(stems(said))
    for said in """
    flat apartment house home lease rent landlord mortgage studio appartement maison bail loyer \
    logement colocation live move habiter demenager emmenager loger vivre roommate
    job work employer boss office salary contract hire resign retire promotion career company \
    unemployed travail emploi poste boulot patron salaire embaucher licencier demission retraite \
    entreprise chomage stage intern metier
    marry engaged wedding fiance husband wife partner boyfriend girlfriend divorce date single \
    mariage marier fiancailles mari femme conjoint copain copine celibataire rompre epouse couple \
    separe relationship
    ill sick hospital surgery shoulder arm leg knee ankle wrist hip pain flu allergic pregnant \
    diabetic heal recover malade hopital operation epaule bras jambe genou cheville poignet hanche \
    douleur grippe allergique enceinte accoucher guerir baby born bebe naitre therapy
    vegetarian vegan meat fish diet gluten eat drink cook vegetarien viande poisson regime manger \
    boire alcool alcohol
    database server software framework code api library cloud app site website base donnees \
    serveur logiciel application linux windows mysql postgres postgresql sqlite redis react svelte \
    vue python java
    dog cat puppy kitten parrot hamster rabbit horse chien chat chiot chaton lapin cheval \
    perroquet vet veterinaire
    school university exam degree student graduate thesis diploma study ecole universite examen \
    etudiant these diplome etudier
    car bike motorbike scooter van drive voiture velo moto camion conduire
    piano guitar violin cello drum flute choir band guitare violon violoncelle batterie chorale
    tennis judo rugby football karate yoga gym marathon swim natation club
    flight trip travel holiday visa fly vol voyage vacances voyager
    """.strip().splitlines()
)
"""The stems of matters that a life has side by side: a shoulder is no database."""


class Sameness(IntEnum):
    """How surely a statement ends another one."""

    NO = 0
    MAYBE = 1
    """The matter agrees, but another person or thing may be meant."""
    LOOSELY = 2
    """It names the thing in fewer words: sure as long as one statement fits."""
    SURELY = 3


@dataclass(frozen=True, slots=True)
class Thing:
    """What a statement is about, as stems: the thing itself, and where, with whom or what for."""

    head: frozenset[str]
    rest: frozenset[str]
    beside: frozenset[str]
    """What is named beside it: "a Honda and a Ford"."""

    @property
    def all(self) -> frozenset[str]:
        """All stems of it."""
        return self.head | self.rest


@lru_cache(maxsize=_CACHED)
def thing_in(what: str) -> Thing:
    """The thing that words name, with what is joined to it."""
    plain = ARTICLES.sub("", what)
    first = _before(_CLAUSE_ENDS, plain)
    head = _before(_PREPOSITIONS, first)
    return Thing(
        head=_core(head),
        rest=identity(first[len(head) :]),
        beside=_beside(plain),
    )


@lru_cache(maxsize=_CACHED)
def all_of(said: str) -> Thing:
    """Everything that is said as one thing."""
    return Thing(head=identity(said), rest=frozenset(), beside=_beside(said))


def _beside(said: str) -> frozenset[str]:
    joined = _JOINED.search(said)
    return identity(joined[0]) if joined else frozenset()


@lru_cache(maxsize=_CACHED)
def first_clause(said: str) -> frozenset[str]:
    """The telling stems of the first clause."""
    return identity(_before(_CLAUSE_ENDS, said))


def _before(pattern: SentencePattern, text: str) -> str:
    found = pattern.search(text)
    return text[: found.start()] if found else text


def _core(text: str) -> frozenset[str]:
    """The stems of a thing, without those that many things share where others are left."""
    found = identity(text)
    return found - VAGUE or found


@lru_cache(maxsize=_CACHED)
def identity(text: str) -> frozenset[str]:
    """The stems that tell what it is: neither time nor number."""
    return frozenset(one for one in stems(text) if not has_digit(one)) - NEGATIONS - TIMES


@lru_cache(maxsize=_CACHED)
def times(text: str) -> frozenset[str]:
    """The stems of times and the numbers in a text."""
    return frozenset(one for one in stems(text) if one in TIMES or has_digit(one))


def meeting(ended: Thing, held: Thing) -> Sameness:
    """How surely two things are one: the words of one are all among those of the other."""
    if not ended.head or not held.head:
        return Sameness.NO
    if held.beside:
        return _meeting_one_of(ended, held)
    if ended.head <= held.all:
        meets = Sameness.SURELY if held.head <= ended.all else Sameness.LOOSELY
    elif held.head <= ended.head:
        named = ended.all - held.head
        meets = Sameness.NO if held.rest and named.isdisjoint(held.rest) else Sameness.SURELY
    else:
        return Sameness.NO
    return min(meets, Sameness.MAYBE) if is_elsewhere(ended, held) else meets


def _meeting_one_of(ended: Thing, held: Thing) -> Sameness:
    """The same of what names several; "a cat, Mimi" is one by two words."""
    if not ended.head <= held.all | held.beside:
        return Sameness.NO
    by_both = held.head < ended.head
    return Sameness.SURELY if by_both else Sameness.MAYBE


def is_elsewhere(ended: Thing, held: Thing) -> bool:
    """Whether both say where or with whom, and differ in that."""
    return bool(ended.rest and held.rest) and ended.all.isdisjoint(held.rest)


def within(said: frozenset[str], held: Thing) -> Sameness:
    """How surely stems mean what is held: all of them must stand in it."""
    if not said or not said <= held.all:
        return Sameness.NO
    if held.beside:
        return Sameness.MAYBE
    return Sameness.SURELY if said == held.all else Sameness.LOOSELY
