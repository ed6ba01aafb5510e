"""How near a row is to what a request names, as features: words, values, matter, meaning. Pure."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory.language.synonyms import near
from memory.language.text import has_digit, stems
from memory.rules.forgetting.plain_words.frame import content_stems
from memory.rules.forgetting.plain_words.kinds import kinds_asked
from memory.rules.forgetting.plain_words.matters import matters_of
from memory.rules.forgetting.plain_words.reading import PlainRequest
from memory.rules.forgetting.plain_words.row_signs import RowSigns, tells_tastes

Features = dict[str, float]

_SAME_START = 4
"""Letters with which two words begin that are forms of one: "allergies", "allergic"."""

_FORM = 0.7
"""What another form of a word counts of it."""

_LIGHT = 0.1
"""What a word counts that says only what sort of value is meant."""

_KIND_WORDS = frozenset(
    stems(
        "code codes number numbers numero num name place date pin password phrase backup word lieu"
        " endroit emplacement nom combination details thing old"
    )
)
"""Words that say what sort of value is meant: every value of the sort goes by them."""

_CODE = 3
"""Signs of a number that is itself what is named."""

_MAYBE = 0.3
"""How likely a segment names what is to go, or to stay, that is counted at all."""

_FEW, _MANY = 4, 120
"""Rows that are few, and rows that are many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRow:
    """A row that may be meant; `alike` is its meaning against each of `phrases`, from -1 to 1."""

    text: str
    alike: Sequence[float]


def phrases(request: PlainRequest) -> tuple[str, ...]:
    """The texts whose meaning rows are compared with: all that is named, each part, what stays."""
    return (" ".join(request.topics), *request.topics, *request.kept)


class Comparison:
    """A request beside the rows that it may mean."""

    def __init__(self, request: PlainRequest, rows: Sequence[ComparedRow]) -> None:
        self.request = request
        self.rows = [RowSigns(row.text) for row in rows]
        self._alike = [row.alike for row in rows]
        said = " ".join(one.text for one in request.segments)
        asked, tastes, others = frozenset(stems(said)), tells_tastes(said), near(said)
        self._signs = [row.signs(asked, tastes=tastes) for row in self.rows]
        self._going = [one.gone > _MAYBE and not one.stays for one in request.segments]
        self._staying = [one.stays for one in request.segments]
        self._content = [list(dict.fromkeys(content_stems(one.text))) for one in request.segments]
        among = Counter(stem for row in self.rows for stem in set(row.stems))
        words = {stem for each in self._content for stem in each}
        self._weights = {
            stem: (_LIGHT if stem in _KIND_WORDS else 1.0)
            * math.log(1 + (len(rows) + 1) / (among[stem] + 0.5))
            for stem in words
        }
        self._shares = [
            {stem: _shared(stem, row.stems, others) for stem in words} for row in self.rows
        ]

    def features(self, part: int | None = None) -> list[Features]:
        """The features of each row beside the whole request, or beside one of its topics."""
        asked = _Asked(self.request, self._content, part)
        found = [
            {
                **self._words(asked, place),
                **self._meanings(place, part),
                **self._sorts(asked, row),
                **self._signs[place],
            }
            for place, row in enumerate(self.rows)
        ]
        _compare(found)
        many = among_many(len(found))
        return [
            {**one, **{f"{name}, many": size * many for name, size in one.items()}} for one in found
        ]

    def part_scores(self) -> list[list[float]]:
        """How much each row speaks of each topic, from nothing to some two."""
        topics = self.request.topics
        read = [(content_stems(one), kinds_asked(one), matters_of(stems(one))) for one in topics]
        return [
            [
                sum(self._share(place, stem) for stem in words) / (len(words) or 1)
                + max(0.0, self._alike[place][1 + at])
                + 0.3 * bool(matters & row.matters)
                + 0.2 * len(kinds & row.kinds)
                for at, (words, kinds, matters) in enumerate(read)
            ]
            for place, row in enumerate(self.rows)
        ]

    def _share(self, place: int, stem: str) -> float:
        return self._shares[place].get(stem, 0.0)

    def _covered(self, weights: Mapping[str, float], place: int) -> float:
        """How much of some words a row says, from 0 to 1."""
        total = sum(weight * self._weights[stem] for stem, weight in weights.items())
        if not total:
            return 0.0
        return (
            sum(
                weight * self._weights[stem] * self._share(place, stem)
                for stem, weight in weights.items()
            )
            / total
        )

    def _words(self, asked: "_Asked", place: int) -> Features:
        said = set(self.rows[place].stems)
        whole = [stem for stem in asked.gone if stem in said]
        near_it = (
            self._share(place, stem) * weight
            for stem, weight in asked.gone.items()
            if stem not in said
        )
        gone = self._most_said(place, self._going)
        kept = self._most_said(place, self._staying)
        return {
            "covered": self._covered(asked.gone, place),
            "words": min(3.0, sum(asked.gone[one] for one in whole if one not in _KIND_WORDS)),
            "light words": min(2.0, sum(asked.gone[one] for one in whole if one in _KIND_WORDS)),
            "near words": max(near_it, default=0.0),
            "code": bool(asked.codes & said),
            "around": min(2.0, sum(w * self._share(place, one) for one, w in asked.rest.items())),
            "kept covered": self._covered(asked.kept, place),
            "rather kept": kept > gone + 0.01,
            "kept alone": kept > 0.5 and gone < 0.2,
        }

    def _most_said(self, place: int, chosen: Sequence[bool]) -> float:
        """How much a row says of the segment that it says most of, among those that are chosen."""
        return max(
            (
                sum(self._weights[stem] * self._share(place, stem) for stem in words)
                for words, is_chosen in zip(self._content, chosen, strict=True)
                if is_chosen
            ),
            default=0.0,
        )

    def _meanings(self, place: int, part: int | None) -> Features:
        alike = self._alike[place]
        last = 1 + len(self.request.topics)
        topics = alike[1:last] if part is None else alike[1 + part : 2 + part]
        nearest = max(0.0, *topics) if topics else 0.0
        kept = max((0.0, *alike[last:]))
        return {
            "alike": nearest,
            "alike in all": max(0.0, alike[0]) if part is None else nearest,
            "kept alike": kept,
            "rather kept alike": max(0.0, kept - nearest),
        }

    def _sorts(self, asked: "_Asked", row: RowSigns) -> Features:
        return {
            "sort": len(asked.kinds & row.kinds),
            "other sort": bool(asked.kinds) and not asked.kinds & row.kinds,
            "matter": min(2, len(asked.matters & row.matters)),
            "other matter": bool(asked.matters) and not asked.matters & row.matters,
            "kept matter": bool((asked.kept_matters - asked.matters) & row.matters),
        }


class _Asked:
    """What is looked for: words that name what is to go, what is to stay, and the rest."""

    def __init__(
        self, request: PlainRequest, content: Sequence[Sequence[str]], part: int | None
    ) -> None:
        gone = [one.gone for one in request.segments]
        if part is not None:
            only = request.topics[part]
            gone = [
                1.0 if one.text == only else min(one.gone, _MAYBE) / 2 for one in request.segments
            ]
        self.gone: dict[str, float] = {}
        self.kept: dict[str, float] = {}
        self.rest: dict[str, float] = {}
        for words, one, share in zip(content, request.segments, gone, strict=True):
            for stem in words:
                self.gone[stem] = max(self.gone.get(stem, 0.0), share * (1 - one.kept))
                self.rest[stem] = max(self.rest.get(stem, 0.0), (1 - share) * (1 - one.kept))
                if one.kept > _MAYBE:
                    self.kept[stem] = max(self.kept.get(stem, 0.0), one.kept)
        named = [
            one.text
            for one, share in zip(request.segments, gone, strict=True)
            if share > 0.4 and not one.stays
        ] or list(request.topics)
        self.kinds = kinds_asked(" ".join(named))
        self.matters = matters_of(stems(" ".join(named)))
        self.kept_matters = matters_of(stems(" ".join(request.kept)))
        self.codes = frozenset(
            stem
            for one in request.segments
            if not one.stays
            for stem in stems(one.text)
            if len(stem) >= _CODE and has_digit(stem)
        )


def among_many(rows: int) -> float:
    """How many rows there are, from 0 for a handful to 1 for some hundred.

    Among few the sort of a row tells much, among many only what it says.
    """
    return max(0.0, min(1.0, math.log(max(1, rows) / _FEW) / math.log(_MANY / _FEW)))


def _compare(found: Sequence[Features]) -> None:
    """Add how each row stands among the others."""
    for name in ("covered", "alike"):
        most = max((one[name] for one in found), default=0.0)
        for one in found:
            one[f"most {name}"] = float(most > 0 and one[name] >= most)
    both = [one["covered"] + one["alike"] for one in found]
    kept = [one["kept covered"] + one["kept alike"] for one in found]
    nearest, most_kept = max(both, default=0.0), max(kept, default=0.0)
    for one, near_it, stays in zip(found, both, kept, strict=True):
        one["behind the nearest"] = nearest - near_it
        one["most kept"] = float(stays > 0 and stays >= most_kept)


def _shared(
    word: str, said: Sequence[str], others: Mapping[str, Sequence[tuple[str, float]]]
) -> float:
    """How much of a word some stems say: itself, another form of it, or a word near it."""
    if word in said:
        return 1.0
    line = f" {' '.join(said)} "
    best = max((share for term, share in others.get(word, ()) if f" {term} " in line), default=0.0)
    return max(best, _FORM) if any(_is_form(word, one) for one in said) else best


def _is_form(one: str, other: str) -> bool:
    """Whether two stems begin alike, up to an ending."""
    least = min(len(one), len(other))
    alike = next((at for at in range(least) if one[at] != other[at]), least)
    return alike > _SAME_START + 1 or (alike >= _SAME_START and alike >= least - 1)
