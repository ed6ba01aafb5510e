"""Charts as SVG, drawn here: no script, no font and no file of another host. Pure."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pygal
from pygal.style import Style

from bot.texts.catalogue import number

# It puts a finder of its own plug-ins, of a kind Python 3.11 warns of, before every later import.
sys.meta_path[:] = [one for one in sys.meta_path if type(one).__module__ != pygal.__name__]

Theme = Literal["light", "dark"]

POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
"""What a chart may do on its own: be styled by its own lines, and nothing else."""

_INKS: Mapping[Theme, Mapping[str, str]] = {
    "light": {"ink": "#2a3033", "soft": "#5d676a", "rule": "#e5dfd4", "paper": "#fffdfa"},
    "dark": {"ink": "#e4e6e1", "soft": "#a5b0b1", "rule": "#2b3539", "paper": "#1b2225"},
}
_COLOURS: Mapping[Theme, tuple[str, ...]] = {
    "light": ("#1f6f65", "#86b8ae", "#c7812b", "#7a5c99", "#a8402f"),
    "dark": ("#86d0c0", "#4d8a80", "#e7bd6a", "#b79ad6", "#f0917f"),
}
"""Those of the dashboard; neighbours differ in lightness too, for readers who see no hues."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Canvas:
    """How a chart is drawn, and for whom; a narrow one can be read on a phone."""

    theme: Theme
    language: str
    is_narrow: bool

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height."""
        return (420, 340) if self.is_narrow else (900, 340)

    @property
    def most_labels(self) -> int:
        """Labels below it: more of them would lie on each other."""
        return 5 if self.is_narrow else 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Values under one name, one for each label of the chart."""

    name: str
    values: Sequence[float]


def stacked_bars(
    labels: Sequence[str], series: Sequence[Series], canvas: Canvas, empty: str
) -> bytes:
    """Bars of what belongs together on top of each other; `empty` is said where there is none."""
    chart = pygal.StackedBar(**_looks(canvas, empty))
    every = max(1, -(-len(labels) // canvas.most_labels))
    chart.x_labels = labels
    chart.x_labels_major = labels[::every]
    return _drawn(chart, series)


def lying_bars(
    labels: Sequence[str], series: Sequence[Series], canvas: Canvas, empty: str
) -> bytes:
    """The same lying, for labels that are words."""
    chart = pygal.HorizontalStackedBar(**_looks(canvas, empty))
    chart.x_labels = list(reversed(labels))
    told = [Series(name=one.name, values=list(reversed(one.values))) for one in series]
    return _drawn(chart, told)


def _looks(canvas: Canvas, empty: str) -> dict[str, Any]:
    inks, family = _INKS[canvas.theme], "system-ui, sans-serif"
    width, height = canvas.size
    return {
        "style": Style(
            background=inks["paper"],
            plot_background=inks["paper"],
            foreground=inks["ink"],
            foreground_strong=inks["ink"],
            foreground_subtle=inks["soft"],
            guide_stroke_color=inks["rule"],
            major_guide_stroke_color=inks["rule"],
            colors=_COLOURS[canvas.theme],
            opacity="1",
            font_family=family,
            label_font_size=12,
            major_label_font_size=12,
            legend_font_size=13,
            no_data_font_size=22,
        ),
        "js": [],
        "width": width,
        "height": height,
        "truncate_label": -1,
        "truncate_legend": -1,
        "legend_at_bottom": True,
        "show_minor_x_labels": False,
        "no_data_text": empty,
        "disable_xml_declaration": True,
        "value_formatter": lambda value: number(round(value), canvas.language),
    }


def _drawn(chart: Any, series: Sequence[Series]) -> bytes:
    for one in series if any(any(one.values) for one in series) else ():
        chart.add(one.name, list(one.values))
    chart.add_xml_filter(_without_scripts)
    drawn = chart.render()
    return drawn if isinstance(drawn, bytes) else str(drawn).encode()


def _without_scripts(root: Any) -> Any:
    """The chart as a picture: its library would add its settings as a script."""
    for parent in root.iter():
        for child in [one for one in parent if str(one.tag).endswith("script")]:
            parent.remove(child)
    return root
