"""What is said of the processes of a pet, how their lines are merged, and what settings refuse."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.siblings.checks import WHOLE, finding_of
from bot.siblings.circle import Answers, Sight
from bot.siblings.client import Sibling
from bot.siblings.recalling import merged
from bot.siblings.values import GivenLine, ProcessStanding, RecallGiven
from config.settings import Settings
from memory.model.audience import Scope, person_audience, space_audience
from memory.model.retrieval import Considered, Question, RecalledLine, Retrieval, Section
from memory.model.rooms import SpaceId
from tests.cast import DAVID, direct, person_of, room_of
from tests.rows import RECALL_LIMITS, said

SECRET = "0123456789abcdef01234567"
HERE, THERE = SpaceId("discord:1"), SpaceId("discord:2")
DISCORD = {"token": "a-token", "shards": "0/2", "sibling_key": SECRET}


def standing(shards: str, bot: str = "eko", process: str = "", waiting: int = 0) -> ProcessStanding:
    """A process with these shards."""
    return ProcessStanding(bot=bot, shards=shards, process=process or shards, waiting=waiting)


@pytest.mark.parametrize(
    ("sights", "said_of", "todo"),
    [
        ([standing("1/3"), standing("2/3")], "siblings", None),
        ([standing("1/3"), standing("2/3", waiting=2)], "siblings_waiting", "siblings_wait"),
        ([standing("1/3")], "siblings_gap", "siblings_fill"),
        ([standing("0-2/3")], "siblings_overlap", "siblings_part"),
        ([standing("1/2")], "siblings_other_total", "siblings_same_total"),
        ([standing("")], "siblings_other_total", "siblings_same_total"),
        ([standing("1-2/3", bot="pet")], "siblings_other_bot", "siblings_same_bot"),
        ([standing("0/3", process="0/3")], "siblings_itself", "siblings_leave_out"),
        (["away"], "siblings_away", "siblings_start"),
        (
            ["refused"],
            "siblings_refused",
            "siblings_same_key",
        ),
        (["closed"], "siblings_closed", "siblings_open"),
    ],
)
def test_what_is_amiss_is_said(sights: Sequence[Sight], said_of: str, todo: str | None) -> None:
    """Each with what there is to do; nothing where all shards are of one process each."""
    found = finding_of(standing("0/3"), {f"http://{n}": one for n, one in enumerate(sights)})
    assert (found.said, found.todo) == (said_of, todo)


@pytest.mark.parametrize(
    ("chosen", "web", "words"),
    [
        ({"shards": ""}, {}, "shards"),
        ({"sibling_key": None}, {}, "sibling_key"),
        ({"sibling_key": "short"}, {}, "24 characters"),
        ({"siblings": ["http://10.0.0.2:8484"]}, {}, "https"),
        ({"siblings": ["http://127.0.0.1:99999"]}, {}, "port"),
        ({"siblings": ["http://127.0.0.1:abc"]}, {}, "port"),
        ({}, {"enabled": False}, "web"),
    ],
)
def test_settings_that_would_not_do_are_refused(
    chosen: Mapping[str, Any], web: Mapping[str, Any], words: str
) -> None:
    """With a sentence; over the network a key goes by TLS, unless that is meant."""
    named = {**DISCORD, "siblings": ["http://127.0.0.1:8788"], **chosen}
    with pytest.raises(ValueError, match=words):
        Settings.model_validate({"discord": named, "web": web})
    if words == "https":
        Settings.model_validate({"discord": named, "web": {"insecure_dashboard": True}})


def question(*spaces: SpaceId) -> Question:
    """What David asks alone who is in these communities."""
    david = person_of(DAVID)
    audiences = {person_audience(david.id), *map(space_audience, spaces)}
    scope, room = Scope(frozenset(audiences)), room_of(direct(DAVID))
    return Question(
        text="?", context="", speaker=david.name, person=david.id, room=room, scope=scope
    )


def own(*contents: str, score: float) -> Retrieval:
    """What this process recalls, each line as sure."""
    rows = [replace(said(n, text), worth=0.0) for n, text in enumerate(contents, start=1)]
    items = [Considered(candidate=row, score=score, kept=True, reason="words") for row in rows]
    lines = [
        RecalledLine(section=Section.LIVE, content=one, age="", said_by="") for one in contents
    ]
    return Retrieval(query="?", reason="looked up", lines=tuple(lines), items=tuple(items))


def given(content: str, score: float, space: SpaceId = THERE, section: str = "live") -> GivenLine:
    """A line of another process."""
    audiences = frozenset({space_audience(space)})
    line = RecalledLine(section=Section(section), content=content, age="", said_by=None)
    told = GivenLine(line=line, audiences=audiences, ref="live:x@1", score=score)
    return GivenLine.model_validate_json(told.model_dump_json())


def answers(*lines: GivenLine, missing: bool = False) -> Answers[RecallGiven]:
    """What the only sibling gave, or that it did not."""
    sibling = Sibling("http://127.0.0.1:1", SECRET)
    sibling.shards = "1/2"
    if missing:
        return Answers({}, (sibling,))
    return Answers({sibling: RecallGiven(lines=lines)}, ())


def test_the_best_lines_of_all_are_taken() -> None:
    """As many as one process would give; what gives way is told in the ledger."""
    limits = replace(RECALL_LIMITS, max_results=2)
    found = merged(own("a", "b", score=0.6), answers(given("c", 0.9)), question(THERE), limits)
    assert [line.content for line in found.lines] == ["c", "a"]
    assert [item.kept for item in found.items] == [True, False]
    assert [line.given.name for line in found.lines if line.given] == ["shards 1/2"]
    assert [line.content for line in found.own_lines] == ["a"]


def test_whose_words_a_line_has_decides_who_may_know_it() -> None:
    """Who asks was vouched for there as it was given, whether or not that came here in time."""
    lines = answers(given("c", 0.9, THERE))
    found = merged(own("a", score=0.6), lines, question(HERE), RECALL_LIMITS)
    assert {line.content for line in found.lines} == {"a", "c"}
    assert [line.given.audiences for line in found.lines if line.given] == [{space_audience(THERE)}]


def test_the_same_words_are_told_once() -> None:
    """Those of this process, which can be explained."""
    found = merged(own("a", score=0.1), answers(given("A", 0.9)), question(THERE), RECALL_LIMITS)
    assert [line.given for line in found.lines] == [None]


def test_who_does_not_answer_is_told_as_late() -> None:
    """And its lines are missing."""
    found = merged(own("a", score=0.6), answers(missing=True), question(THERE), RECALL_LIMITS)
    assert found.late == ("shards 1/2",)
    assert len(found.lines) == 1


@pytest.mark.parametrize(
    ("theirs", "all_of_them"),
    [
        (["1/4", "2-3/4"], True),
        (["1/4", ""], False),
        (["1/4", "2/4"], False),
        (["1/4", "0-1/4"], False),
        (["1/2", "2-3/4"], False),
    ],
)
def test_what_was_left_behind_is_handed_over_once_every_process_is_named(
    theirs: Sequence[str], all_of_them: object
) -> None:
    """Before, the one that it waits for may only be away from the settings for now."""
    sights = {f"http://{n}": standing(one) for n, one in enumerate(theirs)}
    assert (finding_of(standing("0/4"), sights).said in WHOLE) is all_of_them
