"""The index moves to a Qdrant server and back: the one in use answers until the other is whole."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from bot.surfaces.operations import Operations
from bot.surfaces.values import as_json
from bot.wiring.app import App, open_app
from config.sections.recall import RecallSettings
from config.sections.vectors import VectorSettings
from config.settings import Settings
from memory.clock import FrozenClock
from memory.model.audience import OPERATOR
from memory.model.errors import MoveRefused, StorageFailed, VectorStoreUnavailable
from memory.model.stores import Collection
from memory.model.vector_lease import ServerLease
from memory.model.vector_place import VectorPlace
from memory.storage.search.vector_place import VectorPlaces
from memory.storage.sqlite.database import open_database
from memory.vectorstores.qdrant_lease import QdrantLease
from tests.cast import NOON
from tests.edge.loopback import Answer, Asked, LoopbackServer
from tests.edge.qdrant_stand_in import QdrantStandIn
from tests.patience import PATIENCE_S
from tests.processes import environment_of, forked
from tests.storage import statement

MEMORY = Collection.MEMORY
FACTS = ("Léa habite à Lyon", "Léa a deux chats", "Bob aime le fromage")


class Server:
    """A Qdrant server; `before` is awaited with each upload of points before it is taken.

    So is `before_ids` when it is asked which points there are.
    """

    def __init__(self) -> None:
        self.qdrant = QdrantStandIn()
        self.before: Callable[[], Awaitable[object]] | None = None
        self.before_ids: Callable[[], Awaitable[object]] | None = None
        self.away = False
        self.url = ""

    async def answer(self, asked: Asked) -> Answer:
        """What the server answers."""
        if self.away:
            return Answer(status=503)
        path = asked.path.partition("?")[0]
        if self.before and asked.method == "PUT" and "shared-" in path and path.endswith("/points"):
            await self.before()
        if self.before_ids and path.endswith("/scroll"):
            await self.before_ids()
        return await self.qdrant.answer(asked)

    def contents(self) -> list[str]:
        """The text of every point of the pets, the same as often as it is there."""
        everything = self.qdrant.everything()
        everything.pop("eko_pets", None)
        return sorted(one["content"] for points in everything.values() for one in points.values())


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    """An empty server."""
    one = Server()
    async with LoopbackServer(one.answer) as listening:
        one.url = listening.url
        yield one


@asynccontextmanager
async def pet(folder: Path, **vectors: Any) -> AsyncIterator[App]:
    """The pet of a folder, with these settings of its vector store."""
    settings = Settings(
        data_dir=folder,
        vectors=VectorSettings(**{"timeout_s": PATIENCE_S, "retries": 0, **vectors}),
        recall=RecallSettings(embed_timeout_ms=30_000, deadline_ms=10_000),
    )
    async with open_app(settings, FrozenClock(NOON)) as app:
        yield app


async def knows(app: App, *sentences: str) -> None:
    """Remember these, and have them indexed."""
    for one in sentences:
        await app.services.writer.store(statement(one))
    await app.services.indexer.settle()


async def moved(app: App, to: str, **asked: Any) -> Any:
    """Move the index."""
    async with asyncio.timeout(PATIENCE_S):
        return as_json(await Operations(app).result("reindex", {"to": to, **asked}))


async def count_found(app: App, text: str = "où habite Léa") -> int:
    """How many statements a search by meaning finds."""
    (vector,) = await app.embedder.embed([text], "query")
    return len(await app.index.search(MEMORY, vector, limit=500, scope=OPERATOR))


async def is_left(app: App) -> None:
    """Until what answered before is empty."""
    async with asyncio.timeout(PATIENCE_S):
        while (await app.services.index_move.places.kept()).leaving:  # noqa: ASYNC110 - it is polled
            await asyncio.sleep(0.02)


async def place_of(app: App) -> str:
    """What answers."""
    return (await app.services.index_move.places.kept()).at


async def test_to_a_server_and_back_with_nothing_left_behind(
    server: Server, tmp_path: Path
) -> None:
    """Each move holds over a start without any change of the settings, and empties the former."""
    async with pet(tmp_path) as app:
        await knows(app, *FACTS)
        done = await moved(app, server.url)
        assert done == {"at": server.url, "settings": "edge", "indexed": 3, "given_up": None}
        assert await count_found(app) == 3
        await is_left(app)
    assert server.contents() == sorted(FACTS)
    assert not list((tmp_path / "vectors").glob("eko_*"))
    async with pet(tmp_path) as app:
        assert await place_of(app) == server.url
        await knows(app, "Zoé joue du piano")
        assert await count_found(app) == 4
        assert len(server.contents()) == 4
        await moved(app, "edge")
        await is_left(app)
        assert server.contents() == []
    async with pet(tmp_path) as app:
        assert await count_found(app) == 4
        assert (await Operations(app).result("verify"))["sound"]
    assert server.contents() == []


async def test_the_former_answers_until_the_switch_and_what_changes_meanwhile_is_in_both(
    server: Server, tmp_path: Path
) -> None:
    """A question during the move is answered; what is stored and forgotten comes along."""
    async with pet(tmp_path, upload_batch=1) as app:
        await knows(app, *FACTS)
        reached, release = asyncio.Event(), asyncio.Event()

        async def held() -> None:
            reached.set()
            await release.wait()

        server.before = held
        moving = asyncio.ensure_future(moved(app, server.url))
        await reached.wait()
        assert await count_found(app) == 3
        assert await place_of(app) == "edge"
        server.before = None
        await app.services.writer.store(statement("Zoé joue du piano"))
        await Operations(app).result("forget", {"topic": "fromage", "confirmed": True})
        release.set()
        await moving
        assert server.contents() == sorted([*FACTS[:2], "Zoé joue du piano"])
        assert await count_found(app) == 3
        assert (await Operations(app).result("verify"))["sound"]


async def test_a_change_that_missed_the_server_has_it_filled_anew(
    server: Server, tmp_path: Path
) -> None:
    """Nothing stays there that was forgotten while it was away; the pet never waits for it."""
    async with pet(tmp_path, upload_batch=1, timeout_s=2) as app:
        await knows(app, *FACTS)
        uploaded = 0

        async def away_after_two() -> None:
            nonlocal uploaded
            uploaded += 1
            server.away = uploaded == 2

        server.before = away_after_two
        moving = asyncio.ensure_future(moved(app, server.url))
        async with asyncio.timeout(PATIENCE_S):
            while not server.away:  # noqa: ASYNC110 - it is polled
                await asyncio.sleep(0.02)
        topic = next(one for one in ("Lyon", "chats", "fromage") if one in str(server.contents()))
        await Operations(app).result("forget", {"topic": topic, "confirmed": True})
        await app.services.indexer.settle()
        assert await count_found(app) == 2
        assert (await app.services.index_move.places.kept()).spoilt
        assert topic in str(server.contents())
        server.before, server.away = None, False
        await moving
        assert server.contents() == sorted(one for one in FACTS if topic not in one)


async def test_a_change_missed_while_the_server_is_emptied_is_not_forgotten(
    server: Server, tmp_path: Path
) -> None:
    """It is emptied once more, and the move comes to its end."""
    async with pet(tmp_path, timeout_s=2) as app:
        await knows(app, *FACTS)
        missed = 0

        async def miss_one() -> None:
            nonlocal missed
            server.before_ids = None
            missed += 1
            filler = app.services.indexer.beside
            assert filler is not None
            assert filler.missed is not None
            async with app.services.indexer.paused():
                await filler.missed()

        server.before_ids = miss_one
        await moved(app, server.url)
        assert missed == 1
        assert server.contents() == sorted(FACTS)


async def test_a_change_of_the_settings_moves_it_in_the_background(
    server: Server, tmp_path: Path
) -> None:
    """The start is no different; the former place answers until the named one is whole."""
    async with pet(tmp_path) as app:
        await knows(app, *FACTS)
    async with pet(tmp_path, url=server.url) as app:
        assert app.services.reembedding is not None
        async with asyncio.timeout(PATIENCE_S):
            while await place_of(app) != server.url:
                assert await count_found(app) == 3
        await is_left(app)
        assert await count_found(app) == 3
    assert server.contents() == sorted(FACTS)
    async with pet(tmp_path, url=server.url) as app:
        assert app.services.reembedding is None


async def test_a_move_can_be_given_up(server: Server, tmp_path: Path) -> None:
    """By naming the place that is in use; nothing stays on the server, and it can begin again."""
    async with pet(tmp_path, upload_batch=1, timeout_s=2) as app:
        await knows(app, *FACTS)
        reached = asyncio.Event()

        async def stuck() -> None:
            reached.set()
            server.away = True

        server.before = stuck
        moving = asyncio.ensure_future(moved(app, server.url))
        await reached.wait()
        with pytest.raises(MoveRefused, match=r"already\. To give that up: eko reindex --to edge"):
            await moved(app, "http://127.0.0.1:9")
        given_up = asyncio.ensure_future(moved(app, "edge"))
        with pytest.raises(MoveRefused, match="given up: the index stays at edge"):
            await moving
        server.before, server.away = None, False
        assert (await given_up)["given_up"] == server.url
        async with asyncio.timeout(PATIENCE_S):
            while app.services.change is not None:  # noqa: ASYNC110 - it is polled
                await asyncio.sleep(0.02)
        await is_left(app)
        assert server.contents() == []
        assert await count_found(app) == 3
        await moved(app, server.url)
        assert server.contents() == sorted(FACTS)


async def test_another_name_of_the_same_server_is_refused_by_the_command(
    server: Server, tmp_path: Path
) -> None:
    """Both for a move and for an estimate, and the index in use goes on answering."""
    other = server.url.replace("127.0.0.1", "localhost")
    async with pet(tmp_path, url=server.url) as app:
        await knows(app, *FACTS)
        for asked in ({}, {"estimate": True}):
            with pytest.raises(MoveRefused, match="is another address of"):
                await moved(app, other, **asked)
        assert (await app.services.index_move.places.kept()).to is None
        await beaten(app)
        assert server.contents() == sorted(FACTS)
        assert await count_found(app) == 3


async def test_another_name_of_the_same_server_empties_nothing(
    server: Server, tmp_path: Path
) -> None:
    """In the settings it takes over, with all that is there, and neither name is locked out."""
    other = server.url.replace("127.0.0.1", "localhost")
    async with pet(tmp_path, url=server.url) as app:
        await knows(app, *FACTS)
    fewest = len(FACTS)

    async with pet(tmp_path, url=other) as app:
        async with asyncio.timeout(PATIENCE_S):
            while await place_of(app) != other:
                fewest = min(fewest, len(server.contents()))
                await beaten(app)
                assert await count_found(app) == 3
        await is_left(app)
        await beaten(app)
        assert await count_found(app) == 3
    assert fewest == len(FACTS)
    assert server.contents() == sorted(FACTS)
    async with pet(tmp_path, url=f"{other}/") as app:
        assert app.services.reembedding is None


async def test_a_move_to_another_name_that_is_given_up_empties_nothing(
    server: Server, tmp_path: Path
) -> None:
    """Whichever of both has claimed the pet last."""
    other = server.url.replace("127.0.0.1", "localhost")
    async with pet(tmp_path, url=server.url) as app:
        await knows(app, *FACTS)
        move = app.services.index_move
        async with move._stores.open(other, app.embedder) as space:
            await space.index.count(MEMORY)
            assert await space.shares_store_with(move._spaces.now)
            await move.places.change(lambda kept: kept.moving(other).moving(server.url))
            await move._empty_left()
        await is_left(app)
        await beaten(app)
        assert server.contents() == sorted(FACTS)
        assert await count_found(app) == 3


async def test_a_claim_between_two_looks_hides_no_shared_server(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As at a start, where both names claim the pet when they are first used."""
    async with pet(tmp_path, url=server.url) as app:
        await knows(app, *FACTS)
        lease, move = app.services.lease, app.services.index_move
        assert isinstance(lease, QdrantLease)
        served = lease._served

        async def claimed_first(of: UUID) -> ServerLease | None:
            monkeypatch.undo()
            await lease.keep()
            return await served(of)

        monkeypatch.setattr(lease, "_served", claimed_first)
        other = server.url.replace("127.0.0.1", "localhost")
        async with move._stores.open(other, app.embedder) as space:
            assert await space.shares_store_with(move._spaces.now)


async def beaten(app: App) -> None:
    """A minute later: the lease in use has looked whether another took over."""
    lease = app.services.lease
    assert isinstance(lease, QdrantLease)
    await lease.beat()


async def test_an_estimate_uploads_a_sample_and_leaves_nothing(
    server: Server, tmp_path: Path
) -> None:
    """It says how many entries, bytes and seconds, and the index stays where it is."""
    async with pet(tmp_path) as app:
        await knows(app, *FACTS)
        estimate = (await moved(app, server.url, estimate=True))["estimate"]
        assert [estimate[name] for name in ("entries", "unembedded", "sampled")] == [3, 0, 3]
        assert estimate["size_bytes"] > 3 * 4 * app.embedder.fingerprint.dimension
        assert estimate["seconds"] > 0
        assert any("/points" in path for _, path, _ in server.qdrant.asked)
        assert server.contents() == []
        assert await place_of(app) == "edge"


async def test_a_sample_that_could_not_be_removed_is_emptied_at_the_next_start(
    server: Server, tmp_path: Path
) -> None:
    """As where the process is killed meanwhile; and no move begins while an estimate runs."""
    async with pet(tmp_path, upload_batch=1, timeout_s=2) as app:
        await knows(app, *FACTS)
        uploaded, reached, release = 0, asyncio.Event(), asyncio.Event()

        async def away_at_the_second() -> None:
            nonlocal uploaded
            uploaded += 1
            if uploaded == 2:
                reached.set()
                await release.wait()
                server.away = True

        server.before = away_at_the_second
        estimating = asyncio.ensure_future(moved(app, server.url, estimate=True))
        await reached.wait()
        with pytest.raises(MoveRefused, match="An estimate is under way"):
            await moved(app, server.url)
        release.set()
        with pytest.raises(VectorStoreUnavailable):
            await estimating
        assert server.contents()
        assert (await app.services.index_move.places.kept()).leaving == (server.url,)
    server.before, server.away = None, False
    async with pet(tmp_path) as app:
        await is_left(app)
        assert server.contents() == []
        assert await count_found(app) == 3


async def test_a_full_disk_after_a_move_ends_nothing(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was left is emptied at the next start, and a further move is made once it has room."""
    async with pet(tmp_path) as app:
        await knows(app, *FACTS)
        places, full = app.services.index_move.places, asyncio.Event()
        change, kept = places.change, places.kept

        async def fails_once_left(by: Callable[[VectorPlace], VectorPlace]) -> VectorPlace:
            if by(await kept()).leaving == () and (await kept()).leaving:
                full.set()
                raise StorageFailed("The disk is full.")
            return await change(by)

        monkeypatch.setattr(places, "change", fails_once_left)
        await moved(app, server.url)
        async with asyncio.timeout(PATIENCE_S):
            await full.wait()
        monkeypatch.undo()
        await moved(app, "edge")
        assert await count_found(app) == 3


@pytest.mark.parametrize("to", ["qdrant", "", "ftp://example", "http:// x"])
async def test_a_place_that_is_none_is_refused_in_words(tmp_path: Path, to: str) -> None:
    """With what to write."""
    async with pet(tmp_path) as app:
        with pytest.raises(MoveRefused, match="is no place of an index: write edge, or the addr"):
            await moved(app, to)


async def test_a_move_that_cannot_begin_changes_nothing(tmp_path: Path) -> None:
    """To where it is, or to a server that does not answer."""
    async with pet(tmp_path, timeout_s=2) as app:
        await knows(app, *FACTS)
        with pytest.raises(MoveRefused, match="is at edge already"):
            await moved(app, "edge")
        with pytest.raises(VectorStoreUnavailable):
            await moved(app, "http://127.0.0.1:9")
        assert (await app.services.index_move.places.kept()).to is None
        assert await count_found(app) == 3


MANY, KILLS = 60, 10


async def test_killed_at_ten_points_no_entry_is_lost_or_doubled(
    server: Server, tmp_path: Path
) -> None:
    """Each killed process is followed by another, which goes on until it is killed later."""
    sentences = [f"Léa a la clé numéro {number}" for number in range(MANY)]
    async with pet(tmp_path) as app:
        await knows(app, *sentences)
    vectors = {"EKO_VECTORS__UPLOAD_BATCH": "1", "EKO_VECTORS__TIMEOUT_S": str(PATIENCE_S)}
    settings = {"EKO_DATA_DIR": str(tmp_path), "EKO_WEB__PORT": "0", **vectors}
    most = 0
    for killed in range(KILLS):
        uploads = 0
        process = await forked(["reindex", "--to", server.url], environment_of(settings))

        async def kill(process: Any = process, last: int = 2 + killed % 3) -> None:
            nonlocal uploads
            uploads += 1
            if uploads == last:
                process.kill()
                await process.wait()

        server.before = kill
        async with asyncio.timeout(PATIENCE_S):
            assert await process.wait() != 0
        server.before = None
        assert len(server.contents()) == len(set(server.contents()))
        most = max(most, len(server.contents()))
        assert await place_in(tmp_path) == "edge"
    assert 0 < most < MANY
    process = await forked(["reindex", "--to", server.url], environment_of(settings))
    async with asyncio.timeout(PATIENCE_S):
        assert await process.wait() == 0
    assert server.contents() == sorted(sentences)
    async with pet(tmp_path) as app:
        assert await place_of(app) == server.url
        assert await count_found(app) == MANY


async def place_in(folder: Path) -> str:
    """What answers, as the folder says, without a pet that would go on with the move."""
    async with open_database(folder / "eko.sqlite3") as database:
        return (await VectorPlaces(database, "edge").kept()).at
