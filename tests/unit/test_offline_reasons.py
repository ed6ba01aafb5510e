"""How the pet without a language model answers "why did you say that?"."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from bot.llm.offline.model import OfflinePet
from bot.model.requests import ModelRequest, Purpose, ToolResult, ToolRound, ToolSpec, UserMessage
from bot.model.tool_values import EXCHANGE, AnswerExplained, ListedRow, ToolValue
from bot.texts.catalogue import texts_in
from memory.clock import FrozenClock

ENGLISH, FRENCH = texts_in("en"), texts_in("fr")

PARIS = ZoneInfo("Europe/Paris")
SATURDAY = datetime(2026, 1, 17, 10, 23, tzinfo=PARIS)
WHY, POURQUOI = "why did you say that?", "pourquoi tu dis ça ?"

LEA = ListedRow(
    id="a1b2c3d4",
    kind="fact",
    content="Mickael habite à Athènes",
    said_by="Léa",
    where="in lobby",
)
OWN = ListedRow(
    id="m12", kind="message", content="j'ai mal au dos", said_by="David", where="in private"
)
NOBODY = ListedRow(id="bbbbcccc", kind="fact", content="Zoé habite à Dole")
TALK = ListedRow(
    id="t12345678", kind=EXCHANGE, content="où ? → là", spoke_with="David", where="in général"
)


def asked(text: str, *rounds: ToolRound) -> ModelRequest:
    """A request of the turn in which David says this."""
    tools = ("explain_last_answer", "search_memories", "respond")
    return ModelRequest(
        system="",
        messages=(UserMessage(text=text, speaker="David"), *rounds),
        tools=tuple(ToolSpec(name=name, description="", schema={}) for name in tools),
        purpose=Purpose.TURN,
        max_tokens=300,
        locale="fr",
    )


async def called(text: str) -> list[str]:
    """The tools that are called first for these words."""
    reply = await OfflinePet(FrozenClock(SATURDAY), PARIS, ("Eko",)).complete(asked(text))
    return [call.name for call in reply.calls]


def behind(*rows: ListedRow, age: str = "hier", gone: int = 0) -> AnswerExplained:
    """What the tool tells: these rows, so old, and how many more there were."""
    return AnswerExplained(rows=tuple(replace(row, age=age) for row in rows), gone=gone)


async def answered(text: str, told: ToolValue | None, *, failed: bool = False) -> str:
    """What David is answered once the tool has told this."""
    pet = OfflinePet(FrozenClock(SATURDAY), PARIS, ("Eko",))
    first = await pet.complete(asked(text))
    result = ToolResult(call_id=first.calls[0].id, text="", failed=failed, value=told)
    done = ToolRound(text="", calls=first.calls, results=(result,))
    last = await pet.complete(asked(text, done))
    return str(last.calls[0].arguments["message"])


@pytest.mark.parametrize(
    "text",
    [
        POURQUOI,
        WHY,
        "d'où tu sais ça ?",
        "d’où tu sais ça ?",
        "how do you know?",
        "How do you know that??",
        "qui t'a dit ça ?",
        "Eko, qui te l'a dit ?",
        "Pourquoi tu m'as dit ça",
        "pourquoi dis-tu cela ?",
        "pourquoi t'as dit que Mickael part ?",
        "comment tu le sais ?",
        "tu tiens ça d'où ?",
        "qu'est-ce qui te fait dire ça ?",
        "who told you that?",
        "where did you hear that?",
        "what makes you say so?",
    ],
)
async def test_it_asks_the_tool_what_stood_behind_its_answer(text: str) -> None:
    """However the question is put, in either language."""
    assert await called(text) == ["explain_last_answer"]


@pytest.mark.parametrize(
    "text",
    [
        "how do you know Léa?",
        "comment tu sais que Léa part ?",
        "pourquoi David dit ça ?",
        "who said David was leaving?",
        "pourquoi il pleut ?",
        "d'où vient Léa ?",
    ],
)
async def test_a_question_about_the_world_is_none_about_its_answer(text: str) -> None:
    """It is looked up as ever."""
    assert await called(text) == ["search_memories", "read_back"]


@pytest.mark.parametrize(
    ("text", "row", "said"),
    [
        (POURQUOI, LEA, "Léa l'a dit dans le lobby {age} : « Mickael habite à Athènes »"),
        (WHY, LEA, "Léa said it in the lobby {age}: “Mickael habite à Athènes”"),
        (POURQUOI, OWN, "Tu me l'as dit en privé {age} : « j'ai mal au dos »"),
        (WHY, OWN, "You told me in private {age}: “j'ai mal au dos”"),
        (POURQUOI, NOBODY, "Je me souviens de ceci ({age}) : « Zoé habite à Dole »"),
        (POURQUOI, TALK, "On en a parlé dans général {age} : « où ? → là »"),
        (WHY, TALK, "We spoke of it in général {age}: “où ? → là”"),
    ],
)
async def test_it_says_who_said_it_where_and_when(text: str, row: ListedRow, said: str) -> None:
    """From the rows of the tool alone."""
    age = "il y a 3 jours" if text == POURQUOI else "3 days ago"
    assert await answered(text, behind(row, age=age)) == said.format(age=age)


async def test_several_lines_come_under_a_heading() -> None:
    """Each with its own source; what is forgotten beside them is not spoken of."""
    assert (await answered(POURQUOI, behind(LEA, NOBODY, gone=2))).splitlines() == [
        FRENCH.say("offline.came_back"),
        "Léa l'a dit dans le lobby hier : « Mickael habite à Athènes »",
        "Je me souviens de ceci (hier) : « Zoé habite à Dole »",
    ]


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (behind(gone=1), "offline.forgotten_since"),
        (behind(), "offline.nothing_came_back"),
        (None, "offline.no_answer_yet"),
    ],
)
async def test_without_a_line_no_reason_is_made_up(told: ToolValue | None, text: str) -> None:
    """It says that nothing was recalled, that it is forgotten, or that it has said nothing."""
    assert await answered(POURQUOI, told) == FRENCH.say(text)
    assert await answered(WHY, told) == ENGLISH.say(text)


async def test_a_tool_that_fails_is_admitted() -> None:
    """Not knowing why is another thing than there being no why."""
    assert await answered(POURQUOI, None, failed=True) == FRENCH.say("offline.search_failed")
