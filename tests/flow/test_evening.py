"""`eko eval evening`: what a model kept, lost and missed of a talk whose truth is known."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from bot.topics.answers.evening.play import PlayedEvening, PlayedLine, estimate, play
from bot.topics.answers.evening.record import (
    SHIPPED,
    Evening,
    EveningRefused,
    read_evening,
)
from bot.topics.answers.evening.score import EveningScore, FailureKind, score
from config.sections.budget import BudgetSettings
from config.sections.model import ModelSettings
from config.sections.recall import RecallSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from tests.edge.loopback import Answer, Asked, LoopbackServer
from tests.edge.providers import ANTHROPIC, OPENAI, PROVIDERS, Provider
from tests.edge.strict_server import fails
from tests.processes import eko

NUTS = "Léa est allergique aux noix"
HOME = "Léa habite à Nantes"

LINES = (
    {"at": "18:00", "text": "je suis allergique aux noix", "facts": [NUTS, [["allergi", "noix"]]]},
    {"at": "18:10", "text": "j'habite à Nantes", "facts": [HOME, [["habite", "Nantes"]]]},
    {"at": "18:20", "text": "j'ai mangé un éléphant mdr", "never": ["elephant", [["éléphant"]]]},
    {"at": "18:30", "text": "à toi seul: j'attends un bébé", "confides": [["bébé"]]},
    {"at": "21:30", "text": "à quoi suis-je allergique ?", "needs": [["noix"]]},
    {"at": "21:31", "who": "Tom", "text": "et moi ?"},
)


def evening(*more: Mapping[str, Any], lines: tuple[Mapping[str, Any], ...] = LINES) -> Evening:
    """A private talk of Léa's; facts are given by name and words."""
    made = []
    for line in (*lines, *more):
        one = {"who": "Léa", "where": "private", **line, "at": f"2026-11-20T{line['at']}:00"}
        for kind in ("facts", "never"):
            if kind in one:
                one[kind] = [{"name": one[kind][0], "words": one[kind][1]}]
        made.append(one)
    return Evening.model_validate({"language": "fr", "zone": "Europe/Paris", "lines": made})


@dataclass
class Service:
    """A model behind one of the APIs: on words it knows it calls `store_memory`, then says "ok".

    After `fails_after` requests it refuses every one.
    """

    provider: Provider
    stores: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    fails_after: int = 1_000
    bodies: list[dict[str, Any]] = field(default_factory=list)
    url: str = ""

    async def answer(self, asked: Asked) -> Answer:
        """What it says to a request."""
        body = asked.json()
        self.bodies.append(body)
        if len(self.bodies) > self.fails_after:
            return fails(400, "invalid_request_error")
        number = len(self.bodies)
        forced = self.provider.forced(body)
        if forced not in {None, "respond"}:
            form = {"facts": [], "verdicts": [], "summary": "rien"}
            return self.provider.says(self.provider.call(forced, form, f"call_{number}"))
        last = body["messages"][-1]
        is_result = last["role"] == "tool" or '"tool_result"' in json.dumps(last)
        said = "" if is_result else self.provider.words(body)
        kept = [one for words, all_ in self.stores.items() if words in said for one in all_]
        calls = [
            ("store_memory", {"memory_type": "fact", "subjects": ["Léa"], **one}) for one in kept
        ]
        calls = calls or [("respond", {"message": "ok", "expression": "happy"})]
        made = (
            self.provider.call(name, given, f"call_{number}_{place}")
            for place, (name, given) in enumerate(calls)
        )
        return self.provider.says(*made)

    def settings(self, folder: Path, **more: Any) -> Settings:
        """Those of a pet that thinks with it."""
        kind, path = self.provider.name, "/v1" if self.provider is OPENAI else ""
        return Settings(
            data_dir=folder,
            embedder=EmbedderSettings(kind="none"),
            model=ModelSettings.model_validate(
                {"provider": kind, "name": "claude-haiku-5-5", "api_key": "test",
                 "base_url": f"{self.url}{path}", "retries": 0}
            ),
            **more,
        )  # fmt: skip


@asynccontextmanager
async def service(provider: Provider = ANTHROPIC, **what: Any) -> AsyncIterator[Service]:
    """Such a service, listening."""
    model = Service(provider, **what)
    async with LoopbackServer(model.answer) as server:
        model.url = server.url
        yield model


async def scored(
    model: Service, folder: Path, talk: Evening, limit: int | None = None, **settings: Any
) -> EveningScore:
    """The figures of a talk with the model."""
    played = await play(model.settings(folder, **settings), talk, limit, lambda *_: None)
    return score("own", talk, played)


def what(found: EveningScore, kind: FailureKind) -> list[str]:
    """The failures of a kind, by name."""
    return [one.what for one in found.failures if one.kind is kind]


@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda one: one.name)
async def test_a_model_that_stores_what_is_told_keeps_it_right(
    provider: Provider, tmp_path: Path
) -> None:
    """By either API; and its calls, tokens and money are counted."""
    stores = {"allergique aux": ({"content": NUTS},), "habite": ({"content": HOME},)}
    async with service(provider, stores=stores) as model:
        found = await scored(model, tmp_path, evening())
    assert (found.right, found.facts, found.failures) == (2, 2, ())
    assert found.calls == len(model.bodies)
    assert found.tokens == 15 * found.calls
    assert found.dollars is not None
    assert found.dollars > 0


async def test_a_model_that_stores_nothing_loses_every_fact(tmp_path: Path) -> None:
    """Each is named; what was said is still found for the question."""
    async with service() as model:
        found = await scored(model, tmp_path, evening())
    assert what(found, FailureKind.LOST) == [NUTS, HOME]
    assert (found.right, found.counts[FailureKind.MISSING]) == (0, 0)


async def test_a_fact_in_two_statements_is_kept_twice(tmp_path: Path) -> None:
    """Both are shown."""
    twice = ({"content": NUTS}, {"content": "Le médecin dit: noix interdites, Léa a une allergie"})
    async with service(stores={"allergique aux": twice}) as model:
        found = await scored(model, tmp_path, evening())
    (one,) = (one for one in found.failures if one.kind is FailureKind.TWICE)
    assert (one.what, len(one.seen_in)) == (NUTS, 2)


async def test_a_fact_that_another_replaced_is_wrongly_ended(tmp_path: Path) -> None:
    """It was so, and nothing that was said ends it."""
    wrong = {"content": "Léa a mangé au restaurant", "replaces": [NUTS]}
    stores = {"allergique aux": ({"content": NUTS},), "éléphant": (wrong,)}
    async with service(stores=stores) as model:
        found = await scored(model, tmp_path, evening())
    assert what(found, FailureKind.ENDED) == [NUTS]


async def test_what_is_over_and_what_was_a_joke_must_not_be_kept(tmp_path: Path) -> None:
    """A move that replaces nothing leaves the old home standing."""
    moved = {"at": "22:00", "text": "voilà, j'ai déménagé à Brest", "ends": [HOME]}
    stores = {
        "habite": ({"content": HOME},),
        "éléphant": ({"content": "Léa mange des éléphants"},),
    }
    async with service(stores=stores) as model:
        found = await scored(model, tmp_path, evening(moved))
    assert what(found, FailureKind.HELD) == [HOME]
    assert what(found, FailureKind.KEPT) == ["elephant"]
    assert found.facts == 1


async def test_a_line_that_the_request_lacks_is_named(tmp_path: Path) -> None:
    """Without recall the earlier line is in no request of the new talk."""
    async with service() as model:
        found = await scored(model, tmp_path, evening(), recall=RecallSettings(enabled=False))
    assert what(found, FailureKind.MISSING) == ["Léa: à quoi suis-je allergique ?"]


def test_a_confidence_that_reaches_another_is_found() -> None:
    """In what the model was shown when another was answered; the teller may be."""
    talk = evening()
    seen = [PlayedLine(line=one, seen="Léa attend un bébé", notice="") for one in talk.lines]
    played = PlayedEvening(
        lines=seen, rows=(), replaced=(), people={}, spent=(), failed=(), postponed=(),
        is_priced=False, interrupted=False,
    )  # fmt: skip
    (one,) = (one for one in score("own", talk, played).failures if one.kind is FailureKind.TOLD)
    assert one.seen_in == ("the request for: et moi ?",)


async def test_a_model_that_fails_in_the_middle_is_said_and_counted(tmp_path: Path) -> None:
    """Rules answer then, and what was to be learnt is postponed."""
    async with service(fails_after=3) as model:
        found = await scored(model, tmp_path, evening())
    by_rules = what(found, FailureKind.BY_RULES)
    assert by_rules == [f"{one.who}: {one.text}" for one in evening().lines[2:]]
    assert found.counts[FailureKind.CALL] == len(model.bodies) - 3
    assert found.calls == len(model.bodies)


async def test_the_caps_of_the_settings_hold(tmp_path: Path) -> None:
    """One answer a day each: the rest are by rules."""
    async with service() as model:
        capped = BudgetSettings(per_person_turns=1)
        found = await scored(model, tmp_path, evening(), budget=capped)
    assert found.counts[FailureKind.BY_RULES] == len(LINES) - 2


async def test_what_is_typed_in_one_breath_is_answered_once(tmp_path: Path) -> None:
    """Both lines count as answered by the one request."""
    talk = evening({"at": "21:31", "who": "Tom", "text": "alors ?"})
    async with service() as model:
        played = await play(model.settings(tmp_path), talk, None, lambda *_: None)
    first, last = played.lines[-2:]
    assert first.seen == last.seen
    assert "et moi ?" in last.seen


async def test_an_interruption_gives_what_there_is(tmp_path: Path) -> None:
    """Facts that were not told by then are not expected."""

    def interrupt(done: int, _: int) -> None:
        if done == 1 and (task := asyncio.current_task()):
            task.cancel()

    async with service(stores={"allergique aux": ({"content": NUTS},)}) as model:
        played = await play(model.settings(tmp_path), evening(), None, interrupt)
    found = score("own", evening(), played)
    assert (found.interrupted, found.played, found.right, found.facts) == (True, 1, 1, 1)


async def test_the_estimate_asks_no_model(tmp_path: Path) -> None:
    """It counts the calls of a talk, two for an answer, and their price."""
    async with service() as model:
        played = await estimate(model.settings(tmp_path), evening(), 3)
    calls = {one.purpose: one.calls for one in played.spent}
    assert (calls["turn"], calls["extraction"], model.bodies) == (6, 2, [])
    assert sum(one.cost for one in played.spent) > 0
    assert len(played.lines) == 3


@pytest.mark.parametrize("name", SHIPPED)
def test_the_records_of_the_package_can_be_played(name: str) -> None:
    """Five people, a change, a joke, a confidence, and questions about what was said."""
    record = read_evening(name)
    assert (len(record.people), len(record.lines) >= 30) == (5, True)
    for part in ("facts", "ends", "never", "confides", "needs"):
        assert any(getattr(line, part) for line in record.lines), part


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"text": "et alors ?", "needs": [["Brest"]]}, "needs what was not said before"),
        ({"text": "les noix ?", "needs": [["noix"]]}, "says it itself"),
        ({"text": "plus rien", "ends": ["Léa habite à Brest"]}, "was not told"),
        ({"text": "chut", "who": "Tom", "confides": [["bébé"]]}, "is said elsewhere"),
        ({"text": "bref", "at": "17:00"}, "is said before the line above it"),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(line: Mapping[str, Any], said: str) -> None:
    """In a sentence with the line's words."""
    with pytest.raises(ValueError, match=said):
        evening({"at": "22:00", **line})


def test_a_file_that_is_no_record_is_refused(tmp_path: Path) -> None:
    """By its name, whether it is there or not."""
    (tmp_path / "no.toml").write_text("language = 3", "utf-8")
    for name in ("no.toml", "gone.toml"):
        with pytest.raises(EveningRefused, match=name):
            read_evening(str(tmp_path / name))


def test_without_a_model_it_says_what_to_set(tmp_path: Path) -> None:
    """In one sentence, and nothing is played."""
    done = eko(tmp_path, "eval", "evening")
    assert (done.returncode, done.stdout) == (1, "")
    assert "ANTHROPIC_API_KEY" in done.stderr


async def test_the_command_prints_one_object_and_leaves_the_owners_folder_alone(
    tmp_path: Path,
) -> None:
    """Its progress goes to the error stream; without --yes it asks first and plays nothing."""
    owner = tmp_path / "owner"
    async with service() as model:

        def run(*more: str) -> CompletedProcess[str]:
            command = ("eval", "evening", "fr", "--limit", "3", *more)
            return eko(owner, *command, ANTHROPIC_API_KEY="k", ANTHROPIC_BASE_URL=model.url)

        asked = await asyncio.to_thread(run)
        assert (asked.returncode, len(model.bodies)) == (1, 0)
        assert "fr: 3 messages, about" in asked.stderr
        done = await asyncio.to_thread(run, "--yes", "--json")
        table = await asyncio.to_thread(run, "--yes")
    (found,) = json.loads(done.stdout)["evenings"]
    assert (found["record"], found["played"], found["messages"]) == ("fr", 3, 32)
    assert found["counts"]["lost"] == 2
    assert "fr, lost: Karim travaille au garage Morel" in table.stdout
    assert not owner.exists()
