"""Which language a text is in, whether it denies something, whether it says anything."""

import re
import unicodedata
from collections.abc import Collection, Sequence

from memory.language.text import Language, fold, words
from memory.language.word_lists import (
    ENGLISH_MARKS,
    FRENCH_MARKS,
    LANGUAGE_WORDS,
    NEGATIONS,
    SMALL_TALK,
    SMALL_TALK_PHRASES,
)

_SMALL_TALK_LIMIT = 10
"""Longer texts say something."""

_CLEAR_MARKS = 4
"""Words of one language that make a text clearly of it."""

_CLEAR_TIMES = 4
"""How many times more they are than those of the other one."""

_OTHERS_COMMAND = re.compile(r"![a-z]\S*|[/\\]\w+$", re.IGNORECASE)
"""What rooms say to other bots: "!play rain", "/roll"."""

_FRENCH_LETTER = re.compile(r"[àâçèêëîïôùûœé]", re.IGNORECASE)

_WORD = re.compile(r"[^\W\d_]{2,}")
"""A single letter may be a face: "¯\\_(ツ)_/¯"."""

_LATIN = ("LATIN ", "FULLWIDTH LATIN ", "FEMININE ORDINAL", "MASCULINE ORDINAL")

_LAUGHTER = re.compile(
    r"(?:a*(?:h+[aeiou]+)+h*|(?:[aeiou]h)+|lo+l+|mdr+|ptdr+|xd+|o+k+|he+y+|hm+|m+h*|yes+|ou+i+|no+n*"
    r"|a+h+|o+h+|thank(?:s|z)+|merci+|sa+lu+t+|wo+w+|y+a+y+|p+f+)"
)

_LOOSE_PLUS = frozenset(
    {
        "de",
        "en",
        "le",
        "la",
        "les",
        "un",
        "une",
        "non",
        "et",
        "ou",
        "est",
        "sont",
        "au",
        "bien",
        "encore",
    }
)

_AFTER_PLUS = frozenset(
    {"a", "chez", "avec", "en", "la", "le", "les", "du", "rien", "personne", "jamais"}
)


def guess_language(text: str, default: Language) -> Language:
    """French or English, by the words only one of them uses; `default` when that does not tell."""
    return told_language(text) or default


def told_language(text: str) -> Language | None:
    """French or English, by the words only one of them uses; None when that does not tell."""
    french, english = _marks(text)
    if french == english:
        return None
    return "fr" if french > english else "en"


def clear_language(text: str) -> Language | None:
    """French or English where hardly a word speaks for the other; None for what is mixed or short.

    Unlike `told_language` it is for acting on: a name or a quotation must not decide.
    """
    french, english = _marks(text)
    fewer, more = sorted((french, english))
    if more < _CLEAR_MARKS or more < _CLEAR_TIMES * fewer:
        return None
    return "fr" if french > english else "en"


def in_other_letters(text: str) -> bool:
    """Whether most letters of its words are of an alphabet that neither language is written in."""
    letters = [letter for word in _WORD.findall(text) for letter in word]
    return 2 * sum(map(_is_latin, letters)) < len(letters)


def _is_latin(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(_LATIN)


def names_a_language(text: str) -> bool:
    """Whether the text speaks of a language or of translating, as who wants another one does."""
    return not LANGUAGE_WORDS.isdisjoint(words(text))


def _marks(text: str) -> tuple[int, int]:
    """How many words only French uses, and how many only English does."""
    found = words(text)
    french = sum(word in FRENCH_MARKS for word in found) + bool(_FRENCH_LETTER.search(text))
    return french, sum(word in ENGLISH_MARKS for word in found)


def nothing_to_look_up(text: str, ignoring: Collection[str] = ()) -> bool:
    """Whether the text is only a greeting, thanks, agreement, laughter, signs or for another bot.

    `ignoring` are names that may stand in it, such as the pet's own.
    """
    if _OTHERS_COMMAND.match(text.strip()):
        return True
    skipped = {fold(name) for name in ignoring}
    found = [word for word in words(text) if word not in skipped]
    if len(found) > _SMALL_TALK_LIMIT:
        return False
    return _only_small_talk(found)


def negated(text: str) -> bool:
    """Whether the text denies something (`plus` counts where it means "no longer")."""
    found = words(text)
    return any(
        word in NEGATIONS and (word != "plus" or _means_no_longer(found, place))
        for place, word in enumerate(found)
    )


def _only_small_talk(found: Sequence[str]) -> bool:
    place = 0
    while place < len(found):
        step = _small_talk_at(found, place)
        if step == 0:
            return False
        place += step
    return True


def _small_talk_at(found: Sequence[str], place: int) -> int:
    """How many words from `place` on are one small-talk expression; 0 for none."""
    for size in range(min(5, len(found) - place), 1, -1):
        if " ".join(found[place : place + size]) in SMALL_TALK_PHRASES:
            return size
    word = found[place]
    single = word in SMALL_TALK or word in SMALL_TALK_PHRASES or _LAUGHTER.fullmatch(word)
    return 1 if single else 0


def _means_no_longer(found: Sequence[str], place: int) -> bool:
    before = found[place - 1] if place else ""
    after = found[place + 1] if place + 1 < len(found) else ""
    return bool(before) and before not in _LOOSE_PLUS and (not after or after in _AFTER_PLUS)
