"""Rows of the forgettings table as values: who asked, what was shown, what came of it."""

import json
from collections.abc import Iterable

from memory.model.authority import Actor, Mandate
from memory.model.forgetting import Counts, Kind
from memory.model.people import PersonId
from memory.rules.forgetting.receipt import ForgettingState, Receipt, ShownLine
from memory.rules.forgetting.selector import NamedRows, Requester, read_rows, written_rows
from memory.storage.columns import maybe_moment, moment, scope_in
from memory.storage.readers import Row


def asker_in(row: Row) -> Requester:
    """Who asked for a forgetting, with the power they had."""
    actor = Actor(person=row["person_id"], mandate=Mandate(row["mandate"]), space=row["manages"])
    return Requester(scope=scope_in(row["audiences"]), actor=actor)


def written_lines(lines: Iterable[ShownLine]) -> str:
    """The rows of lines as JSON, without what they say."""
    return json.dumps([written_rows(line.rows) for line in lines])


def lines_in(row: Row) -> list[NamedRows]:
    """The rows of each line that a preview showed, in order."""
    return [read_rows(one) for one in json.loads(row["shown"])]


def receipt_in(row: Row, more: int = 0) -> Receipt:
    """The receipt of a forgetting; `more` messages came in before it was confirmed."""
    return Receipt(
        id=row["id"],
        state=ForgettingState(row["state"]),
        kinds=tuple(json.loads(row["kinds"])),
        person=None if row["person_id"] is None else PersonId(row["person_id"]),
        counts=_counts(row),
        previewed_at=moment(row["previewed_at"]),
        forgotten_at=maybe_moment(row["forgotten_at"]),
        undone_at=maybe_moment(row["undone_at"]),
        purged_at=maybe_moment(row["purged_at"]),
        more=more,
    )


def _counts(row: Row) -> Counts:
    return {Kind(kind): count for kind, count in json.loads(row["counts"]).items()}
