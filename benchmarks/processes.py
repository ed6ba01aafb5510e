"""What processes have used of the processor. Linux only: it reads /proc."""

import os
from pathlib import Path

from memory.ports import VectorSearch
from memory.vectorstores.edge.index import EdgeIndex
from memory.vectorstores.in_use import IndexOfSpace


def worker_of(index: VectorSearch) -> int | None:
    """The process that an embedded index searches in; None for another index."""
    used = index.used if isinstance(index, IndexOfSpace) else index
    return used.worker_pid if isinstance(used, EdgeIndex) else None


def worked_ms(pid: int | None) -> float:
    """Processor time a process has used (proc_pid_stat(5)), which other programs do not stretch."""
    ticks = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[11:13]
    return sum(map(int, ticks)) * 1000 / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int, kind: str = "VmRSS") -> float:
    """Memory of a process in RAM (proc_pid_status(5)): all of it, or a kind such as `RssAnon`.

    All of it counts pages of files that it maps, which the kernel takes back when it needs them.
    """
    lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{kind}:")) / 1024
