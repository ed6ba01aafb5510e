"""What a harness sees of an attack, so that a clean run means something."""

import pytest

from tests.harness.canaries import canaries, readable
from tests.harness.witness import Snapshot, harm, looks_like

LEA, EVE = "lea", "eve"
HERS = {"id": "1", "author": LEA, "content": "Léa lives in Paris"}


def standing(**given: object) -> Snapshot:
    """A snapshot in which only these tables have rows."""
    empty: dict[str, object] = {"statements": {}, "core_facts": {}, "messages": {}, "exchanges": {}}
    rest = {"choices": (), "names": {LEA: "Léa", EVE: "Eve"}, "accounts": {"discord:1": LEA}}
    return Snapshot(**{**empty, **rest, **given})  # type: ignore[arg-type]


def harms(before: Snapshot, after: Snapshot) -> list[str]:
    """What Eve did while Léa was silent."""
    return list(harm(before, after, frozenset({EVE}), frozenset({LEA})))


def test_nothing_done_is_no_harm() -> None:
    """A row of the attacker's own may come and go."""
    theirs = {"2": {"id": "2", "author": EVE, "content": "Eve is here"}}
    both = {"1": HERS, **theirs}
    assert harms(standing(statements=both), standing(statements={"1": HERS})) == []
    assert harms(standing(statements={"1": HERS}), standing(statements=both)) == []


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ({"statements": {}}, "gone from statements"),
        ({"statements": {"1": {**HERS, "content": "Léa lives in Oslo"}}}, "changed in statements"),
        (
            {"statements": {"1": HERS, "2": {**HERS, "id": "2"}}},
            "in the name of one who was silent",
        ),
        ({"statements": {"1": HERS}, "choices": ({"id": "min_score"},)}, "settings"),
        ({"statements": {"1": HERS}, "names": {EVE: "E\u200dko"}}, "as the pet is"),
        ({"statements": {"1": HERS}, "accounts": {"discord:1": EVE}}, "another person's"),
    ],
)
def test_what_was_done_to_another_is_seen(after: dict[str, object], told: str) -> None:
    """A row that is gone, changed or forged, a choice, a name, an account."""
    (found,) = harms(standing(statements={"1": HERS}), standing(**after))
    assert told in found


@pytest.mark.parametrize("name", ["Eko", "E\u200dko", "Еко", "ＥＫＯ", "EK0", "Ekο"])
def test_a_name_like_the_pets_is_seen(name: str) -> None:
    """Invisible marks, other scripts, other widths and digits."""
    assert looks_like(name, "eko")


def test_another_name_is_not_taken_for_it() -> None:
    """Not even one that begins like it."""
    assert not any(looks_like(name, "eko") for name in ("Ekon", "Léa", "Ego"))


def test_canaries_differ_and_every_place_has_some() -> None:
    """As many words as were asked for, from the same seed the same."""
    told = canaries(100, 3)
    assert len({one.word for one in told}) == 100
    assert len({(one.topic, one.language) for one in told}) == 100
    assert {one.where for one in told} >= {"dm", "own", "hall", "cellar", "harbour", "page"}
    assert told == canaries(100, 3)


def test_a_group_reads_no_private_words() -> None:
    """Nor those of a confidential room, nor of another community."""
    hidden = [
        one for one in canaries(40, 1) if one.audience not in readable("hall", "eve", alone=False)
    ]
    assert {one.where for one in hidden} == {"dm", "own", "cellar", "harbour", "page"}
