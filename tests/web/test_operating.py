"""What a monitor is told of how it runs, and what the dashboard, the alerts and the docs name."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from bot.agent.budget import Cap, Caps
from bot.agent.daily_budget import DailyBudget
from bot.conversation.arrival_rates import ArrivalOrigin
from bot.diagnostics.loop_watch import EVERY_S
from bot.model.requests import Purpose
from bot.surfaces.access.principal import owner
from bot.topics.health.operating import LIMITS
from memory.model.access import Right
from memory.model.backups import BackupRecord
from memory.model.ledger import DOLLAR, ModelCall
from memory.model.people import PersonId
from memory.model.rooms import SpaceId
from tests.cast import CORNER, DAVID, LEA
from tests.harness.stage import QuietPlatform
from tests.patience import PATIENCE_S
from tests.web.served_site import ServedSite, served_site

ROOT = Path(__file__).parent.parent.parent

NAME = re.compile(r"\beko_[a-z_]+")
IN_TABLE = re.compile(r"`([a-z_]+)`")

Samples = Mapping[str, list[tuple[Mapping[str, str], float]]]


@dataclass
class Members:
    """The Communities port, as far as it is measured."""

    def away(self) -> int:
        """Two are not there."""
        return 2


@dataclass
class Elsewhere(QuietPlatform):
    """A platform with communities, heard over three shards."""

    communities: Any = field(default_factory=Members)
    sessions: tuple[int, int] = (2, 3)


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[ServedSite]:
    """The site of a new pet, asked by a monitor."""
    async with served_site(tmp_path) as served:
        served.given.principal = owner("key monitor", frozenset({Right.READ}))
        app = served.pet.app
        app.platforms = (Elsewhere(platform="discord"), Elsewhere(platform="matrix"))
        caps = Caps(day=Cap(cost=2 * DOLLAR), person=Cap(answers=5), community=Cap(tokens=9))
        app.services.budget = DailyBudget(
            caps, app.storage.ledger, app.storage.people, app.notices, app.clock
        )
        yield served


async def samples(site: ServedSite) -> Samples:
    """Each figure of each name, by its labels."""
    answer = await site.client.get("/metrics")
    found: dict[str, list[tuple[Mapping[str, str], float]]] = {}
    for family in text_string_to_metric_families(answer.text):
        for one in family.samples:
            found.setdefault(one.name, []).append((one.labels, one.value))
    return found


def of(found: Samples, name: str, label: str) -> Mapping[str, float]:
    """The figures of a name by one label."""
    return {labels[label]: value for labels, value in found[name]}


def call(outcome: str, person: PersonId) -> ModelCall:
    """A call of a model that ended so, for a person of a community."""
    return ModelCall(
        purpose=Purpose.TURN,
        model="toy",
        outcome=outcome,
        person=person,
        space=SpaceId("discord:100"),
        cost=DOLLAR // 2 if outcome == "end" else 0,
        took_ms=1.0,
    )


async def lived(site: ServedSite) -> None:
    """A pet that did each thing once: a reply, a digest, model calls, a backup."""
    app = site.pet.app
    await site.pet.told("David joue du violoncelle", DAVID, CORNER)
    await site.pet.hears("la fanfare joue samedi", LEA)
    await app.services.digest.run()
    await site.pet.hears("eko, qui joue du violoncelle ?", DAVID)
    async with asyncio.timeout(PATIENCE_S):
        await app.conversations.quiet()
    for outcome in ("end", "ModelTooSlow", "ModelTooSlow"):
        await app.storage.ledger.record(call(outcome, await site.pet.person(DAVID)))
    made = BackupRecord(at=app.clock.now(), path="/b", size=1, reason="")
    await app.storage.backups.keep_made(made)


def named_by_dashboard() -> set[str]:
    """The metrics that the panels and variables of the dashboard ask for."""
    board = json.loads((ROOT / "deploy/grafana/eko.json").read_text("utf-8"))
    asked = [one["expr"] for panel in board["panels"] for one in panel.get("targets", ())]
    asked += [one.get("definition", "") for one in board["templating"]["list"]]
    return {name for text in asked for name in NAME.findall(text)}


def named_by_alerts() -> set[str]:
    """The metrics that the rules of alerts ask for."""
    rules = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yml").read_text("utf-8"))
    asked = [one["expr"] for group in rules["groups"] for one in group["rules"]]
    return {name for text in asked for name in NAME.findall(text)}


def named_by_docs() -> set[str]:
    """The metrics in the table of the page on operating."""
    text = (ROOT / "docs/operating.md").read_text("utf-8")
    _, _, table = text.partition("|---|---|\n")
    return {f"eko_{name}" for name in IN_TABLE.findall(table.partition("\n\n")[0])}


async def test_what_is_asked_for_is_there_and_what_is_there_is_explained(site: ServedSite) -> None:
    """Dashboard and alerts name only what a running pet tells; the docs name all of it."""
    await lived(site)
    told = set(await samples(site))
    assert named_by_dashboard() - told == set()
    assert named_by_alerts() - told == set()
    assert named_by_docs() == told
    assert told - named_by_dashboard() == set(), "each figure has its place on the dashboard"


def panels() -> Iterator[Mapping[str, Any]]:
    """The panels of the dashboard."""
    yield from json.loads((ROOT / "deploy/grafana/eko.json").read_text("utf-8"))["panels"]


def test_the_dashboard_needs_no_plug_in_and_no_source_of_a_fixed_name() -> None:
    """Its panels come with Grafana, each has a place of its own, and its source is chosen."""
    assert {one["type"] for one in panels()} == {"row", "stat", "timeseries"}
    assert {one["datasource"]["uid"] for one in panels() if "datasource" in one} == {
        "${datasource}"
    }
    places = [(one["gridPos"]["x"], one["gridPos"]["y"]) for one in panels()]
    ids = [one["id"] for one in panels()]
    assert (len(set(places)), len(set(ids))) == (len(places), len(ids))


async def test_what_became_of_turns_is_told(site: ServedSite) -> None:
    """Those of the last hour; each outcome also where there is none."""
    await lived(site)
    turns = of(await samples(site), "eko_turns_last_hour", "outcome")
    assert turns == {"answered": 0, "failed": 0, "refused": 0, "undelivered": 1}
    database = site.pet.app.storage.database
    for state, outcome in (("delivered", "answered"), ("refused", "refused")):
        await database.run("UPDATE turns SET state = :state", {"state": state})
        turns = of(await samples(site), "eko_turns_last_hour", "outcome")
        assert (turns[outcome], sum(turns.values())) == (1, 1)
    await database.run("UPDATE turns SET error = 'x'", {})
    await database.run("UPDATE memory_retrievals SET late = '[\"_vector\"]'", {})
    found = await samples(site)
    assert of(found, "eko_turns_last_hour", "outcome")["failed"] == 1
    assert found["eko_recalls_late_last_hour"] == [({}, 1)]
    site.pet.clock.advance(timedelta(hours=1, seconds=1))
    assert not any(of(await samples(site), "eko_turns_last_hour", "outcome").values())


async def test_what_waits_is_told_with_its_age(site: ServedSite) -> None:
    """A line that was overheard waits for a digest; one that no digest could read does not."""
    await site.pet.hears("la fanfare joue samedi", LEA)
    site.pet.clock.advance(timedelta(hours=5))
    ages = of(await samples(site), "eko_oldest_seconds", "queue")
    assert ages == {"live": 5 * 3600, "pending": 0, "undelivered": 0}
    await site.pet.app.storage.database.run("UPDATE live_messages SET quarantined_at = 1", {})
    found = await samples(site)
    assert of(found, "eko_oldest_seconds", "queue")["live"] == 0
    assert found["eko_digest_lines_given_up"] == [({}, 1)]


async def test_channels_parts_and_pauses_are_told(site: ServedSite) -> None:
    """Each channel by its name, whether it is connected."""
    app = site.pet.app
    app.platforms = (Elsewhere(platform="discord", is_connected=False), *app.platforms[1:])
    found = await samples(site)
    assert of(found, "eko_channel_connected", "channel") == {"discord": 0, "matrix": 1}
    assert of(found, "eko_communities_away", "channel") == {"discord": 2, "matrix": 2}
    assert of(found, "eko_part_ready", "part") == {"database": 1, "vector_store": 1}
    assert found["eko_pauses"] == [({}, 0)]


async def test_how_model_calls_end_is_told(site: ServedSite) -> None:
    """By the kind of error; caps that people and communities have of their own are left out."""
    await lived(site)
    found = await samples(site)
    assert of(found, "eko_model_outcomes_today", "outcome") == {
        "end": 1,
        "ModelTooSlow": 2,
        "tools": 2,
    }
    of_day = {"allowance": "day", "of": "", "limit": "dollars"}
    assert found["eko_budget_cap"] == [(of_day, 2)]
    assert found["eko_budget_left"] == [(of_day, 1.5)]


async def test_a_backup_that_failed_is_told(site: ServedSite) -> None:
    """Until one is made again; before the first there is none."""
    app = site.pet.app
    assert (await samples(site))["eko_backup_finished_timestamp_seconds"] == [({}, 0)]
    await app.storage.backups.keep_failed(
        BackupRecord(at=app.clock.now(), path="", size=0, reason="no space")
    )
    assert (await samples(site))["eko_backup_failed"] == [({}, 1)]
    await lived(site)
    found = await samples(site)
    assert found["eko_backup_failed"] == [({}, 0)]
    at = app.clock.now().timestamp()
    assert found["eko_backup_finished_timestamp_seconds"] == [({}, at)]


async def test_long_work_is_told(site: ServedSite) -> None:
    """An import holds its lock."""
    app = site.pet.app
    assert not any(of(await samples(site), "eko_running", "work").values())
    async with app.services.importing:
        assert of(await samples(site), "eko_running", "work")["import"] == 1


async def test_what_came_too_fast_is_counted(site: ServedSite) -> None:
    """By the limit that refused it."""
    limiter, origin = site.pet.app.limiter, ArrivalOrigin(account=DAVID.account)
    while limiter.admits_command(origin):
        pass
    limiter.admits_command(origin)
    refused = of(await samples(site), "eko_arrivals_refused_total", "limit")
    assert refused == dict.fromkeys(LIMITS, 0) | {"account": 2}


async def test_no_metric_names_people_rooms_or_words(site: ServedSite) -> None:
    """Whatever was said, by whom and where."""
    await lived(site)
    answer = await site.client.get("/metrics")
    for word in ("David", "Léa", DAVID.external_id, "violoncelle", "fanfare", "console:", "home"):
        assert word not in answer.text


async def test_a_hold_of_the_loop_is_seen_by_the_next_reading(site: ServedSite) -> None:
    """It was not measured before it was asked for, and is told once."""
    watch = site.pet.app.readiness.loop_watch
    assert watch.worst_s() == 0
    loop = asyncio.get_running_loop()
    until = loop.time() + 2 * EVERY_S
    while loop.time() < until:  # hold it
        pass
    assert watch.worst_s() >= EVERY_S
