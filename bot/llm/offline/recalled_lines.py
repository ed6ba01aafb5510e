"""Lines of memory: recalled or listed by a tool, and chosen for what was asked; pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.llm.offline.acquaintances import Asker
from bot.model.tool_values import ListedRow
from memory.language.detection import negated
from memory.language.text import fold, stems, words
from memory.language.word_lists import NEGATIONS
from memory.model.people import PersonId
from memory.model.recalled import REPLIED
from memory.model.retrieval import RecalledLine, Section

_ASKING = frozenset(
    stems(
        "know knows remember tell said say says talk talked souviens rappelle sais sait connais dis"
        " dit parle parler savoir peux comment combien pourquoi someone quelqu chose thing"
        " happened happening something encore deja please stp svp oublie forget fact actually"
    )
)
"""Stems that ask; what is asked about is in the others."""
_ALIKE = 0.75
"""Share of a topic's stems that a memory must hold to be what is to be forgotten."""
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
    against: tuple[str, ...] = ()
    """Who says otherwise."""
    person: PersonId | None = None
    """Who said it, where that is known."""
    then: str = ""
    """What `said_by` was called then, where that is another name."""


def recalled_lines(recalled: Iterable[RecalledLine]) -> list[RememberedLine]:
    """The lines of one injection; behind them what was told in earlier exchanges.

    An exchange in which something was asked is a line only where there is nothing else.
    """
    lines = [line for line in recalled if line.section is not Section.SUMMARIES]
    said = [line for line in lines if line.section is not Section.HISTORY]
    told = [line for line in lines if line.section is Section.HISTORY and _tells(line)]
    return [
        RememberedLine(
            content=line.content,
            age=line.age,
            said_by=line.said_by,
            reported=line.reported,
            live=line.section is Section.LIVE,
            against=line.against,
            person=line.person,
            then=line.then,
        )
        for line in [*said, *told] or lines
    ]


def _tells(exchange: RecalledLine) -> bool:
    return "?" not in exchange.content.partition(REPLIED)[0]


def without_reply(line: RememberedLine) -> RememberedLine:
    """A line without the pet's own reply, which a recalled exchange ends with."""
    return replace(line, content=line.content.partition(REPLIED)[0])


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
            against=row.against,
            person=row.person,
            then=row.then,
        )
        for row in rows
    ]


def concerning(asker: Asker, lines: Sequence[RememberedLine]) -> list[RememberedLine]:
    """The lines about the asker or said by them, in order, each once."""
    return each_once([line for line in lines if _concerns(line, asker)])


def to_forget(
    topic: str, asker: Asker, lines: Sequence[RememberedLine], *, own: bool
) -> list[RememberedLine]:
    """The memories that say what the topic says: one when it is clear, several when it is not.

    `own` topics are in the first person: only what concerns the asker is meant.
    """
    asked = _topic_stems(topic) - set(stems(" ".join(asker.names)))
    candidates = [line for line in lines if line.id and (not own or _concerns(line, asker))]
    scored = [
        (_likeness(asked, line), line)
        for line in candidates
        if asked and negated(topic) == negated(line.content)
    ]
    alike = [(score, line) for score, line in scored if score[0] >= _ALIKE]
    best = max((score for score, _ in alike), default=(0.0, 0.0))
    return each_once([line for score, line in alike if score == best])


def _likeness(asked: set[str], line: RememberedLine) -> tuple[float, float]:
    """The share of the topic that the line holds, then how little else it says."""
    held = _content_stems(line.content)
    shared = len(asked & held)
    return shared / len(asked), shared / len(asked | held)


def _topic_stems(topic: str) -> set[str]:
    return _content_stems(topic) - _ASKING


def _content_stems(text: str) -> set[str]:
    return {stem for stem in stems(text) if stem not in NEGATIONS}


def _concerns(line: RememberedLine, asker: Asker) -> bool:
    called = line.said_by or ""
    if asker.is_namesake(line.person, called) and not line.reported:
        return False
    said = f" {' '.join(words(line.content))} "
    spelt = (" ".join(words(name)) for name in asker.names)
    is_named = any(name and f" {name} " in said for name in spelt)
    return is_named or asker.is_author(line.person, called)


def each_once(lines: Iterable[RememberedLine]) -> list[RememberedLine]:
    """The lines without those whose words came before, in order."""
    once: dict[str, RememberedLine] = {}
    for line in lines:
        once.setdefault(fold(line.content), line)
    return list(once.values())
