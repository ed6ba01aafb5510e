"""The process takes as many descriptors as the system allows it."""

import resource
import subprocess
import sys

PROGRAM = "from bot.daemon.connections import raise_descriptor_limit as r; print(r(), r())"


def test_the_limit_is_raised_as_far_as_it_goes() -> None:
    """In a process of its own, whose limit is low."""

    def lowered() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (300, 400))

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        preexec_fn=lowered,
    )
    assert done.stdout.split() == ["400", "400"]
