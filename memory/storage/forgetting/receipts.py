"""What a request would take, and the requester, the shown rows and the receipt of one kept."""

import json
from dataclasses import replace

from memory.model.authority import Actor, Mandate
from memory.model.elsewhere import NOWHERE
from memory.model.forgetting import Counts, Kind
from memory.rules.forgetting.narrowing import ShownRows, only_these
from memory.rules.forgetting.receipt import Preview, Receipt, Sample
from memory.rules.forgetting.selection import ErasureSelection
from memory.rules.forgetting.selector import (
    ErasureRequest,
    NamedRows,
    Requester,
    read_rows,
    written_rows,
)
from memory.storage.forgetting.erasure import counted, with_facts
from memory.storage.forgotten.selection import SelectionReader
from memory.storage.sqlite.database import Rows
from memory.storage.sqlite.rows import Row, row_as, scope_in


async def previewed(rows: Rows, request: ErasureRequest) -> Preview:
    """What a request would take, as it is shown before it is confirmed; nothing is changed."""
    selecting = SelectionReader(rows, request)
    selection = await with_facts(rows, await selecting.chosen())
    live = await selecting.live_among(selection.messages)
    return Preview(
        counts=counted(selection, live=live),
        samples=await selecting.samples(selection),
        kept=selection.kept,
        offered=await _offered(rows, request, selection),
    )


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
    given = {"person": row["person_id"], "counts": _counts(row), "elsewhere": NOWHERE}
    return row_as(Receipt, row, more=more, **given)


async def _offered(
    rows: Rows, request: ErasureRequest, selection: ErasureSelection
) -> tuple[Sample, ...]:
    """What may be meant as well and is not chosen, as it would be if it were."""
    alone = only_these(request.selector, request.offered)
    if not alone.kinds:
        return ()
    reading = SelectionReader(rows, replace(request, selector=alone, topic=None))
    return await reading.samples((await reading.chosen()).without(selection))


def _counts(row: Row) -> Counts:
    return {Kind(kind): count for kind, count in json.loads(row["counts"]).items()}
