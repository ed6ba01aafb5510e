"""Clauses and questions as numbers: hashed words, signs, and the shipped embedder's vectors; pure.

The vectors are the shipped model's whatever the index uses, since the weights are fitted to them.
"""

import re
import zlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from memory.claims.clauses import OwnClause
from memory.claims.signs import sign_names, signs_in
from memory.embedders.usem3 import load
from memory.language.chat_spelling import spelt_out
from memory.language.text_features import text_features

Floats = NDArray[np.float32]
Places = NDArray[np.int64]

BUCKETS = 1 << 16
"""Places that words, their order and their parts are hashed into."""

_MOST_TOKENS = 64
_BATCH = 256
_AROUND = 8
_EMOJI = re.compile("[\U0001f300-\U0001faff☀-➿]")
_MARKS = '?!*"«“:🎶🎵'
_OPENED = (("«", "»"), ("“", "”"))

_OF_PART, _OF_AROUND, _OF_VECTOR, _OF_MESSAGE, _OF_SIGNS = 2.0, 1.6, 1.6, 0.8, 0.35
"""What each group of features counts for before the fit: their lengths, by trial."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Texts as features: groups of hashed words, each with its length, and a row of numbers."""

    words: Sequence[tuple[tuple[Places, float], ...]]
    numbers: Floats


def seen_clauses(clauses: Sequence[OwnClause]) -> Seen:
    """The features of clauses in their messages."""
    words = [
        ((_hashed(text_features(one.words, ())), _OF_PART), (_hashed(_around(one)), _OF_AROUND))
        for one in clauses
    ]
    parts, wholes = [one.words for one in clauses], [one.text for one in clauses]
    vectors = vectors_of([*parts, *wholes])
    numbers = (
        vectors[: len(parts)] * _OF_VECTOR,
        vectors[len(parts) :] * _OF_MESSAGE,
        _signs(parts) * _OF_SIGNS,
        _signs(wholes) * _OF_SIGNS,
    )
    return Seen(words, np.hstack(numbers).astype(np.float32))


def seen_questions(texts: Sequence[str]) -> Seen:
    """The features of questions."""
    words = [((_hashed(text_features(one, ())), _OF_PART),) for one in texts]
    numbers = np.hstack((_vectors(texts) * _OF_VECTOR, _signs(texts) * _OF_SIGNS))
    return Seen(words, numbers.astype(np.float32))


_CACHED = 4096
_cached: OrderedDict[str, Floats] = OrderedDict()
"""The vectors that were worked out last."""
_caching = Lock()
"""Held while they are looked up or kept: threads ask for them side by side."""


def vectors_of(texts: Sequence[str]) -> Floats:
    """The shipped embedder's vectors, a row each, of texts that are cut at their first tokens.

    Those that were asked for lately are not worked out again.
    """
    if not texts:
        return np.zeros((0, 0), dtype=np.float32)
    with _caching:
        known = {text: one for text in texts if (one := _cached.get(text)) is not None}
    if new := [text for text in dict.fromkeys(texts) if text not in known]:
        # A row by itself: a view of one would keep all that were worked out with it.
        known |= {text: one.copy() for text, one in zip(new, _vectors(new), strict=True)}
    with _caching:
        for text, one in known.items():
            _cached[text] = one
            _cached.move_to_end(text)
        while len(_cached) > _CACHED:
            _cached.popitem(last=False)
    found: Floats = np.array([known[text] for text in texts])
    return found


def _vectors(texts: Sequence[str]) -> Floats:
    """Their vectors, a row each; a text that comes again is embedded once."""
    places = {text: at for at, text in enumerate(dict.fromkeys(texts))}
    known, encoder = list(places), load()
    blocks = [
        np.asarray(encoder.vectors(known[start : start + _BATCH], _MOST_TOKENS), dtype=np.float32)
        for start in range(0, len(known), _BATCH)
    ]
    found: Floats = np.vstack(blocks)[[places[text] for text in texts]]
    return found


def _signs(texts: Sequence[str]) -> Floats:
    """A column for each sign: 1 where a text has it."""
    names = sign_names()
    shown = {text: signs_in(spelt_out(text)) for text in dict.fromkeys(texts)}
    return np.array([[name in shown[text] for name in names] for text in texts], dtype=np.float32)


def _hashed(features: Iterable[str]) -> Places:
    return np.unique(
        np.fromiter((zlib.crc32(one.encode()) % BUCKETS for one in features), dtype=np.int64)
    )


def _around(one: OwnClause) -> Iterator[str]:
    before, after = one.text[: one.start], one.text[one.end :]
    ahead = spelt_out(before).split()[-_AROUND:]
    yield from (f"b {word}" for word in ahead)
    yield f"b$ {' '.join(ahead[-2:])}"
    yield from (f"a {word}" for word in spelt_out(after).split()[:_AROUND])
    yield from (f"m {word}" for word in set(spelt_out(one.text).split()))
    yield from (f"t {mark}" for mark in _MARKS if mark in one.text)
    yield from (f"te {emoji}" for emoji in _EMOJI.findall(one.text))
    quoted = any(before.count(first) > before.count(last) for first, last in _OPENED)
    if quoted or before.count('"') % 2:
        yield "quoted"
