"""A process that has imported the pet and forks itself for each command of the tests.

Run as a program with the number of a socket; see `tests.processes` for who asks. Most of what a
short command costs is its imports; a fork has them. It holds one thread only, as a fork must.
"""

# ruff: noqa: F401 - imported for those who are forked

import gc
import json
import os
import runpy
import socket
import sys
from typing import Any

LONGEST_ORDER = 1 << 17
"""Bytes of an order: the arguments and the environment of one process."""

FILES = 4
"""Descriptors that come with an order: input, output, errors, and where its end is told."""


def serve(orders: socket.socket) -> None:
    """Fork for every order until nobody can give one any more; returns in forks only."""
    while True:
        order, files, _, _ = socket.recv_fds(orders, LONGEST_ORDER, FILES)
        if not order:
            _reap(0)
            os._exit(0)
        if os.fork() == 0:
            orders.close()
            _attend(json.loads(order), files)
            return
        for file in files:
            os.close(file)
        _reap(os.WNOHANG)


def _reap(how: int) -> None:
    """Take note of forks that ended, or wait for all of them, so that their time is counted."""
    try:
        while os.waitpid(-1, how)[0]:
            pass
    except ChildProcessError:
        return


def _attend(order: dict[str, Any], files: list[int]) -> None:
    """Fork once more: this process tells how that one ends, that one returns to do its work."""
    *standard, told = files
    pid = os.fork()
    if pid == 0:
        os.close(told)
        _become(order, standard)
        return
    for file in standard:
        os.close(file)
    with socket.socket(fileno=told) as telling:
        telling.send(b"%d" % pid)
        _, status = os.waitpid(pid, 0)
        telling.send(b"%d" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _become(order: dict[str, Any], standard: list[int]) -> None:
    for number, file in enumerate(standard):
        os.dup2(file, number)
        os.close(file)
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.argv[1:] = order["arguments"]


if __name__ == "__main__":
    # What commands and daemons import, early or late.
    import uvicorn.lifespan.on
    import uvicorn.loops.auto
    import uvicorn.protocols.http.auto
    import uvicorn.protocols.websockets.auto

    import bot.channels.discord.channel
    import bot.daemon.daemon
    import bot.llm.messages_api.claude
    import bot.web.site
    import bot.wiring.adapters
    import memory.embedders.voyage
    from memory.embedders import usem3
    from memory.language.synonyms import load

    load()
    usem3.load()
    gc.freeze()  # collections of a fork would copy the memory they share
    serve(socket.socket(fileno=int(sys.argv[1])))
    runpy.run_module("bot", run_name="__main__", alter_sys=True)
