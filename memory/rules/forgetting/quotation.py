"""Whether a reply repeats what was forgotten, beyond what was said to it. Pure."""

import re
from collections.abc import Collection

from memory.language.text import has_digit, proper_nouns, stems, words

_MOST_SHARED = 2
"""Words that a reply has in common with a short statement by chance."""

_SHORTEST_QUOTED = 2
"""Words of a quotation, at least: a single word stands in a reply by chance."""

_MARKED = re.compile(r"«([^«»]+)»|[“„]([^“„”]+)[”“]|\"([^\"]+)\"")
"""A passage in quotation marks."""


def repeats(reply: str, own: str, forgotten: str, gone: Collection[str] = (), by: str = "") -> bool:
    """Whether a reply to `own` words tells what was forgotten.

    It does by one name or number of it, by one word that stands nowhere else (`gone`), by half of
    its words, by a quotation, or by a name of its author or subjects (`by`) where question and
    reply together say half of it.
    """
    asked, told, answered = ({*stems(text)} for text in (own, forgotten, reply))
    new = told - asked
    shared = new & answered
    if shared & telling_words(forgotten) or shared & {*gone}:
        return True
    if len(shared) >= max(_MOST_SHARED, len(new) / 2):
        return True
    return _quotes(reply, own, forgotten) or _names(answered, asked, told, by)


def telling_words(text: str) -> frozenset[str]:
    """The stems of a text's proper nouns, and its numbers."""
    numbers = (stem for stem in stems(text) if has_digit(stem))
    return frozenset({*proper_nouns(text), *numbers})


def _quotes(reply: str, own: str, forgotten: str) -> bool:
    """Whether a reply has the whole of a text, or a passage of it in quotation marks.

    Its words may all stand in the question, but not in a row.
    """
    if _is_in(forgotten, reply) and not _is_in(forgotten, own):
        return True
    marked = ("".join(groups) for groups in _MARKED.findall(reply))
    return any(_is_in(one, forgotten) and not _is_in(one, own) for one in marked)


def _is_in(passage: str, text: str) -> bool:
    """Whether the words of a passage stand in a text, one after the other."""
    sought = words(passage)
    if len(sought) < _SHORTEST_QUOTED or not stems(passage):
        return False
    return f" {' '.join(sought)} " in f" {' '.join(words(text))} "


def _names(answered: set[str], asked: set[str], told: set[str], by: str) -> bool:
    """Whether a reply answers a question with the name of who said it or whom it is about.

    All are stems but `by`: of the reply, of the question, of what was forgotten.
    """
    if not ({*stems(by)} - asked) & answered:
        return False
    return 0 < len(told) <= 2 * len(told & (answered | asked))
