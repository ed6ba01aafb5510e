"""Lines of talk as the offline pet looks among them; pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.llm.offline.acquaintances import first_name
from bot.model.tool_values import SaidLine
from memory.language.chat_spelling import spelt_out
from memory.language.detection import nothing_to_look_up
from memory.language.parts.reading import OTHERS, blocks_of
from memory.language.questions.asking import share_that_asks
from memory.language.text import fold, stems
from memory.model.claims import Claim
from memory.model.parts import PartSource
from memory.model.people import PersonId
from memory.statements.changes import Saying

_SOON = timedelta(minutes=12)
"""Between two lines of one train of thought."""

_ASKING = 0.5
_INDIRECT = re.compile(
    r"\b(?:dites|dis|tell me|say) (?:moi |nous |us )?(?:qui|who|if|si|quand|when)\b|^who is (?:in"
    r"|up|about|coming|hungry)\b"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidClaim:
    """What a line claims, with the words of the clause that does."""

    words: str
    read: Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkLine:
    """A line that was said: by whom, when, in which room; `by_pet` is the pet's own.

    `private`: the author and the pet were alone. `stated` is what was learnt, no one's own words.
    """

    text: str
    author: str
    """What the author is called now."""
    at: datetime
    room: str = ""
    by_pet: bool = False
    private: bool = False
    stated: bool = False
    age: str = ""
    """How long ago in words, where no moment is known."""
    against: tuple[str, ...] = ()
    """Who says otherwise."""
    source: PartSource = PartSource.OWN
    teller: str = ""
    """Who quoted or forwarded it here, where it is not its author's own message."""
    told_by: PersonId | None = None
    """Who the teller is, where that is known."""
    person: PersonId | None = None
    """Who the author is, where that is known."""
    then: str = ""
    """What the author was called then, where that is another name."""
    claims: tuple[SaidClaim, ...] = ()

    @property
    def plain(self) -> str:
        """The words written out."""
        return spelt_out(self.text)

    @property
    def certainty(self) -> float:
        """How surely it states anything, in 0..1."""
        stated = (one.read.certainty for one in self.claims if one.read.status.is_stated)
        return max(stated, default=0.0)

    @property
    def speaker(self) -> str:
        """Whose the line is: the id of its author, or the folded first word of their name."""
        return self.person or first_name(self.author)

    @property
    def is_question(self) -> bool:
        """Whether it asks, rather than tells."""
        asks = share_that_asks(self.text) >= _ASKING or self.text.rstrip().endswith("?")
        return asks or _INDIRECT.search(self.plain) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class InContext:
    """A line with what leads to it: its author's words just before, and the question it answers."""

    line: TalkLine
    before: tuple[TalkLine, ...]
    to_pet: bool
    says_nothing: bool = False
    """Whether it is a greeting or the like, and answers no question either."""

    @property
    def asks_pet(self) -> bool:
        """Whether it is a question put to the pet."""
        return self.to_pet and self.line.is_question

    @property
    def context(self) -> str:
        """The words before it, written out."""
        return " ".join(one.plain for one in self.before)


def in_context(lines: Sequence[TalkLine], pet: Iterable[str]) -> list[InContext]:
    """Each line with its context; `lines` are in the order they were said."""
    names = frozenset(pet)
    return [_placed(place, lines, names) for place in range(len(lines))]


def _placed(place: int, lines: Sequence[TalkLine], pet: frozenset[str]) -> InContext:
    line = lines[place]
    before: list[TalkLine] = []
    for one in reversed(lines[max(0, place - 8) : place]):
        if one.room != line.room:
            continue
        if line.at - one.at > _SOON:
            break
        same = one.speaker == line.speaker
        if (same and not one.by_pet and len(before) < 2) or (one.is_question and not before):
            before.append(one)
        elif not same and not one.by_pet and before:
            break
    after = next((one for one in lines[place + 1 : place + 3] if one.room == line.room), None)
    said = set(line.plain.split())
    to_pet = line.private or bool(said & pet) or (after is not None and after.by_pet)
    is_answer = any(one.is_question for one in before)
    return InContext(
        line=line,
        before=tuple(before),
        to_pet=to_pet,
        says_nothing=not is_answer and nothing_to_look_up(line.text, pet),
    )


def talk_of(said: Iterable[SaidLine]) -> list[TalkLine]:
    """The lines that were read back, in their authors' own words."""
    return [_line(one, _own(one)) for one in said]


def passed_on(said: Iterable[SaidLine]) -> list[TalkLine]:
    """What the lines that were read back quote or forward of others, in lines of theirs."""
    return [
        replace(
            _line(one, words),
            author=part.author,
            person=None,
            then="",
            teller=one.author,
            told_by=one.person,
            source=part.source,
            claims=(),
        )
        for one in said
        if not one.by_pet
        for part in blocks_of(one.text)
        if part.source in OTHERS
        for words in part.text.splitlines()
        if words.strip()
    ]


def _line(said: SaidLine, text: str) -> TalkLine:
    return TalkLine(
        text=text,
        author=said.author,
        at=said.at,
        room=said.room,
        by_pet=said.by_pet,
        private=said.private,
        person=said.person,
        then=said.then,
        claims=said_claims(said.text, said.claims),
    )


def said_claims(text: str, claims: Iterable[Claim]) -> tuple[SaidClaim, ...]:
    """Claims of a text with the words of each."""
    return tuple(SaidClaim(words=text[one.start : one.end], read=one) for one in claims)


def _own(said: SaidLine) -> str:
    """What its author says in a line; reported speech stands in it as they wrote it."""
    if said.by_pet:
        return said.text
    own = (part.text for part in blocks_of(said.text) if part.source is PartSource.OWN)
    return "".join(own).strip()


def without_echoes(learnt: Iterable[TalkLine], said: Iterable[TalkLine]) -> list[TalkLine]:
    """What was learnt, but for what a line that was said holds, since its words tell more."""
    words = [set(stems(line.plain)) for line in said if not (line.by_pet or line.is_question)]
    return [
        line
        for line in learnt
        if line.against or not any(_is_held(_told_words(line), one) for one in words)
    ]


def _told_words(learnt: TalkLine) -> set[str]:
    """The words of what was learnt, without whom it is of and the dates that were worked out."""
    text = learnt.text.removeprefix(f"{learnt.author}: ")
    return set(stems(spelt_out(_WORKED_OUT.sub("", text))))


_WORKED_OUT = re.compile(r"\([^()]{0,40}\b\d{4}\)")


def _is_held(learnt: set[str], said: set[str]) -> bool:
    return bool(learnt) and len(learnt & said) >= _HELD * len(learnt)


_HELD = 0.6
"""The share of the words of what was learnt that the line it was learnt from has at least."""

_ALIAS = re.compile(r"^@?([\w-]{2,24}) ?(?:=|aka|alias|c est)+ ?@?([\w-]{2,24})$")
_IS = re.compile(r"^([\w-]{2,24}) is ([\w-]{2,24})$")


def aliases_in(lines: Iterable[TalkLine], known: frozenset[str]) -> Mapping[str, str]:
    """Other names of people, as lines like "dev = Mickael" tell them."""
    found: dict[str, str] = {}
    for line in lines:
        text = " ".join(fold(line.text).replace("'", " ").strip(" .!").split())
        match = _ALIAS.match(text) or _IS.match(text)
        if not match:
            continue
        left, right = match[1], match[2]
        if right in known and left not in known:
            found[left] = right
        elif left in known and right not in known and "=" in text:
            found[right] = left
    return found


def told_in(line: TalkLine) -> Saying:
    """A line as what its author said, to be held against what they said before."""
    claims = tuple(one.read for one in line.claims)
    return Saying(line.text, claims=claims, is_question=line.is_question)
