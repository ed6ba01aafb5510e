"""What people ask to have forgotten in their own words: whether they do, what, what stays. Pure.

One reader for all ways of asking: the offline pet, `/forget`, a model's tool, the command line.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memory.language.text import fold
from memory.rules.forgetting.closeness import kinds_asked
from memory.rules.forgetting.cues import (
    GONE,
    HAVING_DONE,
    IDIOMS,
    KEEPING_NOT,
    KEPT,
    NEGATED,
    NEGATED_AFTER,
    OTHERS,
    PHRASAL,
    PLACES,
    REGRET,
    STRONG,
    TO_THE_PET,
    VAIN,
    WEAK,
)
from memory.rules.forgetting.frame import content_stems

LONGEST = 600
"""Characters that are read: a longer text tells something, and asks for nothing in one sentence."""

_BEFORE = 48
"""Characters before a verb that say who is to do it."""

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")

_QUOTED = re.compile(r"[\"“«]([^\"”»]{1,300})[\"”»]")

_LISTED = re.compile(
    r" ?(?:,|;| and | et | as well as | ainsi que | plus | or | ou | & | \+ |\band also\b|/) ?"
)

_CLAUSE = re.compile(
    r"(?:[.!?;:]{1,6} |[.!?]{1,6}$|\.\.\.? ?| - | (?:so|because|since|cause|donc|car|parce que|pcq"
    r"|puisque"
    r"|before|b4"
    r"|avant qu'|avant que|si|if|in case) |, (?:it|that|they|he|she|i|on|il|ca|c'est|ne|je|tu"
    r"|jusqu) )"
)
"""Where another clause begins."""

_WHOLE = re.compile(
    r"\b(?:everything|anything|all|whatever|tout|toute?s?|every|each|les deux|both)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainRequest:
    """A request as it was read: what is named, part by part, and what is to stay.

    `topics` is empty where nothing is named. One that is not `sure` uses a verb of many senses, and
    asks for something only where what it names is kept.
    """

    topics: tuple[str, ...] = ()
    context: str = ""
    """What else is said in the message, which may tell what is meant."""
    keep: tuple[str, ...] = ()
    sure: bool = True
    whole: bool = False
    """All of what is named is meant, and not what fits it best."""


def read_request(text: str) -> PlainRequest | None:
    """The request in a message, None where it asks to forget nothing."""
    if len(text) > LONGEST:
        return None
    said = _plain(text)
    spans, sure = _cues(said)
    if not spans:
        return None
    return _request(said, spans, sure=sure)


def read_topic(text: str) -> PlainRequest:
    """What is named by a text that is known to ask for it: a topic, or the whole request."""
    said = _plain(text)
    spans, _ = _cues(said)
    return _request(said, spans, sure=True)


def names_something(text: str) -> bool:
    """Whether a part of a request says what is meant, by a word or by what kind of thing it is."""
    return bool(content_stems(text) or kinds_asked(text))


def _plain(text: str) -> str:
    return " ".join(fold(word) if word.casefold() not in _TEA else word for word in _words(text))


def _words(text: str) -> list[str]:
    return text[:LONGEST].replace("’", "'").split()


_TEA = frozenset({"thé", "thés"})
"""Without its accent it is an article."""


def _cues(said: str) -> tuple[list[tuple[int, int]], bool]:
    """Where it is asked for, and whether one of these places leaves no doubt."""
    if VAIN.match(said):
        return [], False
    open_ = _blanked(_blanked(said, _QUOTED), IDIOMS)
    surely = [
        match.span()
        for pattern in (KEEPING_NOT, GONE, HAVING_DONE, REGRET)
        for match in pattern.finditer(open_)
        if not _is_of_others(open_, match) and not _asks_how(open_)
    ]
    doubtful: list[tuple[int, int]] = []
    for start, end, strong in _verbs(open_):
        if _is_asked(open_, start, end):
            (surely if strong else doubtful).append((start, end))
    spans = sorted([*surely, *doubtful])
    if spans:
        spans += [match.span() for match in PLACES.finditer(open_)]
    sure = bool(surely) or (bool(doubtful) and PLACES.search(open_) is not None)
    return spans, sure


def _verbs(said: str) -> Iterator[tuple[int, int, bool]]:
    for match in _WORD.finditer(said):
        word = match.group().rpartition("'")[2] if "'" in match.group() else match.group()
        if word in STRONG or word in WEAK:
            yield match.end() - len(word), match.end(), word in STRONG
    for match in PHRASAL.finditer(said):
        yield match.start(), match.end(), False


def _is_asked(said: str, start: int, end: int) -> bool:
    """Whether a verb is said to the pet, and not denied."""
    before, after = said[max(0, start - _BEFORE) : start], said[end : end + _BEFORE]
    if NEGATED.search(before) or NEGATED_AFTER.match(after):
        return False
    if TO_THE_PET.search(before):
        return True
    return not OTHERS.search(before)


def _is_of_others(said: str, match: re.Match[str]) -> bool:
    """Whether it tells of what a person keeps, and not of what the pet is to."""
    before = said[max(0, match.start() - _BEFORE) : match.start()]
    return _SUBJECT.search(before) is not None and _WISH.search(match.group()) is None


def _asks_how(said: str) -> bool:
    return "?" in said and _HOW.match(said) is not None


_SUBJECT = re.compile(r"\b(?:i|she|he|they|we|who|je|j'|il|elle|ils|elles|on)(?: \w+)? ?$")
_WISH = re.compile(
    r"\b(?:you|u|want|like|need|prefer|tu|te|t'|vous|veux|voudrais|tiens|souhaite|prefere|aimerais"
    r"|never|didn't|regret|take|took|shouldn't|should|wish|rien|your|ur|ta|ton|tes)\b"
)
_HOW = re.compile(
    r"^(?:@?\w{1,40}[ ,:]{1,3})?(?:why|how|what|when|who|pourquoi|comment|qu'est|quand|qui)\b"
)


def _request(said: str, spans: Sequence[tuple[int, int]], *, sure: bool) -> PlainRequest:
    kept = [
        (match.span(), found.strip())
        for match in KEPT.finditer(said)
        for found in match.groups()
        if found and content_stems(found)
    ]
    erased = [*(span for span, _ in kept), *(span for span in spans if _is_verb(said, span))]
    clauses = list(_clauses(said, erased))
    named = _named(clauses, spans)
    whole = _WHOLE.search(said) is not None
    parts = [part for clause in named for part in _parts(clause)]
    rest = [clause for _, _, clause in clauses if clause not in named and content_stems(clause)]
    return PlainRequest(
        topics=tuple(parts),
        context=" ".join(rest),
        keep=tuple(found for _, found in kept),
        sure=sure,
        whole=whole,
    )


def _parts(clause: str) -> list[str]:
    parts = [part.strip(" .!?:;-()<>=") for part in _LISTED.split(clause)]
    return [part for part in parts if names_something(part)]


def _named(clauses: Sequence[tuple[int, int, str]], spans: Sequence[tuple[int, int]]) -> list[str]:
    """The clauses that ask; where these name nothing, what was said before them or after them."""
    asking = [
        place
        for place, (begin, end, _) in enumerate(clauses)
        if any(begin <= start < end for start, _ in spans)
    ]
    telling = [place for place in asking if names_something(clauses[place][2])]
    if not telling:
        before = [place for place in range(len(clauses)) if names_something(clauses[place][2])]
        first = min(asking, default=0)
        earlier = [place for place in before if place < first]
        telling = earlier or before
    return [clauses[place][2] for place in telling]


def _clauses(said: str, erased: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    """The clauses with their places, without what is erased of them."""
    bare = list(said)
    for start, end in erased:
        bare[start:end] = " " * (end - start)
    text, start = "".join(bare), 0
    for match in _CLAUSE.finditer(said):
        yield start, match.start(), text[start : match.start()]
        start = match.end()
    yield start, len(said), text[start:]


def _is_verb(said: str, span: tuple[int, int]) -> bool:
    found = said[span[0] : span[1]]
    return (
        found in STRONG
        or found in WEAK
        or PHRASAL.fullmatch(found) is not None
        or PLACES.fullmatch(found) is not None
    )


def _blanked(said: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(lambda match: " " * len(match.group()), said)
