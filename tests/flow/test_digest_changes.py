"""What a digest learns late, twice or as a correction, between what turns have learnt already."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.agent.budget import Cap, Caps
from bot.llm.offline.extraction import RuleExtractor
from bot.llm.tasks.comparison import JUDGE, ModelJudge
from bot.model.requests import Purpose
from memory.learning.judging import BY_RULES, Judge
from memory.learning.observed import Learning
from memory.model.audience import OPERATOR, Origin
from memory.model.rooms import Visibility
from memory.model.statements import NewMemory
from memory.storage.search.term_counts import Vocabulary
from observers.digest import Digest
from observers.ports import Chunk, Extractor, Fact
from tests.cast import LOBBY, NOON, PLATFORM, room_of
from tests.flow.lobby import RULES
from tests.flow.pet import ScriptedModel, calls
from tests.metered import metered_on
from tests.notices import NotedNotices
from tests.storage import StorageParts, arrival, open_truth, statement


@pytest.fixture
async def storage(tmp_path: Path) -> AsyncIterator[StorageParts]:
    """A lobby where nothing was said."""
    async with open_truth(tmp_path) as opened:
        await opened.people.keep_room(room_of(LOBBY))
        yield opened


async def says(storage: StorageParts, *texts: str, at: datetime = NOON, by: str = "David") -> None:
    """Somebody says these in the lobby, a second apart."""
    first = await storage.count("messages")
    person = await storage.people.person(PLATFORM, by, by)
    await storage.messages.accept(
        [
            replace(
                arrival(text, f"m{first + number}"),
                author=by,
                person=person.id,
                sent_at=at + timedelta(seconds=number),
            )
            for number, text in enumerate(texts)
        ]
    )


async def of_david(storage: StorageParts, content: str) -> NewMemory:
    """A statement of David's own, as a turn has learnt it."""
    person = await storage.people.person(PLATFORM, "David", "David")
    origin = Origin(visibility=Visibility.SPACE, person=person.id)
    return statement(content, origin=origin, said_by="David", author=person.id, subjects=("David",))


async def digest(
    storage: StorageParts, extractor: Extractor | None = None, judge: Judge = BY_RULES
) -> list[str]:
    """Digest the lobby; what holds afterwards, oldest word first."""
    rules = replace(RULES, chunk_messages=20)
    learning = Learning(storage.remember, storage.learning.known, judge=judge)
    await Digest(
        storage.digests, learning, extractor or RuleExtractor(), rules, NotedNotices()
    ).run()
    rows = await storage.memories.latest(None, OPERATOR, 50)
    return [row.content for row in sorted(rows, key=lambda row: row.valid_from)]


async def test_of_two_versions_in_one_stretch_the_later_holds(storage: StorageParts) -> None:
    """Both are learnt, and one is history."""
    await says(storage, "j'habite à Nantes", "j'habite à Lyon")
    assert await digest(storage) == ["David: j'habite à Lyon"]
    assert await storage.count("memories") == 2


async def test_what_was_said_before_a_turn_learnt_better_stays_history(
    storage: StorageParts,
) -> None:
    """The digest comes hours after the talk."""
    await says(storage, "j'habite à Nantes", at=NOON)
    storage.clock.advance(timedelta(hours=1))
    new = await storage.remember.store(await of_david(storage, "David habite à Lyon"))
    storage.clock.advance(timedelta(hours=3))
    assert await digest(storage) == ["David habite à Lyon"]
    rows = await storage.database.all(
        "SELECT superseded_by FROM memories WHERE valid_until NOT NULL"
    )
    assert [row["superseded_by"] for row in rows] == [str(new.id)]


async def test_a_correction_in_the_lobby_takes_the_decision_back(storage: StorageParts) -> None:
    """The word that says so may stand in another message of the same person."""
    await says(storage, "retiens qu'on va utiliser PostgreSQL pour le projet")
    await digest(storage)
    await says(storage, "en fait", "retiens qu'on va utiliser MySQL", at=NOON + timedelta(hours=5))
    assert await digest(storage) == ["David: “on va utiliser MySQL”"]


async def test_what_somebody_else_corrects_is_no_correction(storage: StorageParts) -> None:
    """Two people talk at once."""
    await says(storage, "retiens qu'on va utiliser PostgreSQL pour le projet")
    await digest(storage)
    await says(storage, "en fait", at=NOON + timedelta(hours=5), by="Léa")
    await says(storage, "retiens qu'on va utiliser MySQL", at=NOON + timedelta(hours=6))
    assert len(await digest(storage)) == 2


class OneFact:
    """Finds one fact in a stretch, whatever it says."""

    def __init__(self, content: str) -> None:
        self._content = content

    async def extract(self, chunk: Chunk) -> Sequence[Fact]:
        """The fact, resting on the first line."""
        line = chunk.lines[0]
        statement_ = statement(self._content)
        return [
            Fact(
                content=statement_.content,
                memory_type=statement_.memory_type,
                subjects=(line.author,),
                said_by=line.author,
                messages=(line.message,),
            )
        ]


def asking(storage: StorageParts, model: ScriptedModel, caps: Caps | None = None) -> ModelJudge:
    """A judge that asks this model through the gateway."""
    metered = metered_on(storage, model, caps)
    return ModelJudge(metered, Vocabulary(storage.database, "memories"), prompt="Judge.")


async def judged(
    storage: StorageParts, old: str, new: str, verdict: str, caps: Caps | None = None
) -> int:
    """What was asked of the model about `new`, once `old` is kept; the digest has run."""
    await storage.remember.store(replace(await of_david(storage, old), said_at=NOON))
    await says(storage, new, at=NOON + timedelta(days=1))
    model = ScriptedModel()
    model.will(calls((JUDGE.name, {"verdicts": [{"number": 1, "verdict": verdict}]})))
    await digest(storage, OneFact(new), asking(storage, model, caps))
    return len(model.requests)


async def holding(storage: StorageParts) -> list[str]:
    """What holds, in no order."""
    return sorted(row.content for row in await storage.memories.latest(None, OPERATOR, 50))


async def test_a_digest_asks_the_model_what_rules_cannot_tell(storage: StorageParts) -> None:
    """One call, written down under its own purpose."""
    old, new = "David cherche un appartement", "David a signé son bail"
    assert await judged(storage, old, new, "changed") == 1
    assert await holding(storage) == [new]
    assert await storage.count("llm_usage", "purpose = 'judging'") == 1


async def test_a_rewrite_that_loses_a_name_is_refused(storage: StorageParts) -> None:
    """Both stay, tied, though the model calls the poorer one more precise."""
    old, new = "David court avec Zoé le dimanche", "David court chaque semaine"
    await judged(storage, old, new, "more_precise")
    assert await holding(storage) == [old, new]
    assert await storage.count("associations", "relation = 'related_to'") == 1


async def test_past_the_cap_rules_judge_alone(storage: StorageParts) -> None:
    """The digest goes on without asking."""
    caps = Caps(per_purpose={Purpose.JUDGING: Cap(input=0)})
    old, new = "David cherche un appartement", "David a signé son bail"
    assert await judged(storage, old, new, "changed", caps) == 0
    assert await holding(storage) == [new, old]
