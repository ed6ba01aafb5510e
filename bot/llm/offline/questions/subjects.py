"""About whom a question is: the asker, people by name, the pet, everybody; pure."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bot.llm.offline.questions.relations import relations_in
from memory.language.text import fold
from memory.language.times.vocabulary import MONTHS, WEEKDAYS
from memory.language.word_lists import STOP_WORDS

_FRAMES = re.compile(
    r"\b(?:(?:do|did|can|could|would|will) you (?:please )?(?:know|tell me|remind me|remember|say)"
    r"|any idea|i (?:hear|heard|forgot|forget|wonder)|tell me|remind me|let me know|remind us"
    r"|(?:est ce que )?tu (?:sais|te souviens|te rappelles|connais|peux me (?:dire|rappeler|redire)"
    r"|pourrais me (?:dire|rappeler))|(?:peux|pourrais|sais) tu(?: me (?:dire|rappeler))?"
    r"|dis moi|rappelle moi|redis moi|je me demande|j ai oublie|je ai oublie|(?:did i|i) tell you"
    r"|did i say|(?:quelqu un|qqn|someone|anyone|anybody|somebody) (?:peut me (?:dire|redire"
    r"|rappeler)|se souvient|se rappelle|sait|knows?|remembers?)"
    r"|(?:te|t en) (?:souviens|rappelles) tu|tu (?:t en souviens|te le rappelles)"
    r"|je (?:cherche|voudrais savoir|veux savoir|sais plus|ne sais plus|me souviens plus)"
    r"|i (?:can not|do not) (?:remember|recall)|i want to know"
    r"|for a living|dans la vie"
    r"|did say|said|je t ai dit|(?:s il te plait)|please|thanks|you know)\b"
)
_PET = re.compile(
    r"\b(?:you|your|yours|yourself|tu|toi|ton|ta|tes|te|es tu|as tu)\b|\bt (?:as|es|ai|aime"
    r"|appel)\w*"
)
_OWN = re.compile(r"\b(?:i|me|my|mine|myself|je|j|moi|mon|ma|mes)\b")
_ALL = re.compile(r"\b(?:we|us|our|ours|on|nous|nos|notre)\b")
_SHORT_NAME = 3
_LONG_NAME = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Whom a question is about, and by which relation; no one in particular where all are empty.

    `people` are folded names, or whom they name once that is known; `strangers` are folded words
    that look like the name of a person who is not known. `of_pet` with `of_asker` asks what they
    have to do with each other. `of_group`: the asker and others.
    """

    people: frozenset[str] = frozenset()
    strangers: frozenset[str] = frozenset()
    of_asker: bool = False
    of_pet: bool = False
    of_group: bool = False
    relations: frozenset[int] = frozenset()


def without_frame(plain: str) -> str:
    """A written-out question without "do you know" and its like."""
    return " ".join(_FRAMES.sub(" ", plain).split())


def subject_of(
    plain: str, typed: str, known: Collection[str], aliases: Mapping[str, str], pet: Collection[str]
) -> Subject:
    """Whom a written-out question without its frame is about; `typed` is the question as it came.

    `known` are the folded names of who has spoken or is spoken of, `aliases` lead from other names
    to them, `pet` are the pet's own.
    """
    words = [word for word in plain.split() if word not in pet]
    people = frozenset(
        name for word in words if (name := _known_as(word, known, aliases)) is not None
    )
    rest = " ".join(word for word in words if _known_as(word, known, aliases) is None)
    return Subject(
        people=people,
        strangers=strangers_in(typed) - {*known, *aliases, *pet},
        of_asker=_OWN.search(rest) is not None,
        of_pet=_PET.search(rest) is not None,
        of_group=_ALL.search(rest) is not None,
        relations=relations_in(rest),
    )


def names_in_words(
    plain: str, known: Collection[str], aliases: Mapping[str, str]
) -> frozenset[str]:
    """The words of a written-out text that name a person."""
    return frozenset(word for word in plain.split() if _known_as(word, known, aliases) is not None)


def strangers_in(text: str) -> frozenset[str]:
    """The folded words of a text as it was typed that may name a person: "le chat d'Ana".

    Not its first word, and not the place, the day or the title that a preposition leads to.
    """
    names = (fold(found["owner"] or found["name"]) for found in _NAMING.finditer(text))
    return frozenset(name for name in names if name not in _NO_STRANGERS)


_NO_STRANGERS = STOP_WORDS | WEEKDAYS.keys() | MONTHS.keys()
_NAMING = re.compile(
    r"\b(?P<owner>[A-ZÀ-Ý][a-zà-ÿ]+)['’]s\b"
    r"|(?:\b[dlq]['’]|\b(?!(?:à|a|en|au|aux|in|to|at|from|on|into|the|le|la|les|du|des|sur|sous)"
    r"\b)[a-zà-ÿ]+ )(?P<name>[A-ZÀ-Ý][a-zà-ÿ]+)\b"
)


def _known_as(word: str, known: Collection[str], aliases: Mapping[str, str]) -> str | None:
    """The name that a word is: as it is known, in the possessive, misspelt or cut short."""
    if len(word) < _SHORT_NAME:
        return None
    if word in aliases:
        return aliases[word]
    for one in (word, word.removesuffix("s")):
        if one in known:
            return one
        if one in aliases:
            return aliases[one]
    if len(word) < _LONG_NAME or word in _NEVER_NAMES:
        return None
    close = [
        name for name in known if _is_close(word.removesuffix("s"), name) or _is_close(word, name)
    ]
    return close[0] if len(close) == 1 else None


_NEVER_NAMES = frozenset(
    """
    what when where which whose does have with that this then than them they there here will would
    could
    said says come home made make like love live give gone going going near mark main pour avec
    dans quoi
    quand comment combien elle elles nous vous leur mais plus moins bien tout tous toute fait faire
    dire
    alors cette celui celle lundi mardi mercredi jeudi vendredi samedi dimanche marche marie mare
    liste
    """.split()  # noqa: SIM905 - a list of words reads as a list of words
)


def _is_close(word: str, name: str) -> bool:
    """Whether one letter is wrong, missing or too many, or the name is cut short: "dave"."""
    if word[0] != name[0] or len(name) < _LONG_NAME:
        return False
    if abs(len(word) - len(name)) <= 1 and _one_apart(word, name):
        return True
    return len(word) == _LONG_NAME and word[:3] == name[:3] and 0 < len(name) - len(word) <= 1


def _one_apart(word: str, name: str) -> bool:
    if len(word) == len(name):
        return sum(a != b for a, b in zip(word, name, strict=True)) == 1
    short, long = sorted((word, name), key=len)
    return any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def folded_names(names: Collection[str]) -> frozenset[str]:
    """The folded first words of names."""
    return frozenset(fold(name).split()[0] for name in names if name.strip())
