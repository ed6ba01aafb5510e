"""Which connection makes room for another."""

from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import ip_network

import pytest

from bot.daemon.connections import RESERVED, ConnectionLimits, OpenConnections, room_for_connections


@dataclass(eq=False)
class Line:
    """A connection that notes its end."""

    ended: list[str]
    name: str

    def abort(self) -> None:
        """Note it."""
        self.ended.append(self.name)


@dataclass
class Lines:
    """Connections to be opened, and the names of those that were ended, in order."""

    open: OpenConnections
    due: list[Callable[[], None]]
    ended: list[str] = field(default_factory=list)

    def add(self, name: str, address: str = "192.0.2.1", *, works: bool = False) -> Line:
        """One more connection, with the turns of the loop that follow."""
        line = self.begin(name, address)
        if works:
            self.open.works(line)
        self.turn()
        return line

    def begin(self, name: str, address: str = "192.0.2.1") -> Line:
        """One more connection, of which nothing was read yet."""
        line = Line(self.ended, name)
        self.open.opened(line, address)
        self.open.waits(line)
        return line

    def turn(self) -> None:
        """Let everything happen that is due."""
        while self.due:
            self.due.pop(0)()


def lines(total: int = 4, per_address: int = 4, proxies: tuple[str, ...] = ()) -> Lines:
    """None open yet."""
    named = tuple(ip_network(one) for one in proxies)
    limits = ConnectionLimits(total=total, per_address=per_address, proxies=named)
    due: list[Callable[[], None]] = []
    return Lines(OpenConnections(limits, due.append), due)


def test_the_one_that_waits_longest_makes_room() -> None:
    """A newcomer is let in, so that a page still opens while others hold connections."""
    some = lines(per_address=2)
    for name in "abcd":
        some.add(name)
    assert some.ended == ["a", "b"]
    assert len(some.open) == 2


def test_what_is_being_answered_is_not_ended() -> None:
    """The newcomer goes where all others work; where one waits again, that one."""
    some = lines(per_address=2)
    first, _ = some.add("a", works=True), some.add("b", works=True)
    some.add("c", works=True)
    assert some.ended == ["c"]
    some.open.waits(first)
    some.add("d")
    assert some.ended == ["c", "a"]


def test_a_request_among_a_flood_is_heard() -> None:
    """All come before anything of them was read; the one that asks something stays."""
    some = lines(per_address=2)
    asks = some.begin("asks")
    for number in range(20):
        some.begin(str(number))
    some.open.works(asks)
    some.turn()
    assert "asks" not in some.ended
    assert len(some.open) == 2


def test_one_address_takes_no_room_of_another() -> None:
    """When all is full the address with the most gives one up, whoever came first."""
    some = lines(total=4, per_address=3)
    some.add("lea", "192.0.2.9")
    for name in "abc":
        some.add(name)
    some.add("tom", "192.0.2.8")
    assert some.ended == ["a"]


def test_a_newcomer_from_the_fullest_address_waits_for_its_own() -> None:
    """Though nobody there waits, no other address pays for it."""
    some = lines(total=3, per_address=3)
    some.add("lea", "192.0.2.9")
    for name in "abc":
        some.add(name, works=True)
    assert some.ended == ["c"]


def test_a_closed_connection_counts_no_more() -> None:
    """However often it is said, and whatever it did."""
    some = lines(per_address=1)
    for name in "abc":
        line = some.add(name)
        some.open.works(line)
        some.open.closed(line)
        some.open.closed(line)
        some.open.waits(line)
    assert (some.ended, len(some.open)) == ([], 0)


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("192.0.2.1", "192.0.2.2", False),
        ("2606:4700::1", "2606:4700::2", True),  # one customer's
        ("2606:4700::1", "2606:4700:0:1::1", False),
        ("fd00::1", "fd00::2", False),
        ("", "", True),
    ],
)
def test_addresses_of_one_customer_count_as_one(one: str, other: str, *, share: bool) -> None:
    """Of IPv6 each has as many as it likes."""
    some = lines(per_address=1)
    some.add("a", one)
    some.add("b", other)
    assert some.ended == (["a"] if share else [])


@pytest.mark.parametrize("address", ["192.0.2.1", "127.0.0.1", "::1"])
def test_a_named_proxy_and_this_machine_may_have_all_there_are(address: str) -> None:
    """All people come by its address; the limit of all together holds there too."""
    some = lines(total=3, per_address=1, proxies=("192.0.2.0/24",))
    for name in "abcd":
        some.add(name, address)
    assert some.ended == ["a"]


@pytest.mark.parametrize(
    ("wanted", "descriptors", "room"),
    [(512, 1024, 512), (512, 512, 512 - RESERVED), (512, -1, 512), (512, 64, 1)],
)
def test_some_descriptors_are_left_for_the_rest(wanted: int, descriptors: int, room: int) -> None:
    """Whatever the page is allowed, the database and the command line can open theirs."""
    assert room_for_connections(wanted, descriptors) == room


def test_a_reserve_is_left_to_services_monitors_and_the_owner() -> None:
    """Visitors cannot work in it, those who wait make room for it."""
    some = lines(total=16, per_address=64)
    for number in range(15):
        some.add(str(number), works=True)
    assert some.ended == ["14"]
    for number in range(2):
        some.add(f"idle{number}")
    hook = some.begin("hook")
    some.open.works(hook, "/webhooks/whatsapp")
    some.turn()
    assert some.ended == ["14", "idle0"]
