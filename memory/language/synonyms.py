"""Says what else a text may be about: words that say the same, or nearly, in French and English.

Three things are near a word, each with the share of the word that finding it counts. Its
translations say the same (`lexicon/french_english.tsv`, our own: everyday words of chats, without
words so broad that translating them only adds noise, and pairs that share a stem, since those meet
already); other translations of those do so in its own language ("matou", cat, "chat"); and
`lexicon/near.tsv`, our own like the other lexicon, has groups of words: what goes by several names,
in French and English, then what belongs to it, in French and English ("crustacé", "shellfish",
"crevette", "prawn"; "Pologne", "Poland", "Cracovie"). What belongs to a thing leads to its names
and they to it, but two such leave each other alone: Kraków is not Gdańsk. Lexicons are read once.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import zip_longest

from memory.language.detection import told_language
from memory.language.dictionary import Dictionaries, Dictionary, dictionary, term
from memory.language.text import Language, fold, stemmed
from memory.model.knowledge import KnowledgeKind

MOST_TRANSLATIONS = 3
"""Translations of one word: past the third they are rare or far, and each costs a look-up."""

READ = 64
"""Content words of a text that are looked up: who pastes a page asks about its beginning."""

TRANSLATED = 0.6
"""What a word counts that says the same in the other language: it may mean something else there."""

TURNED = 0.4
"""What a word counts that has a translation with it in common: that may have had two meanings."""

NEAR = 0.35
"""What a word counts that is in a group with it: the memory may mean another of them."""

_TELLING = 6
"""Words that are reached at full share together: what may be much says less of each."""

MOST_NEAR = 12
"""Terms near one word: each costs a look-up, and the far ones come last."""

_TRUE_FRIENDS = frozenset(
    {
        "aperit",
        "applic",
        "charg",
        "cinem",
        "foot",
        "footbal",
        "heritag",
        "infus",
        "licenc",
        "mail",
        "match",
        "parent",
        "program",
        "pub",
        "stop",
        "sweat",
        "telev",
        "trail",
    }
)
"""Terms of words that mean the same in both languages, though no translation says so: pairs that
share a stem are not in the lexicon."""

_CIRCLES = 8
"""Circles of one word: who is in more means nothing in particular."""

_CACHED = 16_384
"""Words whose terms are kept in order: a room's vocabulary fits in this."""

Shares = tuple[tuple[str, float], ...]
"""Terms, each with what finding it counts of the word it is near, the largest first."""

ASKED_WITH: Mapping[str, str] = {
    "age": "âge ans old age",
    "birthday": "anniversaire naissance né née birthday born",
    "birthplace": "né née naissance origine born from birthplace",
    "car": "voiture bagnole roule conduit car drives",
    "city": "habite vit ville adresse lives city town address",
    "country": "habite vit pays lives country",
    "email": "mail courriel adresse email address",
    "employer": "travaille bosse boîte entreprise employeur works company employer",
    "job": "travaille travail métier boulot profession works work job profession living",
    "name": "appelle nom prénom name called",
    "partner": "couple conjoint copain copine mari femme partner spouse husband wife",
    "phone": "téléphone numéro portable phone number",
    "project": "projet travaille project works",
    "school": "école étudie études fac université school studies university",
    "workplace": "travaille bosse bureau works office workplace",
}
"""By the key of a core fact, since "est fleuriste" has no word of "quel est son métier ?"."""


def translations(text: str) -> dict[str, tuple[str, ...]]:
    """For stems of the text, the terms that say the same in the other language, best first.

    A term is a stem, or the stems of an expression with spaces between, which full-text search
    takes as a phrase when it is quoted; so is a key where the text has an expression. At most 3
    terms a key, none of them a stem of the text. Where the text is clearly French or English, it is
    read as that ("pain", "coin" and "four" are words of both), and as either when that gives
    nothing.
    """
    read, told = stemmed(text)[:READ], told_language(text)
    found = (_dictionaries()[told].found(read) if told else {}) or _dictionaries()[None].found(read)
    present = {stem for _, stem in read}
    kept = {of: tuple(term for term in terms if term not in present) for of, terms in found.items()}
    return {of: terms for of, terms in kept.items() if terms}


def pairs() -> list[tuple[str, str]]:
    """Every French word or expression of the lexicon with each of its translations, best first."""
    text = (files("memory.language") / "lexicon" / "french_english.tsv").read_text("utf-8")
    lines = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return [(french, english) for french, said in lines for english in said.split(", ")]


@cache
def _dictionaries() -> Mapping[Language | None, Dictionaries[str]]:
    """By the language that a text is told to be in, None for either."""
    known = pairs()
    french = dictionary((one, term(other)) for one, other in known)
    english = dictionary((other, term(one)) for one, other in known)
    both = Dictionaries([french, english], MOST_TRANSLATIONS)
    return {
        "fr": Dictionaries([french], MOST_TRANSLATIONS),
        "en": Dictionaries([english], MOST_TRANSLATIONS),
        None: both,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Words near in meaning: names of one thing, and what belongs to it, by language."""

    names: Mapping[Language, tuple[str, ...]]
    kinds: Mapping[Language, tuple[str, ...]]


@dataclass(frozen=True, eq=False, kw_only=True)
class _Circle:
    """Words that are reached together, and what one of them counts if they are few."""

    words: tuple[str, ...]
    share: float

    @cached_property
    def terms(self) -> Shares:
        """The words as full-text search knows them, read when they are first reached."""
        terms = dict.fromkeys(term(word) for word in self.words)
        share = self.share * min(1.0, _TELLING / len(terms))
        return tuple((one, share) for one in terms)


_Reached = tuple[str, _Circle]
"""A word of a lexicon and a circle it leads to."""


def near(text: str) -> dict[str, Shares]:
    """For stems of the text, the terms near in meaning, each with its share, the largest first.

    Terms and keys are as `translations` has them: a stem, or the stems of an expression with spaces
    between. At most 12 terms a key, none of them a stem of the text; a share is over 0 and at most
    .6. The words of an expression are not looked up by themselves.
    """
    read = stemmed(text)[:READ]
    said, reached = translations(text), _near()[told_language(text)].found(read)
    whole = {stem for of in (*said, *reached) if " " in of for stem in of.split()}
    present = {*(stem for _, stem in read), *reached}
    found: dict[str, Shares] = {}
    for of in dict.fromkeys((*said, *reached)):
        terms = _ordered(said.get(of, ()), reached.get(of, ()))
        kept = tuple(one for one in terms if one[0] not in present)
        if kept and of not in whole:
            found[of] = kept[:MOST_NEAR]
    return found


def load() -> None:
    """Read the lexicons now, which takes 0.15 s of processor and may be done in a thread.

    Otherwise the first text that is looked up waits for it.
    """
    near("")


def groups() -> list[Group]:
    """Every group of the lexicon, in its order."""
    text = (files("memory.language") / "lexicon" / "near.tsv").read_text("utf-8")
    return [_group(line) for line in text.splitlines() if not line.startswith("#")]


def _group(line: str) -> Group:
    columns = [tuple(words.split(", ")) if words else () for words in line.split("\t")]
    french, english, french_kinds, english_kinds = (*columns, (), (), ())[:4]
    return Group(
        names={"fr": french, "en": english}, kinds={"fr": french_kinds, "en": english_kinds}
    )


@lru_cache(maxsize=_CACHED)
def _ordered(said: tuple[str, ...], reached: tuple[_Circle, ...]) -> Shares:
    shares = dict.fromkeys(said, TRANSLATED)
    for circle in reached:
        for one, share in circle.terms:
            shares[one] = max(share, shares.get(one, 0.0))
    return tuple(sorted(shares.items(), key=lambda one: -one[1]))


@cache
def _near() -> Mapping[Language | None, Dictionaries[_Circle]]:
    """By the language that a text is told to be in, None for either."""
    known, grouped = pairs(), _grouped(groups())
    friends = _false_friends(known)
    french = _dictionary(_turned(known), grouped["fr"], grouped["en"], friends)
    english = _dictionary(_turned(map(_swapped, known)), grouped["en"], grouped["fr"], friends)
    both = Dictionaries([french, english], _CIRCLES)
    return {
        "fr": Dictionaries([french], _CIRCLES),
        "en": Dictionaries([english], _CIRCLES),
        None: both,
    }


def _dictionary(
    turned: Iterable[_Reached],
    own: list[_Reached],
    other: list[_Reached],
    false_friends: Collection[str],
) -> Dictionary[_Circle]:
    """The words of a language, and those of the other that it has no word like: names of places."""
    words = [*turned, *own]
    known = {*false_friends, *(term(word) for word, _ in words)}
    return dictionary([*words, *(one for one in other if term(one[0]) not in known)])


def _grouped(known: Iterable[Group]) -> Mapping[Language, list[_Reached]]:
    found: dict[Language, list[_Reached]] = {"fr": [], "en": []}
    for group in known:
        names = _Circle(words=_alternating(group.names), share=NEAR)
        kinds = _Circle(words=_alternating(group.kinds), share=NEAR)
        led = [names, kinds] if kinds.words else [names]
        for language, words in found.items():
            words += [(word, circle) for word in group.names[language] for circle in led]
            words += [(word, names) for word in group.kinds[language]]
    return found


def _alternating(words: Mapping[Language, tuple[str, ...]]) -> tuple[str, ...]:
    """The first of each language, then the second of each: the first ones are the usual ones."""
    return tuple(word for rank in zip_longest(*words.values()) for word in rank if word)


def _turned(known: Iterable[tuple[str, str]]) -> Iterator[_Reached]:
    """The words that have a translation in common, as one circle."""
    together: dict[str, list[str]] = {}
    for word, translation in known:
        together.setdefault(translation, []).append(word)
    for words in together.values():
        circle = _Circle(words=tuple(words), share=TURNED)
        yield from ((word, circle) for word in words if len(words) > 1)


def _false_friends(known: Iterable[tuple[str, str]]) -> frozenset[str]:
    """The terms of words that both languages spell alike, and that mean something else in each.

    A French "four" is an oven and an English one a number, and no translation of it.
    """
    french: dict[str, set[str]] = {}
    english: dict[str, set[str]] = {}
    for one, other in known:
        french.setdefault(fold(one), set()).add(fold(other))
        english.setdefault(fold(other), set()).add(fold(one))
    alike = french.keys() & english.keys()
    apart = (word for word in alike if word not in french[word] and word not in english[word])
    return frozenset(map(term, apart)) - _TRUE_FRIENDS


def _swapped(pair: tuple[str, str]) -> tuple[str, str]:
    return pair[1], pair[0]


def knowledge_words(kind: KnowledgeKind, title: str, content: str) -> str:
    """The text that full text finds a row of knowledge by."""
    asked_with = ASKED_WITH.get(title, "") if kind is KnowledgeKind.FACT else ""
    return f"{title}\n{content}\n{asked_with}"
