"""Fits the gate of recall: `python -m benchmarks.fit_gate FOLDER`.

The folder is that of `benchmarks.talks`. Of each kind of talk the best evidence of each question is
told from the best row that everyday lines find there, which have nothing to do with it; what is
best is settled anew in each round (multiple instances, Andrews and others 2003). A logistic
regression without negative weights, since nothing that speaks for a row may count against it. Each
kind of talk weighs as much, but messages in the flow half as much again. LoCoMo 6-10 and the held
and reported halves of the groups and of the French set are not seen. A second one tells evidence
from what was found with it. Prints the constants of `memory/retrieval/gate.py`, and what they let
through, kind by kind, also when that kind was left out.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from rich.box import MARKDOWN
from rich.console import Console
from rich.table import Table

from benchmarks.heard_talks import Choice, HeardTalk, choice_of, choosing, heard_talks
from benchmarks.settings import prepare_process
from benchmarks.talk_pairs import JudgedRow
from memory.retrieval.gate import Evidence, RowStanding

Numbers = NDArray[np.float64]

UNSEEN = ("LoCoMo 6-10", "Groups, held")

ROUNDS = 8
STEPS = 4_000

PENALTY, PENALTY_BESIDE = 0.0002, 0.000_001
"""Of the squares of the weights: enough that features which always go together share. Where one row
of fifty is evidence there is little to gain by any of them, and less is enough.
"""

ALLOWED = 0.028
"""The share of the lines of each kind that may bring something: talk that was not seen brings half
as much again, and one line in twenty is the most."""

LINES = 6.0
"""How many lines a question brings, on average over the kinds of talk."""

IN_FLOW = 1.5
"""What messages in the flow weigh beside a kind of talk that asks: they are all that tells."""

BESIDE_ALONE = frozenset({"Groups"})
"""Kinds that only the second fit sees: what answers in other words is no surer than what does not,
and the first would learn that every question is sure to be of something here."""

BESIDE = {"Groups": 6.0}
"""What kinds of talk weigh in the second fit, 1 where none is named: groups are what the pet lives
in, and other kinds lose nothing by up to that but a fortieth of BEAM's long replies."""


@dataclass(frozen=True, slots=True)
class Bag:
    """What speaks for each row that was judged for one text, shape (rows, features).

    `wanted` says which rows were evidence, shape (rows,); None for a line that is unrelated.
    """

    rows: Numbers
    wanted: NDArray[np.bool_] | None = None


@dataclass(frozen=True, slots=True)
class Talk:
    """What was asked of one kind of talk, and the unrelated lines by their kind.

    `found` is how each row stood that any question found, among the others. `in_flow` says that
    nobody asked: evidence is what a message needed that goes on with something.
    """

    asked: Sequence[Bag]
    found: Sequence[Bag]
    lines: Mapping[str, Sequence[Bag]]
    in_flow: bool = False

    def with_more(self, other: "Talk") -> "Talk":
        """Both as one."""
        kinds = dict.fromkeys((*self.lines, *other.lines))
        lines = {name: [*self.lines.get(name, ()), *other.lines.get(name, ())] for name in kinds}
        asked, found = [*self.asked, *other.asked], [*self.found, *other.found]
        return replace(self, asked=asked, found=found, lines=lines)

    def counts(self, kind: str) -> Iterator[tuple[str, Sequence[Bag]]]:
        """The lines that count: LoCoMo's are of one kind with what only such a pet has heard."""
        for name, bags in self.lines.items():
            if name != "LoCoMo" or kind == "LoCoMo":
                yield name, bags


async def heard(choice: Choice) -> dict[str, Talk]:
    """Every kind of talk that is fitted to, asked and spoken to; files of one kind together."""
    found: dict[str, Talk] = {}
    async for one in heard_talks(replace(choice, unheard=UNSEEN, halves=("tune",))):
        talk = _talk(one)
        known = found.get(one.kind)
        found[one.kind] = talk if known is None else known.with_more(talk)
    return found


def _talk(heard_: HeardTalk) -> Talk:
    pairs = [one for each in heard_.asked.pairs.values() for one in each]
    close = [_bag(one.judged, Evidence) for one in pairs if any(row.wanted for row in one.judged)]
    found = [_bag(one.judged, RowStanding) for one in pairs if one.judged]
    features = len(Evidence._fields)
    said = {
        name: [Bag(np.array(rows).reshape(-1, features)) for rows in each.judged]
        for name, each in heard_.quiet.items()
    }
    return Talk(close, found, said, heard_.in_flow)


def _bag(judged: Sequence[JudgedRow], kind: type[Evidence | RowStanding]) -> Bag:
    rows = [row.evidence if kind is Evidence else row.standing for row in judged]
    return Bag(np.array(rows), np.array([row.wanted for row in judged]))


@dataclass(frozen=True, slots=True)
class Fit:
    """The weights of the features, shape (features,), and the doubt."""

    weights: Numbers
    doubt: float

    def most(self, bag: Bag) -> float:
        """The logit of the surest row."""
        return float(self.sure(bag).max(initial=-np.inf))

    def best(self, bag: Bag) -> int:
        """The place of the row that counts: the surest, of the evidence where there is some."""
        sure = self.sure(bag)
        if bag.wanted is not None:
            sure = np.where(bag.wanted, sure, -np.inf)
        return int(sure.argmax())

    def sure(self, bag: Bag) -> Numbers:
        """The logit of each row, shape (rows,)."""
        return bag.rows @ self.weights + self.doubt


def fitted(talks: Mapping[str, Talk]) -> Fit:
    """The fit to kinds of talk; at a logit of 0 as many lines pass as are allowed."""
    fit = Fit(np.ones(len(Evidence._fields)), -4.0)
    talks = {kind: talk for kind, talk in talks.items() if kind not in BESIDE_ALONE} or talks
    for _ in range(ROUNDS):
        samples = list(_samples(talks, fit))
        rows = np.array([row for row, _, _ in samples])
        wanted = np.array([each for _, each, _ in samples], dtype=np.float64)
        share = np.array([weight for _, _, weight in samples])
        fit = _descended(fit, rows, wanted, share / share.sum())
    by_kind: dict[str, list[float]] = {}
    for kind, talk in talks.items():
        for name, bags in talk.counts(kind):
            by_kind.setdefault(name, []).extend(map(fit.most, bags))
    passing = max(float(np.quantile(each, 1 - ALLOWED)) for each in by_kind.values())
    return Fit(fit.weights, fit.doubt - passing)


def _samples(talks: Mapping[str, Talk], fit: Fit) -> Iterator[tuple[Numbers, bool, float]]:
    for talk in talks.values():
        weight = IN_FLOW if talk.in_flow else 1.0
        for bag in talk.asked:
            yield bag.rows[fit.best(bag)], True, weight / len(talk.asked)
        for bags in talk.lines.values():
            for bag in bags:
                if len(bag.rows):
                    yield bag.rows[fit.best(bag)], False, 1 / len(talk.lines) / len(bags)


def _descended(
    fit: Fit, rows: Numbers, wanted: Numbers, share: Numbers, penalty: float = PENALTY
) -> Fit:
    """The logistic regression from here, by projected gradients with Nesterov's momentum."""
    scale = np.maximum(np.abs(rows).max(axis=0), 1e-9)
    inputs = np.column_stack([rows / scale, np.ones(len(rows))])
    floor = np.append(np.zeros(len(scale)), -np.inf)
    here = np.append(fit.weights * scale, fit.doubt)
    ahead, step = here, 2.0
    for turn in range(STEPS):
        sure = 1 / (1 + np.exp(-inputs @ ahead))
        slope = inputs.T @ (share * (sure - wanted))
        slope[:-1] += 2 * penalty * ahead[:-1]
        there = np.maximum(floor, ahead - step * slope)
        ahead = there + turn / (turn + 3) * (there - here)
        here = there
    return Fit(here[:-1] / scale, float(here[-1]))


def fitted_beside(talks: Mapping[str, Talk]) -> Fit:
    """The fit of which rows are evidence among those that were found with them; see `LINES`."""
    rows = np.concatenate([bag.rows for talk in talks.values() for bag in talk.found])
    wanted = np.concatenate([_wanted(bag) for talk in talks.values() for bag in talk.found])
    share = np.concatenate(
        [
            np.full(len(bag.rows), BESIDE.get(kind, 1.0) / len(talk.found) / len(bag.rows))
            for kind, talk in talks.items()
            for bag in talk.found
        ]
    )
    start = Fit(np.ones(rows.shape[1]), -3.0)
    return _descended(start, rows, wanted, share / share.sum(), PENALTY_BESIDE)


def share_beside(fit: Fit, talks: Mapping[str, Talk]) -> float:
    """The share of all that is probable from which rows make `LINES` for a question."""
    found = [
        (each, 1 / len(talks) / len(talk.found))
        for talk in talks.values()
        for bag in talk.found
        for each in _shares(fit.sure(bag))
    ]
    shares, counts = np.array(sorted(found, reverse=True)).T
    return float(shares[np.searchsorted(counts.cumsum(), LINES)])


def _shares(sure: Numbers) -> Numbers:
    """As `memory.retrieval.gate.shares` has them, of logits of shape (rows,)."""
    probable = 1 / (1 + np.exp(-sure))
    shares: Numbers = probable / (1 + probable.sum())
    return shares


def _wanted(bag: Bag) -> Numbers:
    return np.zeros(len(bag.rows)) if bag.wanted is None else bag.wanted.astype(np.float64)


def table(talks: Mapping[str, Talk]) -> Table:
    """Which questions find a row that is sure enough, fitted to all and to all other kinds."""
    kinds = list(dict.fromkeys(name for one in talks.values() for name in one.lines))
    drawn = Table("kind", "sure of a row", "unseen", *kinds, box=MARKDOWN)
    whole = fitted(talks)
    for kind, talk in talks.items():
        others = fitted({name: one for name, one in talks.items() if name != kind})
        shares = (np.mean([fit.most(bag) >= 0 for bag in talk.asked]) for fit in (whole, others))
        said = (
            np.mean([whole.most(bag) >= 0 for bag in talk.lines[name]])
            if name in talk.lines
            else np.nan
            for name in kinds
        )
        drawn.add_row(kind, *(f"{share:.1%}" for share in (*shares, *said)))
    return drawn


def constants(fit: Fit, kind: type[Evidence | RowStanding]) -> str:
    """The constants of `memory/retrieval/gate.py` for the evidence or for rows beside it."""
    named = zip(kind._fields, fit.weights, strict=True)
    weights = "\n".join(f"    {name}={weight:.2f}," for name, weight in named)
    of = "ROW_" if kind is RowStanding else ""
    return f"{of}WEIGHTS = {kind.__name__}(\n{weights}\n)\n{of}DOUBT = {fit.doubt:.2f}"


def main() -> None:
    """Fit the gate to a folder, and print what it is then."""
    options = choosing("fit_gate", __doc__).parse_args()
    prepare_process()
    talks = asyncio.run(heard(choice_of(options)))
    print(constants(fitted(talks), Evidence))
    beside = fitted_beside(talks)
    print(constants(beside, RowStanding), f"SHARE = {share_beside(beside, talks):.3f}", sep="\n")
    Console(width=120).print(table(talks))


if __name__ == "__main__":
    main()
