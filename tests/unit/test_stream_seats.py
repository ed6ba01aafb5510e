"""Which stream gives way to another: the oldest of the one who has the most."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from ipaddress import ip_network

from bot.model.events import AuthorRef
from bot.web.page.stream_seats import StreamLimits, StreamSeats


@dataclass
class Streams:
    """Streams to be opened, and the names of those that were ended, in order."""

    limits: StreamLimits
    ended: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._seats = StreamSeats(self.limits)
        self.stack = ExitStack()

    def add(self, visitor: str, address: str = "203.0.113.7", count: int = 1) -> None:
        """So many more streams of a visitor."""
        for number in range(count):
            who = AuthorRef(platform="web", external_id=visitor, name=visitor)
            end = self._ending(f"{visitor}{number}")
            self.stack.enter_context(self._seats.taken(who, address, end))

    def _ending(self, name: str) -> Callable[[], None]:
        return lambda: self.ended.append(name)


def test_a_visitor_has_a_few_and_the_oldest_goes() -> None:
    """A tab that was just opened follows; nobody else pays for it."""
    streams = Streams(StreamLimits(visitor=2))
    streams.add("tom")
    streams.add("lea", count=4)
    assert streams.ended == ["lea0", "lea1"]


def test_a_client_with_many_names_pays_by_the_greediest() -> None:
    """As many names as one likes are no way around it."""
    streams = Streams(StreamLimits(visitor=3, client=4))
    streams.add("lea", count=3)
    streams.add("tom", "203.0.113.8")
    streams.add("zoe", count=2)
    assert streams.ended == ["lea0"]


def test_when_all_are_taken_the_greediest_client_gives_one_up() -> None:
    """One visitor each of many addresses lose nothing to one with several."""
    streams = Streams(StreamLimits(visitor=3, client=3, total=5))
    for number in range(3):
        streams.add(f"one{number}", f"203.0.113.{number}")
    streams.add("lea", "198.51.100.1", count=2)
    streams.add("tom", "198.51.100.2")
    assert streams.ended == ["lea0"]


def test_many_people_behind_an_address_that_is_shared_are_no_one_client() -> None:
    """As those of a proxy that says no name, and of one on this machine that is not named."""
    named = (ip_network("10.0.0.0/8"),)
    for address in ("127.0.0.1", "::1", "10.1.2.3"):
        streams = Streams(StreamLimits(visitor=2, client=2, proxies=named))
        for number in range(9):
            streams.add(f"one{number}", address)
        assert streams.ended == []


def test_a_stream_that_ended_counts_no_more() -> None:
    """By itself or because it had to: its place is free once."""
    streams = Streams(StreamLimits(visitor=2))
    streams.add("lea", count=3)
    streams.stack.close()
    streams.add("lea", count=2)
    assert streams.ended == ["lea0"]
