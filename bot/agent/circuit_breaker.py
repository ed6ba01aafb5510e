"""A circuit breaker: a model that is away or hangs is left alone for a while, then tried once.

The pattern is Michael Nygard's (Release It!, chapter 5): closed while answers come, open after
failures in a row, and half open for one attempt when the pause is over.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from bot.errors import ModelRefused, ModelTooSlow, ModelUnavailable
from memory.ports import Clock

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakerRules:
    """After how many failures in a row there is a pause, and how long it is.

    Each attempt that fails after a pause doubles the next one, up to `longest_pause`.
    """

    failures: int = 3
    pause: timedelta = timedelta(seconds=30)
    longest_pause: timedelta = timedelta(minutes=5)


class CircuitBreaker:
    """Knows whether asking the model is worth a person's time just now."""

    def __init__(self, clock: Clock, rules: BreakerRules | None = None) -> None:
        self._clock = clock
        self._rules = rules or BreakerRules()
        self._failures = 0
        self._open: _Pause | None = None
        self._is_trying = False

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """One attempt, whose failure counts; what says nothing about the model does not.

        Raises:
            ModelUnavailable: no call is made now; the message says why the last ones failed.

        """
        is_trial = self._begun()
        try:
            yield
        except ModelUnavailable as error:
            self._failed(error, is_trial=is_trial)
            raise
        except ModelRefused:
            self._answered()
            raise
        else:
            self._answered()
        finally:
            if is_trial:
                self._is_trying = False

    def _begun(self) -> bool:
        """Whether this is the attempt after a pause; the others wait for what comes of it."""
        if self._open is None:
            return False
        if self._is_trying or self._clock.now() < self._open.until:
            raise self._open.kind(self._open.why)
        self._is_trying = True
        return True

    def _answered(self) -> None:
        if self._open is not None:
            log.info("model.returned")
        self._failures = 0
        self._open = None

    def _failed(self, error: ModelUnavailable, *, is_trial: bool) -> None:
        """Count a failure; those that began before a pause do not lengthen it."""
        if self._open is not None and not is_trial:
            return
        self._failures += 1
        if self._open is not None:
            self._pause(min(2 * self._open.length, self._rules.longest_pause), error)
        elif self._failures >= self._rules.failures:
            self._pause(self._rules.pause, error)

    def _pause(self, length: timedelta, error: ModelUnavailable) -> None:
        seconds = length.total_seconds()
        why = (
            f"Left alone for {seconds:g} seconds after {self._failures} failures in a row: {error}"
        )
        # Of the same kind, so that people read of the same trouble.
        kind = ModelTooSlow if isinstance(error, ModelTooSlow) else ModelUnavailable
        self._open = _Pause(until=self._clock.now() + length, length=length, kind=kind, why=why)
        log.warning("model.paused", failures=self._failures, pause_s=seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pause:
    """No attempt is made `until` then, and what is raised instead."""

    until: datetime
    length: timedelta
    kind: type[ModelUnavailable]
    why: str
