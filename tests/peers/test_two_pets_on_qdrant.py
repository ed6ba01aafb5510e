"""Two daemons on one Qdrant server, each a process: they start, learn, end and start again."""

from pathlib import Path
from typing import Any

from tests.edge.loopback import LoopbackServer
from tests.edge.qdrant_stand_in import QdrantStandIn
from tests.peers.daemon import Daemon, running


async def does(daemon: Daemon, operation: str, **arguments: Any) -> dict[str, Any]:
    """The result of an operation."""
    event = await daemon.does(operation, **arguments)
    result: dict[str, Any] = event["result"]
    return result


async def test_two_daemons_leave_each_other_alone(tmp_path: Path) -> None:
    """Whichever is started, learns, is reindexed or repaired, what the other has there stays."""
    server = QdrantStandIn()

    def of(pet: str) -> list[str]:
        return sorted(
            str(point["content"])
            for points in server.everything().values()
            for point in points.values()
            if point.get("pet") == pet and "content" in point
        )

    async with LoopbackServer(server.answer) as at:
        settings = {"QDRANT_URL": at.url, "EKO_VECTORS__TIMEOUT_S": "60"}
        async with running(tmp_path / "a", settings) as a, running(tmp_path / "b", settings) as b:
            for daemon, sentence in ((a, "Lea lives in Lyon."), (b, "Bob lives in Brest.")):
                await daemon.has_written("awake")
                await does(daemon, "remember", text=sentence)
                assert (await does(daemon, "verify", repair=True))["sound"]
            pets = [(await does(one, "identity"))["pet"] for one in (a, b)]
            assert [of(pet) for pet in pets] == [["Lea lives in Lyon."], ["Bob lives in Brest."]]
            await b.killed()
            async with running(tmp_path / "b", settings) as again:
                await again.has_written("awake")
                await does(again, "remember", text="Bob has a dog.")
                await does(again, "reindex")
                assert (await does(again, "verify", repair=True))["sound"]
            assert (await does(a, "verify"))["sound"]
        assert of(pets[0]) == ["Lea lives in Lyon."]
        assert of(pets[1]) == ["Bob has a dog.", "Bob lives in Brest."]
