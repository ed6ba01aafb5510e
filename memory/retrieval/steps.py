"""The steps of a look-up: one after the other, timed, each given up when it fails or is late."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import TypeVar

import structlog

from memory.model.errors import EkoMemoryError

T = TypeVar("T")

log = structlog.get_logger()


class Steps:
    """What was done for one question, how long each step took, and what was done without."""

    def __init__(self) -> None:
        self.took_ms: dict[str, float] = {}
        self.late: list[str] = []
        """Steps that missed the deadline or failed, in their order."""

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """A step that has to be done."""
        started = perf_counter()
        try:
            yield
        finally:
            self.took_ms[name] = (perf_counter() - started) * 1000

    def done(self, name: str, step: Callable[[], T], otherwise: T) -> T:
        """What a step brings; `otherwise` when it fails, which costs that and nothing more."""
        with self.timed(name):
            try:
                return step()
            except EkoMemoryError as error:
                log.warning("step.missed", step=name, error=type(error).__name__)
                self.late.append(name)
                return otherwise

    def each(self, steps: Mapping[str, Callable[[], Sequence[T]]], last: str) -> list[Sequence[T]]:
        """What each step brings, in their order; those named `...last` are taken last."""
        order = sorted(steps, key=lambda name: name.endswith(last))
        nothing: Sequence[T] = ()
        brought = {name: self.done(name, steps[name], nothing) for name in order}
        return [brought[name] for name in steps]
