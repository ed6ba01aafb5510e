"""Texts without the forgotten values that they say; pure."""

from collections.abc import Sequence

from memory.rules.forgetting.values import TextValue

MASK = "[…]"
"""What stands where a value was."""


def masked(text: str, values: Sequence[TextValue]) -> str:
    """The text without these values."""
    out: list[str] = []
    end = 0
    for start, stop in _spans(values):
        between = text[end:start]
        if not (out and out[-1] == MASK and not between.strip()):
            out.append(between)
            out.append(MASK)
        end = stop
    return "".join((*out, text[end:]))


def _spans(values: Sequence[TextValue]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end in sorted((value.start, value.end) for value in values):
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans
