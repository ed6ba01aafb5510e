"""Where processes of one pet on one machine meet, whichever data folder they have."""

import os
import tempfile
from pathlib import Path

IN_MEMORY = Path("/dev/shm")  # noqa: S108 - what is put there is of this user alone

DEFAULT = Path("/tmp")  # noqa: S108 - only compared


def machine_folder() -> Path:
    """The folder of temporary files that is chosen by TMPDIR, else one in memory, else /tmp.

    A service with PrivateTmp has a /tmp of its own, where it would meet no other.
    """
    chosen = Path(tempfile.gettempdir())
    return IN_MEMORY if chosen == DEFAULT and os.access(IN_MEMORY, os.W_OK) else chosen
