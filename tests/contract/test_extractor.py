"""What every extractor promises, the rule extractor and the fake alike."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.llm.offline.extraction import RuleExtractor
from memory.model.messages import MessageId
from memory.model.statements import MemoryType
from observers.ports import Chunk, Extractor, Fact, LobbyLine

SATURDAY = datetime(2026, 1, 17, 10, 23, tzinfo=ZoneInfo("Europe/Paris"))


class EveryLine:
    """The fake: takes each line for a fact."""

    async def extract(self, chunk: Chunk) -> Sequence[Fact]:
        """One fact per distinct line and author."""
        facts: dict[tuple[str, str], Fact] = {}
        for line in chunk.lines:
            known = facts.get((line.author, line.text))
            messages = (*known.messages, line.message) if known else (line.message,)
            facts[line.author, line.text] = Fact(
                content=line.text,
                memory_type=MemoryType.OBSERVATION,
                subjects=(line.author,),
                said_by=line.author,
                messages=messages,
            )
        return tuple(facts.values())


@pytest.fixture(params=[RuleExtractor, EveryLine])
def extractor(request: pytest.FixtureRequest) -> Extractor:
    """Each implementation in turn."""
    made: Extractor = request.param()
    return made


def chunk_of(*said: tuple[str, str], before: tuple[str, str] | None = None) -> Chunk:
    """A chunk of (author, text) lines, numbered from 1."""
    lines = tuple(line(number, *words) for number, words in enumerate(said, start=1))
    return Chunk(room="lobby", before=(line(0, *before),) if before else (), lines=lines)


def line(number: int, author: str, text: str) -> LobbyLine:
    """One line of the lobby, said in the given minute."""
    said_at = SATURDAY + timedelta(minutes=number)
    return LobbyLine(message=MessageId(number), author=author, said_at=said_at, text=text)


async def test_an_empty_chunk_has_no_facts(extractor: Extractor) -> None:
    """Silence teaches nothing."""
    assert list(await extractor.extract(chunk_of())) == []


async def test_facts_come_in_order_and_rest_on_their_lines(extractor: Extractor) -> None:
    """Each names one of its authors and the messages it was read in."""
    facts = await extractor.extract(
        chunk_of(("David", "j'habite à Lyon"), ("Léa", "I live in Rome"))
    )
    assert [(fact.said_by, fact.messages) for fact in facts] == [
        ("David", (MessageId(1),)),
        ("Léa", (MessageId(2),)),
    ]
    assert all(fact.content and fact.subjects for fact in facts)


async def test_what_came_before_is_not_learned_again(extractor: Extractor) -> None:
    """The overlap helps to understand and was read by the chunk it belongs to."""
    facts = await extractor.extract(
        chunk_of(("Léa", "I live in Rome"), before=("David", "j'habite à Lyon"))
    )
    assert [fact.said_by for fact in facts] == ["Léa"]


async def test_a_fact_said_twice_rests_on_both_messages(extractor: Extractor) -> None:
    """Saying it again adds evidence, not a fact."""
    facts = await extractor.extract(
        chunk_of(("David", "j'habite à Lyon"), ("David", "j'habite à Lyon"))
    )
    assert [fact.messages for fact in facts] == [(MessageId(1), MessageId(2))]


async def test_reading_a_chunk_again_gives_the_same(extractor: Extractor) -> None:
    """A digest that runs again stores nothing twice."""
    chunk = chunk_of(("David", "je pars à Rome demain"), ("Léa", "I live in Rome"))
    assert list(await extractor.extract(chunk)) == list(await extractor.extract(chunk))


async def test_the_rules_date_an_event_and_let_it_pass() -> None:
    """What the rules find is dated from when it was said."""
    facts = await RuleExtractor().extract(chunk_of(("David", "je pars à Rome demain")))
    assert [fact.content for fact in facts] == ["David: je pars à Rome demain (18/01/2026)"]
    assert facts[0].ttl == timedelta(days=8, hours=13, minutes=36)


async def test_the_rules_know_the_people_who_write() -> None:
    """An author's name, or one given, is a person."""
    said = chunk_of(("Léa", "mickael joue au foot"), before=("Mickael", "salut"))
    assert [fact.content for fact in await RuleExtractor().extract(said)] == [
        "mickael joue au foot"
    ]
    alone = chunk_of(("Léa", "mickael joue au foot"))
    assert list(await RuleExtractor().extract(alone)) == []
    assert len(await RuleExtractor(names=("Mickael",)).extract(alone)) == 1


async def test_the_rules_learn_nothing_from_chatter() -> None:
    """A lobby is mostly questions and jokes."""
    chatter = chunk_of(
        ("pawan", "how to download video from youtube"),
        ("ubotu", "pawan: Don't ask to ask a question. Just ask your question :)"),
        ("Léa", "mdr j'habite à Lyon"),
        ("Léa", "ok"),
    )
    assert list(await RuleExtractor().extract(chatter)) == []
