"""Which of two folders of one pet may use its points in a vector server: never both."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A data folder: an identity that no copy of it shares, where it is, and on which machine."""

    identity: str
    path: str
    machine: str

    def __str__(self) -> str:
        return f"{self.machine}:{self.path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptLease:
    """What the database knows: the pet, the token of the last claim, and the folder it was from.

    `claiming` is a token that was being claimed when the process ended.
    """

    pet: UUID
    token: str = ""
    claiming: str = ""
    folder: str = ""
    path: str = ""

    def knows(self, token: str) -> bool:
        """Whether this database claimed last, as far as the server knows."""
        return token in {self.token, self.claiming} - {""}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLease:
    """What the server knows of a pet: who claimed it last, and whether that process is at work.

    `beats` counts up while it is, so that no two clocks are compared.
    """

    token: str
    folder: str
    place: str
    running: bool
    beats: int = 0


def may_claim(
    kept: KeptLease, served: ServerLease | None, folder: Folder, *, original_is_there: bool
) -> bool:
    """Whether this folder may take the points over, without asking.

    The folder that held them last always may: it was restarted, killed, or restored in its place.
    Another one may if its database is the last that claimed, as after a move, unless the folder
    that it was moved from is still there, or at work.
    """
    if served is not None and served.folder == folder.identity:
        return True
    if original_is_there:
        return False
    return served is None or (kept.knows(served.token) and not served.running)
