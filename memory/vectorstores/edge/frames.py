"""How the daemon and its Edge worker write to each other: length-prefixed pickles.

Pickle is safe here because both ends are the same program on a private pipe that nothing else
can write to, and it is the only standard format that carries bytes, text and dictionaries without
a copy of ours.
"""

import pickle
import struct
from collections.abc import Iterator
from typing import Any

_LENGTH = struct.Struct("<I")


def encoded(message: tuple[Any, ...]) -> bytes:
    """One message as a frame."""
    body = pickle.dumps(message, protocol=5)
    return _LENGTH.pack(len(body)) + body


class FrameBuffer:
    """Puts together the frames of a pipe that arrive in pieces."""

    def __init__(self) -> None:
        self._received = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[Any, ...]]:
        """Take what arrived and give back the messages that are now complete."""
        self._received += data
        while (body := self._next_body()) is not None:
            yield pickle.loads(body)  # noqa: S301 - the private pipe of our own process

    def _next_body(self) -> bytes | None:
        if len(self._received) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._received)
        end = _LENGTH.size + length
        if len(self._received) < end:
            return None
        body = bytes(self._received[_LENGTH.size : end])
        del self._received[:end]
        return body
