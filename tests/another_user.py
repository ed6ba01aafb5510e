"""Another user of this machine, as whom a test does something."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


@contextmanager
def as_another_user() -> Iterator[None]:
    """What follows is done without root's rights; without them anyway, it is done as it is."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(4242)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def closed_folder() -> Iterator[Path]:
    """A folder that cannot be entered without root's rights, as another user's home.

    It is the current one meanwhile, and has an `.env` and an `eko.toml`.
    """
    before = Path.cwd()
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / ".env").write_text("EKO_LOCALE=fr\n", "utf-8")
        (folder / "eko.toml").write_text('locale = "fr"\n', "utf-8")
        os.chdir(folder)
        folder.chmod(0)
        try:
            yield folder
        finally:
            os.chdir(before)
            folder.chmod(0o700)
