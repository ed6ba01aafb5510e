"""Lets connections in several threads allocate memory at the same time."""

import _sqlite3
import ctypes

_MEMORY_STATUS = 9
"""SQLITE_CONFIG_MEMSTATUS, an option of sqlite3_config in SQLite's C interface."""


def stop_counting_memory() -> bool:
    """Tell SQLite not to count its memory, before the first connection; whether it agreed.

    It counts under one lock, so that two readers beside each other took as long as one after the
    other. Where the library cannot be reached all stays as it was.
    """
    try:
        library = ctypes.CDLL(getattr(_sqlite3, "__file__", None))
        library.sqlite3_shutdown()
        agreed: int = library.sqlite3_config(_MEMORY_STATUS, ctypes.c_int(0))
        library.sqlite3_initialize()
    except (OSError, AttributeError):
        return False
    return agreed == 0
