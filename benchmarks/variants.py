"""What an ablation switches off: every signal, every source, one at a time. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Literal, get_args

from memory.language.names import names_in
from memory.language.synonyms import TRANSLATED
from memory.language.text import fold
from memory.model.retrieval import Candidate, Company
from memory.model.statements import Relation
from memory.retrieval.query import Names, Query, Term
from memory.retrieval.question_reader import OTHER_NAME
from memory.retrieval.ranking import Fusion
from memory.retrieval.spreading_activation import RELATION_WEIGHTS
from memory.retrieval.weights import Weights

Kin = Literal["near", "told", "ties"]
"""What rows may have to do with each other, by the fields of `Company`."""

Extra = Literal["translations", "near words", "other names"]
"""What a reading adds to the words of a question."""

EXTRAS: tuple[Extra, ...] = get_args(Extra)

ONCE = 1e-9
"""BM25's k1 this small counts a word once however often a row says it; 0 would divide by zero."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """Recall with something off, or with another choice made.

    `without` are look-ups that are not made, by the ends of their names; `alone` what rows do not
    bring along; `unread` what is not added to the words of the question. `ageless` forgets when
    rows are from.
    """

    name: str
    weights: Weights = field(default_factory=Weights)
    fusion: Fusion = "score"
    without: tuple[str, ...] = ()
    alone: frozenset[Kin] = frozenset()
    unread: frozenset[Extra] = frozenset()
    ageless: bool = False


WHOLE = Variant(name="all on")
"""Recall as it is, with which the others are compared."""

_OFF: Sequence[tuple[str, dict[str, Any]]] = (
    ("repetition: a word counts once", {"repetition": ONCE}),
    ("length of a row", {"length": 0.0}),
    ("neighbours lend their words", {"after": (), "before": ()}),
    ("enough: saturation of one word", {"enough": 0.0}),
    ("brief: long rows take all that is lent", {"brief": inf}),
    ("stretch of talk", {"stretch": 0.0}),
    ("named: whose a row is", {"named": 0.0}),
    ("named too: a second name", {"named_too": 0.0}),
    ("mentioned: who is spoken of", {"mentioned": 0.0}),
    ("named, named too and mentioned", {"named": 0.0, "mentioned": 0.0}),
    ("proper nouns", {"proper": 0.0}),
    ("speaker: who asks", {"speaker": 0.0}),
    ("period: when", {"period": 0.0}),
    ("recent: what was said last", {"recent": 0.0}),
    ("recent: half as far back", {"recent_rows": 8.0}),
    ("meaning", {"meaning": 0.0}),
    ("meaning: counted from the mean on", {"meaning_from": 0.0}),
    ("meaning lent to neighbours", {"meaning_near": 0.0}),
    ("meaning lent to the message behind", {"meaning_told": 0.0}),
    ("ties as a signal", {"tied": 0.0}),
    ("ties: two hops instead of one", {"hops": 2}),
)
"""The name of each, and the weights that make it."""

_NOTHING: dict[str, Any] = {
    "after": (), "before": (), "enough": 0.0, "stretch": 0.0, "named": 0.0, "mentioned": 0.0,
    "proper": 0.0, "speaker": 0.0, "period": 0.0, "meaning": 0.0, "tied": 0.0, "recent": 0.0,
}  # fmt: skip
"""Every signal off but the words themselves."""


def variants() -> list[Variant]:
    """Everything that is compared, what it is compared with first; names are unique."""
    return [
        WHOLE,
        *(Variant(name=name, weights=replace(Weights(), **off)) for name, off in _OFF),
        *_relations(),
        *_sources(),
        *(Variant(name=f"reading: {extra}", unread=frozenset({extra})) for extra in EXTRAS),
        Variant(name="reading: all three", unread=frozenset(EXTRAS)),
        Variant(name="freshness", ageless=True),
        Variant(name="fusion by rank (rrf)", fusion="rrf"),
        Variant(
            name="nothing but words",
            weights=replace(Weights(), **_NOTHING),
            without=("_vector",),
            alone=frozenset(get_args(Kin)),
            unread=frozenset(EXTRAS),
            ageless=True,
        ),
    ]


def _relations() -> Iterator[Variant]:
    for relation in Relation:
        passed_on = {one: weight for one, weight in RELATION_WEIGHTS.items() if one != relation}
        weights = replace(Weights(), relations=passed_on)
        yield Variant(name=f"tie: {relation}", weights=weights)


def _sources() -> Iterator[Variant]:
    looked_up = {
        "vectors": ("_vector",),
        "vectors of statements": ("memory_vector",),
        "vectors of messages": ("live_vector",),
        "full text": ("_text",),
        "full text of statements": ("memory_text",),
        "full text of messages": ("live_text",),
        "statements of the SQL path": ("speaker", "recent", "goals"),
    }
    for name, without in looked_up.items():
        yield Variant(name=f"source: {name}", without=without)
    brought: dict[str, Kin] = {
        "neighbours": "near",
        "messages behind statements": "told",
        "graph": "ties",
    }
    for name, kin in brought.items():
        yield Variant(name=f"source: {name}", alone=frozenset({kin}))


def read_less(asked: Query, unread: frozenset[Extra]) -> Query:
    """The question without some of what reading added to its words."""
    if not unread:
        return asked
    named = tuple(_as_said(asked.text, names) for names in asked.named)
    return replace(
        asked,
        terms=tuple(_plainer(term, unread) for term in asked.terms),
        named=named if "other names" in unread else asked.named,
    )


def thinned(
    rows: Sequence[Candidate],
    everyone: Sequence[Candidate],
    company: Company,
    alone: frozenset[Kin],
) -> tuple[list[Candidate], Company]:
    """The company of `rows` without some kinds, and `everyone` but who came with those only."""
    if not alone:
        return list(everyone), company
    kept = replace(
        company,
        near=() if "near" in alone else company.near,
        told=() if "told" in alone else company.told,
        ties=() if "ties" in alone else company.ties,
    )
    there = {row.id for row in rows} | {one.message for one in kept.told}
    there |= {end for one in kept.ties for end in (one.start, one.end)}
    near = tuple(one for one in kept.near if one.of in there)
    there |= {one.row for one in near}
    return [one for one in everyone if one.id in there], replace(kept, near=near)


def _as_said(text: str, names: Names) -> Names:
    return frozenset(map(fold, names_in(text, names)))


def _plainer(term: Term, unread: frozenset[Extra]) -> Term:
    others = tuple((stem, share) for stem, share in term.others if _kind(share) not in unread)
    return replace(term, others=others)


def _kind(share: float) -> Extra:
    """Where another stem comes from, which its share tells."""
    if share >= OTHER_NAME:
        return "other names"
    return "translations" if share >= TRANSLATED else "near words"
