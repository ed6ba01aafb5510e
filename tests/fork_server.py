"""A process that has imported the pet and forks itself for each command of the tests.

Run as a program with the number of a socket; see `tests.processes` for who asks. Most of what a
short command costs is its imports; a fork has them, those that topics and channels put off until
they are needed too. It holds one thread only, as a fork must.
"""

# ruff: noqa: F401 - imported for those who are forked

import atexit
import gc
import json
import os
import runpy
import socket
import sys
from collections import deque
from typing import Any, get_args

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


def _leave(ended: list[int]) -> None:
    """End a fork that came to its end; to free all that it shares would first copy it: 0.2 s."""
    if ended:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ended[0])


if __name__ == "__main__":
    gc.disable()
    codes = list[int]()
    atexit.register(_leave, codes)  # the first, so that it runs once every other has run
    # What commands and daemons import, early or late.
    import uvicorn.lifespan.on
    import uvicorn.loops.auto
    import uvicorn.protocols.http.auto
    import uvicorn.protocols.websockets.auto

    import bot.channels.discord.channel
    import bot.channels.matrix.channel
    import bot.channels.telegram.channel
    import bot.channels.whatsapp.cloud.channel
    import bot.daemon.daemon
    import bot.llm.messages_api.claude
    import bot.web.site
    import bot.wiring.adapters
    import memory.embedders.voyage
    from bot.texts.catalogue import languages, texts_in
    from bot.topic import Surface, registered
    from memory.embedders import usem3
    from memory.language.synonyms import load

    load()
    usem3.load()
    for surface in get_args(Surface):
        deque(registered(surface), 0)
    for language in languages():
        texts_in(language)
    gc.freeze()  # collections of a fork would copy the memory they share
    gc.enable()
    serve(socket.socket(fileno=int(sys.argv[1])))
    try:
        runpy.run_module("bot", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            codes.append(end.code or 0)
        raise
