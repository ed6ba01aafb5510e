"""The kinds of talk that recall and a plain fusion are asked about, as files of a folder."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from benchmarks.checkout import ROOT
from benchmarks.evaluation.locomo import Conversation, read_locomo
from bot.topics.answers.unrelated_lines import read_queries, sampled


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkSet:
    """Some conversations of one kind of talk, in the files of a folder that `pattern` names.

    Each of `askers` asks every question, None is who the file says, or else a stranger. `heard` are
    the conversations by number, all without it. `in_flow` asks where a question belongs, while the
    talk goes on; `facts` tells the pet what the file states of each conversation too. What is `own`
    is in the checkout instead of the folder.
    """

    name: str
    kind: str
    pattern: str
    heard: range | None = None
    askers: tuple[str | None, ...] = (None,)
    in_flow: bool = False
    facts: bool = False
    own: bool = False


LOCOMO = "locomo*.json"

SETS = (
    TalkSet(name="LoCoMo 1-5", kind="LoCoMo", pattern=LOCOMO, heard=range(1, 6)),
    TalkSet(name="LoCoMo 6-10", kind="LoCoMo", pattern=LOCOMO, heard=range(6, 11)),
    TalkSet(name="BEAM", kind="BEAM", pattern="beam*.json", askers=(None, "user")),
    TalkSet(name="RealMem", kind="RealMem", pattern="realmem*.json", in_flow=True),
    TalkSet(name="PIAF", kind="PIAF", pattern="piaf*.json"),
    TalkSet(name="Groups, fitted", kind="Groups", pattern="fitted.json", own=True),
    TalkSet(name="Groups, held", kind="Groups", pattern="held.json", own=True),
)
"""LoCoMo is in halves, because the weights of recall were chosen on the first; so are the groups,
six chats of each half, by writers who saw no code and asked in other words than the talk has."""

OWN = ROOT / "tests" / "data" / "groups"

EVERYDAY = {"#ubuntu": "irc", "French chat": "chat-fr-lines.txt"}
"""Lines that have nothing to do with any of them, by name and where a folder has them."""


def in_folder(
    one: TalkSet, folder: Path, count: int | None, seed: int
) -> Iterator[tuple[str, list[Conversation]]]:
    """The conversations of a set, file by file, with `count` of their questions drawn evenly."""
    paths = sorted((OWN if one.own else folder).glob(one.pattern))
    for path in paths:
        heard = [
            each for each in read_locomo(path) if one.heard is None or each.number in one.heard
        ]
        if heard:
            name = one.name if len(paths) == 1 else f"{one.name} ({path.stem})"
            yield name, drawn(heard, count, seed)


def drawn(
    conversations: Sequence[Conversation], count: int | None, seed: int
) -> list[Conversation]:
    """The conversations with only `count` of all their questions, in their order."""
    every = [(one.number, place) for one in conversations for place in range(len(one.asked))]
    if count is not None and count < len(every):
        every = Random(seed).sample(every, count)
    kept = set(every)
    return [
        replace(
            one,
            asked=tuple(
                asked for place, asked in enumerate(one.asked) if (one.number, place) in kept
            ),
        )
        for one in conversations
    ]


def everyday_lines(folder: Path, count: int, seed: int) -> dict[str, list[str]]:
    """So many unrelated lines of each kind that a folder has."""
    there = {name: folder / where for name, where in EVERYDAY.items() if (folder / where).exists()}
    lines = {name: read_queries([str(path)]) for name, path in there.items()}
    for path in sorted(folder.glob(LOCOMO))[:1]:
        lines["LoCoMo"] = [said.text for one in read_locomo(path) for said in one.turns]
    return {name: sampled(each, count, seed) for name, each in lines.items()}
