"""Where the nodes of a neighbourhood stand: one in the middle, the others on an ellipse. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from textwrap import shorten, wrap

WIDTH, HEIGHT = 900, 600
"""Units of the drawing."""

_RADII = (300, 225)
"""Of the ellipse, across and up: labels stand beside it."""

_BESIDE_ABOVE, _BESIDE_BELOW, _LINE_HEIGHT = 20, 34, 17
"""From a node to its label, and from line to line."""

_CHARACTERS = 24
_LINES = 2
"""Of a label: whole statements stand in the list below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RingNode:
    """A node: where it stands, and its label in lines."""

    x: float
    y: float
    lines: tuple[str, ...]

    @property
    def label_y(self) -> float:
        """Where the first line stands: beyond the node, so that no tie runs through it."""
        if self.y < HEIGHT / 2:
            return self.y - _BESIDE_ABOVE - _LINE_HEIGHT * (len(self.lines) - 1)
        return self.y + _BESIDE_BELOW


def ring(labels: Sequence[str]) -> list[RingNode]:
    """Nodes at even angles from the top on, clockwise, so that the closest come first."""
    return [_node(label, 2 * pi * place / len(labels)) for place, label in enumerate(labels)]


def middle(label: str) -> RingNode:
    """The node in the middle."""
    return RingNode(x=WIDTH / 2, y=HEIGHT / 2, lines=_lines(label))


def _node(label: str, angle: float) -> RingNode:
    across, up = _RADII
    x, y = WIDTH / 2 + across * sin(angle), HEIGHT / 2 - up * cos(angle)
    return RingNode(x=round(x, 1), y=round(y, 1), lines=_lines(label))


def _lines(label: str) -> tuple[str, ...]:
    """The beginning of a text in a few lines; a word that fits none is cut."""
    beginning = label[: _CHARACTERS * _LINES * 2]
    short = shorten(beginning, _CHARACTERS * _LINES, placeholder="…")
    if short == "…":  # one long word
        short = f"{beginning[: _CHARACTERS * _LINES - 1]}…"
    return tuple(wrap(short, _CHARACTERS, max_lines=_LINES, placeholder="…"))
