"""Names, times, meaning and ties add to what words say."""

from datetime import timedelta
from typing import Any

import pytest

from memory.language.times.intervals import Grain
from memory.language.times.parser import Period
from memory.model.statements import Relation
from memory.retrieval.background import Background
from memory.retrieval.scoring import BESIDE, EXACT
from memory.retrieval.spreading_activation import RELATION_WEIGHTS
from memory.retrieval.weights import Weights
from tests.cast import NOON
from tests.rows import added, asking, names, near, said, stated, tie, told

AROUND = Background(0.2, 0.1)
MICKAEL, LEA = names("mickael", "dev"), names("lea")


def test_what_is_of_somebody_the_question_names_gains() -> None:
    """Under any name of theirs: their messages, statements about them; a mention gains less."""
    rows = [
        said(1, "violoncelle", by="Mickael"),
        stated(2, "dev joue du violoncelle", "dev"),
        said(3, "le violoncelle de mickaël", by="David"),
        said(4, "violoncelle", by="David"),
        stated(5, "le violoncelle est à David", "David", by="Mickael"),
    ]
    weights = Weights()
    found = added("named", rows, asking("violoncelle", named=[MICKAEL]))
    assert found == [weights.named, weights.named, weights.mentioned, 0, 0]


def test_what_is_of_two_that_are_named_gains_more() -> None:
    """A part of the first for each further one."""
    rows = [stated(1, "Mickael et Léa", "Mickael", "Léa"), stated(2, "Mickael", "Mickael")]
    weights = Weights()
    both, one = added("named", rows, asking("", named=[MICKAEL, LEA]))
    assert both == pytest.approx(weights.named * (1 + weights.named_too))
    assert one == weights.named


def test_a_message_that_says_nothing_of_the_question_gains_nothing_by_its_author() -> None:
    """Or all that somebody ever said would fit a question that names them; statements are few."""
    rows = [said(1, "il pleut", by="Mickael"), stated(2, "Mickael est grand", "Mickael")]
    asked = asking("violoncelle", named=[MICKAEL], speaker=MICKAEL)
    assert added("named", rows, asked) == [0, Weights().named]
    assert added("speaker", rows, asked) == [0, Weights().speaker]


def test_what_is_of_who_asks_gains_when_it_is_about_them() -> None:
    """Their messages, and statements about them."""
    rows = [
        said(1, "violoncelle", by="Léa"),
        stated(2, "Léa joue du violoncelle", "Léa"),
        said(3, "violoncelle", by="David"),
    ]
    own = Weights().speaker
    assert added("speaker", rows, asking("violoncelle", speaker=LEA)) == [own, own, 0]
    assert added("speaker", rows, asking("violoncelle")) == [0, 0, 0]


def test_proper_nouns_count_by_how_many_of_them_a_row_says() -> None:
    """A part of them in part."""
    rows = [said(1, "à Lisbonne avec Zoé"), said(2, "à Lisbonne"), said(3, "à la maison")]
    spelt = frozenset(said(0, "Lisbonne Zoé").words.split())
    whole = Weights().proper
    assert added("proper", rows, asking("", proper=spelt)) == [whole, whole / 2, 0]


def period(grain: Grain, days: int = 1) -> Period:
    """So many days from noon on."""
    return Period(start=NOON, end=NOON + timedelta(days=days), grain=grain)


@pytest.mark.parametrize("grain", list(Grain))
def test_what_was_said_in_the_time_asked_for_gains(grain: Grain) -> None:
    """Half as much a little before or after; its end is outside."""
    before, after = BESIDE[grain]
    end, moment = NOON + timedelta(days=1), timedelta(seconds=1)
    times = [NOON, end - moment, end + after - moment, end + after, NOON - before - moment]
    rows = [said(n, "oui", at=at) for n, at in enumerate(times)]
    whole = Weights().period * EXACT[grain]
    assert added("period", rows, asking("", periods=[period(grain)])) == [
        whole,
        whole,
        pytest.approx(whole / 2),
        0,
        0,
    ]


def test_the_more_exact_a_time_is_the_more_it_counts() -> None:
    """Much was said in a year."""
    order = [Grain.MOMENT, Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.SEASON, Grain.YEAR]
    rows = [said(1, "oui")]
    found = [added("period", rows, asking("", periods=[period(grain)]))[0] for grain in order]
    assert found == sorted(found, reverse=True)
    assert found[0] > found[-1] > 0


def test_the_best_of_several_times_counts() -> None:
    """Once."""
    periods = [period(Grain.YEAR, 300), period(Grain.DAY)]
    assert added("period", [said(1, "oui")], asking("", periods=periods)) == [Weights().period]


def test_a_similarity_counts_by_how_far_it_stands_out_of_the_background() -> None:
    """From so many deviations on; without a background, or found by words only, it is nothing."""
    weights = Weights()
    start = AROUND.mean + weights.meaning_from * AROUND.deviation
    close = [start - 0.01, start, start + AROUND.deviation, None]
    rows = [said(n, "oui", similarity=similarity) for n, similarity in enumerate(close)]
    found = added("meaning", rows, asking(""), around=AROUND)
    assert found == pytest.approx([0, 0, weights.meaning, 0])
    assert added("meaning", rows, asking("")) == [0, 0, 0, 0]


def test_similarity_is_lent_to_those_right_beside_and_to_the_message() -> None:
    """A part of it."""
    rows = [
        said(1, "oui", similarity=0.9),
        said(2, "non"),
        said(3, "si"),
        stated(4, "peut-être", similarity=0.9),
        said(5, "bon"),
    ]
    links: dict[str, Any] = {"near": [near(1, 2, -1), near(1, 3, 2)], "told": [told(4, 5)]}
    own, beside, second, statement, message = added(
        "meaning", rows, asking(""), around=AROUND, **links
    )
    weights = Weights()
    assert beside == pytest.approx(weights.meaning_near * own)
    assert second == 0
    assert message == pytest.approx(weights.meaning_told * statement)


def tied_by(relation: Relation, weights: Weights | None = None) -> float:
    """What a statement gains from one that fits, by this tie."""
    rows = [stated(1, "violoncelle"), stated(2, "mal au dos")]
    ties = [tie(1, 2, relation)]
    return added("tied", rows, asking("violoncelle"), ties=ties, weights=weights)[1]


def test_a_statement_gains_from_those_it_is_tied_to_by_what_ties_them() -> None:
    """A reason more than a likeness, in the order of their weights; each something."""
    found = {relation: tied_by(relation) for relation in Relation}
    assert all(gain > 0 for gain in found.values())
    for one in Relation:
        for other in Relation:
            if RELATION_WEIGHTS[one] > RELATION_WEIGHTS[other]:
                assert found[one] > found[other]


def test_a_relation_that_is_switched_off_passes_on_nothing() -> None:
    """The others still do."""
    weights = Weights(relations={**RELATION_WEIGHTS, Relation.CAUSED_BY: 0.0})
    assert tied_by(Relation.CAUSED_BY, weights) == 0
    assert tied_by(Relation.RESULT_OF, weights) > 0
