"""Rows of the forgettings table as values: the requester, the shown rows, the receipt."""

import json

from memory.model.authority import Actor, Mandate
from memory.model.forgetting import Counts, Kind
from memory.rules.forgetting.narrowing import ShownRows
from memory.rules.forgetting.receipt import Preview, Receipt
from memory.rules.forgetting.selector import NamedRows, Requester, read_rows, written_rows
from memory.storage.sqlite.columns import scope_in
from memory.storage.sqlite.readers import Row
from memory.storage.sqlite.rows import row_as


def asker_in(row: Row) -> Requester:
    """The requester of a forgetting, with the power they had."""
    actor = Actor(person=row["person_id"], mandate=Mandate(row["mandate"]), space=row["manages"])
    return Requester(scope=scope_in(row["audiences"]), actor=actor)


def written_lines(preview: Preview) -> str:
    """The rows of each line of a preview as JSON, without their words."""
    every = ((preview.lines, False), (preview.offered_lines, True))
    return json.dumps(
        [
            {**written_rows(line.rows), "offered": offered}
            for lines, offered in every
            for line in lines
        ]
    )


def lines_in(row: Row) -> ShownRows:
    """The rows of each line that a preview showed."""
    goes: list[NamedRows] = []
    offered: list[NamedRows] = []
    for one in json.loads(row["shown"]):
        (offered if one["offered"] else goes).append(read_rows(one))
    return ShownRows(tuple(goes), tuple(offered))


def receipt_in(row: Row, more: int = 0) -> Receipt:
    """The receipt of a forgetting; `more` messages came in before it was confirmed."""
    return row_as(Receipt, row, person=row["person_id"], counts=_counts(row), more=more)


def _counts(row: Row) -> Counts:
    return {Kind(kind): count for kind, count in json.loads(row["counts"]).items()}
