"""How a module of ours is run in a process of its own."""

import os
import sys
from pathlib import Path

import memory


def python_of(module: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs a module; what lies in the working folder shadows nothing."""
    return (sys.executable, "-P", "-m", module, *arguments)


def environment() -> dict[str, str]:
    """The environment, with this very package found first wherever the daemon was started."""
    root = str(Path(memory.__file__).parent.parent)
    inherited = os.environ.get("PYTHONPATH")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (root, inherited)))}
