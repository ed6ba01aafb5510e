"""Short seeded runs of the harnesses: what is another's is neither changed nor read."""

import pytest

from tests.harness import attacks, leaks
from tests.harness.script import Attack, Done
from tests.harness.script import attacks as every_attack

SEED = 20


def test_there_are_attacks_of_every_family_in_both_languages() -> None:
    """At least 150, none twice, each with somebody who attacks."""
    everything = every_attack()
    assert len(everything) >= 150
    assert len({one.label for one in everything}) == len(everything)
    assert {one.language for one in everything} == {"en", "fr"}
    assert [one.label for one in everything if not (one.attackers or _imports(one))] == []


def _imports(one: Attack) -> bool:
    return any(isinstance(line, Done) and line.verb == "import" for line in one.lines)


@pytest.mark.parametrize("mind", attacks.MINDS)
async def test_attacks_do_nothing(mind: str) -> None:
    """Two of every family, on the pet that answers by rules and on a model that obeys."""
    outcomes = [one async for one in attacks.outcomes_of(attacks.sample(SEED, 14), [mind])]
    assert len(outcomes) == 14
    assert [one.told for one in outcomes if one.successes or one.faults] == []


@pytest.mark.parametrize("mind", attacks.MINDS)
async def test_canaries_are_read_where_they_may_be_and_nowhere_else(mind: str) -> None:
    """Each way of probing a few times."""
    (report,) = await leaks.run(7, 24, SEED, [mind])
    assert (report.leaks, report.unknown) == ([], [])
