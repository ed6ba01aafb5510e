"""Which words of a text a full-text query asks for, so that a long one stays quick. Pure.

FTS5 scores every row that matches and reads every row of every word, so its time is theirs.
"""

from collections.abc import Mapping, Sequence

MOST_MATCHED = 2_000
"""Rows a query may match by words alone: scoring and sorting one takes 2 us."""

MOST_READ = 20_000
"""Rows of all words together: reading one takes 0.1 us."""


def match_expression(terms: Sequence[str], seen: Mapping[str, int]) -> str:
    """An FTS5 query for any of the terms, when `seen` says in how many rows each of them is.

    Where that would match too many rows, one of the rare terms must be there, or the two rarest of
    the common ones; the others only add to the score. Empty when no row has any of them.
    """
    terms = [term for term in terms if seen[term] or not term.isalnum()]  # FTS5 splits those
    if len(terms) < 2 or sum(seen[term] for term in terms) <= MOST_MATCHED:
        return _any(terms)
    rarest_first = sorted(terms, key=lambda term: seen[term])
    asked = _affordable(rarest_first, seen, MOST_MATCHED)
    common = rarest_first[len(asked) :]
    needed = [f'"{term}"' for term in asked]
    if len(common) > 1:
        needed.append(f'("{common[0]}" AND "{common[1]}")')
    elif not any(seen[term] for term in asked):
        needed.append(f'"{common[0]}"')
    scored = max(len(asked) + 2, len(_affordable(rarest_first, seen, MOST_READ)))
    return f"({' OR '.join(needed)}) AND ({_any(rarest_first[:scored])})"


def _affordable(rarest_first: Sequence[str], seen: Mapping[str, int], most: int) -> list[str]:
    """As many of the terms as are in at most this many rows together."""
    taken, rows = [], 0
    for term in rarest_first:
        rows += seen[term]
        if rows > most:
            break
        taken.append(term)
    return taken


def _any(terms: Sequence[str]) -> str:
    return " OR ".join(f'"{term}"' for term in terms)
