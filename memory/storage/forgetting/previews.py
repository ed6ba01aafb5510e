"""What a request would take, as it is shown before it is confirmed."""

from dataclasses import replace

from memory.rules.forgetting.narrowing import only_these
from memory.rules.forgetting.receipt import Preview, Sample
from memory.rules.forgetting.selection import ErasureSelection
from memory.rules.forgetting.selector import ErasureRequest
from memory.storage.forgetting.erasure import counted, with_facts
from memory.storage.forgotten.selection import Rows, SelectionReader


async def previewed(rows: Rows, request: ErasureRequest) -> Preview:
    """The preview of a request; nothing is changed."""
    selecting = SelectionReader(rows, request)
    selection = await with_facts(rows, await selecting.chosen())
    live = await selecting.live_among(selection.messages)
    return Preview(
        counts=counted(selection, live=live),
        samples=await selecting.samples(selection),
        kept=selection.kept,
        offered=await _offered(rows, request, selection),
    )


async def _offered(
    rows: Rows, request: ErasureRequest, selection: ErasureSelection
) -> tuple[Sample, ...]:
    """What may be meant as well and is not chosen, as it would be if it were."""
    alone = only_these(request.selector, request.offered)
    if not alone.kinds:
        return ()
    reading = SelectionReader(rows, replace(request, selector=alone, topic=None))
    return await reading.samples((await reading.chosen()).without(selection))
