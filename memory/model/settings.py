"""What may be changed about the memory while the pet runs, one text for each key. Pure."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

from memory.model.errors import InvalidTtl, UnknownSetting, WrongValue
from memory.model.statements import GoalCategory, MemoryType, SelfCategory
from memory.model.ttl import parse_ttl, ttl_text

TTL_KINDS: tuple[str, ...] = tuple(
    dict.fromkeys(one.value for kinds in (MemoryType, SelfCategory, GoalCategory) for one in kinds)
)
"""What has a default time to live: types of statements about people, categories of what the pet
notices and wants. "preference" is both, and has one for both."""

FEWEST_RESULTS, MOST_RESULTS = 4, 20
"""Between these the number of injected lines can be changed: fewer is nearly none, and more costs
tokens in every turn. The settings file may go past them."""

LONGEST_TAG = 100
"""Characters of a tag; Obsidian's are words."""

MOST_NOTES = 50
"""Fixed notes: every one of them is before the model in every turn."""

_TTL_PREFIX = "ttl_default_"
_YES, _NO = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The settings in force; `ttl_defaults` has for each kind how long it lasts, None for ever."""

    auto_retrieve_enabled: bool = True
    auto_retrieve_max_results: int = 20
    auto_retrieve_min_score: float = 0.5
    obsidian_context_enabled: bool = True
    obsidian_context_notes: tuple[str, ...] = ()
    obsidian_context_tag: str = ""
    ttl_defaults: Mapping[str, timedelta | None] = field(
        default_factory=lambda: MappingProxyType({})
    )

    def ttl_of(self, kind: str) -> timedelta | None:
        """How long a statement of this type or category lasts when its source did not say."""
        return self.ttl_defaults.get(kind)


InForce = Callable[[], Tuning]
"""Says what is in force now; asked each time it matters, so that a change holds at once."""


def changed(tuning: Tuning, key: str, text: str) -> Tuning:
    """The tuning with one setting read from text.

    Raises:
        UnknownSetting: there is no such key.
        WrongValue: the key cannot have that value.

    """
    _check(key)
    if key.startswith(_TTL_PREFIX):
        return _lasting(tuning, key, _ttl(key, text))
    return replace(tuning, **{key: _READERS[key](key, text)})


def restored(tuning: Tuning, defaults: Tuning, key: str) -> Tuning:
    """The tuning with one setting as it is by default, even where it could not be set to that.

    Raises:
        UnknownSetting: there is no such key.

    """
    _check(key)
    if key.startswith(_TTL_PREFIX):
        return _lasting(tuning, key, defaults.ttl_of(key.removeprefix(_TTL_PREFIX)))
    return replace(tuning, **{key: getattr(defaults, key)})


def written(tuning: Tuning, key: str) -> str:
    """One setting as text that `changed` reads back.

    Raises:
        UnknownSetting: there is no such key.

    """
    _check(key)
    if key.startswith(_TTL_PREFIX):
        return ttl_text(tuning.ttl_of(key.removeprefix(_TTL_PREFIX)))
    value = getattr(tuning, key)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _lasting(tuning: Tuning, key: str, ttl: timedelta | None) -> Tuning:
    lasting = {**tuning.ttl_defaults, key.removeprefix(_TTL_PREFIX): ttl}
    return replace(tuning, ttl_defaults=MappingProxyType(lasting))


def _check(key: str) -> None:
    if key not in KEYS:
        near = get_close_matches(key, KEYS, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(KEYS)}."
        raise UnknownSetting(f'There is no setting "{key[:60]}"; {hint}')


def _switch(key: str, text: str) -> bool:
    wish = text.strip().lower()
    if wish not in _YES | _NO:
        raise _wrong(key, "on or off", text)
    return wish in _YES


def _results(key: str, text: str) -> int:
    wanted = f"a whole number from {FEWEST_RESULTS} to {MOST_RESULTS}"
    try:
        number = int(text)
    except ValueError:
        raise _wrong(key, wanted, text) from None
    if not FEWEST_RESULTS <= number <= MOST_RESULTS:
        raise _wrong(key, wanted, text)
    return number


def _share(key: str, text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:  # which "nan" is not either
        raise _wrong(key, "a number from 0 to 1", text)
    return share


def _notes(key: str, text: str) -> tuple[str, ...]:
    """Paths, separated by commas or as a JSON list where one of them has a comma."""
    paths = _json_list(key, text) if text.strip().startswith("[") else text.split(",")
    bare = tuple(dict.fromkeys(path.strip() for path in paths if path.strip()))
    if len(bare) > MOST_NOTES:
        raise WrongValue(f"{key} can name {MOST_NOTES} notes at most, not {len(bare)}.")
    if any(_leaves(path) for path in bare):
        raise _wrong(key, "paths inside the vault, such as Projects/Eko.md", text)
    return bare


def _leaves(path: str) -> bool:
    return path.startswith(("/", "\\")) or ".." in path.replace("\\", "/").split("/")


def _json_list(key: str, text: str) -> list[str]:
    try:
        paths = json.loads(text)
    except (ValueError, RecursionError):
        paths = None
    if not isinstance(paths, list) or not all(isinstance(path, str) for path in paths):
        raise _wrong(key, 'paths separated by commas, or a JSON list like ["a.md"]', text)
    return paths


def _tag(key: str, text: str) -> str:
    tag = text.strip().removeprefix("#")
    if len(tag) > LONGEST_TAG or len(tag.split()) > 1:
        raise _wrong(key, "one tag, such as eko, or nothing", text)
    return tag


def _ttl(key: str, text: str) -> timedelta | None:
    try:
        return parse_ttl(text)
    except InvalidTtl:
        raise _wrong(key, 'a time such as 12h, 7d or 4w, or "none" for ever', text) from None


def _wrong(key: str, wanted: str, text: str) -> WrongValue:
    return WrongValue(f'{key} must be {wanted}, not "{text[:60]}".')


_READERS: Mapping[str, Callable[[str, str], Any]] = {
    "auto_retrieve_enabled": _switch,
    "auto_retrieve_max_results": _results,
    "auto_retrieve_min_score": _share,
    "obsidian_context_enabled": _switch,
    "obsidian_context_notes": _notes,
    "obsidian_context_tag": _tag,
}

KEYS: tuple[str, ...] = (*_READERS, *(f"{_TTL_PREFIX}{kind}" for kind in TTL_KINDS))
"""Every setting that can be changed while the pet runs."""
