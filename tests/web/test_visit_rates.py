"""Visitors in a hurry: what costs a row or a word to others is done at a pace, and said to be."""

from collections.abc import AsyncIterator
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path

import httpx2
import pytest

from bot.web.page.visit_rates import Doing, TooOften, VisitRates
from memory.clock import FrozenClock
from tests.cast import NOON
from tests.web.served_page import ServedPage, serving_page

TOO_MANY = httpx2.codes.TOO_MANY_REQUESTS
HURRY = 200


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[ServedPage]:
    """The page of a pet, all of whose visitors come from this machine."""
    async with serving_page(tmp_path) as page:
        yield page


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "too much at once"), ("fr", "trop d’un coup")]
)
async def test_names_are_given_out_at_a_pace(
    served: ServedPage, language: str, sentence: str
) -> None:
    """A script that makes an account with each request is told when to come back."""
    client, answers = served.browser(language).client, []
    for number in range(HURRY):
        client.cookies.clear()
        answers.append(await client.post("/name", data={"name": f"N{number}"}))
    refused = [one for one in answers if one.status_code == TOO_MANY]
    assert HURRY / 2 < len(refused) < HURRY
    assert int(refused[0].headers["retry-after"]) > 0
    assert sentence in refused[0].text
    served.clock.advance(timedelta(minutes=1))
    assert (await served.visitor("Later")).client.cookies


@pytest.mark.parametrize("path", ["/recovery", "/rooms/lobby/typing", "/name"])
async def test_one_visitor_does_no_more_than_a_person_would(served: ServedPage, path: str) -> None:
    """However often it is asked for under one name; another one is not held up by it."""
    lea, tom = await served.visitor("Léa"), await served.visitor("Tom")
    statuses = [(await lea.post(path, name="Léa")).status_code for _ in range(30)]
    assert statuses.count(TOO_MANY) >= 10
    assert (await tom.post(path, name="Tom")).status_code < TOO_MANY


async def test_a_person_who_types_is_never_refused(served: ServedPage) -> None:
    """The script of the page tells of it once a second."""
    lea = await served.visitor("Léa")
    for _ in range(60):
        assert (await lea.post("/rooms/lobby/typing")).status_code < TOO_MANY
        served.clock.advance(timedelta(seconds=1))


def taken(rates: VisitRates, address: str, times: int = HURRY) -> int:
    """How many of so many new names an address gets at once."""
    done = 0
    for _ in range(times):
        try:
            rates.count(Doing.NAME, None, address)
        except TooOften:
            return done
        done += 1
    return done


def test_clients_behind_a_named_proxy_are_told_apart() -> None:
    """Each has its own pace; the proxy itself, like this machine, stands for many."""
    rates = VisitRates((ip_network("10.0.0.0/8"),), FrozenClock(NOON))
    one, other = taken(rates, "203.0.113.7"), taken(rates, "203.0.113.8")
    assert 0 < one == other < taken(rates, "10.0.0.1") == taken(rates, "127.0.0.1") < HURRY
