"""Products of small vectors take one thread: OpenBLAS's others only spin beside a recall."""

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import os
import memory.retrieval.recall
import numpy
numpy.ones((300, 256)) @ numpy.ones((256, 300))
print(os.environ["OPENBLAS_NUM_THREADS"], len(os.listdir("/proc/self/task")))
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc")
def test_recall_brings_no_threads_of_its_own() -> None:
    """Whatever is imported first of `memory`, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=Path(__file__).parents[2],
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["1", "1"]
