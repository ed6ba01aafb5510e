"""Rounds under way as the service wrote them, to be sent back byte for byte in the next one."""

from collections.abc import Mapping
from typing import Generic, TypeVar

Form = TypeVar("Form")

_MOST = 256
"""How many rounds are kept for their next round: more than turns under way."""


class VerbatimRounds(Generic[Form]):
    """What services sign or want back, by the ids of a round's calls; the oldest make room."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, ...], Form] = {}

    @property
    def kept(self) -> Mapping[tuple[str, ...], Form]:
        """The latest rounds."""
        return self._kept

    def keep(self, came: Mapping[tuple[str, ...], Form]) -> None:
        """Keep what the next round must send back."""
        self._kept.update(came)
        while len(self._kept) > _MOST:
            del self._kept[next(iter(self._kept))]
