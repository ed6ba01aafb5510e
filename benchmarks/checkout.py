"""Runs parts of this source checkout as processes of their own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
"""The source checkout."""

_OURS = ("EKO_", "ANTHROPIC_", "VOYAGE_", "QDRANT_")


def environment() -> dict[str, str]:
    """The environment without what would change the pet, and with this checkout's packages."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    inherited = kept.get("PYTHONPATH")
    return kept | {"PYTHONPATH": os.pathsep.join(filter(None, (str(ROOT), inherited)))}


def run(module: str, *arguments: str) -> Any:
    """What a module prints as its last line, from JSON; None when it prints nothing.

    Raises:
        subprocess.CalledProcessError: it failed; what it said is on the error stream.

    """
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(  # noqa: S603 - our own modules
        command, env=environment(), stdout=subprocess.PIPE, text=True, check=True
    )
    lines = done.stdout.splitlines()
    return json.loads(lines[-1]) if lines else None
