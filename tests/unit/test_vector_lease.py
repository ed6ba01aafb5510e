"""Which of two folders of one pet may use its points on a server."""

from uuid import UUID

import pytest

from memory.model.vector_lease import Folder, KeptLease, ServerLease, may_claim

PET = UUID(int=7)
HERE = Folder(identity="here", path="/data", machine="one")


def kept(folder: str = "here", token: str = "t1", claiming: str = "") -> KeptLease:  # noqa: S107 - no password
    """What a database knows."""
    return KeptLease(pet=PET, token=token, claiming=claiming, folder=folder, path="/before")


def served(folder: str, token: str = "t1", *, running: bool = False) -> ServerLease:  # noqa: S107 - the same
    """What the server knows."""
    return ServerLease(token=token, folder=folder, place="there", running=running)


@pytest.mark.parametrize(
    ("database", "server", "original_is_there", "may"),
    [
        (KeptLease(pet=PET), None, False, True),
        (kept(), served("here"), False, True),
        (kept(), served("here", running=True), False, True),
        (kept(token="old"), served("here", "t5", running=True), False, True),
        (kept("elsewhere"), served("elsewhere"), False, True),
        (kept("elsewhere", "t0", "t1"), served("elsewhere"), False, True),
        (kept("elsewhere"), served("elsewhere"), True, False),
        (kept("elsewhere"), served("elsewhere", running=True), False, False),
        (kept("elsewhere", "t0"), served("elsewhere"), False, False),
        (kept("here", "t0"), served("elsewhere"), False, False),
        (kept("elsewhere"), None, True, False),
        (kept("elsewhere"), None, False, True),
        (KeptLease(pet=PET), served("elsewhere"), False, False),
    ],
    ids=[
        "the first start",
        "a restart",
        "a restart after a kill",
        "a backup in its place",
        "moved",
        "moved, killed while it claimed",
        "a copy beside its original",
        "a copy of one at work elsewhere",
        "a backup elsewhere",
        "one whose copy took over",
        "a copy, on an emptied server",
        "moved, to an emptied server",
        "a copy of a pet that never had a server",
    ],
)
def test_the_last_holder_goes_on_and_a_copy_is_asked(
    database: KeptLease, server: ServerLease | None, *, original_is_there: bool, may: bool
) -> None:
    """Each case of the table in docs/storage.md."""
    assert may_claim(database, server, HERE, original_is_there=original_is_there) is may
