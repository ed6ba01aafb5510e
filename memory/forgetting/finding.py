"""From what people say they want forgotten to the rows that are meant."""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

import structlog

from memory.language.synonyms import near
from memory.language.text import fold, has_digit, stems
from memory.model.errors import EmbeddingFailed
from memory.model.messages import MessageId
from memory.ports import EmbedderInUse
from memory.rules.forgetting.erasure import KeptBecause
from memory.rules.forgetting.narrowing import with_these
from memory.rules.forgetting.plain_words.choosing import LIKELY, POSSIBLE, meant
from memory.rules.forgetting.plain_words.closeness import ComparedRow, phrases
from memory.rules.forgetting.plain_words.frame import content_stems
from memory.rules.forgetting.plain_words.reading import (
    PlainRequest,
    read_request,
    read_topic,
    surely_asks,
)
from memory.rules.forgetting.receipt import KeptRow
from memory.rules.forgetting.selector import NamedRows, Requester, Selector
from memory.rules.forgetting.values import is_code
from memory.storage.forgetting.candidates import CandidateRow, ForgettingCandidates

log = structlog.get_logger()

MOST_COMPARED = 160
"""Texts whose meaning is compared with the request: an embedder elsewhere is asked once."""


@dataclass(frozen=True, slots=True)
class Found:
    """The rows that a request means, as a selector; unless `is_near` they may be chance.

    What is `offered` may be meant as well.
    """

    selector: Selector
    is_near: bool = False
    offered: NamedRows = field(default_factory=NamedRows)
    requests: NamedRows = field(default_factory=NamedRows)
    """Earlier requests of the asker for the same: by themselves no reason to forget."""


class ForgettingFinder:
    """Reads a topic in plain words and looks for what it means among what the asker may forget.

    `called` are the names of the pet, which name nothing.
    """

    def __init__(
        self,
        candidates: ForgettingCandidates,
        embedder: EmbedderInUse,
        called: Collection[str] = (),
    ) -> None:
        self._candidates = candidates
        self._embedder = embedder
        self._called = frozenset(fold(name) for name in called)

    async def found(
        self, selector: Selector, asker: Requester, asking: Collection[MessageId]
    ) -> Found:
        """The selector with the rows that its topic means, named by their ids."""
        request = read_topic(selector.topic, self._called)
        said = await self._candidates.of(asker, _terms(request.topics), asking)
        asked, rows = await asyncio.to_thread(self._divided, said)
        repeated = _saying_any(request.topics, asked)
        if not rows or not request.topics:
            return Found(selector, requests=_named(repeated))
        compared = await self._compared(request, rows)
        # Some tenths of a second where a person has said much: others are answered meanwhile.
        near = await asyncio.to_thread(meant, request, compared)
        chosen = [rows[place] for place in near.places]
        chosen += await self._holding(chosen, asker, asking)
        chosen += repeated if chosen else []
        # What a sentence asks for is shown before it goes: the nearest is near enough.
        least = POSSIBLE if self._asks_surely(selector.topic) else LIKELY
        offered = _named(rows[place] for place in near.perhaps)
        return Found(
            _chosen(selector, chosen),
            is_near=near.odds >= least,
            offered=offered,
            requests=_named(repeated),
        )

    def _divided(
        self, said: Sequence[CandidateRow]
    ) -> tuple[list[CandidateRow], list[CandidateRow]]:
        """The rows that ask for it themselves, and the others."""
        parts: tuple[list[CandidateRow], list[CandidateRow]] = ([], [])
        for row in said:
            parts[not self._asks_surely(row.text)].append(row)
        return parts

    def _asks_surely(self, text: str) -> bool:
        """Whether a text asks for it in a sentence, beyond doubt."""
        return surely_asks(text, self._called)

    def by_words(self, topic: str) -> str | None:
        """The topic whose every word must be said, where all that speaks of it is meant."""
        request = read_request(topic, self._called)
        if request is None:
            return topic
        if request.whole and len(request.topics) == 1 and not request.kept:
            return " ".join(content_stems(request.topics[0])) or None
        return None

    async def of_others(self, topic: str, asker: Requester) -> tuple[KeptRow, ...]:
        """What others said of a topic, where the asker may read it: theirs, and kept."""
        words = content_stems(" ".join(read_topic(topic, self._called).topics))
        found = await self._candidates.of_others(asker, words)
        return tuple(KeptRow(text, KeptBecause.SAID_BY_OTHERS, who) for who, text in found)

    async def _holding(
        self, chosen: Sequence[CandidateRow], asker: Requester, asking: Collection[MessageId]
    ) -> list[CandidateRow]:
        """Other messages of the asker that say a code of those that are meant."""
        codes = {code for row in chosen for code in _codes(row.text)}
        return [
            row
            for code in sorted(codes)
            for row in await self._candidates.holding(asker, code, asking)
        ]

    async def _compared(
        self, request: PlainRequest, rows: Sequence[CandidateRow]
    ) -> list[ComparedRow]:
        texts = [row.text for row in rows]
        alike = await self._alike(phrases(request), texts)
        return [ComparedRow(text=text, alike=one) for text, one in zip(texts, alike, strict=True)]

    async def _alike(self, named: Sequence[str], texts: Sequence[str]) -> list[list[float]]:
        """How near in meaning each text is to each phrase; nothing where that cannot be told."""
        none = [0.0] * len(named)
        if not self._embedder.fingerprint.embeds:
            return [none for _ in texts]
        compared = texts[-MOST_COMPARED:]
        try:
            with self._embedder.held():
                asked = await self._embedder.embed(named, "query")
                said = await self._embedder.embed(compared, "document")
        except EmbeddingFailed:
            log.warning("forgetting.compared_by_words")
            return [none for _ in texts]
        found: list[list[float]] = (said @ asked.T).tolist()
        return [none] * (len(texts) - len(compared)) + found


def _saying_any(parts: Sequence[str], asked: Sequence[CandidateRow]) -> list[CandidateRow]:
    """Earlier requests of the asker for the same: they say what was in it, and go with it."""
    words = {stem for part in parts for stem in content_stems(part)}
    return [row for row in asked if words.intersection(content_stems(row.text))]


def _terms(parts: Sequence[str]) -> list[str]:
    words = [stem for part in parts for stem in content_stems(part)]
    others = [term for part in parts for terms in near(part).values() for term, _ in terms]
    return list(dict.fromkeys(word for word in (*words, *others) if word.strip()))


def _chosen(selector: Selector, rows: Iterable[CandidateRow]) -> Selector:
    return with_these(replace(selector, topic=""), _named(rows))


def _named(rows: Iterable[CandidateRow]) -> NamedRows:
    ids = [row.id for row in rows]
    return NamedRows(
        messages=frozenset(one for one in ids if isinstance(one, int)),
        memories=frozenset(one for one in ids if not isinstance(one, int)),
    )


def _codes(text: str) -> list[str]:
    """The number or code of a text that says no other; a year is none, nor a group of digits."""
    numbers = [stem for stem in stems(text) if has_digit(stem)]
    return numbers if len(numbers) == 1 and is_code(numbers[0]) else []
