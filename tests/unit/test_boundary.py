"""What fails within a boundary is logged, and what stands around it goes on."""

import asyncio

import pytest
from structlog.testing import capture_logs

from memory.tasks import Boundary


def test_a_fault_is_logged_once_with_its_fields_and_ends_there() -> None:
    """The traceback comes along; the body's other lines are left out."""
    with capture_logs() as logs, Boundary("turn.failed", room="lobby") as boundary:
        raise KeyError("Nora")
    assert boundary.failed
    (entry,) = logs
    assert (entry["event"], entry["room"], entry["log_level"]) == ("turn.failed", "lobby", "error")
    assert isinstance(entry["exc_info"], KeyError)


def test_what_works_is_not_logged() -> None:
    """And has not failed."""
    with capture_logs() as logs, Boundary("turn.failed") as boundary:
        pass
    assert (logs, boundary.failed) == ([], False)


@pytest.mark.parametrize("error", [asyncio.CancelledError(), KeyboardInterrupt(), OSError("full")])
def test_cancellation_and_what_was_named_pass(error: BaseException) -> None:
    """They are for those outside."""
    boundary = Boundary("turn.failed", passing=(OSError,))
    with pytest.raises(type(error)), capture_logs() as logs, boundary:
        raise error
    assert (logs, boundary.failed) == ([], False)
