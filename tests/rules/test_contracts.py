import subprocess
import sys
from pathlib import Path

LINT = "from importlinter.cli import lint_imports_command as lint; lint()"
"""In a process of its own: the linter reconfigures logging for the whole of the one it runs in."""


def test_the_import_contracts_hold(root: Path) -> None:
    """One arrow, one composition root: as pyproject.toml says."""
    done = subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache", "--no-logo"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
