"""What is probably over: told by a fitted network, where the tables of ends know nothing."""

from datetime import timedelta

import pytest

from memory.rules.comparison import LIKELY, SURE, Verdict
from memory.rules.supersession import judged_by_rules, judged_surely
from memory.statements.changes import Saying, chances_of_change, may_end
from tests.cast import NOON
from tests.unit.test_statement_changes import LATER, kept, new

ENDS = [
    ("Patrick is a sophomore at Purdue.", "Patrick graduated from Purdue."),
    ("Duc is studying for his GED.", "Duc passed the GED with room to spare."),
    ("Minh speaks no English yet.", "Minh now gets by in English at the store."),
    ("Nils et Aïcha sont séparés.", "Nils et Aïcha se sont remis ensemble."),
]


@pytest.mark.parametrize(("old", "fresh"), ENDS)
def test_what_no_table_knows_is_ended_where_that_is_very_likely(old: str, fresh: str) -> None:
    """And not by what is sure alone."""
    assert judged_surely(new(fresh), [kept(old)], LATER) == [Verdict.UNRELATED]
    assert judged_by_rules(new(fresh), [kept(old)], LATER) == [Verdict.CHANGED]


@pytest.mark.parametrize(("old", "fresh"), ENDS)
def test_what_was_said_before_does_not_end_what_was_said_since(old: str, fresh: str) -> None:
    """Whichever was stored first: the one that is over is the earlier one."""
    late = judged_by_rules(new(old), [kept(fresh)], NOON - timedelta(days=9))
    assert late == [Verdict.CHANGED]
    assert judged_by_rules(new(old), [kept(fresh)], LATER) == [Verdict.UNRELATED]


@pytest.mark.parametrize(
    ("old", "fresh"),
    [
        ("Patrick is a sophomore at Purdue.", "Luis graduated from Purdue."),
        ("Patrick is a sophomore at Purdue.", "He graduated from Purdue."),
        ("Nils et Aïcha sont séparés.", "Nils et Inès se sont remis ensemble."),
    ],
)
def test_nothing_of_another_person_is_probable(old: str, fresh: str) -> None:
    """Nor of one whom a pronoun hides."""
    assert judged_by_rules(new(fresh), [kept(old)], LATER) == [Verdict.UNRELATED]


def test_of_several_that_probably_end_all_stay() -> None:
    """Which one was meant cannot be told."""
    old, fresh = ENDS[0]
    both = [kept(old, number=1), kept("Patrick is in his second year at Purdue.", number=2)]
    verdicts = judged_by_rules(new(fresh), both, LATER)
    assert verdicts == [Verdict.DISPUTED, Verdict.DISPUTED]


def test_what_is_told_besides_is_not_lost() -> None:
    """Both stay, tied."""
    old, fresh = ENDS[0]
    more = f"{old[:-1]} and rows for Indiana."
    assert judged_by_rules(new(fresh), [kept(more)], LATER) != [Verdict.CHANGED]


def test_what_says_again_what_was_said_ends_nothing() -> None:
    """However much it looks like a change."""
    lost = Saying("Léa a perdu son emploi à la banque")
    for again in (
        "Léa vend sa moto parce qu'elle a perdu son emploi à la banque",
        "Léa a perdu son emploi à la banque depuis mars",
    ):
        assert not may_end(lost, Saying(again))
    assert may_end(lost, Saying("Léa a retrouvé un emploi à la mairie"))


def test_a_chance_is_that_of_the_later_one() -> None:
    """In the first person it is whoever says it."""
    old, fresh = "i go to judo on mondays", "i quit judo, no time for it anymore"
    there, back = chances_of_change([(Saying(old), Saying(fresh)), (Saying(fresh), Saying(old))])
    assert back < LIKELY < SURE
    assert there > back
    assert chances_of_change([]) == []
