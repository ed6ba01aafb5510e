"""Lines of memory: recalled or listed by a tool, and chosen for what was asked; pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.model.tool_values import ListedRow
from memory.language.detection import negated
from memory.language.text import fold, stems, words
from memory.language.word_lists import NEGATIONS
from memory.model.namesakes import is_namesake
from memory.model.recalled import REPLIED
from memory.model.retrieval import RecalledLine, Section
from memory.statements.extraction.en.rules import RULES as ENGLISH_RULES
from memory.statements.extraction.fr.rules import RULES as FRENCH_RULES

_THIRD = {rule.first: rule.third.removeprefix("se ") for rule in (*FRENCH_RULES, *ENGLISH_RULES)}
"""Questions ask "je pars quand ?"; memories say "David part"."""
_ASKING = frozenset(
    stems(
        "know knows remember tell said say says talk talked souviens rappelle sais sait connais dis"
        " dit parle parler savoir peux comment combien pourquoi someone quelqu chose thing"
        " happened happening something encore deja please stp svp oublie forget fact actually"
    )
)
"""Stems that ask; what is asked about is in the others."""
_CAPITALISED = re.compile(r"\b[A-ZÀ-Ý][\w-]+")
_ALIKE = 0.75
"""Share of a topic's stems that a memory must hold to be what is to be forgotten."""
_CLOSE = 0.6
"""Share of the best line's score below which a line is left out of an answer."""
MOST_LINES = 4
"""More lines than this are a dump, not an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedLine:
    """One thing remembered; `age` is in words, `id` empty for a line recalled by itself.

    `where` is the name of the room it was said in, "private" where that is a direct one; a
    listing alone tells it, and with `is_exchange` that the pet itself took part.
    """

    content: str
    age: str = ""
    said_by: str | None = None
    reported: bool = False
    id: str = ""
    live: bool = False
    where: str = ""
    is_exchange: bool = False


def recalled_lines(recalled: Iterable[RecalledLine]) -> list[RememberedLine]:
    """The lines of one injection; behind them what was told in earlier exchanges.

    An exchange in which something was asked is a line only where there is nothing else.
    """
    lines = list(recalled)
    said = [line for line in lines if line.section is not Section.HISTORY]
    told = [line for line in lines if line.section is Section.HISTORY and _tells(line)]
    return [
        RememberedLine(
            content=line.content,
            age=line.age,
            said_by=line.said_by,
            reported=line.reported,
            live=line.section is Section.LIVE,
        )
        for line in [*said, *told] or lines
    ]


def _tells(exchange: RecalledLine) -> bool:
    return "?" not in exchange.content.partition(REPLIED)[0]


def lines_said(turns: Sequence[tuple[str, str]], speaker: str) -> list[RememberedLine]:
    """What this speaker stated in the talk at hand, the latest first; questions state nothing."""
    return [
        RememberedLine(content=line.strip(), said_by=speaker)
        for who, text in reversed(turns)
        if who == speaker
        for line in text.splitlines()
        if line.strip() and not line.rstrip().endswith("?")
    ]


def listed_lines(rows: Iterable[ListedRow]) -> list[RememberedLine]:
    """The lines of what a tool listed."""
    return [
        RememberedLine(
            content=row.content.strip(),
            age=row.age,
            said_by=row.said_by,
            reported=row.reported,
            id=row.id,
            where=row.where.removeprefix("in "),
            is_exchange=row.is_exchange,
        )
        for row in rows
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweringLines:
    """The lines that answer a question, best first; not `sure` when only the names in it fit."""

    lines: tuple[RememberedLine, ...] = ()
    sure: bool = True


def answering(question: str, lines: Sequence[RememberedLine]) -> AnsweringLines:
    """The lines that share words with the question, at most four.

    Where it names a person, a line about them comes before one that shares other words.
    """
    asked = _asked_stems(question)
    names = asked & _name_stems(question, lines)
    shared = [asked & _line_stems(line) for line in lines]
    if any(held & names for held in shared):
        shared = [held if held & names else set() for held in shared]
    best = max((len(held) for held in shared), default=0)
    ranked = sorted(
        (place for place, held in enumerate(shared) if held and len(held) >= best * _CLOSE),
        key=lambda place: (-len(shared[place]), place),
    )
    chosen = _distinct(lines[place] for place in ranked)[:MOST_LINES]
    return AnsweringLines(
        lines=tuple(chosen), sure=bool(ranked) and _fits(shared[ranked[0]], asked, names)
    )


def _fits(held: set[str], asked: set[str], names: set[str]) -> bool:
    """Whether a line holds the name asked about, and something else that is asked of it."""
    named = not names or bool(held & names)
    asked_of_it = asked <= names or not held <= names or len(held) > 1
    return named and asked_of_it


def _name_stems(question: str, lines: Iterable[RememberedLine]) -> set[str]:
    """The stems of what is written or known as a name."""
    authors = " ".join(line.said_by or "" for line in lines)
    return _content_stems(" ".join((*_CAPITALISED.findall(question), authors)))


def concerning(speaker: str, lines: Sequence[RememberedLine]) -> list[RememberedLine]:
    """The lines about a person or said by them, in order, each once."""
    return _distinct([line for line in lines if _concerns(line, speaker)])


def to_forget(
    topic: str, speaker: str, lines: Sequence[RememberedLine], *, own: bool
) -> list[RememberedLine]:
    """The memories that say what the topic says: one when it is clear, several when it is not.

    `own` topics are in the first person: only what concerns the speaker is meant.
    """
    asked = _topic_stems(topic) - set(stems(speaker))
    candidates = [line for line in lines if line.id and (not own or _concerns(line, speaker))]
    scored = [
        (_likeness(asked, line), line)
        for line in candidates
        if asked and negated(topic) == negated(line.content)
    ]
    alike = [(score, line) for score, line in scored if score[0] >= _ALIKE]
    best = max((score for score, _ in alike), default=(0.0, 0.0))
    return _distinct([line for score, line in alike if score == best])


def _likeness(asked: set[str], line: RememberedLine) -> tuple[float, float]:
    """The share of the topic that the line holds, then how little else it says."""
    held = _content_stems(line.content)
    shared = len(asked & held)
    return shared / len(asked), shared / len(asked | held)


def _asked_stems(question: str) -> set[str]:
    """What a question asks about, its verbs also in the form that memories use."""
    return (_content_stems(question) | _content_stems(_in_third_person(question))) - _ASKING


def _topic_stems(topic: str) -> set[str]:
    return _content_stems(_in_third_person(topic)) - _ASKING


def _in_third_person(text: str) -> str:
    return " ".join(_THIRD.get(word, word) for word in words(text))


def _content_stems(text: str) -> set[str]:
    return {stem for stem in stems(text) if stem not in NEGATIONS}


def _line_stems(line: RememberedLine) -> set[str]:
    return _content_stems(line.content) | _content_stems(line.said_by or "")


def _concerns(line: RememberedLine, speaker: str) -> bool:
    if is_namesake(line.said_by or "", speaker) and not line.reported:
        return False
    spelt = " ".join(words(speaker))
    named = bool(spelt) and f" {spelt} " in f" {' '.join(words(line.content))} "
    return named or fold(line.said_by or "") == fold(speaker)


def _distinct(lines: Iterable[RememberedLine]) -> list[RememberedLine]:
    once: dict[str, RememberedLine] = {}
    for line in lines:
        once.setdefault(fold(line.content), line)
    return list(once.values())
