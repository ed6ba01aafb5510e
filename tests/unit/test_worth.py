"""A variant is judged question by question against the whole."""

import pytest

from benchmarks.ablation import table
from benchmarks.variants import WHOLE
from benchmarks.worth import COUNTED, Marked, worth

QUESTIONS = 40


def marked(*off: float) -> list[Marked]:
    """Questions that the whole always answers, and a variant `off` as well."""
    return [
        Marked("1", {WHOLE.name: dict.fromkeys(COUNTED, 1.0), "off": dict.fromkeys(COUNTED, each)})
        for each in off
    ]


def test_what_is_lost_has_its_mean_and_bounds_and_the_questions_that_lose() -> None:
    """Half of the questions lose everything: half of recall, give or take the sample."""
    found = worth(marked(*[0.0, 1.0] * (QUESTIONS // 2)))
    assert found["questions"] == QUESTIONS
    assert found[WHOLE.name]["recall@10"] == 1.0
    off = found["variants"]["off"]
    assert (off["recall@10"], off["worse"], off["better"]) == (0.5, QUESTIONS // 2, 0)
    assert off["difference"]["mean"] == -0.5
    assert -0.7 < off["difference"]["low"] < -0.5 < off["difference"]["high"] < -0.3


@pytest.mark.parametrize(
    ("off", "cell"),
    [
        ([0.0] * QUESTIONS, "**-1000 [-1000, -1000]**"),
        ([1.0] * QUESTIONS, "="),
        ([0.0, *[1.0] * (QUESTIONS - 1)], "-25 [-75, +0]"),
    ],
)
def test_only_a_sure_difference_is_bold(off: list[float], cell: str) -> None:
    """One question of forty may be chance; no question at all is no difference."""
    columns = table({"LoCoMo": worth(marked(*off))}).columns
    assert list(columns[0].cells) == [WHOLE.name, "off"]
    assert list(columns[1].cells) == ["1.000 of 40", cell]
