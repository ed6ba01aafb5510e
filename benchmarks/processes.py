"""What processes have used of the processor. Linux only: it reads /proc."""

import os
from pathlib import Path

from memory.ports import VectorSearch
from memory.vectorstores.edge.index import EdgeIndex


def worker_of(index: VectorSearch) -> int | None:
    """The process that an embedded index searches in; None for another index."""
    return index.worker_pid if isinstance(index, EdgeIndex) else None


def worked_ms(pid: int | None) -> float:
    """Processor time a process has used (proc_pid_stat(5)), which other programs do not stretch."""
    if pid is None:  # a small store has no process of its own for its vectors
        return 0.0
    ticks = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) * 1000 / os.sysconf("SC_CLK_TCK")
