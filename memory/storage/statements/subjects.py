"""How much is known about what: the subjects of current statements, counted."""

from collections.abc import Iterable, Mapping

from memory.model.audience import Audience
from memory.storage.sqlite.database import TimedTable
from memory.storage.sqlite.rows import json_list, millis, queries

_SQL = queries("statements/subjects")

MOST_COUNTED = 200
"""A subject with as many is as dense as can be; counting all of ten thousand takes 10 ms."""


class Subjects(TimedTable):
    """The subjects of the statements about people and their world."""

    async def counts(self, subjects: Iterable[str], audience: Audience) -> Mapping[str, int]:
        """How many current statements one audience has about each subject, at most 200.

        Only what exactly this audience knows counts, so no reader learns how much others know.
        """
        values = {
            "subjects": json_list(dict.fromkeys(subjects)),
            "audience": audience,
            "now": millis(self._clock.now()),
            "most": MOST_COUNTED,
        }
        rows = await self._database.all(_SQL["counts"], values)
        return {row["subject"]: row["known"] for row in rows}
