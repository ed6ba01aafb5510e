"""What the simulated year came to: shares, counts of what must not be, and examples of it. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime

from benchmarks.figures import Figures
from benchmarks.year_exam import Judged, Told
from benchmarks.year_topics import Kind
from memory.model.statements import MemoryId

MUST_BE_NONE = (
    "superseded_injected",
    "superseded_listed",
    "expired_injected",
    "expired_listed",
    "leaked",
)
"""What may never be recalled, counted in lines."""

QUOTED = ("superseded_quoted", "expired_quoted")
"""Old messages, told with their date: what was said then is true, and may still mislead."""


def recalled(judged: Sequence[Judged]) -> Figures:
    """For each kind of fact, the share of questions that bring its latest value."""
    of: defaultdict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        if one.expects:
            of[one.asking.fact.kind].append(one)
            of[f"{one.asking.fact.kind}: {one.asking.fact.topic.name}"].append(one)
    return {
        name: {
            "asked": len(each),
            "injected": _share(one.injected for one in each),
            "as_statement": _share(one.as_statement for one in each),
            "listed": _share(one.listed for one in each),
        }
        for name, each in sorted(of.items())
    }


def wrong(judged: Sequence[Judged]) -> Figures:
    """How many lines were recalled that should not be, and in how many questions."""
    lines = Counter(dict.fromkeys((*MUST_BE_NONE, *QUOTED), 0))
    questions: Counter[str] = Counter()
    for one in judged:
        for name, rows in one.wrong.items():
            lines[name] += len(rows)
            questions[name] += 1
    return {
        "questions": len(judged),
        **lines,
        **{f"{name}_questions": count for name, count in questions.items()},
    }


def learnt(told: Told) -> Figures:
    """Of what was told, how much became statements; and what should not have."""
    of: defaultdict[str, list[bool]] = defaultdict(list)
    known = {pair for messages in told.learnt.behind.values() for pair in told.pairs(messages)}
    for fact in told.facts.values():
        for version in range(len(fact.versions)):
            of[fact.kind].append((fact.key, version) in known)
    jests = of.pop(Kind.JEST, [])
    chatter = sum(not told.pairs(behind) for behind in told.learnt.behind.values())
    for_ever = list(_for_ever(told))
    return {
        **{kind: {"told": len(each), "learnt": _share(each)} for kind, each in sorted(of.items())},
        "jests_told": len(jests),
        "jests_learnt": sum(jests),
        "passing_kept_for_ever": len(for_ever),
        "kept_though_superseded": len(list(_kept_though(told))),
        "statements_of_chatter": chatter,
        "statements": len(told.learnt.content),
    }


def examples(judged: Sequence[Judged], told: Told) -> dict[str, list[str]]:
    """What went wrong, by name, each as a line to read."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for one in judged:
        if one.expects and not one.injected:
            found[f"missed ({one.asking.fact.kind})"].append(_asked(one))
        for name, rows in one.wrong.items():
            found[name] += [f"{_asked(one)}  <- {row}" for row in rows]
    found["jests_learnt"] += _jests(told)
    found["passing_kept_for_ever"] += _for_ever(told)
    found["kept_though_superseded"] += _kept_though(told)
    found["never_learnt"] += _never_learnt(told)
    return {name: sorted(set(lines)) for name, lines in sorted(found.items()) if lines}


def same_order(one: Sequence[Judged], other: Sequence[Judged]) -> float:
    """The share of questions that bring the same rows in the same order in two lives."""
    pairs = zip(one, other, strict=True)
    return _share(first.order == second.order for first, second in pairs)


def _share(found: Iterable[bool]) -> float:
    every = list(found)
    return round(sum(every) / len(every), 3) if every else 0.0


def _asked(one: Judged) -> str:
    fact = one.asking.fact
    values = " > ".join(version.value for version in fact.versions)
    return f"{one.asking.text}  [{fact.resident.name}: {values}]"


def _jests(told: Told) -> Iterator[str]:
    for memory, behind in told.learnt.behind.items():
        pairs = told.pairs(behind)
        if pairs and all(told.facts[key].kind is Kind.JEST for key, _ in pairs):
            yield told.learnt.content[memory]


def _for_ever(told: Told) -> Iterator[str]:
    for memory, behind in told.learnt.behind.items():
        passing = any(told.facts[key].kind is Kind.PASSING for key, _ in told.pairs(behind))
        if passing and told.learnt.expires[memory] is None:
            yield told.learnt.content[memory]


def _never_learnt(told: Told) -> Iterator[str]:
    known = {pair for messages in told.learnt.behind.values() for pair in told.pairs(messages)}
    for fact in told.facts.values():
        for version, one in enumerate(fact.versions):
            if fact.kind is not Kind.JEST and (fact.key, version) not in known:
                yield f"{fact.kind} {fact.key}: {one.value} ({version + 1} of {len(fact.versions)})"


def _kept_though(told: Told) -> Iterator[str]:
    """Statements of a former value that are kept, beside what is kept of the latest."""
    current: defaultdict[str, list[MemoryId]] = defaultdict(list)
    for memory in sorted(told.learnt.current):
        for key in {key for key, _ in told.pairs(told.learnt.behind[memory])}:
            current[key].append(memory)
    for key, memories in current.items():
        latest = (key, len(told.facts[key].versions) - 1)
        new = [one for one in memories if latest in told.pairs(told.learnt.behind[one])]
        told_now = " + ".join(told.learnt.content[one] for one in new)
        for one in memories:
            if _is_former(one, told):
                yield f"{told.learnt.content[one]}  |  {told_now or '(the latest is not known)'}"


def _is_former(memory: MemoryId, told: Told) -> bool:
    pairs = told.pairs(told.learnt.behind[memory])
    end = datetime.max.replace(tzinfo=UTC)
    return all(told.says_former(pair, told.learnt.content[memory], end) for pair in pairs)
