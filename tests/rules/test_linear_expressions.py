import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.adversary import attacks
from tests.expressions import LENGTH, LIMIT_S
from tests.processor_limit import processor_s


def test_every_expression_reads_a_hostile_text_in_linear_time(root: Path) -> None:
    """One that does not holds the whole pet for as long as a stranger likes."""
    tried = subprocess.run(
        [sys.executable, "-m", "tests.expressions"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (tried.stdout.splitlines(), tried.returncode) == ([], 0), tried.stderr


@pytest.mark.parametrize(
    "pattern",
    [
        r"\s*(?:@[\w-]{2,32}|<@!?\d+>)[\s,:]+(?=\S)",
        r"[^:()]+ \([^()]+\) ?: ",
        r"(?: (?:de|le|on|the))+$",
        r"\b(?:on |the )*\d{1,2} May",
        r"(?:[A-Z](?:[\w-]|'(?=\w))*(?:[ -][A-Z](?:[\w-]|'(?=\w))*)*)!",
    ],
)
def test_expressions_that_froze_the_pet_are_told(pattern: str) -> None:
    """Forms that stood in the product are caught by the texts made from them."""
    expression = re.compile(pattern)
    texts = (attack.text(LENGTH) for attack in attacks(expression))
    assert any(processor_s(partial(expression.sub, "", text), LIMIT_S) >= LIMIT_S for text in texts)
