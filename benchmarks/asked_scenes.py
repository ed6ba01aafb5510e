"""Questions with the lines among which they are asked, for the fit of what answers them.

Of tests/data/companion and tests/data/claims what may be fitted to, never the held half. Each is
asked among the lines it was written with, and among those of others as where much is said.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise
from typing import Any

from benchmarks.claim_material import read
from benchmarks.claims_entries import CLAIMS, ClaimEntry, Kind, entries
from benchmarks.companion_pet import NOW, PET
from benchmarks.companion_set import FITTED, LANGUAGES, Encounter, ToldLine, ago_of, encounters
from bot.llm.offline.questions.claimed import claims_in
from bot.llm.offline.questions.talk import TalkLine
from memory.language.text import fold
from memory.model.claims import SURELY

LINE_DIALOGUES = ("greece-where", "greece-long", "dev", "shoulder", "paris", "database")
"""Those of the dialogues that one line answers."""

_CLAIMED: tuple[Kind, ...] = ("natural", "changes", "unchanged", "traps", "unknown")

_CROWD = 30
_CROWDS = (0, 3, 10, 25)
"""How many lines of others may be among those of a question."""

_FORGOTTEN = 0.4
"""The share of messages whose question is asked once more where the message was never said."""

_LEARNT = 0.15
"""The share of lines of which only what was learnt is left."""

_PRIVATE = 0.4
"""The share of what is asked about by its author that they told the pet in private."""

_LONG_AGO = timedelta(days=3650)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A question of `by`, the lines before it in order, and those that answer it by themselves."""

    id: str
    kind: str
    language: str
    lines: tuple[TalkLine, ...]
    by: str
    text: str
    right: tuple[TalkLine, ...] = ()


def scenes() -> list[Scene]:
    """Every question that may be fitted to."""
    written = [_of_entry(entry, language) for entry, language in [*_companion(), *_claimed()]]
    found = [one for one in written if one is not None]
    found += crowded(found)
    for language in LANGUAGES:
        found += _asked(language)
    return found


def crowded(told: Sequence[Scene]) -> list[Scene]:
    """The scenes with lines of others of the same language between their own."""
    found = []
    for scene in told:
        chance = random.Random(scene.id)
        others = [
            line
            for other in told
            if other.language == scene.language and other.id != scene.id
            for line in other.lines
            if line.room == "lobby" and not line.by_pet
        ]
        crowd = [
            replace(one, at=NOW - (NOW - one.at) * chance.uniform(0.1, 3))
            for one in chance.sample(others, _CROWD)
        ]
        lines = sorted([*scene.lines, *crowd], key=lambda line: line.at)
        found.append(replace(scene, lines=tuple(lines)))
    return found


def _companion() -> Iterator[tuple[Encounter, str]]:
    for language in LANGUAGES:
        for entry in encounters("dialogues", language, "tune"):
            if entry.kind in LINE_DIALOGUES:
                yield entry, language
        for half in FITTED:
            for what in ("questions", "unknown"):
                yield from ((entry, language) for entry in encounters(what, language, half))


def _claimed() -> Iterator[tuple[Encounter, str]]:
    """The entries of tests/data/claims that one line answers, or none, of the half to tune on."""
    for language in LANGUAGES:
        for kind in _CLAIMED:
            for entry in entries(CLAIMS, "tune", language, kind):
                if entry.asks:
                    yield _encounter(entry), language


def _encounter(entry: ClaimEntry) -> Encounter:
    ask = entry.asks[0]
    return Encounter(
        id=f"claims-{entry.language}-{entry.kind}-{entry.id}",
        kind=entry.kind,
        told=entry.lines,
        by=ask.by,
        where=ask.where,
        text=ask.text,
        answers=() if entry.kind in {"traps", "unknown"} else ask.answers,
        misleading=ask.misleading,
    )


def _of_entry(entry: Encounter, language: str) -> Scene | None:
    """An entry as a scene; None where a word answers it that no line has."""
    lines = tuple(_told(line, entry.by) for line in entry.told)
    right = tuple(line for line in lines if _answers(line.text, entry))
    if entry.answers and not right:
        return None
    kind = f"written {'answered' if right else 'unknown'}"
    return Scene(
        id=entry.id,
        kind=kind,
        language=language,
        lines=lines,
        by=entry.by,
        text=entry.text,
        right=right,
    )


def _answers(text: str, entry: Encounter) -> bool:
    said = fold(text)
    right = any(fold(one) in said for one in entry.answers)
    return right and not any(fold(one) in said for one in entry.misleading)


def _told(told: ToldLine, asker: str) -> TalkLine:
    is_own = told.where == "self"
    return TalkLine(
        text=told.text,
        author="" if is_own else told.by,
        at=NOW - told.ago,
        room=asker if told.where == "direct" else told.where,
        by_pet=is_own or told.by == PET,
        private=told.where == "direct",
        stated=is_own,
        claims=() if told.by == PET else claims_in(told.text),
    )


def _asked(language: str) -> Iterator[Scene]:
    """The questions of talks, of messages, of two lines of one person; and of two short ones."""
    folder = CLAIMS / language
    asked = read(folder / "asked.jsonl")
    talks = {one["id"]: one for one in read(folder / "talks.jsonl")}
    chance = random.Random(language)
    twins = _look_alikes(language)
    names = sorted({one["author"] for one in asked if "author" in one})
    crowd = _Crowd(language, chance, names)
    for one in asked:
        if "talk" in one:
            yield _of_talk(one, talks[one["talk"]], crowd, language)
        elif "message" in one:
            yield from _of_message(one, crowd, language, chance)
            if look_alike := twins.get(one["message"]):
                yield _of_look_alike(one, look_alike, crowd, language)
        else:
            yield _of_pair(one, "pair", crowd, language, chance)
    for kind in ("plain", "own"):
        for one in read(folder / f"{kind}.jsonl"):
            yield _of_pair(one, kind, crowd, language, chance)


def _look_alikes(language: str) -> dict[str, str]:
    """For a true statement what only looks like it, where they were written as a pair."""
    pairs = read(CLAIMS / language / "pairs.jsonl")
    return {
        true["text"]: lure["text"]
        for lure, true in pairwise(pairs)
        if true["trap"] == "none" and lure["trap"] != "none"
    }


class _Crowd:
    """Lines of others, from the messages that are fitted to."""

    def __init__(self, language: str, chance: random.Random, names: Sequence[str]) -> None:
        self._chance, self.names = chance, names
        self._texts = [
            one["text"]
            for name in ("train-n", "train-a", "train-b", "pairs")
            for one in read(CLAIMS / language / f"{name}.jsonl")
            if one.get("trap", "none") == "none"
        ]

    def lines(self, *, without: str = "", names: Sequence[str] = ()) -> list[TalkLine]:
        """Lines of others, by these people too."""
        texts = self._chance.sample(self._texts, self._chance.choice(_CROWDS))
        return [
            self.told(text, self._chance.choice([*self.names, *names]), 25)
            for text in texts
            if text != without
        ]

    def told(self, text: str, author: str, days: float) -> TalkLine:
        """A line said within so many days, or what was learnt of it."""
        said = _line(text, author, self._chance.uniform(0.05, days))
        if said.certainty < SURELY or self._chance.random() >= _LEARNT:
            return said
        return replace(said, text=f"{author}: {text}", at=NOW - _LONG_AGO, room="", stated=True)

    def other(self, than: str) -> str:
        """Somebody else."""
        return self._chance.choice([one for one in self.names if one != than])


def talk_lines(talk: Any) -> list[TalkLine]:
    """The lines of a talk of tests/data/claims, as they are looked among."""
    return [
        _line(said["text"], said["by"], ago_of(said["ago"]) / timedelta(days=1) - place / 86_400)
        for place, said in enumerate(talk["lines"])
    ]


def _of_talk(one: Any, talk: Any, crowd: _Crowd, language: str) -> Scene:
    own = talk_lines(talk)
    others = crowd.lines(names=sorted({said["by"] for said in talk["lines"]}))
    return _scene(
        f"{language}-{one['talk']}",
        f"talk {one['kind'] if one['kind'] == 'none' else 'answered'}",
        language,
        [*own, *others],
        one["by"],
        one["question"],
        [own[place] for place in one["lines"]],
    )


def _of_message(one: Any, crowd: _Crowd, language: str, chance: random.Random) -> Iterator[Scene]:
    author = one["author"]
    is_own = one["by"] == "author"
    said = crowd.told(one["message"], author, 20)
    if is_own and not said.stated and chance.random() < _PRIVATE:
        said = _in_private(said)
    others = crowd.lines(without=one["message"])
    by = author if is_own else crowd.other(author)
    id_, question = f"{language}-{one['message']}", one["question"]
    yield _scene(id_, "message", language, [*others, said], by, question, [said])
    if others and chance.random() < _FORGOTTEN:
        yield _scene(id_, "never said", language, others, by, question, [])


def _of_look_alike(one: Any, look_alike: str, crowd: _Crowd, language: str) -> Scene:
    """The question of a statement among lines of which one only looks like it."""
    author = one["author"]
    by = author if one["by"] == "author" else crowd.other(author)
    lines = [*crowd.lines(without=one["message"]), _line(look_alike, author, 3)]
    id_ = f"{language}-{one['message']}"
    return _scene(id_, "look-alike", language, lines, by, one["question"], [])


def _of_pair(one: Any, kind: str, crowd: _Crowd, language: str, chance: random.Random) -> Scene:
    author, ago = one["author"], chance.uniform(4, 30)
    is_own = kind == "own"
    is_private = is_own and chance.random() < _PRIVATE
    earlier = _line(one["earlier"], author, ago)
    later = _line(one["later"], author, ago * chance.uniform(0.05, 0.8))
    if is_private:
        earlier, later = _in_private(earlier), _in_private(later)
    right = {"later": [later], "earlier": [earlier], "both": [earlier, later], "none": []}
    return _scene(
        f"{language}-{one['earlier']}",
        f"{kind} {one['answer']}",
        language,
        [*crowd.lines(), earlier, later],
        author if is_own else crowd.other(author),
        one["question"],
        right[one["answer"]],
    )


def _scene(
    id_: str,
    kind: str,
    language: str,
    lines: Sequence[TalkLine],
    by: str,
    text: str,
    right: Sequence[TalkLine],
) -> Scene:
    return Scene(
        id=id_,
        kind=kind,
        language=language,
        lines=tuple(sorted(lines, key=lambda line: line.at)),
        by=by,
        text=text,
        right=tuple(right),
    )


def _in_private(line: TalkLine) -> TalkLine:
    return replace(line, room=line.author, private=True)


def _line(text: str, author: str, days: float) -> TalkLine:
    return TalkLine(
        text=text,
        author=author,
        at=NOW - timedelta(days=days),
        room="lobby",
        claims=claims_in(text),
    )
