"""Reported speech: words of others inside the author's own; pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MARKED = re.compile(
    r"“[^“”]{1,2000}”|«[^«»]{1,2000}»|„[^„“”]{1,2000}[“”]|(?<!\w)\"[^\"]{1,2000}\"(?!\w)"
    r"|(?:(?<=: )|(?<=, ))['‘](?=\w)[^'‘’\n]{1,80}(?:['’]\w[^'‘’\n]{1,80}){0,9}['’](?!\w)"
)
_OPEN = re.compile(r"(?<=[:,] )[“«\"][^“”«»\"\n]{3,}$", re.MULTILINE)
"""A quotation that is not closed: it goes on to the end of its line."""

_SAYS = (
    r"(?:said|says|say|saying|told|tells|wrote|writes|texted|replied|answered|asked|asks|shouted"
    r"|claimed|claims|announced|added|posted|(?:is|was|were) like"
    r"|dit|disait|disent|disaient|dire|écrit|écrivait|ecrit|répond|répondu|repondu|demande|demandé"
    r"|annonce|annoncé|affirme|affirmé|crié|raconté|ajouté|envoyé|posté|sorti)"
)
_WINDOW = 80
"""Characters before a quotation that may say whose it is."""

_BEFORE = re.compile(
    r"(?:^|[.!?;,\n(]|\b(?:and|but|because|then|so|et|mais|puis|alors|que)\b)[^\S\n]*"
    r"(?P<who>[^\s.!?;:,\n(](?:[^.!?;:,\n(]{0,39}?[^\s.!?;:,\n(])?)\s+"
    r"(?:(?:just|once|always|also|m['’](?:a|ont|avait)"
    r"|nous a|lui a|vient de|a|ont|avait|me|m['’]|has|had|have)\s*){0,3}"
    rf"\b{_SAYS}\b[^.!?;:\n]{{0,40}}[:,]?\s*$",
    re.IGNORECASE,
)
_CONJUNCTION = re.compile(
    r"\b(?:and|but|because|then|so|et|mais|puis|alors|que)\b\s*", re.IGNORECASE
)
_AFTER = re.compile(
    rf"\s*(?:,\s*)?(?:(?:m['’])?(?:a|ont)?(?:-t)?(?:-il|-elle|-on|-ils|-elles)? ?{_SAYS}"
    rf"(?:[ -](?P<by>[^\W\d_][^.!?;:,\n]{{0,30}}))?(?!\w)"
    rf"|(?P<who>[^\W\d_][^.!?;:,\n]{{0,30}}?) {_SAYS}\b)",
    re.IGNORECASE,
)
_COLON = re.compile(r": *(?=[^\s\"“«„'‘])")
"""Before words without marks: `My brother told me: I live in Nantes`."""

_FIRST = re.compile(r"\b(?:i|i'm|i’m|i've|i’ve|my|me|je|moi|mon|ma|mes)\b|\bj['’]", re.IGNORECASE)
_TITLED = re.compile(
    r"\b(?:is|was|called|named|titled|song|movie|film|book|series|chanson|livre|série|appelle|est"
    r"|intitulée?|titre|by heart|of|de)\s*(?::\s*)?$",
    re.IGNORECASE,
)
_SENTENCE = 4
"""Words of a quotation that may be a sentence; shorter ones are names and titles."""

_ONESELF = frozenset({"i", "je", "j", "i've", "we", "on", "nous"})


@dataclass(frozen=True, slots=True)
class Reported:
    """Where reported words stand in a text, and whose they are, "" where that is not said."""

    start: int
    end: int
    author: str


def reported_in(text: str) -> Iterator[Reported]:
    """The words of others in a text, in order, without overlaps."""
    reached = 0
    for found in _places(text):
        if found.start >= reached:
            yield found
            reached = found.end


def _places(text: str) -> list[Reported]:
    marked = [one for found in _MARKED.finditer(text) if (one := _quotation(text, found))]
    opened = [one for found in _OPEN.finditer(text) if (one := _quotation(text, found))]
    return sorted((*marked, *opened, *_bare(text)), key=lambda one: (one.start, -one.end))


def _quotation(text: str, found: re.Match[str]) -> Reported | None:
    before = text[max(0, found.start() - _WINDOW) : found.start()]
    who = _who_before(before)
    if who is None:
        who = _who_after(text[found.end() : found.end() + _WINDOW])
    if who is None and not _is_said(found[0], before):
        return None
    return None if is_oneself(who) else Reported(found.start(), found.end(), who or "")


def _bare(text: str) -> Iterator[Reported]:
    for found in _COLON.finditer(text):
        who = _who_before(_clause(text[max(0, found.start() - 2 * _WINDOW) : found.start()]))
        said = text[found.end() : found.end() + _WINDOW].partition("\n")[0]
        if who is not None and not is_oneself(who) and _FIRST.search(said):
            yield Reported(found.end(), _end_of_line(text, found.end()), who)


def _clause(before: str) -> str:
    """What stands before a colon on its line, after the colon before it."""
    return before[max(before.rfind(":"), before.rfind("\n")) + 1 :]


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _who_before(before: str) -> str | None:
    found = _BEFORE.search(before)
    return _CONJUNCTION.split(found["who"])[-1].strip() if found else None


def _who_after(after: str) -> str | None:
    found = _AFTER.match(after)
    return (found["who"] or found["by"] or "").strip() if found else None


def _is_said(quotation: str, before: str) -> bool:
    """Whether words in marks are a sentence, and neither a title nor a single word."""
    words = quotation.strip("“”«»„\"'‘’ ").split()
    is_sentence = len(words) >= _SENTENCE and _FIRST.search(quotation[:_WINDOW]) is not None
    return is_sentence and not _TITLED.search(before)


def is_oneself(who: str | None) -> bool:
    """Whether who is said to have said something is the author: "I told her: …"."""
    first = (who or "").lower().replace("’", "'").split(" ")[0]
    return first in _ONESELF or first.startswith("j'")
