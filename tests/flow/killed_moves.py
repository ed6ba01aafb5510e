"""Takes in a community until it is killed: python -m tests.flow.killed_moves FOLDER FILE BATCHES.

It is killed with -9 some milliseconds after so many batches, wherever it then is.
"""

import asyncio
import logging
import os
import signal
import sys
import threading
from pathlib import Path

import structlog

from bot.surfaces.operations import Operations
from tests.flow.moving import beside

_LATEST_S = 0.02


def main() -> None:
    """Begin, and be killed."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    asyncio.run(_imports(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))


async def _imports(folder: Path, file: str, batches: int) -> None:
    async with beside(folder) as app:
        async for event in Operations(app).call("import", {"path": file}):
            batches -= "progress" in event
            if not batches:
                later = _LATEST_S / (1 + os.getpid() % 4)
                threading.Timer(later, os.kill, (os.getpid(), signal.SIGKILL)).start()


if __name__ == "__main__":
    main()
