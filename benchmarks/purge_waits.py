"""How long a write waits while a purge cleans the database: `python -m benchmarks.purge_waits`.

A database of about so many megabytes is made by SQL, a tenth of it is taken out, and one short
write follows another while it is cleaned: in steps, and then by rewriting the file as before.
Prints one JSON object.
"""

import argparse
import asyncio
import json
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import aiosqlite

from benchmarks.settings import prepare_process
from memory.storage.sqlite.database import Database, Transaction, open_database
from memory.storage.sqlite.vacuum import Scrubbed, Vacuum

_CANARY = "zyxaquilopterations"


async def filled(database: Database, megabytes: int) -> None:
    """Notes with words of their own, and every tenth with the canary, in places at random."""

    async def some(transaction: Transaction) -> None:
        await transaction.run(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
            " INSERT INTO knowledge (id, kind, channel, space, created_at, title, visibility,"
            " audience, at, content, search_text) SELECT hex(randomblob(16)), 'note', '', 'home',"
            " 1, 'a note', 'everyone', 'everyone', i, hex(randomblob(600)) ||"
            " CASE i % 10 WHEN 0 THEN :canary ELSE '' END, hex(randomblob(30)) || ' ' ||"
            " hex(randomblob(30)) FROM n",
            {"canary": _CANARY},
        )

    while database.path.stat().st_size < megabytes * 1_000_000:
        await database.write(some)


async def removed(transaction: Transaction) -> None:
    """Take the rows with the canary out."""
    await transaction.run(
        "DELETE FROM knowledge WHERE content LIKE '%' || :canary", {"canary": _CANARY}
    )


async def waits_while(database: Database, cleaning: "asyncio.Future[Scrubbed]") -> list[float]:
    """How long each of the writes took that followed each other until it ended, in ms."""
    waits = []
    while not cleaning.done():
        since = time.perf_counter()
        await database.run(
            "INSERT INTO meta VALUES ('bench.at', '1') ON CONFLICT DO UPDATE SET value = value + 1"
        )
        waits.append((time.perf_counter() - since) * 1000)
        await asyncio.sleep(0.001)
    return sorted(waits)


class Rewriting(Vacuum):
    """What cleaned the database before: the whole file is written again."""

    async def _cleaned(self, connection: aiosqlite.Connection) -> bool:
        del connection
        return False


async def measured(path: Path, cleaner: type[Vacuum] = Vacuum) -> dict[str, object]:
    """One cleaning with writes beside it; the file is read once no database has it open."""
    async with open_database(path) as database:
        since = time.perf_counter()
        cleaning = asyncio.ensure_future(cleaner(database).scrub())
        waits = await waits_while(database, cleaning)
        done, took_s = await cleaning, time.perf_counter() - since
    return {
        "took_s": round(took_s, 2),
        "writes": len(waits),
        "wait_p50_ms": round(waits[len(waits) // 2], 1),
        "wait_p99_ms": round(waits[len(waits) * 99 // 100], 1),
        "wait_longest_ms": round(waits[-1], 1),
        "mb_before": round(done.bytes_before / 1e6),
        "mb_after": round(done.bytes_after / 1e6),
        "canaries_left": await asyncio.to_thread(canaries_in, path),
    }


def canaries_in(path: Path) -> int:
    """How often the canary stands in the database's files."""
    found = 0
    for each in path.parent.glob(f"{path.name}*"):
        with each.open("rb") as file:
            kept = b""
            while part := file.read(1 << 24):
                found += (kept + part).count(_CANARY.encode())
                kept = part[-len(_CANARY) + 1 :]
    return found


async def main(megabytes: int, folder: Path) -> None:
    """Measure in a folder of its own, which is removed."""
    with TemporaryDirectory(dir=folder) as inside:
        path = Path(inside) / "eko.sqlite3"
        async with open_database(path) as database:
            await filled(database, megabytes)
            await database.write(removed)
        found = {
            "in_steps": await measured(path),
            "in_steps_again": await measured(path),
            "by_rewriting": await measured(path, Rewriting),
        }
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--folder", type=Path, default=Path())
    asked = parser.parse_args()
    prepare_process()
    asyncio.run(main(asked.megabytes, asked.folder))
