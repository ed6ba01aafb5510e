"""A row fits by the words it says, and by those that its company lends it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from memory.model.retrieval import Candidate, Near
from memory.model.rooms import RoomId
from memory.model.statements import Relation
from memory.retrieval.query import Term
from memory.retrieval.weights import Weights
from memory.retrieval.word_scores import STRETCH
from tests.cast import NOON
from tests.rows import added, asking, near, said, score, stated, tie, told

LATER = STRETCH + timedelta(minutes=1)
PLAIN = Weights(stretch=0, enough=0)
"""Words without what their stretch of talk lends, and without an upper end."""


def test_the_more_of_the_question_a_row_says_the_better_it_fits() -> None:
    """All of it is about 1, none of it is 0, in rows of one length."""
    rows = [said(1, "chat Nora"), said(2, "chat gris"), said(3, "pluie vent", at=NOON + LATER)]
    full, half, none = added("words", rows, asking("chat Nora"), weights=PLAIN)
    assert full == pytest.approx(1, abs=0.1)
    assert 0.3 < half < 0.7
    assert none == 0


def test_a_word_that_is_repeated_adds_less_each_time() -> None:
    """And never twice what it is worth."""
    often = [said(n, "chat " * n + "pluie " * (9 - n), at=NOON + n * LATER) for n in range(1, 9)]
    found = added("words", often, asking("chat"), weights=PLAIN)
    steps = np.diff(found)
    assert all(steps > 0)
    assert all(np.diff(steps) < 0)
    assert found[-1] < 2 * found[0]


def test_a_longer_row_is_a_little_less_about_its_words() -> None:
    """Not much: chat is short anyway."""
    rows = [said(1, "chat"), said(2, "chat " + "pluie vent neige " * 9, at=NOON + LATER)]
    short, long = added("words", rows, asking("chat"), weights=PLAIN)
    assert short > long > short / 2


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    """Whichever comes first in the question."""
    rows = [said(1, "violoncelle"), said(2, "maison")]
    seen = {"violoncel": 2, "maison": 300}
    rare, common = added("words", rows, asking("violoncelle maison", seen=seen), weights=PLAIN)
    assert rare > 2 * common


def test_a_word_that_nobody_said_counts_against_all() -> None:
    """What says half of a question says half of it, whether or not there is more to find."""
    rows = [said(1, "violoncelle")]
    (alone,) = added("words", rows, asking("violoncelle"), weights=PLAIN)
    (half,) = added(
        "words", rows, asking("violoncelle zeppelin", seen={"zeppelin": 0}), weights=PLAIN
    )
    assert half < 0.6 * alone


def test_a_word_that_says_little_anywhere_counts_little() -> None:
    """However seldom it was said in a store that is new."""
    rows = [said(1, "toujours"), said(2, "violoncelle", at=NOON + LATER)]
    light, rare = added("words", rows, asking("toujours violoncelle", rows=3), weights=PLAIN)
    assert light < rare / 2


def test_what_says_the_same_counts_by_its_share() -> None:
    """A translation a part of the word, another name of somebody all of it."""
    rows = [said(1, "chien"), said(2, "dog"), said(3, "clebs"), said(4, "pluie")]
    word = Term("chien", (("dog", 0.6), ("cleb", 1.0)))
    own, translated, name, none = added("words", rows, asking("", word), weights=PLAIN)
    assert translated == pytest.approx(0.6 * own)
    assert name == pytest.approx(own)
    assert none == 0


def test_a_row_that_says_a_word_and_its_translation_says_it_once() -> None:
    """The better one counts."""
    rows = [said(1, "chien pluie"), said(2, "chien dog")]
    one, both = added("words", rows, asking("", Term("chien", (("dog", 0.6),))), weights=PLAIN)
    assert one == pytest.approx(both)


def test_a_translation_of_several_words_is_a_phrase() -> None:
    """Its words apart are other words."""
    rows = [said(1, "une pomme de terre"), said(2, "de la terre et une pomme")]
    whole, apart = added(
        "words", rows, asking("", Term("potato", (("pom ter", 0.6),))), weights=PLAIN
    )
    assert whole > 0
    assert apart == 0


def conversation(words: str, *offsets: int) -> tuple[list[Candidate], list[Near]]:
    """A row with these words, and others with none of them so many places from it."""
    silent = [said(10 + offset, "hmm") for offset in offsets]
    return [said(1, words), *silent], [near(1, 10 + offset, offset) for offset in offsets]


def test_a_row_lends_its_words_to_those_beside_it() -> None:
    """More to the next than to the one before, more to the nearest, and none past the second."""
    rows, beside = conversation("violoncelle", 1, 2, -1, -2, 3)
    own, next_, second, before, second_before, third = added(
        "words", rows, asking("violoncelle"), near=beside, weights=PLAIN
    )
    assert own > next_ > before > second > second_before > third == 0


def test_neighbours_that_all_say_it_do_not_pass_for_the_one_that_does_most() -> None:
    """What they lend ends where one word stops adding up."""
    rows = [said(n, "violoncelle") for n in range(1, 6)]
    around = [near(n, 3, 3 - n) for n in (1, 2, 4, 5)]
    weights = Weights(stretch=0)
    most = added("words", rows, asking("violoncelle"), near=around, weights=weights)[2]
    unbounded = added("words", rows, asking("violoncelle"), near=around, weights=PLAIN)[2]
    assert most < weights.enough < unbounded


def test_a_link_to_what_is_no_candidate_is_left_out() -> None:
    """Neighbours, messages and ties of rows that were not found or not allowed."""
    rows = [said(1, "violoncelle")]
    asked = asking("violoncelle")
    links: dict[str, Any] = {
        "near": [near(9, 1, 1), near(1, 9, 1)],
        "told": [told(9, 1), told(1, 9)],
        "ties": [tie(8, 9, Relation.CAUSED_BY)],
    }
    assert np.allclose(score(rows, asked, **links).total, score(rows, asked).total)


def test_a_stretch_of_talk_shares_its_words_a_little() -> None:
    """Within half an hour in one room; statements have no part in it."""
    rows = [
        said(1, "violoncelle"),
        said(2, "demain ?", at=NOON + STRETCH),
        said(3, "demain ?", at=NOON + LATER),
        said(4, "demain ?", room=RoomId("chat:elsewhere")),
        stated(5, "rendez-vous demain"),
    ]
    found = added("words", rows, asking("violoncelle"))
    assert found[0] > found[1] > 0
    assert found[2:] == [0, 0, 0]


def test_a_statement_lends_its_words_to_the_message_it_was_learnt_from() -> None:
    """The message then says what both say."""
    rows = [stated(1, "Nora joue du violoncelle"), said(2, "j'y suis depuis dix ans")]
    asked = asking("violoncelle")
    assert added("words", rows, asked, weights=PLAIN)[1] == 0
    alone, message = added("words", rows, asked, told=[told(1, 2)], weights=PLAIN)
    assert message == pytest.approx(alone)


@pytest.mark.parametrize(
    ("statement", "message", "stands"),
    [
        ("Nora joue du violoncelle", "j'en joue depuis dix ans", 1),
        ("Nora est musicienne", "mon violoncelle est accordé", 2),
        ("Nora a un violoncelle", "violoncelle chez Nora", 1),
    ],
)
def test_one_of_a_statement_and_its_message_steps_back(
    statement: str, message: str, stands: int
) -> None:
    """The one that says less by itself; the statement stands when they are even."""
    rows = [stated(1, statement), said(2, message)]
    alone = score(rows, asking("violoncelle"), weights=PLAIN)
    found = score(rows, asking("violoncelle"), told=[told(1, 2)], weights=PLAIN)
    here, back = stands - 1, 2 - stands
    assert found.total[back] <= 0
    assert found.duplicates == {back}
    assert found.total[here] >= max(alone.total) - 1e-9


def test_one_steps_back_where_neither_says_anything_of_the_question() -> None:
    """An open question has no words, and its answer is told once all the same."""
    rows = [stated(1, "Nora a un violoncelle"), said(2, "j'ai un violoncelle")]
    found = score(rows, asking(""), told=[told(1, 2)])
    assert found.total[0] == 0
    assert found.duplicates == {1}
    assert found.total[1] < 0


def test_what_needs_no_evidence_stands_for_what_does() -> None:
    """Or it would step back for a message that no gate lets through; of two such, one stands."""
    proven = replace(stated(1, "Nora est musicienne", "Nora"), proven=True)
    message = said(2, "mon violoncelle est accordé")
    asked, links = asking("violoncelle"), [told(1, 2)]
    assert score([proven, message], asked, told=links).duplicates == {1}
    both = score([proven, replace(message, proven=True)], asked, told=links)
    assert both.duplicates == {0}


def test_what_is_searched_for_stands_for_what_it_brought_along() -> None:
    """Whichever of them says more: a search of statements lists no messages."""
    wanted = replace(stated(1, "Nora est musicienne", "Nora"), searched_for=True)
    rows = [wanted, said(2, "mon violoncelle est accordé")]
    assert score(rows, asking("violoncelle"), told=[told(1, 2)]).duplicates == {1}


def test_two_statements_of_one_message_both_stand() -> None:
    """It told two things, so it steps back for both."""
    rows = [stated(1, "Nora a un violoncelle"), stated(2, "Nora a un chat"), said(3, "les deux")]
    found = score(rows, asking("violoncelle chat"), told=[told(1, 3), told(2, 3)])
    assert found.total[0] > 0
    assert found.total[1] > 0
    assert found.total[2] <= 0


def test_a_clause_does_not_stand_for_a_message_that_goes_on() -> None:
    """What else it said may be the answer: the rent stands behind "signé aux Minimes"."""
    clause = stated(1, "Camille: signé aux Minimes", "Camille")
    message = said(2, "signé aux Minimes, troisième étage, 640 charges comprises", "Camille")
    found = score([clause, message], asking("loyer de Camille"), told=[told(1, 2)])
    assert found.duplicates == {0}


@pytest.mark.parametrize(
    ("learnt", "text"),
    [
        ("Camille: signé aux Minimes", "signé aux Minimes !!"),
        ("Camille habite Toulouse", "j'y suis enfin, après trois mois de cartons et de doutes"),
        ("Camille: signé aux Minimes", f"signé aux Minimes, {'et patati et patata ' * 20}"),
    ],
)
def test_what_tells_all_of_a_message_stands_for_it(learnt: str, text: str) -> None:
    """Or tells it in other words, or in fewer than a page has."""
    rows = [stated(1, learnt, "Camille"), said(2, text, "Camille")]
    assert score(rows, asking("loyer de Camille"), told=[told(1, 2)]).duplicates == {1}
