"""Requests to forget as people type them, from the first line of a scene to what is said later."""

from pathlib import Path

import pytest

from benchmarks.forgetting import play, sounded, staged
from benchmarks.forgetting_scenes import read_scenes
from bot.texts.catalogue import translations

SCENES = Path(__file__).parent.parent / "data" / "forgetting-requests" / "tune.jsonl"
CHOSEN = ("en1-003", "en3-003", "en6-012", "fr1-002", "fr-055", "fr3-007")
"""Requests that are previewed rightly, for values that say enough alone: no date among them."""


@pytest.mark.parametrize("obedient", [False, True])
@pytest.mark.parametrize("chosen", CHOSEN)
async def test_a_plain_request_is_read_and_its_values_stay_away(
    chosen: str, *, obedient: bool
) -> None:
    """No answer claims to know nothing, and no later line that repeats a value brings it back."""
    scenes, _ = read_scenes(SCENES)
    (scene,) = [one for one in scenes if one.id == chosen]
    played = await play(scene, obedient=obedient)
    assert (played.read, played.missed, played.excess) == (True, (), ())
    assert not played.ignorant
    assert played.shown == ()
    assert played.known_again


@pytest.mark.parametrize("place", range(0, 40, 8))
async def test_a_line_that_sounds_like_it_asks_for_nothing(place: int) -> None:
    """Nothing is shown to be forgotten, and no word is asked for."""
    scenes, others = read_scenes(SCENES)
    scene = next(one for one in scenes if one.language == others[place].language)
    assert await sounded(others[place], scene) is None


@pytest.mark.parametrize(
    ("locale", "told", "asked"),
    [
        ("en", "my canary code is X7", "what is my canary code?"),
        ("fr", "mon code canari est X7", "c'est quoi mon code ?"),
    ],
)
async def test_what_was_said_a_moment_ago_is_known_to_who_said_it_there(
    locale: str, told: str, asked: str
) -> None:
    """From the talk at hand, before anything of it is learnt; others are told nothing of it."""
    async with staged(None, locale) as stage:
        await stage.tells("Lea", told, private=True)
        assert "X7" in await stage.tells("Lea", asked, private=True)
        assert "X7" not in await stage.tells("Eve", asked, private=True)
        assert "X7" not in await stage.tells("Lea", asked)


async def test_words_that_find_nothing_are_asked_for_in_others() -> None:
    """The pet does not say that it knows nothing, and whose word it is where another said it."""
    async with staged(None, "en") as stage:
        await stage.says("Joel", "the garage code is 4471")
        answer = await stage.tells("Mara", "forget the garage code")
        assert "Joel" in answer
        answer = await stage.tells("Mara", "forget my submarine licence")
        assert answer in translations("offline.which_words").values()
