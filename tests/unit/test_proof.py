"""The page of `make proof`: what a part prints is read, and what is missing or fails is said."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.proof import Part, lines_of, measured, parts

LIMIT_S = 60


def part(command: str, needs: Path | None = None) -> Part:
    """A part that prints its figures as they are."""

    def read(said: str) -> Iterator[str]:
        yield said.splitlines()[0]

    return Part(name="zen", command=command, reads=read, needs=needs)


def test_a_part_stands_beside_its_command() -> None:
    """With what it printed, and no trouble."""
    one = measured(part("this"), LIMIT_S)
    lines = list(lines_of(one))
    assert lines[1].endswith("python -m this")
    assert lines[2:] == ["  The Zen of Python, by Tim Peters"]
    assert not one.trouble


@pytest.mark.parametrize(
    ("broken", "trouble"),
    [
        (part("this", Path("nowhere")), "its data is missing: nowhere"),
        (part("benchmarks.nothing"), "status 1"),
        (part("this.that"), "status 1"),
    ],
)
def test_what_cannot_be_shown_says_so(broken: Part, trouble: str) -> None:
    """In its line, so that the page is whole."""
    one = measured(broken, LIMIT_S)
    assert one.trouble == trouble
    assert list(lines_of(one))[-1] == f"  NOT SHOWN: {trouble}"


def test_output_that_says_nothing_is_trouble() -> None:
    """A benchmark that ended well without its figures has shown nothing."""
    assert measured(part("compileall -q Makefile"), LIMIT_S).trouble == "unreadable"


@pytest.mark.parametrize(
    ("name", "said", "line"),
    [
        (
            "PrecisionMemBench",
            '{"cases": 39, "passed": 24, "precision": 0.786, "recall": 0.954}',
            "precision 0.786, recall 0.954, 24 of 39 cases passed",
        ),
        (
            "leaks",
            "seed 1\noffline   400 probes, 0 leaks, 99.5% known\n",
            "offline: 400 probes, 0 leaks, 99.5% known",
        ),
        (
            "kills",
            '{"harness": "crash", "seed": 4, "took_s": 9.5, "kills": 5, "faults": 0}',
            "kills 5, faults 0",
        ),
        ("silence", '{"queries": 100, "injected_share": 0.01}', "something injected for 1.0%"),
        ("forgetting", "offline en: 20 requests; read 90.0%", "offline en: 20 requests"),
        (
            "speed",
            '{"p50_ms": 4.5, "p95_ms": 9.0, "floor_ratio": 2.4}',
            "recall p50 4.5 ms, p95 9.0 ms; 2.4 times",
        ),
    ],
)
def test_figures_are_read_as_they_are_printed(name: str, said: str, line: str) -> None:
    """By the part of that name."""
    (one,) = (one for one in parts(Path("data"), 1) if one.name == name)
    assert next(one.reads(said)).startswith(line)
