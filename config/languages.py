"""The languages that a pet can be set to: those that there are texts in."""

from importlib.resources import files
from pathlib import Path

TEXTS = Path(str(files("bot") / "texts"))
"""The texts of the pet, a file each: settings know their names, and no code of the pet's."""


def languages() -> tuple[str, ...]:
    """The names of the files, such as "en"."""
    return tuple(sorted(file.stem for file in TEXTS.glob("*.toml")))
