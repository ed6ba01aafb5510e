"""Whether a statement is only repeated by the person whose word it would be; pure."""

import re
from collections.abc import Iterable, Sequence

from memory.language.parts.reading import others_words, own_words
from memory.language.text import stems, words

_ASSENTS = frozenset(
    """
    yes yeah yep yup same exactly true indeed right ditto oui ouais exact vrai pareil moi
    """.split()  # noqa: SIM905 - a list of words reads as a list of words
)
"""First words of who makes another's words their own: "> I love jazz" - "same here"."""

_GOES_ON = re.compile(r"\w|['’]s\b")
"""After a name: it is a longer word, or what is theirs."""


def only_repeats(content: str, speaker: str, texts: Iterable[str]) -> bool:
    """Whether a statement rests on words that the speaker quotes or forwards, and not on their own.

    One about the speaker must not have a word that only those have; one about another must
    have one of the speaker's own: `My brother told me: "I live in Nantes"` says something of him.
    """
    said = tuple(texts)
    repeated = [part.text for text in said for part in others_words(text)]
    if not repeated:
        return False
    own = [own_words(text) for text in said]
    if any(not _ASSENTS.isdisjoint(words(text)[:1]) for text in own):
        return False
    own_stems = _stems(own)
    told = set(stems(content)) - set(stems(speaker))
    if told.isdisjoint(_stems(repeated) - own_stems):
        return False
    return _is_about(speaker, content) or told.isdisjoint(own_stems)


def _stems(texts: Sequence[str]) -> set[str]:
    return {stem for text in texts for stem in stems(text)}


def _is_about(speaker: str, content: str) -> bool:
    """Whether a statement is about its speaker, and not about a relative or a thing of theirs."""
    named, rest = content[: len(speaker)], content[len(speaker) :]
    return named.casefold() == speaker.casefold() and not _GOES_ON.match(rest)
