"""A plugin that says where the processor seconds of a run go, by folder and by file.

`python -m pytest -n 2 --dist worksteal -p tests.processor_time`; `--durations` counts waiting too.
The rest is imports, collection and what ends after the last test, such as a browser.
"""

import resource
from collections import defaultdict
from collections.abc import Generator, Mapping

import pytest

_FILES = 15
"""The files that are named."""

_spent: dict[str, float] = {"before": 0.0}
_by_file: dict[str, float] = defaultdict(float)


def _processor_s() -> float:
    """What this process and those that it has seen end took so far."""
    of = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in of)


def pytest_runtest_logstart() -> None:
    """Begin to count where a test begins."""
    _spent["before"] = _processor_s()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say in the report of each phase what it took; it goes to the process that prints."""
    report = yield
    now = _processor_s()
    report.user_properties.append(("processor_s", now - _spent["before"]))
    _spent["before"] = now
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up by file."""
    file = report.nodeid.partition("::")[0]
    # The properties of a test are passed on from phase to phase: the last one is this phase's.
    _by_file[file] += next(
        float(str(value))
        for name, value in reversed(report.user_properties)
        if name == "processor_s"
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print both tables, dearest first."""
    by_folder: dict[str, float] = defaultdict(float)
    for file, seconds in _by_file.items():
        by_folder["/".join(file.split("/")[:2])] += seconds
    total = _processor_s()
    by_folder["the rest"] = total - sum(by_folder.values())
    terminalreporter.section("processor seconds")
    for line in (*_lines(by_folder), *_lines({"together": total}), *_lines(_by_file)[:_FILES]):
        terminalreporter.write_line(line)


def _lines(spent: Mapping[str, float]) -> list[str]:
    dearest = sorted(spent.items(), key=lambda item: -item[1])
    return [f"{seconds:8.1f}  {name}" for name, seconds in dearest]
