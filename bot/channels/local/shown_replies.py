"""Which replies were shown, so that one that is sent twice is shown once."""

from collections import OrderedDict

NONCES = 4096
"""Replies remembered as shown: far more than the daemon ever has in delivery at once."""


class ShownReplies:
    """The latest replies, by their room and nonce."""

    def __init__(self) -> None:
        self._nonces: OrderedDict[tuple[str, str], None] = OrderedDict()

    def is_new(self, room: str, nonce: str) -> bool:
        """Whether this reply was not shown yet; it is from now on."""
        if (room, nonce) in self._nonces:
            return False
        self._nonces[room, nonce] = None
        if len(self._nonces) > NONCES:
            self._nonces.popitem(last=False)
        return True
