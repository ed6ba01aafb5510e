"""By rules a summary is what the person said that says most, word for word."""

from collections.abc import Collection, Mapping, Sequence

import pytest

from bot.llm.offline.summaries import LONGEST, LONGEST_SENTENCE, RuleSummariser
from memory.language.text import stems
from memory.rules.compaction import spans
from tests.unit.test_compaction import PARIS, PLACE, checkpoint, exchange


class Common:
    """Says that these words are everywhere and all others nowhere."""

    def __init__(self, text: str = "") -> None:
        self._stems = set(stems(text))

    async def seen(self, stems: Collection[str]) -> tuple[Mapping[str, int], int]:
        """In how many of a thousand rows each is."""
        return {stem: 1000 if stem in self._stems else 0 for stem in stems}, 1000


async def summary(texts: Sequence[str], common: str = "") -> str:
    """The summary of what somebody said."""
    (span,) = spans(PLACE, [exchange(seq, text=text) for seq, text in enumerate(texts)])
    return await RuleSummariser(Common(common), zone=PARIS, called=["Eko"]).summarise(span, "")


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            [
                "salut Eko !",
                "je pars à Rome le 3 mars avec Léa",
                "mdr",
                "il faut réserver le train",
                "tu me le rappelles ?",
            ],
            "je pars à Rome le 3 mars avec Léa. il faut réserver le train.",
        ),
        (
            ["hi there", "I adopted a cat. Her name is Luna!", "lol", "we move to Berlin in May"],
            "I adopted a cat. Her name is Luna! we move to Berlin in May.",
        ),
        (["salut", "ok merci", "bonne nuit"], ""),
    ],
)
async def test_small_talk_is_left_out_and_the_rest_is_in_order(
    texts: list[str], expected: str
) -> None:
    """In French and in English; of small talk alone there is no summary."""
    assert await summary(texts) == expected


async def test_where_there_is_no_room_for_all_statements_and_rare_words_go_first() -> None:
    """What is said every day is left out before what is said once."""
    daily = [f"le repas de midi numéro {n} a été bon et le café aussi" for n in range(30)]
    said = [*daily[:15], "le trombone de ma tante résonne", *daily[15:], "j'habite à Lyon"]
    told = await summary(said, common=" ".join(daily))
    assert len(told) <= LONGEST
    assert "le trombone de ma tante résonne." in told
    assert told.endswith("j'habite à Lyon.")


async def test_what_is_said_twice_is_told_once() -> None:
    """The same words add nothing."""
    told = await summary([*["le toit de la maison fuit beaucoup"] * 3, "le couvreur vient jeudi"])
    assert told == "le toit de la maison fuit beaucoup. le couvreur vient jeudi."


@pytest.mark.parametrize(
    "texts",
    [
        ["on part quand à Rome déjà ?", "et le train c'est combien", "tu connais un bon hôtel ?"],
        ["what time does the library close?", "who is coming on friday", "is there any cake left"],
        ["le toit de la maison fuit beaucoup", "tu sais qui répare les toits ?"],
    ],
)
async def test_questions_are_no_summary_nor_is_one_sentence(texts: list[str]) -> None:
    """The lines themselves say it better, and are found."""
    assert await summary(texts) == ""


async def test_a_sentence_without_an_end_is_cut() -> None:
    """It would be all of the summary."""
    told = await summary([" ".join(f"mot{n}" for n in range(200)), "le couvreur vient jeudi"])
    cut, _, rest = told.partition("…")
    assert len(cut) <= LONGEST_SENTENCE
    assert rest == " le couvreur vient jeudi."


async def test_quotes_and_code_are_not_what_a_person_said() -> None:
    """Nor are commands to other bots."""
    told = await summary(["> le toit de Paul fuit encore", "!play rain on the big roof"])
    assert told == ""


async def test_a_roll_up_picks_from_the_summaries() -> None:
    """Without what each of them begins with."""
    members = [
        checkpoint(1, content="David (web, 3 févr. 2026) : le toit de la maison fuit."),
        checkpoint(2, content="David (web, 4 févr. 2026) : le couvreur vient jeudi matin."),
    ]
    told = await RuleSummariser(Common(), zone=PARIS).roll_up(members)
    assert told == "le toit de la maison fuit. le couvreur vient jeudi matin."
