"""The words by which check-ins know what matters, what is sure and what is better left alone."""

import re
import tomllib
from importlib.resources import files

_LISTS = tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8"))


def _either(name: str) -> str:
    """An expression for any phrase of a list; the longer one wins."""
    phrases = _LISTS[name].strip().replace("\n", ";").split(";")
    ranked = sorted(map(str.strip, phrases), key=len, reverse=True)
    return "(?:" + "|".join(re.escape(one).replace(r"\*", r"\w*") for one in ranked) + ")"


def _any_of(name: str, unless: str = "") -> re.Pattern[str]:
    return re.compile(rf"\b{_either(name)}\b{unless}")


UNSURE, TENDER, DONE = _any_of("unsure"), _any_of("tender"), _any_of("done")
CALLED_OFF, DENIES = _any_of("called_off"), _any_of("denies")
ENDS, BIG, INVITES = _any_of("ends"), _any_of("big"), _any_of("invites")

HABIT = _any_of("habit", unless=r"(?! [0-9]| prochain)")
"""Not so "le lundi 3" and "le lundi prochain"."""

PROMISES = re.compile(
    rf"\b{_either('promise_begins')} (?:{_either('promise_between')} ){{0,4}}"
    rf"{_either('promise_verbs')}\b"
)
