"""A first look through a history: who speaks, when, how much, what could not be read."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from bot.errors import BotError
from bot.transfer.history.inbounds import SPOKEN, AuthorKey, author_key, moment_of
from bot.transfer.history.model import HistoryItem, HistoryLine, LineKind, UnreadableLine
from memory.claims.reader import read_claims
from memory.language.parts.reading import own_words
from memory.model.claims import SURELY, Claim, Slot
from memory.model.shown import Shown

MOST_AUTHORS = 5_000
"""Authors of one file: more are no conversation, and are not looked up one by one."""

MOST_READ = 2_000
"""Lines at the beginning in which claims are looked for: some seconds of one core."""

SHOWN = 10
"""Reasons, and claims, that are shown."""


class TooManyAuthors(BotError):
    """A file with more authors than can be looked up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleClaim:
    """What would be learnt from a line: who says it, of what, and the clause that says it."""

    author: Shown[str]
    slot: Shown[Slot]
    words: Shown[str]
    certainty: float


@dataclass(slots=True)
class HistoryScan:
    """What was seen of a file so far; its size does not grow with the file's."""

    zone: tzinfo
    kinds: Counter[LineKind] = field(default_factory=Counter)
    authors: Counter[AuthorKey] = field(default_factory=Counter)
    first: datetime | None = None
    last: datetime | None = None
    items: int = 0
    chars: int = 0
    unreadable: int = 0
    reasons: list[UnreadableLine] = field(default_factory=list)
    samples: dict[tuple[str, str], tuple[AuthorKey, str]] = field(default_factory=dict)
    """Authors and words of the first lines, by room and id; edited ones have their last words."""
    rooms: Counter[str] = field(default_factory=Counter)

    def take(self, items: Iterable[HistoryItem]) -> None:
        """Look at the next entries.

        Raises:
            TooManyAuthors: there are more than `MOST_AUTHORS`.

        """
        for item in items:
            self.items += 1
            if isinstance(item, UnreadableLine):
                self.unreadable += 1
                self.reasons = [*self.reasons, item][:SHOWN]
                continue
            self.kinds[item.kind] += 1
            if item.kind not in SPOKEN and item.kind is not LineKind.MEMORY:
                continue
            at = moment_of(item, self.zone)
            self.first, self.last = min(self.first or at, at), max(self.last or at, at)
            self.authors[author_key(item)] += 1
            self.chars += len(item.text)
            if item.room and len(self.rooms) < SHOWN:
                self.rooms[item.room] += 1
            if item.kind is LineKind.SAID:
                self._sample(item)
            if len(self.authors) > MOST_AUTHORS:
                raise TooManyAuthors(f"The file has more than {MOST_AUTHORS} authors.")

    def _sample(self, line: HistoryLine) -> None:
        if line.edits:
            edited = (line.room, line.edits)
            if edited in self.samples:
                self.samples[edited] = (self.samples[edited][0], line.text)
        elif len(self.samples) < MOST_READ and line.text.strip():
            id_ = line.id or f"line {len(self.samples)}"
            self.samples.setdefault((line.room, id_), (author_key(line), line.text))

    @property
    def room(self) -> str:
        """What the file calls its room; "" where it has no name, or several rooms."""
        return next(iter(self.rooms)) if len(self.rooms) == 1 else ""


def claims_in(lines: Iterable[tuple[AuthorKey, str]]) -> list[SampleClaim]:
    """What some lines state of their authors, the surest of each slot."""
    said = [(key, own_words(text)) for key, text in lines]
    found: dict[Slot, SampleClaim] = {}
    for (key, text), claims in zip(said, read_claims([text for _, text in said]), strict=True):
        for one in claims:
            best = found.get(one.slot)
            if _is_sure(one) and (best is None or best.certainty < one.certainty):
                found[one.slot] = SampleClaim(
                    author=key[0],
                    slot=one.slot,
                    words=text[one.start : one.end],
                    certainty=one.certainty,
                )
    return list(found.values())


def surest(claims: Iterable[SampleClaim]) -> tuple[SampleClaim, ...]:
    """The surest claims of different slots, at most ten."""
    ranked = sorted(claims, key=lambda one: -one.certainty)
    return tuple({one.slot: one for one in reversed(ranked)}.values())[::-1][:SHOWN]


def _is_sure(claim: Claim) -> bool:
    return claim.of_author and claim.status.is_stated and claim.certainty >= SURELY
