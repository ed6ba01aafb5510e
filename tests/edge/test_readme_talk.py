"""The talk that the README shows is what the pet says."""

import asyncio
import os
import re
import sys
from pathlib import Path

from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
EKO = Path(sys.executable).with_name("eko")
_AGE = re.compile(r"\d+ (?:second|minute)s? ago")
_INTRODUCTION = re.compile(r"^  I answer by rules: .*$", re.MULTILINE)


def shown() -> str:
    """The talk."""
    found = re.search(
        r"\$ \S*eko chat --as Alice\n(.*?)\n```",
        (ROOT / "README.md").read_text("utf-8"),
        re.DOTALL,
    )
    assert found is not None
    return found[1]


async def test_the_pet_says_what_the_readme_shows(tmp_path: Path) -> None:
    """Its first answer says besides, once, that it answers by rules; ages are the machine's."""
    lines = re.findall(r"(?m)^\S+ > (.*)$", shown())
    told = [line for line in shown().splitlines() if not re.match(r"\S+ > ", line)]
    talk = await asyncio.create_subprocess_exec(
        EKO, "chat", "--as", "Alice",
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        cwd=tmp_path, env=os.environ | {"EKO_DATA_DIR": str(tmp_path / "data")},
    )  # fmt: skip
    out, _ = await asyncio.wait_for(talk.communicate("\n".join(lines).encode()), PATIENCE_S)
    said = _INTRODUCTION.sub("", out.decode(), count=1)
    assert _plain(said) == _plain("\n".join(told))


def _plain(talk: str) -> str:
    """The talk with its ages and its line breaks alike."""
    return _AGE.sub("AGE", " ".join(talk.split()))
