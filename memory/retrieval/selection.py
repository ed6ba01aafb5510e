"""Which of the ranked candidates are injected: evidence, reserve, diversity, budget. Pure."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from types import MappingProxyType
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory.language.questions.own import asks_of_own, tells_of_self
from memory.language.text import fold, stems
from memory.model.retrieval import Candidate, Considered, Question, Section
from memory.model.stores import Collection as Stored
from memory.ports import Vectors
from memory.retrieval.gate import SHARE, shares
from memory.retrieval.query import Query
from memory.retrieval.ranking import Limits
from memory.retrieval.rendering import EMPTY_BLOCK, heading_size, line_size
from memory.rules.duplicates import are_of_other_matters
from memory.rules.forgetting.topic import Topic, topic_of
from memory.tokens import tokens_of

DIVERSITY = 0.7
"""MMR's lambda: relevance against likeness to what is already chosen."""

OF_ANOTHER = "another's own"

LEFT_ALONE = "to be left alone"


def chosen(
    candidates: Sequence[Candidate],
    confidences: Mapping[UUID, tuple[float, str]],
    vectors: Mapping[UUID, Vectors],
    shown: tuple[frozenset[str], Collection[UUID]],
    limits: Limits,
    *,
    fits: Collection[UUID],
    withheld: Mapping[str, str] = MappingProxyType({}),
) -> list[Considered]:
    """Every candidate with its verdict, those kept first in order of choice.

    Those may be kept whose ids are in `fits`. `shown` are the references of what is in the window
    already, and the ids of what says the same as a line there. What is `withheld`, for a reason, is
    never kept.
    """
    refs, said = shown
    open_, verdicts = [], []
    for candidate in candidates:
        confidence, reason = confidences[candidate.id]
        if candidate.ref in withheld:
            verdicts.append(_dropped(candidate, confidence, withheld[candidate.ref]))
        elif candidate.duplicate:
            verdicts.append(_dropped(candidate, confidence, "another says the same"))
        elif candidate.id not in fits:
            verdicts.append(_dropped(candidate, confidence, "no evidence"))
        elif candidate.ref in refs:
            verdicts.append(_dropped(candidate, confidence, "in the window"))
        elif not candidate.against and candidate.id in said:
            verdicts.append(_dropped(candidate, confidence, "said in the window"))
        else:
            open_.append(
                Considered(candidate=candidate, score=confidence, kept=True, reason=reason)
            )
    return _within_budget(_diverse(open_, vectors, limits), limits) + verdicts


def fitting(
    candidates: Sequence[Candidate],
    confidences: Mapping[UUID, tuple[float, str]],
    asks: float,
    min_score: float,
) -> frozenset[UUID]:
    """Which candidates may be kept, by their ids: what needs no evidence, and what has it.

    Once one row is sure enough, whether a question is about anything here at all is no longer in
    doubt: then it and what is probable itself fit. `asks` is the question's `asks_tellingly`.
    """
    proven = frozenset(one.id for one in candidates if one.proven)
    others = [one for one in candidates if not one.proven]
    surest = max(others, key=lambda one: confidences[one.id][0], default=None)
    if surest is None or confidences[surest.id][0] < min_score:
        return proven
    likely = (id_ for id_, each in shares(others, asks).items() if each >= SHARE)
    return proven.union([surest.id], likely)


def _diverse(
    open_: Sequence[Considered], vectors: Mapping[UUID, Vectors], limits: Limits
) -> list[Considered]:
    """Order by maximal marginal relevance (Carbonell and Goldstein 1998); drop near-copies.

    Of what one person says twice the later stands in the place of the first.
    """
    worth = DIVERSITY * np.array([one.score + one.candidate.worth for one in open_])
    alike = _alike([vectors.get(one.candidate.id) for one in open_])
    near = alike > limits.duplicate_similarity
    alike[_same([one.candidate for one in open_])] = 1.0
    alike[_told_apart([one.candidate for one in open_], near)] = 0.0
    likeness, picked, copies = np.zeros(len(open_)), list[int](), list[int]()
    for _ in open_:
        best = int(np.argmax(worth - (1 - DIVERSITY) * likeness))
        worth[best] = -np.inf
        if likeness[best] <= limits.duplicate_similarity:
            picked.append(best)
            likeness = np.maximum(likeness, alike[best])
            continue
        spot = int(np.argmax(alike[best, picked]))
        first = picked[spot]
        if _says_it_again(open_[best].candidate, open_[first].candidate):
            picked[spot] = best
            likeness = np.maximum(likeness, alike[best])
        copies.append(first if picked[spot] == best else best)
    dropped = (replace(open_[n], kept=False, reason="says the same as another") for n in copies)
    return [*(open_[n] for n in picked), *dropped]


def _says_it_again(later: Candidate, row: Candidate) -> bool:
    """Whether one person says the same later, and neither time was asked about."""
    by = (later.collection, later.author_id, later.author)
    same = by == (row.collection, row.author_id, row.author)
    asked_when = row.signals.get("period", 0.0) > later.signals.get("period", 0.0)
    return same and later.at > row.at and not asked_when


def _alike(vectors: Sequence[Vectors | None]) -> Vectors:
    """How alike each two are, shape (n, n); 0 where one of them has no vector."""
    alike = np.zeros((len(vectors), len(vectors)), dtype=np.float32)
    there = [row for row, vector in enumerate(vectors) if vector is not None]
    if there:
        known = np.stack([vector for vector in vectors if vector is not None])
        alike[np.ix_(there, there)] = known @ known.T
    return alike


def _same(rows: Sequence[Candidate]) -> tuple[list[int], list[int]]:
    """The places of every two lines of which one is a core fact in the words of the other.

    That is the statement it came from, which need not be embedded for it. Two people may well say
    the same in the same words.
    """
    said = [" ".join(row.content.casefold().split()) for row in rows]
    derived = [n for n, row in enumerate(rows) if row.collection is Stored.KNOWLEDGE]
    pairs = [(one, n) for one in derived for n, text in enumerate(said) if text == said[one]]
    both = [pair for one, n in pairs if one != n for pair in ((one, n), (n, one))]
    return [one for one, _ in both], [other for _, other in both]


def _told_apart(rows: Sequence[Candidate], alike: NDArray[np.bool_]) -> tuple[list[int], list[int]]:
    """The places of every two rows that do not stand for each other, however alike they are.

    What is contradicted is told itself, beside what contradicts it; two people of one name may say
    much the same; and of two that are alike one may deny the other. `alike` says which are.
    """
    pairs = [
        (one, other)
        for one, row in enumerate(rows)
        if row.against
        for other, beside in enumerate(rows)
        if _is_disputed(row, beside)
    ]
    pairs += _namesakes(rows)
    pairs += [
        (one, other)
        for one, other in np.argwhere(np.triu(alike, 1)).tolist()
        if are_of_other_matters(rows[one].content, rows[other].content)
    ]
    pairs += [(other, one) for one, other in pairs]
    return [one for one, _ in pairs], [other for _, other in pairs]


def _is_disputed(row: Candidate, beside: Candidate) -> bool:
    """Whether a row is contradicted, and the other is not the same claim."""
    return bool(row.against) and (row.author_id, row.content) != (beside.author_id, beside.content)


def _namesakes(rows: Sequence[Candidate]) -> list[tuple[int, int]]:
    """The places of every two statements whose authors have one name and are two people."""
    called: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        if row.section is Section.MEMORY and row.author_id is not None:
            called.setdefault(fold(row.author or ""), []).append(place)
    return [
        (one, other)
        for places in called.values()
        for one, other in combinations(places, 2)
        if rows[one].author_id != rows[other].author_id
    ]


def _within_budget(ordered: Sequence[Considered], limits: Limits) -> list[Considered]:
    budget = _Budget(limits)
    return [
        replace(one, kept=False, reason="over the budget")
        if one.kept and not budget.takes(one.candidate)
        else one
        for one in ordered
    ]


class _Budget:
    """What is left of the limits, counted in the characters of the block as it is written."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._sections: list[Section] = []
        self._chars = EMPTY_BLOCK

    def takes(self, candidate: Candidate) -> bool:
        """Whether there is room for this line; it is taken if there is."""
        section = candidate.section
        size = line_size(candidate, len(self._sections))
        if section not in self._sections:
            size += heading_size(section)
        lines, live = len(self._sections), self._sections.count(Section.LIVE)
        full = lines >= self._limits.max_results
        full |= section is Section.LIVE and live >= self._limits.live_results
        if full or tokens_of(self._chars + size) > self._limits.max_tokens:
            return False
        self._sections.append(section)
        self._chars += size
        return True


def _dropped(candidate: Candidate, score: float, reason: str) -> Considered:
    return Considered(candidate=candidate, score=score, kept=False, reason=reason)


def repeated(
    candidates: Sequence[Candidate],
    vectors: Mapping[UUID, Vectors],
    shown: Mapping[UUID, Vectors],
    threshold: float,
    contents: Callable[[Collection[UUID]], Mapping[UUID, str]],
) -> frozenset[UUID]:
    """The ids of candidates that say the same as a line that was shown.

    `contents` gives the words of shown lines, which are asked for only where one is alike.
    """
    window = list(shown)
    if not window:
        return frozenset()
    every = np.stack([shown[id_] for id_ in window])
    alike = {
        row.id: [window[place] for place in np.flatnonzero(every @ vectors[row.id] > threshold)]
        for row in candidates
        if row.id in vectors
    }
    said = contents({id_ for ids in alike.values() for id_ in ids}) if any(alike.values()) else {}
    return frozenset(
        row.id
        for row in candidates
        for id_ in alike.get(row.id, ())
        if not are_of_other_matters(row.content, said.get(id_, row.content))
    )


def told_already(rows: Sequence[Candidate], question: Question) -> frozenset[str]:
    """References of what stands before the model as what its room said, or as who it is."""
    return frozenset(row.ref for row in rows if row.id in question.told)


def is_told_in(candidate: Candidate, question: Question) -> bool:
    """Whether it is an exchange or a summary that stands before the model anyway."""
    match candidate.collection:
        case Stored.CONVERSATIONS:
            return candidate.id in question.window
        case Stored.KNOWLEDGE:
            return candidate.id in question.summarised
        case _:
            return False


def withheld(rows: Sequence[Candidate], question: Question, asked: Query) -> dict[str, str]:
    """Why rows are not brought up for a question, by their reference; most have no reason.

    What others say of their own never answers "my ...". A topic that the person asked to be left
    alone is brought up when they speak of it themselves.
    """
    quiet = [
        topic
        for topic in map(topic_of, question.quiet_topics)
        if not topic.is_among(stems(question.query))
    ]
    is_own = asks_of_own(question.text)
    reasons: dict[str, str] = {}
    for row in rows:
        if is_own and _is_anothers(row, question, asked):
            reasons[row.ref] = OF_ANOTHER
        elif any(_speaks_of(row, topic) for topic in quiet):
            reasons[row.ref] = LEFT_ALONE
    return reasons


def _is_anothers(row: Candidate, question: Question, asked: Query) -> bool:
    if row.author_id is None or question.person in (row.author_id, row.about):
        return False
    is_namesake = fold(row.author or "") in asked.speaker
    names_asker = asked.speaker & set(map(fold, row.subjects)) or _names(row.content, asked)
    if names_asker and not is_namesake:
        return False
    return row.about is not None or tells_of_self(row.content)


def _names(content: str, asked: Query) -> bool:
    said = f" {fold(content)} "
    return any(f" {name} " in said for name in asked.speaker)


def _speaks_of(row: Candidate, topic: Topic) -> bool:
    return topic.is_among(row.words.split()) or topic.is_in(" ".join(row.subjects))
