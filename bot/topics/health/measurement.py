"""One figure that monitors read. A value."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One figure; `help` is what it is, the same for all of a name.

    One that `counts` only grows for as long as the process runs.
    """

    name: str
    help: str
    value: float
    labels: Mapping[str, str] = field(default_factory=dict)
    counts: bool = False


def labelled(
    name: str, help_: str, label: str, values: Mapping[str, float], *, counts: bool = False
) -> Iterator[Measurement]:
    """The figures of one name that differ in one label."""
    for key, value in values.items():
        labels = {label: key}
        yield Measurement(name=name, help=help_, value=value, labels=labels, counts=counts)
