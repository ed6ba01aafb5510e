"""What takes longest is begun first: begun last, one test keeps a whole run waiting."""

import os
from collections.abc import Sequence
from itertools import islice

import pytest

TOGETHER = (
    ("tests/harness/test_benchmarks.py", "tests/harness/test_harnesses.py"),
    ("tests/channels/test_contract_of_troubles.py",),
    ("tests/channels/test_canaries.py", "tests/channels/test_linked_accounts.py"),
    (
        "tests/peers/test_api_contract.py",
        "tests/rules/test_linear_expressions.py",
        "tests/flow/test_year.py",
    ),
)
"""Files whose tests take up to a minute each; one worker has those of a line one after the other,
so that no two benchmarks are run at once."""


def begun_in_time(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The tests with the longest at the beginning of what each worker is given.

    pytest-xdist gives every worker an equal part of the list, and then to those who are done what
    stands last with another one.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    known = {file for files in TOGETHER for file in files}
    by_file: dict[str, list[pytest.Item]] = {file: [] for file in known}
    others = list[pytest.Item]()
    for item in items:
        by_file.get(item.nodeid.partition("::")[0], others).append(item)
    first: list[list[pytest.Item]] = [[] for _ in range(workers)]
    for number, files in enumerate(TOGETHER):
        for file in files:
            first[number % workers] += by_file[file]
    ordered, rest = list[pytest.Item](), iter(others)
    for number, own in enumerate(first):
        part = (len(items) - len(ordered)) // (workers - number)
        ordered += [*own, *islice(rest, max(0, part - len(own)))]
    return [*ordered, *rest]
