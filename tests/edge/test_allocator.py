import subprocess
import sys
from pathlib import Path

PROGRAM = """
import _sqlite3, ctypes, sqlite3
from memory.storage.allocator import stop_counting_memory
agreed = stop_counting_memory()
database = sqlite3.connect(":memory:")
database.execute("CREATE TABLE kept (x)")
database.executemany("INSERT INTO kept VALUES (?)", [("word " * 100,)] * 1000)
print(agreed, ctypes.CDLL(_sqlite3.__file__).sqlite3_memory_used())
"""


def test_sqlite_works_on_without_counting() -> None:
    """In a process of its own, because it must happen before the first connection."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True", "0"]
