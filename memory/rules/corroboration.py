"""Whether a message says what a statement says, on the word of who wrote it. Pure.

Who asks for it, doubts it, denies it, jokes about it or tells that another said it does not say it.
"""

from collections.abc import Collection

from memory.language.detection import negated
from memory.language.text import stems, words
from memory.language.word_lists import NEGATIONS
from memory.statements.extraction.sentences import is_joke, is_plain, own_lines, sentences

ASSENTS = frozenset(
    """
    oui ouais ouep exact exactement vrai yes yeah yep yup exactly indeed right true
    """.split()  # noqa: SIM905 - a page of quoted words would hide the rule
)
"""First words of a message that affirms what was said before; it need not repeat all of that."""

_REPORTING = frozenset(
    """
    dit disait pretend pretendait raconte racontait says said tells told claims claimed
    """.split()  # noqa: SIM905 - a page of quoted words would hide the rule
)

_FIRST_PERSON = frozenset(("i", "ai", "je", "j"))


def corroborates(
    text: str, content: str, *, subjects: Collection[str], speakers: Collection[str]
) -> bool:
    """Whether a text states what a statement says, or affirms it and repeats a part of it.

    It may leave out the subject that the statement begins with, and the names of the `speakers`.
    """
    told = _told(content, subjects, speakers)
    if not told or is_joke(text):
        return False
    affirms = not ASSENTS.isdisjoint(words(text)[:1])
    parts = (part for line in own_lines(text) for part in sentences(line))
    stated = (set(stems(part)) for part in parts if _is_stated(part, content))
    return any(not told.isdisjoint(said) if affirms else told <= said for said in stated)


def _told(content: str, subjects: Collection[str], speakers: Collection[str]) -> set[str]:
    """The stems of what a statement tells, without names that another may leave out."""
    beginning = words(content)
    leading = [one for one in subjects if words(one) == beginning[: len(words(one))]]
    names = stems(" ".join((*leading, *speakers)))
    return {*stems(content)} - {*names} - NEGATIONS


def _is_stated(part: str, content: str) -> bool:
    """Whether a sentence is its author's own word, and affirms or denies as the statement does."""
    return is_plain(part) and negated(part) == negated(content) and not _reports(part)


def _reports(part: str) -> bool:
    """Whether it tells what another person said."""
    said = words(part)
    told = zip(("", *said), said, strict=False)
    return any(word in _REPORTING and before not in _FIRST_PERSON for before, word in told)
